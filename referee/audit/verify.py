"""Verifies a replay file: that nothing was changed, and that each entry follows from the rules and the sealed deal."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from referee.adjudication.inputs import ActionTaken
from referee.adjudication.terms import DealMode
from referee.audit.differences import difference
from referee.audit.index import NOT_SIGNED, Index
from referee.audit.journal_records import owner_of, said_in
from referee.audit.journals import Comparison, WrongJournal
from referee.audit.master import NO_MASTER, Master
from referee.audit.rejudge import Judge, Wrong
from referee.audit.report import Check, Fault, Report, Status
from referee.audit.retelling import Retelling
from referee.audit.signatures import is_signed, key_id
from referee.codec.entries import Entry, decode_entry
from referee.codec.errors import Malformed
from referee.codec.headers import RULES_REVISION, Header, decode_header
from referee.codec.outcomes import outcome_bytes
from referee.codec.seals import Reveal, Seal, decode_reveal, decode_seal
from referee.deal.commitment import commitment
from referee.deal.keys import given_deal_id, shared_deal_id
from referee.log.byte_streams import SeekableSource
from referee.log.file_format import (
    EntryPart,
    FileFault,
    HeaderPart,
    RevealPart,
    SealPart,
    read_parts,
    read_sections,
)
from referee.log.journal import JournalFault
from referee.log.seal import result_bytes
from referee.rules.events import Event, MatchEnded
from referee.rules.outcome import Outcome
from referee.rules.seats import Seat

SIGNER_UNKNOWN: Final = "signer unknown: no signature was checked, so anybody can have written this file"
JOURNALS_ONLY: Final = (
    "what each seat was shown, the entropy that it sent and the times measured: only the seat's own journal tells"
)
TIMES: Final = "the times measured: the referee alone measures them"
NO_INDEX: Final = "that the match was not run twice or left out: only an index tells"
NO_SEAL: Final = "the file has no seal: the match was not over, or its end was cut off"
NO_REVEAL: Final = "the deal is not revealed: only the chain and the form of the entries were checked, no rule"

_LONGEST_MESSAGE: Final = 2000
_DEAL_IDS: Final = MappingProxyType({DealMode.SHARED: shared_deal_id, DealMode.GIVEN: given_deal_id})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Holds what a file is held against.

    That is the referee's public key (32 bytes), its index, journals of seats, and the master file of the tournament;
    None for what is not there.
    """

    key: bytes | None = None
    index: Index | None = None
    journals: tuple[SeekableSource, ...] = ()
    master: Master | None = None


NO_EVIDENCE: Final = Evidence()


def verify(stream: SeekableSource, evidence: Evidence = NO_EVIDENCE) -> Report:
    """Returns the verdict on a replay file, which begins at place 0 of the stream (PROTOCOL.md, "The log").

    Parts are judged in their order, then the index and the journals, and the first wrong one
    decides. One part is held at a time.
    """
    audit = _Audit(evidence)
    return audit.report(_first_fault(audit, stream))


