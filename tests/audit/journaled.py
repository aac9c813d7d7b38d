"""Journals as an honest client would keep them of a simulated match."""

from io import BytesIO
from typing import Any

from unoduo.v1 import journal_pb2, match_pb2, observation_pb2

from referee.adjudication.inputs import ActionTaken, Resignation, Start
from referee.audit.retelling import Retelling
from referee.codec.actions import encode_action
from referee.codec.enums import SEATS
from referee.codec.headers import encode_header
from referee.codec.outcomes import encode_outcome
from referee.log.byte_streams import U32
from referee.log.journal import MAGIC, VERSION
from referee.rules.seats import Seat
from tests.audit.chained import h0_of
from tests.audit.simulated import Log

Record = journal_pb2.JournalRecord


def journal_of(log: Log, seat: Seat) -> list[Record]:
    """Returns the records of a seat that was there from the start to the end and saw each entry by itself."""
    assert log.seal is not None
    retelling = Retelling(BytesIO(log.to_bytes()), log.header, log.reveal, seat)
    records = [joined(log, seat)]
    for told in retelling.rest():
        entry, kind = told.entry, told.entry.input.kind
        if isinstance(kind, Start):
            entropy = kind.entropy_1 if seat is Seat.A else kind.entropy_2
            records.append(record(ready={"h0": h0_of(log), "entropy": entropy}))
            records.append(record(ready_accepted={"h0": h0_of(log), "entropy": entropy}))
        for attempt in entry.tries:
            if attempt.seat is seat:
                names = {"action_id": attempt.action_id, "decision_id": attempt.decision_id}
                records.append(record(action={**names, "action": encode_action(attempt.action)}))
                records.append(record(action_result={**names, "rejected": {"clause": attempt.clause}}))
        if isinstance(kind, ActionTaken) and entry.input.seat is seat:
            names = {"action_id": kind.action_id, "decision_id": entry.input.decision_id}
            accepted = {"first_sequence": entry.first_sequence, "sequence": entry.last_sequence}
            records.append(record(action={**names, "action": encode_action(kind.action)}))
            records.append(record(action_result={**names, "accepted": accepted}))
        if isinstance(kind, Resignation) and entry.input.seat is seat:
            records.append(record(resign={}))
        observation = observation_pb2.Observation(sequence=retelling.sequence, head=retelling.head, caught_up=True)
        observation.events.extend(observation_pb2.ObservedEvent.FromString(data) for _, data in told.events)
        if (view := retelling.view()) is not None:
            observation.view.ParseFromString(view)
        if (decision := retelling.decision(time_left_ms=1000, tries_left=3)) is not None:
            observation.decision.ParseFromString(decision)
        records.append(Record(observation=observation))
    ended = {"outcome": encode_outcome(log.seal.outcome), "sequence": retelling.sequence, "head": retelling.head}
    records.append(record(ended={**ended, "signature": log.seal.signature}))
    return records


def joined(log: Log, seat: Seat, lifecycle: match_pb2.Lifecycle.ValueType = match_pb2.LIFECYCLE_PLAYING) -> Record:
    names = {"match_id": log.header.match_id, "seat": SEATS.numbers[seat], "lifecycle": lifecycle}
    return record(joined={**names, "header": encode_header(log.header)})


def record(**kind: Any) -> Record:
    return Record(**kind)


def journal_file(records: list[Record], version: int = VERSION) -> bytes:
    written = [record.SerializeToString() for record in records]
    return MAGIC + bytes((version,)) + b"".join(U32.pack(len(data)) + data for data in written)


def place_of(records: list[Record], kind: str, number: int = 0) -> int:
    """Returns where the record of a kind stands."""
    return [place for place, record in enumerate(records) if record.WhichOneof("kind") == kind][number]
