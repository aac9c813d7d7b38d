"""The state of a match as the referee keeps it: the state of the rules and what time and faults need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from referee.adjudication.inputs import RejectedTry
from referee.adjudication.terms import Terms
from referee.rules import state as rules_state
from referee.rules.outcome import Outcome
from referee.rules.seats import Seat
from referee.rules.shuffling import Shuffler


class Lifecycle(Enum):
    """Names where a match stands (proto/unoduo/v1/match.proto)."""

    CREATED = 1
    PLAYING = 2
    FROZEN = 3
    ENDED = 4


@dataclass(slots=True)
class Decision:
    """Holds the open decision: who is asked, in which phase. A value, not frozen for speed (see `rules.actions`).

    `decision_id` is the sequence number of the last event before it opened; a resumed match keeps it.
    """

    decision_id: int
    seat: Seat
    phase: rules_state.Phase


@dataclass(slots=True)
class MatchState:
    """Holds a match in progress; only `apply`, `note_try` and `freeze` change it.

    `shuffler_for` gives the shuffler of the deal sealed with these two entropies. `rules` is None before the start.
    `sequence` and `entries` are those of the last event and the last entry, 0 before the first. `banks` (milliseconds)
    and `strikes` are by seat. `tries` are the rejected tries of the open decision, of which the first `tries_logged`
    stand in entries already.
    """

    terms: Terms
    shuffler_for: Callable[[bytes, bytes], Shuffler]
    lifecycle: Lifecycle = Lifecycle.CREATED
    rules: rules_state.State | None = None
    sequence: int = 0
    entries: int = 0
    decision: Decision | None = None
    banks: list[int] = field(init=False)
    strikes: list[int] = field(default_factory=lambda: [0, 0])
    tries: list[RejectedTry] = field(default_factory=list)
    tries_logged: int = 0
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        self.banks = [self.terms.time_control.bank_ms] * 2

    @property
    def tries_left(self) -> int:
        """Returns how many more tries may be rejected in the open decision; with 0 the next one loses."""
        return max(0, self.terms.fault_policy.rejection_limit - len(self.tries))

    @property
    def tries_exceeded(self) -> bool:
        """Returns whether more tries were rejected in the open decision than the policy allows."""
        return len(self.tries) > self.terms.fault_policy.rejection_limit

    @property
    def unlogged_tries(self) -> tuple[RejectedTry, ...]:
        """Returns the tries rejected since the last entry, in the order judged: those that the next entry holds."""
        return tuple(self.tries[self.tries_logged :])
