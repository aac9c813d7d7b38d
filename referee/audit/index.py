"""What the index of a referee tells of its matches (`PROTOCOL.md`, "The log")."""

from dataclasses import dataclass
from typing import Final

from referee.audit.report import Check, Fault, Report, Status
from referee.audit.signatures import is_signed
from referee.codec.errors import Malformed
from referee.codec.headers import Header
from referee.codec.seals import IndexCreated, IndexRecord, IndexSealed, IndexVoid, Seal, decode_index_record
from referee.log.byte_streams import Source
from referee.log.file_format import FileFault
from referee.log.index_file import INDEX, RecordPart, read_index
from referee.log.seal import checkpoint_bytes
from referee.rules.outcome import Termination

ENDS_BEFORE_MATCH: Final = "the index ends before this match"
ENDS_BEFORE_END: Final = "the index ends before the end of this match"
NOT_SIGNED: Final = "that the index is the referee's: no signature of it was checked"

_NAMED: Final = 10
_VOID: Final = (Termination.VOID_ORGANISER, Termination.VOID_REFEREE)


def verify_index(index: "Index") -> Report:
    """Returns the verdict on an index alone: it is incomplete as long as a match that has begun has no end in it."""
    not_signed = () if index.is_signed else (NOT_SIGNED,)
    damage, missing = index.damage, _without_end(index.without_end)
    if damage:
        return Report(Status.WRONG, damage.part, damage.check, damage.clause, damage.message, not_signed)
    if missing:
        return Report(Status.INCOMPLETE, None, None, None, missing, (missing, *not_signed))
    return Report(Status.OK, None, None, None, "", not_signed)


def _without_end(numbers: list[int]) -> str:
    if not numbers:
        return ""
    named = ", ".join(map(str, numbers[:_NAMED])) + (", ..." if len(numbers) > _NAMED else "")
    return f"matches that have begun and not ended: {named}"


@dataclass(slots=True)
class _Match:
    before: bytes
    h0: bytes
    end: IndexSealed | IndexVoid | None = None


class Index:
    """Holds what an index tells, up to the first thing that is wrong with it: about 400 bytes a match.

    `damage` is that fault, None if there is none. `is_signed` says whether it has a signature that was found right.
    """

    def __init__(self, source: Source, key: bytes | None) -> None:
        """Reads an index; with a public key (32 bytes) its checkpoint must be signed by that."""
        self.damage: Fault | None = None
        self.is_signed = False
        self._matches: dict[int, _Match] = {}
        try:
            self._read(source, key)
        except FileFault as damage:
            self.damage = Fault(damage.part, Check.FILE, damage.message)

    @property
    def without_end(self) -> list[int]:
        """Returns the numbers of the matches that have begun and not ended."""
        return [number for number, match in self._matches.items() if match.end is None]

    def fault(self, header: Header, h0: bytes, seal: Seal | None) -> Fault | None:
        """Returns how the index differs from a file that is right by itself."""
        if self.damage is not None:
            return self.damage
        match = self._matches.get(header.match_number)
        if match is None:
            return None
        name = f"match {header.match_number}"
        if match.h0 != h0:
            return Fault(INDEX, Check.MATCH, f"{name} began with another header")
        if match.before != header.index_head:
            return Fault(INDEX, Check.MATCH, f"{name} follows another head of the index than its header says")
        if match.end is None or seal is None:
            return None
        if isinstance(match.end, IndexVoid):
            is_void = seal.outcome.termination in _VOID
            return None if is_void else Fault(INDEX, Check.MATCH, f"{name} was declared void")
        if match.end.final_head != seal.final_head:
            return Fault(INDEX, Check.MATCH, f"{name} was sealed with another head")
        if match.end.outcome != seal.outcome:
            return Fault(INDEX, Check.MATCH, f"{name} was sealed with another outcome")
        return None

    def missing(self, header: Header) -> str | None:
        """Returns what the index does not tell of a match, None if it tells all."""
        match = self._matches.get(header.match_number)
        if match is None:
            return ENDS_BEFORE_MATCH
        return ENDS_BEFORE_END if match.end is None else None

    def _read(self, source: Source, key: bytes | None) -> None:
        for part in read_index(source):
            if not isinstance(part, RecordPart):
                if key is not None:
                    self.is_signed = is_signed(key, part.signature, checkpoint_bytes(part.records, part.head))
                    if not self.is_signed:
                        message = "its checkpoint is not signed by the key given"
                        self.damage = Fault(INDEX, Check.SIGNATURE, message)
                continue
            try:
                record = decode_index_record(part.data)
            except Malformed as malformed:
                self.damage = Fault(INDEX, Check.ENCODING, f"record {part.place}: {malformed}")
                return
            self.damage = self._add(part, record)
            if self.damage is not None:
                return

    def _add(self, part: RecordPart, record: IndexRecord) -> Fault | None:
        """Takes a record: matches are created with numbers from 1 without gaps, and each ends at most once."""
        number, kind = record.match_number, record.kind
        if isinstance(kind, IndexCreated):
            due = len(self._matches) + 1
            if number != due:
                return Fault(INDEX, Check.NUMBERS, f"record {part.place} creates match {number}, must be {due}")
            self._matches[number] = _Match(part.before, kind.h0)
            return None
        match = self._matches.get(number)
        if match is None or match.end is not None:
            return Fault(INDEX, Check.NUMBERS, f"record {part.place} ends match {number}, which is not open")
        match.end = kind
        return None
