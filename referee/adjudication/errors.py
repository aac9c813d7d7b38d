"""Why an input or a rejection does not hold."""

from enum import StrEnum


class Check(StrEnum):
    """Names what failed; stable, for reports."""

    LIFECYCLE = "LIFECYCLE"
    DECISION = "DECISION"
    SEAT = "SEAT"
    CLOCK = "CLOCK"
    TRIES = "TRIES"
    TRY_CLAUSE = "TRY_CLAUSE"
    ABSENCE = "ABSENCE"
    STARTUP_GRACE = "STARTUP_GRACE"
    ENTROPY = "ENTROPY"
    VOID = "VOID"


class RulingRefused(Exception):
    """Reports that an input is not one that a referee may rule or accept now.

    A live match never causes it; a verifier reports it. `check` names what failed, `message` says it in a sentence.
    """

    def __init__(self, check: Check, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check
        self.message = message
