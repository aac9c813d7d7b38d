"""The small worlds: decks of six to nine cards under each option."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from referee.rules.ruleset import DumpFinalReverse, FinalPenalty, Piles, Ruleset, Wd4Alternative, Wd4GuiltyNext

# Up to here turns are counted, else the states would never be all.
_FEW_TURNS = 20


@dataclass(frozen=True)
class World:
    """A deck in the notation of `tests.rules.positions`, and the ruleset of its one round."""

    deck_name: str
    option: str
    deck: str
    ruleset: Ruleset

    @property
    def counts_turns(self) -> bool:
        """Whether states with different numbers of turns are different ones."""
        return self.ruleset.turn_cap <= _FEW_TURNS


# What differs from the defaults.
OPTIONS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "duo": {},
        "shuffle": {"piles": Piles.SHUFFLE},
        "match": {"wd4_alternative": Wd4Alternative.MATCH},
        "color": {"wd4_alternative": Wd4Alternative.COLOR},
        "player": {"wd4_guilty_next": Wd4GuiltyNext.PLAYER},
        "inert": {"dump_final_reverse": DumpFinalReverse.INERT},
        "no-final-penalty": {"final_penalty": FinalPenalty.NONE},
        "turn-cap": {"turn_cap": 4},
    }
)

# The size of the hands and the cards, no face more often than in a real deck.
DECKS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        # All that the options are about: a Wild Draw Four beside a Wild, a card of the color and one of its number; a
        # Reverse with two more of its color, of which one is a Draw Two.
        "six": (1, "R1 RR RD G1 WW WF"),
        # Dumps that end on a second Reverse; a Wild Draw Four beside another.
        "six-doubles": (1, "R1 RR RR RD WF WF"),
        # Volleys.
        "seven": (1, "R1 RR RD RD WF WF WW"),
        "eight": (1, "RR RR RD RD WF WF WF WF"),
        # Hands of two, so that the draft and dumps out of a drawn card count.
        "nine": (2, "R1 R1 RR RR RD WF WF WF WF"),
    }
)


def world(deck_name: str, option: str) -> World:
    """Returns the world of a deck and an option by their names."""
    hand_size, deck = DECKS[deck_name]
    ruleset = replace(Ruleset(hand_size=hand_size, turn_cap=100_000, round_cap=1), **OPTIONS[option])  # type: ignore[arg-type]
    return World(deck_name, option, deck, ruleset)
