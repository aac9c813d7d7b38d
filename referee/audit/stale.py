"""What a seat was answered whose action came for no open decision, held against the log.

PROTOCOL.md, "Decisions and answers", says which reason is due. An answer is judged by the entry that closed the
decision which it names, and must not come before that: a caught-up observation behind it reaches that entry.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from unoduo.v1 import journal_pb2, session_pb2

from referee.adjudication.inputs import ActionTaken, Resume
from referee.audit.retelling import OF_THE_SEAT_ASKED, Told
from referee.codec.actions import action_bytes
from referee.rules.seats import Seat

_NOT_OPEN: Final = session_pb2.STALE_REASON_NOT_OPEN
_EXPIRED: Final = session_pb2.STALE_REASON_EXPIRED
_ANSWERED: Final = session_pb2.STALE_REASON_ANSWERED
_CONFLICT: Final = session_pb2.STALE_REASON_CONFLICT


class WrongAnswer(Exception):
    """Carries the place of an answer in the journal, and why it cannot be right."""

    def __init__(self, record: int, message: str) -> None:
        self.record = record
        self.message = message


@dataclass(slots=True)
class _Sent:
    """Holds what a seat sent under one id for one decision, and the last event that it knew when it first did."""

    known: int
    actions: set[bytes]


class StaleAnswers:
    """Holds the stale answers of one journal, and what the log says of the decisions that they name: no others."""

    def __init__(self, records: Iterable[journal_pb2.JournalRecord], seat: Seat) -> None:
        """Reads from all records of the journal which decisions matter."""
        self._seat = seat
        self._named = {record.action_result.decision_id for record in records if record.action_result.HasField("stale")}
        self._sent: dict[tuple[int, str], _Sent] = {}
        self._closed_by: dict[int, Told] = {}
        self._waiting: list[tuple[int, session_pb2.ActionResult]] = []

    @property
    def is_waiting(self) -> bool:
        """Returns whether there are answers that were not judged yet."""
        return bool(self._waiting)

    def send(self, decision_id: int, action_id: str, action: bytes, known: int) -> None:
        """Takes what the seat sent when it knew the events up to `known`."""
        if decision_id in self._named:
            self._sent.setdefault((decision_id, action_id), _Sent(known, set())).actions.add(action)

    def take(self, record: int, result: session_pb2.ActionResult) -> None:
        """Takes a stale answer; one to an action that is not in the journal is held against nothing."""
        if (result.decision_id, result.action_id) in self._sent:
            self._waiting.append((record, result))

    def close(self, told: Told) -> None:
        """Takes an entry of the log, which closes the decision that it names unless that is to go on."""
        cause = told.entry.input
        if cause.decision_id in self._named and not isinstance(cause.kind, Resume):
            self._closed_by[cause.decision_id] = told

    def judge(self) -> None:
        """Judges what can be judged by the log up to here. Raises WrongAnswer.

        What is said to have been closed must have been by now. That nothing was open waits for an entry that closes the
        decision all the same; without one it stays right.
        """
        waiting, self._waiting = self._waiting, []
        for record, result in waiting:
            told = self._closed_by.get(result.decision_id)
            if told is None and result.stale.reason == _NOT_OPEN:
                self._waiting.append((record, result))
            elif told is None or result.stale.reason not in self._due(told, result):
                raise WrongAnswer(record, _message(told, result))

    def _due(self, told: Told, result: session_pb2.ActionResult) -> set[int]:
        """Returns the reasons that are right for a decision that an entry closed."""
        sent = self._sent[result.decision_id, result.action_id]
        # What was sent before the decision opened may have been answered before, too.
        early = {_NOT_OPEN} if sent.known < result.decision_id else set[int]()
        kind = told.entry.input.kind
        if not isinstance(kind, OF_THE_SEAT_ASKED):
            return early | ({_EXPIRED} if told.asked is self._seat else {_EXPIRED, _NOT_OPEN})
        if told.asked is not self._seat:
            return {_NOT_OPEN}
        if not isinstance(kind, ActionTaken):
            return early | {_EXPIRED}
        if kind.action_id != result.action_id:
            return early | {_ANSWERED}
        return early | ({_CONFLICT} if sent.actions != {action_bytes(kind.action)} else set())


def _message(told: Told | None, result: session_pb2.ActionResult) -> str:
    known = session_pb2.StaleReason.DESCRIPTOR.values_by_number.get(result.stale.reason)
    reason = result.stale.reason if known is None else known.name.removeprefix("STALE_REASON_")
    said = f"action {result.action_id} was answered as stale, {reason}"
    if told is None:
        return f"{said}, while decision {result.decision_id} was not closed"
    return f"{said}, but decision {result.decision_id} was closed by entry {told.entry.index} otherwise"
