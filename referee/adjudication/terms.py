"""What is agreed before a match: time control, fault policy, players, the mode of the deal."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final
from unicodedata import category

from referee.rules.ruleset import Ruleset

_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS
LARGEST_BANK_MS: Final = _DAY_MS
_LARGEST_MARGIN_MS: Final = 60_000
_MOST_STRIKES: Final = 10_000
_LARGEST_REJECTION_LIMIT: Final = 100
LONGEST_NAME: Final = 64
# Control characters, what else ends a line, and what is not seen or turns the direction of writing: a name stands in
# one line of a table or a log and is told from others by eye.
_CONTROL_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
# Format characters since Unicode 15: no verdict may depend on the version that a program knows.
_LATE_CONTROLS: Final = frozenset(map(chr, range(0x13439, 0x13440)))


class ExpiryPolicy(Enum):
    """Tells what a time-out leads to (PROTOCOL.md, "Faults")."""

    DEFAULT_ACTION = 1
    FORFEIT = 2


class DealMode(Enum):
    """Tells where the randomness of a match comes from (PROTOCOL.md, "The deal")."""

    FRESH = 1
    SHARED = 2
    GIVEN = 3


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Holds how time is counted, in milliseconds (PROTOCOL.md, "Clocks").

    `limit_ms` is for each decision, `bank_ms` the reserve of a seat for the whole match, `increment_ms` is added to it
    after each decision answered in time, `margin_ms` is by how much an answer may be late. `startup_grace_ms` runs from
    the creation of the match, `reconnect_grace_ms` from a restart of the referee.
    """

    limit_ms: int = 10_000
    bank_ms: int = 0
    increment_ms: int = 0
    margin_ms: int = 0
    startup_grace_ms: int = 30_000
    reconnect_grace_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """Holds what follows from a fault (PROTOCOL.md, "Faults").

    A seat loses with its time-out number `max_strikes` (0: no limit), with the rejected try after `rejection_limit` of
    them in one decision, and after an absence of `forfeit_after_absence_ms` milliseconds (0: never).
    """

    on_expiry: ExpiryPolicy = ExpiryPolicy.DEFAULT_ACTION
    max_strikes: int = 0
    rejection_limit: int = 10
    forfeit_after_absence_ms: int = 0


@dataclass(frozen=True, slots=True)
class Player:
    """Holds who has a seat: the name of the entrant, and the bot as the referee knows it, or an empty text."""

    name: str
    bot: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """Holds all that a match is judged by."""

    ruleset: Ruleset
    time_control: TimeControl
    fault_policy: FaultPolicy


class InvalidTerms(Exception):
    """Reports a setting outside its range: `field` is its name, `message` a sentence for people."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def validate_time_control(time_control: TimeControl) -> None:
    """Checks that each number of a time control is in its range.

    Raises:
        InvalidTerms: for the first field, in their order, that is outside (proto/unoduo/v1/match.proto).
    """
    _check_ranges(
        (
            ("limit_ms", time_control.limit_ms, 1, _HOUR_MS),
            ("bank_ms", time_control.bank_ms, 0, LARGEST_BANK_MS),
            ("increment_ms", time_control.increment_ms, 0, _HOUR_MS),
            ("margin_ms", time_control.margin_ms, 0, _LARGEST_MARGIN_MS),
            ("startup_grace_ms", time_control.startup_grace_ms, 1, _HOUR_MS),
            ("reconnect_grace_ms", time_control.reconnect_grace_ms, 1, _HOUR_MS),
        )
    )


def validate_fault_policy(fault_policy: FaultPolicy) -> None:
    """Checks that each number of a fault policy is in its range.

    Raises:
        InvalidTerms: for the first field, in their order, that is outside (proto/unoduo/v1/match.proto).
    """
    _check_ranges(
        (
            ("max_strikes", fault_policy.max_strikes, 0, _MOST_STRIKES),
            ("rejection_limit", fault_policy.rejection_limit, 1, _LARGEST_REJECTION_LIMIT),
            ("forfeit_after_absence_ms", fault_policy.forfeit_after_absence_ms, 0, _DAY_MS),
        )
    )


def validate_player(player: Player) -> None:
    """Checks the name of a player, 1 to 64 characters, and of its bot, up to 64, for their length and what they hold.

    Raises:
        InvalidTerms: for `name` or `bot`.
    """
    if not player.name.strip():
        raise InvalidTerms("name", "must not be empty or blank")
    for field, text in (("name", player.name), ("bot", player.bot)):
        if len(text) > LONGEST_NAME:
            raise InvalidTerms(field, f"must have at most {LONGEST_NAME} characters, not {len(text)}")
        if not _LATE_CONTROLS.isdisjoint(text) or any(category(character) in _CONTROL_CATEGORIES for character in text):
            raise InvalidTerms(field, "must not hold control or format characters")


def _check_ranges(rows: Iterable[tuple[str, int, int, int]]) -> None:
    for field, value, smallest, largest in rows:
        if not smallest <= value <= largest:
            raise InvalidTerms(field, f"must be {smallest} to {largest}, not {value}")
