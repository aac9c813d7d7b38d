"""A baseline that weighs each action by the points it expects of the round: the opponent's less its own.

It counts how many turns its hand still takes and how many the opponent's may take, and takes from that who will be
out first. What it does follows from that count:

- Draft: keeps what lengthens the hand little: wilds, Skips, Draw Twos, Reverses and what a held Reverse will dump.
- Play: holds Reverses until they dump a color, gains turns with Skips and Draw Twos, and gets rid of points when the
  opponent is near out.
- Wilds: names a color that it holds and that the opponent lacks. Bluffs with a Wild Draw Four only in need.
- UNO: says it whenever it leaves one card, and catches whoever does not.
- Draw Two: answers with one of its own, unless the opponent may well answer again.
- Wild Draw Four: challenges if the opponent's cards, by the odds, hold one that could have been played.
- Draw pile: counts the cards seen, and knows what it will draw once only the known tail of the pile is left.

It remembers nothing: the view tells all that it goes by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp
from types import MappingProxyType
from typing import Final

from unoduo.v1 import action_pb2, card_pb2, observation_pb2

from unoduo_client.baselines.familiar import of_today
from unoduo_client.baselines.odds import COLORS, POINTS, SYMBOLS, Odds, alternatives, known_draws
from unoduo_client.cards import Symbol

# Turns that single cards take. What gives its player another turn takes almost none, and a Wild Draw Four saves one.
_TURNS_OF: Final[Mapping[Symbol | None, float]] = MappingProxyType(
    {Symbol.SKIP: 0.2, Symbol.DRAW_TWO: 0.1, Symbol.WILD: 0.6, Symbol.WILD_DRAW_FOUR: -0.8}
)
# What a Draw Two or Wild Draw Four makes the opponent draw.
_DEMANDS: Final[Mapping[Symbol | None, int]] = MappingProxyType({Symbol.DRAW_TWO: 2, Symbol.WILD_DRAW_FOUR: 4})
_TURNS_OF_LONE_REVERSE: Final = 0.6
_TURNS_OF_DUMP: Final = 1.0
_TURNS_OF_DUMP_THAT_ACTS: Final = 0.5
_TURNS_TO_REACH_A_COLOR: Final = 0.15
_TURNS_OF_UNKNOWN_CARD: Final = 0.75
_TURNS_WITHOUT_A_MATCH: Final = 0.5
_TURNS_OF_EXTRA_TURN: Final = 0.8
_TURNS_OF_FREE_DUMP: Final = 1.0
_POINTS_OF_UNKNOWN_CARD: Final = 800 / 112
# How fast the chance to be out first grows with the turns that one is ahead.
_CERTAINTY_A_TURN: Final = 0.45
_MOST_TURNS_KEPT_IN_DRAFT: Final = 0.8
_LOWEST_ODDS_CHALLENGED: Final = 0.4
# How likely another player is to challenge a Wild Draw Four.
_CHALLENGED: Final = 0.7
_COLORS: Final = (card_pb2.COLOR_RED, card_pb2.COLOR_YELLOW, card_pb2.COLOR_GREEN, card_pb2.COLOR_BLUE)
_DRAW_TWOS: Final = tuple(card for card, symbol in enumerate(SYMBOLS) if symbol is Symbol.DRAW_TWO)

# The faces that fit each color in force whatever the top card; any fit before a color is named.
_FITTING: Final = tuple(
    tuple(card for card in range(1, len(COLORS)) if not color or COLORS[card] in (0, color)) for color in range(5)
)


@of_today
def careful_bot(observation: observation_pb2.Observation) -> action_pb2.Action:
    """Returns the action of this strategy, one of the legal ones."""
    view, legal = observation.view, observation.decision.legal
    match observation.decision.phase:
        case observation_pb2.PHASE_DRAFT:
            return _of_kind(legal, "keep_offered" if _is_worth_keeping(view) else "refuse_offered")
        case observation_pb2.PHASE_UNO:
            return _of_kind(legal, "catch")
        case observation_pb2.PHASE_RESPOND if view.pending_kind == observation_pb2.PENDING_KIND_WILD_DRAW_FOUR:
            return _of_kind(legal, "challenge" if _chance_of_guilt(view) >= _LOWEST_ODDS_CHALLENGED else "draw")
    return max(legal, key=_Outlook(view).value)


def turns_to_empty(hand: Iterable[int]) -> float:
    """Returns about how many turns a hand takes: one a number, one a color that a Reverse dumps."""
    turns = 0.0
    by_color: dict[int, list[Symbol | None]] = {}
    for card in hand:
        turns += _TURNS_OF.get(SYMBOLS[card], 0.0)
        if COLORS[card]:
            by_color.setdefault(COLORS[card], []).append(SYMBOLS[card])
    for symbols in by_color.values():
        acting = symbols.count(Symbol.SKIP) + symbols.count(Symbol.DRAW_TWO)
        turns += _TURNS_TO_REACH_A_COLOR
        if len(symbols) == 1 and Symbol.REVERSE in symbols:
            turns += _TURNS_OF_LONE_REVERSE
        elif Symbol.REVERSE not in symbols:
            turns += len(symbols) - acting
        else:
            turns += _TURNS_OF_DUMP_THAT_ACTS if acting else _TURNS_OF_DUMP
    return turns


class _Outlook:
    """Weighs the actions open in one view, in points of the round."""

    def __init__(self, view: observation_pb2.View) -> None:
        self._view = view
        self._odds = Odds(view)
        self._hand: list[int] = [*view.hand]
        self._top = view.discard_pile[-1] if view.discard_pile else 0

    def value(self, action: action_pb2.Action) -> float:
        """Returns what can be expected after an action that is no answer to a Wild Draw Four."""
        view, opponent = self._view, self._view.opponent_count
        match action.WhichOneof("kind"):
            case "play":
                return self._value_of_play(action.play)
            case "choose_color":
                return self._expected(self._hand, action.choose_color.color, opponent)
            case "draw":
                drawn, unknown = known_draws(view, view.pending_total or 1)
                return self._expected([*self._hand, *drawn], view.active_color, opponent, unknown=unknown)
            case _:
                return self._expected(self._hand, view.active_color, opponent)

    def _value_of_play(self, play: action_pb2.Play) -> float:
        opponent, last = self._view.opponent_count, play.cards[-1]
        color = play.color or COLORS[last]
        rest = self._hand.copy()
        for card in play.cards:
            rest.remove(card)
        if not rest:
            return (opponent + _DEMANDS.get(SYMBOLS[last], 0)) * _POINTS_OF_UNKNOWN_CARD
        if len(rest) == 1 and not play.uno:
            return float("-inf")
        match SYMBOLS[last]:
            case Symbol.SKIP:
                return self._expected(rest, color, opponent, ahead=_TURNS_OF_EXTRA_TURN)
            case Symbol.DRAW_TWO:
                return self._value_of_draw_two(rest, color)
            case Symbol.WILD_DRAW_FOUR:
                return self._value_of_wild_draw_four(rest, color)
            case Symbol.REVERSE if len(play.cards) > 1:
                return self._expected(rest, color, opponent, ahead=-_TURNS_OF_FREE_DUMP)
        return self._expected(rest, color, opponent)

    def _value_of_draw_two(self, rest: list[int], color: int) -> float:
        opponent, total = self._view.opponent_count, self._view.pending_total + 2
        answered = self._odds.holds(opponent, _DRAW_TWOS)
        drawn = self._expected(rest, color, opponent + total, ahead=_TURNS_OF_EXTRA_TURN)
        back = self._expected(rest, color, opponent - 1, unknown=total + 2, ahead=-_TURNS_OF_EXTRA_TURN)
        return (1 - answered) * drawn + answered * back

    def _value_of_wild_draw_four(self, rest: list[int], color: int) -> float:
        opponent, view = self._view.opponent_count, self._view
        accepted = self._expected(rest, color, opponent + 4, ahead=_TURNS_OF_EXTRA_TURN)
        if alternatives(self._top, view.active_color).isdisjoint(rest):
            return accepted
        challenged = self._expected(rest, color, opponent, unknown=4, ahead=-_TURNS_OF_EXTRA_TURN)
        return (1 - _CHALLENGED) * accepted + _CHALLENGED * challenged

    def _expected(self, hand: Sequence[int], color: int, opponent: int, unknown: int = 0, ahead: float = 0.0) -> float:
        """Returns the points to be expected with this hand and `unknown` cards more, and `opponent` cards against it.

        `ahead` is by how many turns this seat is ahead beyond that: what an extra turn or a free dump is worth.
        """
        turns = turns_to_empty(hand) + unknown * _TURNS_OF_UNKNOWN_CARD
        if not any(COLORS[card] in (0, color) for card in hand):
            turns += _TURNS_WITHOUT_A_MATCH
        stuck = 1 - self._odds.holds(opponent, _FITTING[color])
        opponent_turns = opponent * _TURNS_OF_UNKNOWN_CARD + stuck * _TURNS_WITHOUT_A_MATCH
        wins = 1 / (1 + exp(_CERTAINTY_A_TURN * (turns - opponent_turns - ahead)))
        own = sum(POINTS[card] for card in hand) + unknown * _POINTS_OF_UNKNOWN_CARD
        return wins * opponent * _POINTS_OF_UNKNOWN_CARD - (1 - wins) * own


def _is_worth_keeping(view: observation_pb2.View) -> bool:
    return turns_to_empty([*view.hand, view.own_card]) - turns_to_empty(view.hand) <= _MOST_TURNS_KEPT_IN_DRAFT


def _chance_of_guilt(view: observation_pb2.View) -> float:
    """Returns how likely the player of the pending Wild Draw Four holds a card to play instead (RULES.md R8.7)."""
    *_, before, _played = (0, 0, *view.discard_pile)
    # The color that was named for a wild is forgotten: each is as likely.
    colors = (COLORS[before],) if COLORS[before] else _COLORS
    odds = Odds(view)
    chances = [odds.holds(view.opponent_count, alternatives(before, color)) for color in colors]
    return sum(chances) / len(chances)


def _of_kind(legal: Iterable[action_pb2.Action], kind: str) -> action_pb2.Action:
    """Returns the first legal action of a kind."""
    return next(action for action in legal if action.WhichOneof("kind") == kind)
