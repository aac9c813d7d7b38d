"""What a seat may do: the refusals in their order, the legal actions, the defaults (RULES.md R13.1 to R13.5)."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from tests.checker import cards as c
from tests.checker.position import Action, Position

Refusal = tuple[str, str]
Cards = tuple[str, ...]


@dataclass(slots=True)
class Laid:
    """Holds a play: its cards, the color that it names, and the hand that it comes from."""

    cards: Cards
    named: str | None
    hand: list[str]

    @property
    def several(self) -> bool:
        """Whether it is more than one card."""
        return len(self.cards) > 1

    @property
    def symbol(self) -> str:
        """The symbol of the first card."""
        return c.SYMBOL[self.cards[0]]

    @property
    def color(self) -> str | None:
        """The color of the first card."""
        return c.COLOR[self.cards[0]]

    @property
    def same(self) -> list[str]:
        """The cards of that color in the hand."""
        return _of_color(self.hand, self.color)


# R13.2: the kinds of action that each phase knows. A card in answer to a Wild Draw Four and a challenge to a Draw Two
# have reasons of their own, so RESPOND knows them.
KNOWN_KINDS = MappingProxyType(
    {
        "DRAFT": ("keep_offered", "refuse_offered"),
        "COLOR": ("choose_color",),
        "TURN": ("play", "draw"),
        "DRAWN": ("play", "keep_drawn"),
        "RESPOND": ("play", "draw", "challenge"),
        "UNO": ("catch", "let_pass"),
    }
)

# R13.4: the actions marked in R13.2.
DEFAULTS: MappingProxyType[str, Action] = MappingProxyType(
    {
        "DRAFT": ("keep_offered",),
        "COLOR": ("choose_color", "RED"),
        "TURN": ("draw",),
        "DRAWN": ("keep_drawn",),
        "RESPOND": ("draw",),
        "UNO": ("let_pass",),
    }
)

# R13.3: reason, clause, and when it applies to an action of a seat; the first that applies is told.
_ANY_ACTION: tuple[tuple[str, str, Callable[[Position, str, str], bool]], ...] = (
    ("MATCH_NOT_RUNNING", "R13.8", lambda at, seat, kind: at.phase in ("NOT_BEGUN", "MATCH_OVER")),
    ("NOT_YOUR_DECISION", "R13.1", lambda at, seat, kind: seat != at.actor),
    ("WRONG_PHASE", "R13.2", lambda at, seat, kind: kind not in KNOWN_KINDS[at.phase]),
    ("WILD_DRAW_FOUR_UNANSWERABLE", "R8.5", lambda at, seat, kind: kind == "play" and _answers(at, "WILD_DRAW_FOUR")),
    ("NOT_A_WILD_DRAW_FOUR", "R8.16", lambda at, seat, kind: kind == "challenge" and _answers(at, "DRAW_TWO")),
)

# R13.3 goes on: the same for a play.
_PLAY: tuple[tuple[str, str, Callable[[Position, Laid], bool]], ...] = (
    ("EMPTY_PLAY", "R5.5", lambda at, play: not play.cards),
    ("CARD_NOT_HELD", "R5.6", lambda at, play: bool(Counter(play.cards) - Counter(play.hand))),
    ("COLOR_REQUIRED", "R5.4", lambda at, play: play.cards[-1] in c.WILDS and play.named is None),
    ("COLOR_NOT_ALLOWED", "R5.4", lambda at, play: play.cards[-1] not in c.WILDS and play.named is not None),
    ("ONE_CARD_ONLY", "R6.2", lambda at, play: _answers(at, "DRAW_TWO") and play.several),
    ("ONLY_DRAW_TWO_ANSWERS", "R6.2", lambda at, play: _answers(at, "DRAW_TWO") and play.symbol != "DRAW_TWO"),
    ("NOT_THE_DRAWN_CARD", "R5.9", lambda at, play: at.phase == "DRAWN" and play.cards[0] != at.seen),
    (
        "DUMP_WITHOUT_REVERSE",
        "R7.3",
        lambda at, play: play.several and play.symbol != "REVERSE" and not _free(at, play),
    ),
    ("CARD_DOES_NOT_MATCH", "R5.2", lambda at, play: not _free(at, play) and not at.matches(play.cards[0])),
    ("DUMP_OF_ANOTHER_COLOR", "R7.4", lambda at, play: any(c.COLOR[card] != play.color for card in play.cards)),
    ("DUMP_INCOMPLETE", "R7.4", lambda at, play: play.several and len(play.cards) < len(play.same)),
)


def refusal(at: Position, seat: str, action: Action) -> Refusal | None:
    """Returns reason and clause if the action is refused, else None."""
    kind = str(action[0])
    for reason, clause, applies in _ANY_ACTION:
        if applies(at, seat, kind):
            return reason, clause
    if kind == "play":
        play = Laid(cast(Cards, action[1]), cast(str | None, action[2]), at.hands[seat])
        for reason, clause, breaks in _PLAY:
            if breaks(at, play):
                return reason, clause
    return None


def legal(at: Position) -> list[Action]:
    """R13.5: the listed forms that are not refused."""
    if at.phase == "MATCH_OVER":
        return []
    assert at.actor is not None
    forms: list[Action] = []
    for kind in KNOWN_KINDS[at.phase]:
        if kind == "play":
            forms += _plays(at)
        elif kind == "choose_color":
            forms += [(kind, color) for color in c.COLORS]
        else:
            forms.append((kind,))
    return [form for form in forms if refusal(at, at.actor, form) is None]


def _plays(at: Position) -> Iterator[Action]:
    assert at.actor is not None
    hand = at.hands[at.actor]
    for cards in (*_singles(hand), *_dumps(at, hand)):
        # A wild once a color.
        for named in c.COLORS if cards[-1] in c.WILDS else (None,):
            # A play that leaves exactly one card without and with the call.
            for call in (False, True) if len(hand) - len(cards) == 1 else (False,):
                yield ("play", cards, named, call)


def _singles(hand: list[str]) -> Iterator[Cards]:
    """A single card once a face."""
    for face in set(hand):
        yield (face,)


def _dumps(at: Position, hand: list[str]) -> Iterator[Cards]:
    """A dump once for each different last card, those before it ascending, the Reverse that begins it first."""
    for color in c.COLORS:
        same, reverse = _of_color(hand, color), f"{color}_REVERSE"
        if len(same) < 2:
            continue
        if at.phase == "TURN" and color == at.free:
            yield from _ending_on_each((), same)
        elif reverse in same:
            yield from _ending_on_each((reverse,), _without(same, reverse))


def _ending_on_each(first: Cards, rest: list[str]) -> Iterator[Cards]:
    for last in set(rest):
        yield (*first, *c.in_order(_without(rest, last)), last)


def _without(cards: list[str], card: str) -> list[str]:
    rest = list(cards)
    rest.remove(card)
    return rest


def _of_color(cards: list[str], color: str | None) -> list[str]:
    return [card for card in cards if c.COLOR[card] == color]


def _answers(at: Position, kind: str) -> bool:
    return at.phase == "RESPOND" and at.due_kind == kind


def _free(at: Position, play: Laid) -> bool:
    """R7.12: several cards that begin with one of the free color; none of them needs to match."""
    return play.several and at.free is not None and play.color == at.free