@dataclass(slots=True)
class _Audit:
    """Holds what has been read so far."""

    evidence: Evidence
    header: Header | None = None
    h0: bytes | None = None
    head: bytes | None = None
    judge: Judge | None = None
    entries: int = 0
    actions: int = 0
    sequence: int = 0
    outcome: Outcome | None = None
    seal: Seal | None = None
    revealed: bool = False
    reveal: Reveal | None = None
    journals: list[Comparison] = field(default_factory=list)
    not_reached: str | None = None

    def report(self, fault: Fault | None) -> Report:
        """Returns the report of what was read, with the fault that was found, if any."""
        missing = () if fault else self._missing()
        header = self.header
        return Report(
            status=Status.WRONG if fault else Status.INCOMPLETE if missing else Status.OK,
            part=fault.part if fault else None,
            check=fault.check if fault else None,
            clause=fault.clause if fault else None,
            message=_bounded(fault.message) if fault else missing[0] if missing else "",
            not_proven=(*missing, *self._not_covered(missing)),
            judged=self.judge is not None,
            number=header.match_number if header else None,
            match_id=header.match_id if header else None,
            players=header.players if header else None,
            h0=self.h0,
            entries=self.entries,
            actions=self.actions,
            sequence=self.sequence,
            final_head=self.head,
            outcome=self.outcome,
            master_commitment=self.evidence.master.commitment if self.evidence.master else None,
        )

    def _missing(self) -> tuple[str, ...]:
        missing = []
        if self.seal is None:
            missing.append(NO_SEAL)
        if not self.revealed:
            missing.append(NO_REVEAL)
        if self.header and self.header.rules_revision != RULES_REVISION:
            missing.append(
                f"the match was judged by revision {self.header.rules_revision} of the rules, this program knows "
                f"revision {RULES_REVISION}: only the chain and the form of the entries were checked, no rule"
            )
        if self.header is not None:
            index, master = self.evidence.index, self.evidence.master
            missing += filter(None, (told.missing(self.header) for told in (index, master) if told is not None))
        if self.not_reached is not None:
            missing.append(self.not_reached)
        return tuple(missing)

    def _not_covered(self, missing: tuple[str, ...]) -> tuple[str, ...]:
        key, index = self.evidence.key, self.evidence.index
        texts = [SIGNER_UNKNOWN] if key is None or NO_SEAL in missing else []
        texts += self._not_told()
        if index is None:
            texts.append(NO_INDEX)
        elif not index.is_signed:
            texts.append(NOT_SIGNED)
        if self.evidence.master is None and self.header is not None and self.header.deal_mode is DealMode.SHARED:
            texts.append(NO_MASTER)
        return tuple(texts)

    def _not_told(self) -> list[str]:
        if not self.journals:
            return [JOURNALS_ONLY]
        return [text for seat in Seat for text in self._not_told_by(seat)] + [TIMES]

    def _not_told_by(self, seat: Seat) -> Iterator[str]:
        journals = [journal for journal in self.journals if journal.seat is seat]
        if not journals:
            yield f"what seat {seat.name} was shown and the entropy that it sent: only its own journal tells"
            return
        if not any(journal.is_whole for journal in journals):
            yield f"what seat {seat.name} was shown where its journal has nothing: none tells the whole match"
        if not any(journal.tells_entropy for journal in journals):
            yield f"that the deal has the entropy of seat {seat.name}: no journal of it tells what was accepted"


def _bounded(message: str) -> str:
    """Returns a message without what goes on for ever: it may quote an entry, which has up to a megabyte."""
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}..."


def _first_fault(audit: _Audit, stream: SeekableSource) -> Fault | None:
    try:
        _verify_parts(audit, stream)
        _verify_journals(audit, stream)
    except FileFault as damage:
        return Fault(damage.part, Check.FILE, damage.message)
    except (Wrong, WrongJournal) as wrong:
        return wrong.fault
    return None


def _verify_parts(audit: _Audit, stream: SeekableSource) -> None:
    _, reveal = read_sections(stream)
    stream.seek(0)
    for part in read_parts(stream):
        if isinstance(part, EntryPart):
            _verify_entry(audit, part)
        elif isinstance(part, HeaderPart):
            _read_header(audit, part, reveal)
        elif isinstance(part, SealPart):
            _verify_seal(audit, part)
        else:
            _verify_reveal(audit, part)
    _verify_index(audit)


def _read_header(audit: _Audit, part: HeaderPart, reveal_part: RevealPart | None) -> None:
    try:
        header = decode_header(part.data)
    except Malformed as malformed:
        raise _malformed("header", malformed) from None
    audit.header = header
    audit.h0 = audit.head = part.head
    reveal = _opening(header, reveal_part)
    if reveal and header.rules_revision == RULES_REVISION:
        audit.judge, audit.reveal = Judge(header, reveal), reveal


def _opening(header: Header, part: RevealPart | None) -> Reveal | None:
    """Returns the reveal if it opens the commitment; a wrong one is reported in its place, after the entries."""
    if part is None:
        return None
    try:
        reveal = decode_reveal(part.data)
    except Malformed:
        return None
    return reveal if _opens(header, reveal) else None


def _opens(header: Header, reveal: Reveal) -> bool:
    return commitment(header.match_id, reveal.salt, reveal.deal_id, reveal.seed) == header.commitment


def _verify_entry(audit: _Audit, part: EntryPart) -> None:
    entry = audit.judge.follow(part.data) if audit.judge else None
    if entry is None:
        entry = _judged_entry(audit, part)
    audit.head = part.head
    audit.entries = entry.index
    audit.actions += isinstance(entry.input.kind, ActionTaken)
    audit.sequence += len(entry.events)
    audit.outcome = _outcome(entry)


def _judged_entry(audit: _Audit, part: EntryPart) -> Entry:
    """Returns an entry that was taken apart and judged. Raises Wrong."""
    name = f"entry {part.index}"
    try:
        entry = decode_entry(part.data)
    except Malformed as malformed:
        raise _malformed(name, malformed) from None
    if entry.index != part.index:
        raise Wrong(Fault(name, Check.INDEX, f"it calls itself entry {entry.index}"))
    if entry.first_sequence != audit.sequence + 1:
        message = f"its events are numbered from {entry.first_sequence}, must be from {audit.sequence + 1}"
        raise Wrong(Fault(name, Check.SEQUENCE, message))
    if audit.judge:
        audit.judge.judge(name, entry)
    return entry


