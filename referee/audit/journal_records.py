"""The journals of seats, read for what they say of their owner (`PROTOCOL.md`, "The journal")."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError
from unoduo.v1 import journal_pb2

from referee.codec.enums import SEATS
from referee.codec.errors import Malformed
from referee.log.byte_streams import SeekableSource, Source
from referee.log.journal import JournalFault, read_records, read_version
from referee.rules.seats import Seat

_WITHOUT_RESIGNATIONS: Final = 1  # the version of journals that do not have them


@dataclass(frozen=True, slots=True)
class Owner:
    """Holds the seat that a journal is of, and the id of its match (16 bytes, of an honest referee)."""

    match_id: bytes
    seat: Seat


def owner_of(source: Source) -> Owner:
    """Returns whose a journal is. Raises JournalFault if it does not begin with a seat taken."""
    record = next(records_in(source), None)
    if record is None or record.WhichOneof("kind") != "joined":
        raise JournalFault(1, "a journal begins with the header of its match")
    try:
        return Owner(record.joined.match_id, SEATS.decode(record.joined.seat, "joined.seat"))
    except Malformed as malformed:
        raise JournalFault(1, str(malformed)) from None


@dataclass(frozen=True, slots=True)
class Said:
    """Holds what a seat said by all of its journals, one for each process that played it.

    `entropies` has several if it was started again without its secret. `may_have_resigned` is set if it did, or if it
    would not be in a journal.
    """

    entropies: frozenset[bytes]
    may_have_resigned: bool


def said_in(sources: Iterable[SeekableSource]) -> Said:
    """Returns what the owner of these journals said. Raises JournalFault for what is no journal."""
    entropies, may_have_resigned = set[bytes](), False
    for source in sources:
        source.seek(0)
        may_have_resigned |= read_version(source) == _WITHOUT_RESIGNATIONS
        source.seek(0)
        for record in readable_in(source):
            may_have_resigned |= record.HasField("resign")
            if record.HasField("ready"):
                entropies.add(record.ready.entropy)
    return Said(frozenset(entropies), may_have_resigned)


def records_in(source: Source) -> Iterator[journal_pb2.JournalRecord]:
    """Yields the records; a torn last one is dropped. Raises JournalFault for the first that cannot be read."""
    for number, data in enumerate(read_records(source, allow_torn=True), 1):
        try:
            record = journal_pb2.JournalRecord.FromString(data)
        except DecodeError:
            raise JournalFault(number, "it is no record of a journal") from None
        if record.WhichOneof("kind") is None:
            raise JournalFault(number, "it is of no kind that a record has")
        yield record


def readable_in(source: Source) -> Iterator[journal_pb2.JournalRecord]:
    """Yields the records up to the first that cannot be read."""
    with suppress(JournalFault):
        yield from records_in(source)


def told_before(records: Iterable[journal_pb2.JournalRecord]) -> set[int]:
    """Returns the first events of the actions that were answered as accepted when the seat knew these events already.

    They are few: an action is answered before its events are told, unless it is asked again.
    """
    sequence, found = 0, set[int]()
    for record in records:
        sequence = max(sequence, record.observation.sequence, record.ended.sequence)
        if record.action_result.HasField("accepted") and record.action_result.accepted.first_sequence <= sequence:
            found.add(record.action_result.accepted.first_sequence)
    return found
