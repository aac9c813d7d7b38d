/** What a later referee may say and this version does not know is skipped. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Conversation } from "../src/conversation.js";
import { terminationName } from "../src/errors.js";
import { ActionSchema } from "../src/gen/unoduo/v1/action_pb.js";
import { EventSchema } from "../src/gen/unoduo/v1/event_pb.js";
import { type Observation, ObservationSchema, Phase } from "../src/gen/unoduo/v1/observation_pb.js";
import { OutcomeSchema } from "../src/gen/unoduo/v1/outcome_pb.js";
import { PlayResponseSchema } from "../src/gen/unoduo/v1/session_pb.js";
import { readJson } from "../src/json.js";

/** Returns a message of which only field 900, unknown to all, is set. */
function unknownField(): Uint8Array {
  return new BinaryWriter().tag(900, WireType.LengthDelimited).bytes(Uint8Array.of(1, 2)).finish();
}

/** Returns the bytes of field `number` with that content. */
function field(number: number, content: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();
}

function check(observation: Observation): void {
  assert.deepEqual(
    observation.events.map(({ sequence, event }) => [sequence, event?.kind.case]),
    [
      [1, undefined],
      [2, "drawnKept"],
    ],
  );
  assert.equal(observation.sequence, 2);
}

test("an event kind in binary", () => {
  const known = create(ObservationSchema, {
    events: [{ sequence: 2, event: { kind: { case: "drawnKept", value: {} } } }],
    sequence: 2,
  });
  const unknown = Uint8Array.of(8, 1, ...field(2, unknownField())); // sequence 1, an event
  check(fromBinary(ObservationSchema, Buffer.concat([field(1, unknown), toBinary(ObservationSchema, known)])));
});

test("an event kind in JSON", () => {
  const events =
    '[{"sequence": 1, "event": {"cardsBurnt": {"count": 3}}}, {"sequence": 2, "event": {"drawnKept": {}}}]';
  check(readJson(ObservationSchema, `{"events": ${events}, "sequence": 2, "weather": "fine"}`));
});

test("an enum value in binary and in JSON", () => {
  const decided = create(ObservationSchema, { decision: { decisionId: 4_294_967_295, phase: 99 as Phase } });
  const read = fromBinary(ObservationSchema, toBinary(ObservationSchema, decided));
  assert.deepEqual([read.decision?.phase, read.decision?.decisionId], [99, 4_294_967_295]);
  const named = readJson(ObservationSchema, '{"decision": {"phase": "PHASE_TRADE", "decisionId": 4294967295}}');
  assert.deepEqual([named.decision?.phase, named.decision?.decisionId], [Phase.UNSPECIFIED, 4_294_967_295]);
  const numbered = readJson(OutcomeSchema, '{"termination": 99}');
  assert.equal(terminationName(numbered.termination), "99");
  const played = readJson(EventSchema, '{"cardsPlayed": {"cards": ["CARD_RED_5", "CARD_JOKER"], "left": 4}}');
  assert.ok(played.kind.case === "cardsPlayed");
  assert.deepEqual(played.kind.value.cards, [6]);
});

test("an action kind, which is sent back as it came", () => {
  const action = fromBinary(ActionSchema, unknownField());
  assert.equal(action.kind.case, undefined);
  assert.deepEqual(toBinary(ActionSchema, action), unknownField());
});

test("an item kind, and an observation without anything known is one all the same", () => {
  const items = Buffer.concat([
    field(1, Uint8Array.of(8, 1, ...unknownField())),
    field(1, Uint8Array.of(8, 1, 50, 2, 16, 7)),
  ]);
  const response = fromBinary(PlayResponseSchema, items);
  const place = { matchId: new Uint8Array(16), seat: 1, seatToken: "", delivery: 0 };
  const conversation = new Conversation(place);
  assert.deepEqual(
    response.items.map((item) => conversation.deliver(item)),
    [false, true],
  );
  assert.equal(conversation.closed, undefined);
});
