import assert from "node:assert/strict";
import { test } from "node:test";

import * as cards from "../src/cards.js";
import { Card, Color } from "../src/gen/unoduo/v1/card_pb.js";
import { vectors } from "./vectors.js";

interface Face {
  name: string;
  card: string;
  number: number;
  color: string | null;
  symbol: string;
  points: number;
}

const { faces } = vectors<{ faces: Face[] }>("cards/faces.json");
const SYMBOLS = "0 1 2 3 4 5 6 7 8 9 SKIP REVERSE DRAW_TWO WILD WILD_DRAW_FOUR".split(" ");

function colorOf(face: Face): Color {
  return face.color === null ? Color.UNSPECIFIED : Color[face.color.replace("COLOR_", "") as keyof typeof Color];
}

test("each face is as the vectors have it", () => {
  assert.equal(faces.length, 54);
  for (const face of faces) {
    const card = Card[face.card.replace("CARD_", "") as keyof typeof Card];
    assert.equal(card, face.number);
    assert.equal(cards.color(card), colorOf(face));
    assert.equal(SYMBOLS[cards.symbol(card)], face.symbol);
    assert.equal(cards.points(card), face.points);
    assert.equal(cards.isWild(card), face.color === null);
    assert.equal(cards.name(card), face.name);
    assert.equal(cards.fromName(face.name), card);
  }
});

test("cards match by color, by symbol and as wilds", () => {
  for (const card of faces) {
    for (const top of faces) {
      for (const active of [Color.RED, Color.YELLOW, Color.GREEN, Color.BLUE]) {
        const expected = card.color === null || colorOf(card) === active || card.symbol === top.symbol;
        assert.equal(cards.matches(card.number, top.number, active), expected);
      }
    }
  }
});

test("what is no card has nothing of one, and no name makes one", () => {
  for (const number of [0, 55, -1]) {
    assert.deepEqual(
      [cards.isCard(number), cards.color(number), cards.symbol(number), cards.points(number), cards.isWild(number)],
      [false, Color.UNSPECIFIED, cards.CardSymbol.NONE, 0, false],
    );
    assert.equal(cards.name(number), "??");
    assert.ok(!cards.matches(number, Card.RED_1, Color.UNSPECIFIED));
  }
  assert.throws(() => cards.fromName("R10"), RangeError);
});
