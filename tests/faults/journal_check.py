"""Compares a journal with the log of its match: what was acknowledged or told is there, once, and as it was told."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO

from unoduo.v1 import log_pb2, observation_pb2
from unoduo.v1.outcome_pb2 import TERMINATION_VOID_ORGANISER, TERMINATION_VOID_REFEREE

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.log.file_format import EntryPart, SealPart, read_parts
from tests.faults.journal import MatchJournal, SeatJournal

_VOID = (TERMINATION_VOID_ORGANISER, TERMINATION_VOID_REFEREE)


class Log:
    """Is a log as found: its entries by the number of their last event, their heads, and the events by number.

    `stored` are entries as bytes, each with the head that is kept beside it.
    """

    def __init__(self, header: bytes, stored: Iterable[tuple[bytes, bytes]]) -> None:
        self.header = header
        self.entries: dict[int, log_pb2.Entry] = {}
        self.heads: dict[int, bytes] = {}
        self.events: dict[int, log_pb2.RecordedEvent] = {}
        self.findings: list[str] = []
        head = sha256(b"\x00" + header).digest()
        for data, kept in stored:
            head = sha256(b"\x01" + head + data).digest()
            entry = log_pb2.Entry.FromString(data)
            if kept != head:
                self.findings.append(f"entry {entry.index} does not follow from the head before it")
            self._add(entry, head)

    def _add(self, entry: log_pb2.Entry, head: bytes) -> None:
        for event in entry.events:
            if event.sequence != len(self.events) + 1:
                self.findings.append(f"event {event.sequence} stands where {len(self.events) + 1} should")
            self.events[event.sequence] = event
        last = entry.events[-1].sequence
        self.entries[last] = entry
        self.heads[last] = head


def compare_replay(journal: MatchJournal, replay: bytes) -> list[str]:
    """Returns what is wrong with the replay of a match beside its journal, nothing if all is well."""
    report = verify(BytesIO(replay))
    if report.status is not Status.OK:
        return [*journal.findings, f"match {journal.number}: the replay does not verify: {report.message}"]
    parts = list(read_parts(BytesIO(replay)))
    log = Log(journal.header, ((part.data, part.head) for part in parts if isinstance(part, EntryPart)))
    (seal,) = [log_pb2.Seal.FromString(part.data) for part in parts if isinstance(part, SealPart)]
    return [*compare_log(journal, log), *_wrong_ends(journal, log, seal)]


def compare_log(journal: MatchJournal, log: Log) -> list[str]:
    """Returns what is wrong with a log, be it finished or not, beside the journal of its match."""
    findings = [*log.findings, *_decisions_ended_twice(log)]
    for seat in journal.seats:
        findings += [*_wrong_actions(seat, log), *_wrong_events(seat, log), *_wrong_heads(seat, log)]
        findings += _wrong_entropy(seat, log)
    return [*journal.findings, *(f"match {journal.number}: {finding}" for finding in findings)]


def _wrong_actions(seat: SeatJournal, log: Log) -> Iterator[str]:
    found = Counter[tuple[int, str]]()
    for last, entry in log.entries.items():
        cause = entry.input
        if cause.seat != seat.seat or not cause.HasField("action"):
            continue
        key = (cause.decision_id, cause.action.action_id)
        found[key] += 1
        acknowledged = seat.accepted.get(key)
        if key in seat.refused:
            yield f"action {key[1]} of decision {key[0]} was refused and is in the log"
        if acknowledged is None:
            continue
        if cause.action.action.SerializeToString(deterministic=True) != acknowledged.action:
            yield f"action {key[1]} of decision {key[0]} is another one in the log"
        if (entry.events[0].sequence, last) != (acknowledged.first_sequence, acknowledged.sequence):
            yield f"action {key[1]} of decision {key[0]} caused other events than was said"
    for key in seat.accepted:
        if found[key] == 0:
            yield f"action {key[1]} of decision {key[0]} was acknowledged and is lost"
    for key, times in found.items():
        if times > 1:
            yield f"action {key[1]} of decision {key[0]} was taken {times} times"


def _wrong_events(seat: SeatJournal, log: Log) -> Iterator[str]:
    for sequence, told in enumerate(seat.events, 1):
        recorded = log.events.get(sequence)
        if recorded is None:
            yield f"event {sequence} was told to seat {seat.seat} and is not in the log"
        elif told != _as_observed(recorded, seat.seat):
            yield f"event {sequence} is another one than was told to seat {seat.seat}"


def _as_observed(recorded: log_pb2.RecordedEvent, seat: int) -> bytes:
    cards = recorded.private_cards if recorded.private_to == seat else []
    event = observation_pb2.ObservedEvent(sequence=recorded.sequence, event=recorded.event, private_cards=cards)
    return event.SerializeToString(deterministic=True)


def _wrong_heads(seat: SeatJournal, log: Log) -> Iterator[str]:
    for sequence, head in seat.heads.items():
        if sequence and log.heads.get(sequence) != head:
            yield f"the head told to seat {seat.seat} at event {sequence} is not on the chain"


def _wrong_entropy(seat: SeatJournal, log: Log) -> Iterator[str]:
    if seat.entropy is None:
        return
    for entry in log.entries.values():
        start = entry.input.start
        if entry.input.HasField("start") and seat.entropy != (start.entropy_1, start.entropy_2)[seat.seat - 1]:
            yield f"the entropy that was acknowledged to seat {seat.seat} is not that of the deal"


def _decisions_ended_twice(log: Log) -> Iterator[str]:
    ended = Counter(
        entry.input.decision_id
        for entry in log.entries.values()
        if entry.input.WhichOneof("kind") in ("action", "expired")
    )
    for decision_id, times in ended.items():
        if times > 1:
            yield f"decision {decision_id} was ended {times} times"


def _wrong_ends(journal: MatchJournal, log: Log, seal: log_pb2.Seal) -> Iterator[str]:
    ends = [number for number, event in log.events.items() if event.event.HasField("match_ended")]
    if ends != [len(log.events)]:
        yield f"match {journal.number}: it ended at events {ends} of {len(log.events)}"
    for seat in journal.seats:
        if seat.refused and seal.outcome.termination not in _VOID:
            yield f"match {journal.number}: legal actions of seat {seat.seat} were refused: {seat.refused}"
        ended = seat.ended
        if ended is not None and (ended.outcome, ended.head) != (seal.outcome, seal.final_head):
            yield f"match {journal.number}: seat {seat.seat} was told another end than the log has"
