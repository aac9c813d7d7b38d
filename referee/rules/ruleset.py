"""The options of a match and the named variants (RULES.md R15)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from referee.rules.cards import Deck, deck_cards


class Piles(Enum):
    """Tells whether a discard pile that becomes draw pile is only turned over or also shuffled (RULES.md R10)."""

    TURN_OVER = 1
    SHUFFLE = 2


class Wd4Alternative(Enum):
    """Tells which held cards make a Wild Draw Four a bluff (RULES.md R8)."""

    ANY = 1
    MATCH = 2
    COLOR = 3


class Wd4GuiltyNext(Enum):
    """Tells who has the turn after a won challenge (RULES.md R8)."""

    CHALLENGER = 1
    PLAYER = 2


class DumpFinalReverse(Enum):
    """Tells whether a Reverse that ends a dump gives the opponent a free dump (RULES.md R7)."""

    PASS_ON = 1
    INERT = 2


class FinalPenalty(Enum):
    """Tells whether a drawing card played last is drawn for before scoring (RULES.md R11)."""

    DRAW = 1
    NONE = 2


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Holds the options of one match; the defaults are the variant `duo`.

    `hand_size` counts the drafted cards of a seat, `target` is in points, `turn_cap` counts turns of a round and
    `round_cap` rounds of the match.
    """

    deck: Deck = Deck.EXTRA_WILDS_112
    piles: Piles = Piles.TURN_OVER
    wd4_alternative: Wd4Alternative = Wd4Alternative.ANY
    wd4_guilty_next: Wd4GuiltyNext = Wd4GuiltyNext.CHALLENGER
    dump_final_reverse: DumpFinalReverse = DumpFinalReverse.PASS_ON
    final_penalty: FinalPenalty = FinalPenalty.DRAW
    hand_size: int = 7
    target: int = 200
    turn_cap: int = 1000
    round_cap: int = 100


DUO: Final = Ruleset()

VARIANTS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        "duo": DUO,
        "official-leaning": Ruleset(
            piles=Piles.SHUFFLE,
            wd4_alternative=Wd4Alternative.COLOR,
            dump_final_reverse=DumpFinalReverse.INERT,
        ),
    }
)


class InvalidRuleset(Exception):
    """Reports an option outside its range.

    `field` is the name of the option, `message` a sentence for people.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


_LARGEST_TARGET: Final = 1_000_000
_LARGEST_TURN_CAP: Final = 100_000
_LARGEST_ROUND_CAP: Final = 10_000
# Cards that must be left after the draft, in which each seat sees two cards a pick: the starter and four to draw.
_UNDRAFTED: Final = 5


def validate(ruleset: Ruleset) -> None:
    """Checks that each number of a ruleset is in its range.
    Raises InvalidRuleset for the first option, in the order of the fields, that is outside (RULES.md R15.1, R15.2).
    """
    largest_hand = (len(deck_cards(ruleset.deck)) - _UNDRAFTED) // 4
    for field, value, largest in (
        ("hand_size", ruleset.hand_size, largest_hand),
        ("target", ruleset.target, _LARGEST_TARGET),
        ("turn_cap", ruleset.turn_cap, _LARGEST_TURN_CAP),
        ("round_cap", ruleset.round_cap, _LARGEST_ROUND_CAP),
    ):
        if not 1 <= value <= largest:
            raise InvalidRuleset(field, f"must be 1 to {largest}, not {value}")
