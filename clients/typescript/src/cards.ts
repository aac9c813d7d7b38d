/** Card faces for bots: color, symbol, points, names, and which card can be laid on which (RULES.md R1, R5). */

import { type Card, Color } from "./gen/unoduo/v1/card_pb.js";

/** Says what a card shows apart from its color. */
export enum CardSymbol {
  /** That of what is no card. */
  NONE = -1,
  ZERO = 0,
  ONE,
  TWO,
  THREE,
  FOUR,
  FIVE,
  SIX,
  SEVEN,
  EIGHT,
  NINE,
  SKIP,
  REVERSE,
  DRAW_TWO,
  WILD,
  WILD_DRAW_FOUR,
}

const COLOR_LETTERS = "RYGB";
const SYMBOL_LETTERS = "0123456789SRD";
const PER_COLOR = SYMBOL_LETTERS.length;
const WILDS_BEGIN = 1 + PER_COLOR * COLOR_LETTERS.length;
const POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 15, 20];
const NAMES = [
  ...[...COLOR_LETTERS].flatMap((color) => [...SYMBOL_LETTERS].map((symbol) => color + symbol)),
  "WW",
  "WF",
];

/** Returns whether a number is that of a card: a newer referee may name some that this version does not know. */
export function isCard(card: Card): boolean {
  return NAMES[card - 1] !== undefined;
}

/** Returns the color of a card, UNSPECIFIED for a wild and for what is no card. */
export function color(card: Card): Color {
  return !isCard(card) || isWild(card) ? Color.UNSPECIFIED : 1 + Math.floor((card - 1) / PER_COLOR);
}

/** Returns the symbol of a card, NONE for what is no card. */
export function symbol(card: Card): CardSymbol {
  if (!isCard(card)) {
    return CardSymbol.NONE;
  }
  return isWild(card) ? CardSymbol.WILD + (card - WILDS_BEGIN) : (card - 1) % PER_COLOR;
}

/** Returns what a card costs its holder at the end of a round (RULES.md R1.7), 0 for what is no card. */
export function points(card: Card): number {
  return POINTS[symbol(card)] ?? 0;
}

/** Returns whether a card is a Wild or Wild Draw Four. */
export function isWild(card: Card): boolean {
  return isCard(card) && card >= WILDS_BEGIN;
}

/**
 * Returns whether a card can be laid on the top card while a color is in force (RULES.md R5).
 *
 * A wild always can; a colored card by the color in force, or by the symbol of a colored top card.
 */
export function matches(card: Card, top: Card, activeColor: Color): boolean {
  return isCard(card) && (isWild(card) || color(card) === activeColor || symbol(card) === symbol(top));
}

/** Returns the short name of a card, as in `R5`, `GS`, `BR`, `YD`, `WW`, `WF`, or `??` for what is no card. */
export function name(card: Card): string {
  return NAMES[card - 1] ?? "??";
}

/** Returns the card of a short name. Throws RangeError for a name that no card has. */
export function fromName(text: string): Card {
  const position = NAMES.indexOf(text);
  if (position < 0) {
    throw new RangeError(`"${text}" names no card`);
  }
  return position + 1;
}
