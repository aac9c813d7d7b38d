/** A bot to start from: it gets rid of as many points as it can, and never forgets to say UNO. */

import { type Action, type Asking, type Card, Color, cards, Phase, run } from "unoduo-client";

/** Returns one of the legal actions, which come ready to be sent back. */
function decide({ decision, view }: Asking): Action {
  const legal = decision.legal;
  switch (decision.phase) {
    case Phase.DRAFT:
      return first(legal, isWorthKeeping(view.ownCard) ? "keepOffered" : "refuseOffered");
    case Phase.UNO:
      return first(legal, "catch");
    default:
      return best(legal, (action) => worth(action, view.hand));
  }
}

/** Low numbers cost little, action cards and wilds are strong. */
function isWorthKeeping(card: Card): boolean {
  const symbol = cards.symbol(card);
  return symbol <= cards.CardSymbol.FOUR || symbol > cards.CardSymbol.NINE;
}

/** Plays are worth the points that they get rid of; a color is worth what is held of it. */
function worth(action: Action, hand: Card[]): number {
  switch (action.kind.case) {
    case "play": {
      const { cards: laid, color, uno } = action.kind.value;
      const points = laid.reduce((sum, card) => sum + cards.points(card), 0);
      return 100 * points + 10 * held(color, hand) + (uno ? 1 : 0);
    }
    case "chooseColor":
      return held(action.kind.value.color, hand);
    default:
      return -1; // draw, keep what was drawn, challenge: only if nothing can be played
  }
}

function held(color: Color, hand: Card[]): number {
  return color === Color.UNSPECIFIED ? 0 : hand.filter((card) => cards.color(card) === color).length;
}

function first(legal: Action[], kind: Action["kind"]["case"]): Action {
  return legal.find((action) => action.kind.case === kind) ?? best(legal, () => 0);
}

function best(legal: Action[], value: (action: Action) => number): Action {
  return legal.reduce((one, other) => (value(other) > value(one) ? other : one));
}

await run(decide);
