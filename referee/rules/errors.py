"""Why an action is refused: data here, sentences in one table (RULES.md R13.3)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Reason(StrEnum):
    """Names one kind of violation; the names are stable and go out on the wire as they are."""

    MATCH_NOT_RUNNING = "MATCH_NOT_RUNNING"
    NOT_YOUR_DECISION = "NOT_YOUR_DECISION"
    WRONG_PHASE = "WRONG_PHASE"
    WILD_DRAW_FOUR_UNANSWERABLE = "WILD_DRAW_FOUR_UNANSWERABLE"
    NOT_A_WILD_DRAW_FOUR = "NOT_A_WILD_DRAW_FOUR"
    EMPTY_PLAY = "EMPTY_PLAY"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    COLOR_REQUIRED = "COLOR_REQUIRED"
    COLOR_NOT_ALLOWED = "COLOR_NOT_ALLOWED"
    ONE_CARD_ONLY = "ONE_CARD_ONLY"
    ONLY_DRAW_TWO_ANSWERS = "ONLY_DRAW_TWO_ANSWERS"
    NOT_THE_DRAWN_CARD = "NOT_THE_DRAWN_CARD"
    CARD_DOES_NOT_MATCH = "CARD_DOES_NOT_MATCH"
    DUMP_WITHOUT_REVERSE = "DUMP_WITHOUT_REVERSE"
    DUMP_OF_ANOTHER_COLOR = "DUMP_OF_ANOTHER_COLOR"
    DUMP_INCOMPLETE = "DUMP_INCOMPLETE"


CLAUSE: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.MATCH_NOT_RUNNING: "R13.8",
        Reason.NOT_YOUR_DECISION: "R13.1",
        Reason.WRONG_PHASE: "R13.2",
        Reason.WILD_DRAW_FOUR_UNANSWERABLE: "R8.5",
        Reason.NOT_A_WILD_DRAW_FOUR: "R8.16",
        Reason.EMPTY_PLAY: "R5.5",
        Reason.CARD_NOT_HELD: "R5.6",
        Reason.COLOR_REQUIRED: "R5.4",
        Reason.COLOR_NOT_ALLOWED: "R5.4",
        Reason.ONE_CARD_ONLY: "R6.2",
        Reason.ONLY_DRAW_TWO_ANSWERS: "R6.2",
        Reason.NOT_THE_DRAWN_CARD: "R5.9",
        Reason.CARD_DOES_NOT_MATCH: "R5.2",
        Reason.DUMP_WITHOUT_REVERSE: "R7.3",
        Reason.DUMP_OF_ANOTHER_COLOR: "R7.4",
        Reason.DUMP_INCOMPLETE: "R7.4",
    }
)

_MESSAGE: Final[Mapping[Reason, str]] = MappingProxyType(
    {
        Reason.MATCH_NOT_RUNNING: "the match has not begun or is over",
        Reason.NOT_YOUR_DECISION: "the other seat decides now",
        Reason.WRONG_PHASE: "this kind of action does not exist in the present phase",
        Reason.WILD_DRAW_FOUR_UNANSWERABLE: "no card answers a Wild Draw Four: draw or challenge",
        Reason.NOT_A_WILD_DRAW_FOUR: "only a Wild Draw Four can be challenged",
        Reason.EMPTY_PLAY: "a play names at least one card",
        Reason.CARD_NOT_HELD: "the hand does not hold all these cards",
        Reason.COLOR_REQUIRED: "a play that ends on a wild card names a color",
        Reason.COLOR_NOT_ALLOWED: "only a play that ends on a wild card names a color",
        Reason.ONE_CARD_ONLY: "a Draw Two is answered with one card",
        Reason.ONLY_DRAW_TWO_ANSWERS: "only a Draw Two answers a Draw Two",
        Reason.NOT_THE_DRAWN_CARD: "after drawing, the first card played must be the drawn one",
        Reason.CARD_DOES_NOT_MATCH: "the card matches neither the color in force nor the top card",
        Reason.DUMP_WITHOUT_REVERSE: "several cards are played with a Reverse first, or all of the free color",
        Reason.DUMP_OF_ANOTHER_COLOR: "all cards of a dump have the color of the first",
        Reason.DUMP_INCOMPLETE: "a dump takes all cards of its color in the hand",
    }
)


class IllegalAction(Exception):
    """Reports that the rules refuse an action; the state is as it was.

    `reason` names the kind of violation, `clause` the clause of RULES.md, `message` says it in a sentence.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason

    @property
    def clause(self) -> str:
        """Returns the clause of RULES.md that was violated."""
        return CLAUSE[self.reason]

    @property
    def message(self) -> str:
        """Returns a sentence for people."""
        return _MESSAGE[self.reason]