def _outcome(entry: Entry) -> Outcome | None:
    last = entry.events[-1]
    return last.fact.outcome if isinstance(last, Event) and isinstance(last.fact, MatchEnded) else None


def _verify_seal(audit: _Audit, part: SealPart) -> None:
    try:
        seal: Seal = decode_seal(part.data)
    except Malformed as malformed:
        raise _malformed("seal", malformed) from None
    if seal.final_head != audit.head:
        raise Wrong(Fault("seal", Check.FINAL_HEAD, "it names another head than that of the last entry"))
    if seal.outcome != audit.outcome:
        if audit.outcome is None:
            raise Wrong(Fault("seal", Check.OUTCOME, "the last event does not end the match"))
        raise Wrong(Fault("seal", Check.OUTCOME, difference("its outcome", seal.outcome, audit.outcome)))
    audit.seal = seal
    if audit.evidence.key is not None:
        _verify_signature(audit, seal, audit.evidence.key)


def _verify_signature(audit: _Audit, seal: Seal, key: bytes) -> None:
    # The reader has yielded the header before.
    assert audit.header is not None
    assert audit.h0 is not None
    result = result_bytes(audit.header.match_number, audit.h0, seal.final_head, outcome_bytes(seal.outcome))
    if not seal.signature:
        raise Wrong(Fault("seal", Check.SIGNATURE, "the result is not signed"))
    if audit.header.key_id != key_id(key):
        raise Wrong(Fault("seal", Check.SIGNATURE, "the header names another key than the one given"))
    if not is_signed(key, seal.signature, result):
        raise Wrong(Fault("seal", Check.SIGNATURE, "the signature is not that of this result by the key given"))


def _verify_reveal(audit: _Audit, part: RevealPart) -> None:
    try:
        reveal = decode_reveal(part.data)
    except Malformed as malformed:
        raise _malformed("reveal", malformed) from None
    # The reader has yielded the header before.
    assert audit.header is not None
    if not _opens(audit.header, reveal):
        raise Wrong(Fault("reveal", Check.COMMITMENT, "it does not open the commitment of the header"))
    mode = audit.header.deal_mode
    if mode is not DealMode.FRESH and reveal.deal_id != _DEAL_IDS[mode](reveal.seed):
        raise Wrong(Fault("reveal", Check.DEAL_ID, f"its deal id is not that of a {mode.name.lower()} seed"))
    master = audit.evidence.master
    if master is not None and (fault := master.fault(audit.header, reveal)) is not None:
        raise Wrong(fault)
    # Without a judge it opened nothing when the file was read for it, before the first entry.
    if audit.judge is None and audit.header.rules_revision == RULES_REVISION:
        raise Wrong(Fault("reveal", Check.FILE, "the file was changed while it was read"))
    audit.revealed = True


def _verify_index(audit: _Audit) -> None:
    index = audit.evidence.index
    if index is None:
        return
    assert audit.header is not None
    assert audit.h0 is not None
    fault = index.fault(audit.header, audit.h0, audit.seal)
    if fault is not None:
        raise Wrong(fault)


def _verify_journals(audit: _Audit, stream: SeekableSource) -> None:
    # The reader has yielded the header before.
    assert audit.header is not None
    owned = [(_owner(journal), journal) for journal in audit.evidence.journals]
    said = {seat: said_in(journal for owner, journal in owned if owner is seat) for seat in Seat}
    for seat, journal in owned:
        retell = partial(Retelling, stream, audit.header, audit.reveal, seat)
        comparison = Comparison(retell, audit.seal, said[seat])
        try:
            audit.not_reached = comparison.compare(journal) or audit.not_reached
        finally:
            # What was judged right can be told again, and only that is worth comparing with.
            _require_unchanged(audit, stream)
        audit.journals.append(comparison)


def _require_unchanged(audit: _Audit, stream: SeekableSource) -> None:
    stream.seek(0)
    head = None
    for part in read_parts(stream):
        if isinstance(part, HeaderPart | EntryPart):
            head = part.head
    if head != audit.head:
        raise Wrong(Fault("file head", Check.FILE, "the file was changed while it was read"))


def _owner(journal: SeekableSource) -> Seat:
    try:
        return owner_of(journal).seat
    except JournalFault as fault:
        raise Wrong(Fault("journal", Check.JOURNAL, str(fault))) from None


def _malformed(part: str, malformed: Malformed) -> Wrong:
    return Wrong(Fault(part, Check.ENCODING, str(malformed)))
