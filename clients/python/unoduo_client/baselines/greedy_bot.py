"""A baseline that gets rid of as many points as it can, decision by decision.

- Draft: keeps action cards, wilds and numbers up to 4; refuses 5 to 9 for the unseen next card.
- Play: dumps a color whenever it can, else plays the card worth most points; never draws by choice.
- Wilds: names the color that it holds most of.
- UNO: says it whenever it leaves one card, and catches whoever does not.
- Draw Two: answers with one of its own if it can.
- Wild Draw Four: challenges while its player holds at least two cards: one that could have been played is likely then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unoduo.v1 import action_pb2, card_pb2, observation_pb2

from unoduo_client import cards
from unoduo_client.baselines.familiar import of_today

_HIGHEST_NUMBER_KEPT = cards.Symbol.FOUR
_LOWEST_HAND_CHALLENGED = 2


@of_today
def greedy_bot(observation: observation_pb2.Observation) -> action_pb2.Action:
    """Returns the action of this strategy, one of the legal ones."""
    view = observation.view
    legal = observation.decision.legal
    held = Counter(cards.color(card) for card in view.hand)
    match observation.decision.phase:
        case observation_pb2.PHASE_DRAFT:
            return _first(legal, "keep_offered" if _is_worth_keeping(view) else "refuse_offered")
        case observation_pb2.PHASE_COLOR:
            return max(legal, key=lambda action: held[action.choose_color.color])
        case observation_pb2.PHASE_UNO:
            return _first(legal, "catch")
        case observation_pb2.PHASE_RESPOND if view.pending_kind == observation_pb2.PENDING_KIND_WILD_DRAW_FOUR:
            return _first(legal, "challenge" if view.opponent_count >= _LOWEST_HAND_CHALLENGED else "draw")
    plays = [action for action in legal if action.HasField("play")]
    if not plays:
        return _first(legal, "draw", "keep_drawn")
    return max(plays, key=lambda action: _value(action.play, held))


def _is_worth_keeping(view: observation_pb2.View) -> bool:
    if view.own_card == card_pb2.CARD_UNSPECIFIED:  # of a later version
        return True
    symbol = cards.symbol(view.own_card)
    return symbol <= _HIGHEST_NUMBER_KEPT or symbol > cards.Symbol.NINE


def _value(play: action_pb2.Play, held: Counter[card_pb2.Color.ValueType]) -> tuple[bool, int, bool, int]:
    """Returns what plays are compared by: dump, points, UNO, cards held of the color named."""
    return len(play.cards) > 1, sum(map(cards.points, play.cards)), play.uno, held[play.color]


def _first(legal: Sequence[action_pb2.Action], *kinds: str) -> action_pb2.Action:
    """Returns the first legal action of one of these kinds; in a phase of a later version there may be others alone."""
    return next((action for action in legal if action.WhichOneof("kind") in kinds), legal[0])
