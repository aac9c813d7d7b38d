"""A header, seal or reveal that does not fit, and bytes that nobody judges, are found."""

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pytest

from referee.adjudication.terms import DealMode
from referee.audit.report import Check, Status
from referee.audit.verify import verify
from referee.codec.entries import encode_entry
from referee.codec.headers import encode_header
from referee.codec.seals import encode_reveal, encode_seal
from referee.deal.commitment import commitment
from referee.deal.keys import given_deal_id, shared_deal_id
from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.log.heads import header_head
from referee.rules.events import CardsPlayed
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import Log, Simulation, play
from tests.audit.tampering import assert_found, changed, entry_replaced, event_changed, fact_changed, honest, is_fact

# A field that no message has: number 31, a varint.
UNKNOWN_FIELD = b"\xf8\x01\x01"


def with_reveal(log: Log, **changes: bytes) -> tuple[Log, str]:
    return replace(log, reveal=changed(log.reveal, **changes)), "reveal"


@pytest.mark.parametrize("field", ["seed", "salt", "deal_id"])
def test_reveal_that_does_not_open_the_commitment_is_found(field: str) -> None:
    size = len(getattr(honest().reveal, field))
    assert_found(honest(), lambda log: with_reveal(log, **{field: bytes(size)}), Check.COMMITMENT, None)


def test_commitment_that_is_not_opened_is_found() -> None:
    def tampering(log: Log) -> tuple[Log, str]:
        return replace(log, header=changed(log.header, commitment=bytes(32))), "reveal"

    assert_found(honest(), tampering, Check.COMMITMENT, None)


@pytest.mark.parametrize(
    ("mode", "deal_id"),
    [
        (DealMode.GIVEN, lambda _: bytes(16)),
        (DealMode.GIVEN, shared_deal_id),
        (DealMode.SHARED, lambda _: bytes(16)),
        (DealMode.SHARED, given_deal_id),
    ],
)
def test_deal_of_a_seed_under_another_id_is_found(mode: DealMode, deal_id: Callable[[bytes], bytes]) -> None:
    # Others know the seed: a referee that may choose the id may choose among the deals of that seed.
    simulation = Simulation(1, Ruleset(target=1), deal_mode=mode)
    simulation.reveal = reveal = changed(simulation.reveal, deal_id=deal_id(simulation.reveal.seed))
    promise = commitment(simulation.header.match_id, reveal.salt, reveal.deal_id, reveal.seed)
    simulation.header = changed(simulation.header, commitment=promise)
    report = verify(BytesIO(play(simulation).to_bytes()))
    assert (report.status, report.part, report.check) == (Status.WRONG, "reveal", Check.DEAL_ID)


class GrowingFile(BytesIO):
    """A file that gets its end when it is read for the second time."""

    def __init__(self, data: bytes, end: bytes) -> None:
        super().__init__(data)
        self._end = end

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if offset == whence == 0:
            super().seek(0, 2)
            self.write(self._end)
        return super().seek(offset, whence)


def test_reveal_that_came_while_the_file_was_read_proves_nothing() -> None:
    false, _ = fact_changed(CardsPlayed, lambda fact: changed(fact, left=99))(honest())
    data = false.resealed().to_bytes()
    assert false.reveal
    end = section_bytes(REVEAL_TAG, encode_reveal(false.reveal))
    report = verify(GrowingFile(data.removesuffix(end), end))
    assert (report.status, report.part, report.check) == (Status.WRONG, "reveal", Check.FILE)
    assert report.message == "the file was changed while it was read"
    assert not report.judged


def test_reveal_of_another_size_is_found() -> None:
    assert_found(honest(), lambda log: with_reveal(log, seed=b"short"), Check.ENCODING, None)


def test_outcome_of_the_seal_is_found() -> None:
    def tampering(log: Log) -> tuple[Log, str]:
        assert log.seal
        return replace(log, seal=changed(log.seal, outcome=changed(log.seal.outcome, winner=None))), "seal"

    assert_found(honest(), tampering, Check.OUTCOME, None)


def test_seal_of_a_match_that_is_not_over_is_found() -> None:
    assert_found(honest(), lambda log: (replace(log, entries=log.entries[:-1]), "seal"), Check.OUTCOME, None)


def test_head_of_the_seal_is_found() -> None:
    log = honest()
    report = verify(BytesIO(replace(log, seal=changed(log.seal, final_head=bytes(32))).to_bytes()))
    assert (report.status, report.part, report.check) == (Status.WRONG, "seal", Check.FINAL_HEAD)


def test_seal_is_reported_before_the_reveal() -> None:
    log = replace(with_reveal(honest(), seed=bytes(32))[0], entries=honest().entries[:-1])
    report = verify(BytesIO(log.resealed().to_bytes()))
    assert (report.status, report.part, report.check) == (Status.WRONG, "seal", Check.OUTCOME)


def test_index_of_an_entry_is_found() -> None:
    def tampering(log: Log) -> tuple[Log, str]:
        entry = changed(log.entries[29], index=31)
        return replace(log, entries=[*log.entries[:29], entry, *log.entries[30:]]), "entry 30"

    assert_found(honest(), tampering, Check.INDEX, None)


@pytest.mark.parametrize("revealed", [True, False])
def test_sequence_of_an_entry_is_found(revealed: bool) -> None:
    entry = honest().entries[29]
    false, part = entry_replaced(honest(), changed(entry, first_sequence=entry.first_sequence + 1))
    if not revealed:
        false = replace(false, reveal=None)
    report = verify(BytesIO(false.resealed().to_bytes()))
    assert (report.status, report.part, report.check) == (Status.WRONG, part, Check.SEQUENCE)


def test_blind_of_another_size_is_found() -> None:
    entry = honest().entries[2]
    assert_found(honest(), lambda log: entry_replaced(log, changed(entry, blind=b"short")), Check.ENCODING, None)


@pytest.mark.parametrize("whole", [True, False])
def test_bytes_that_are_no_entry_are_found(whole: bool) -> None:
    data = encode_entry(honest().entries[2]).data + UNKNOWN_FIELD if whole else b"\xff\xff\xff"
    assert_found(honest(), lambda log: (replace(log, raw={3: data}), "entry 3"), Check.ENCODING, None)


@pytest.mark.parametrize("whole", [True, False])
def test_bytes_that_are_no_header_are_found(whole: bool) -> None:
    data = encode_header(honest().header) + UNKNOWN_FIELD if whole else b"\xff\xff\xff"
    report = verify(BytesIO(FILE_HEAD + chained_bytes(data, header_head(data))))
    assert (report.status, report.part, report.check) == (Status.WRONG, "header", Check.ENCODING)
    assert (report.number, report.entries) == (None, 0)


def test_format_that_is_unknown_is_found() -> None:
    data = encode_header(changed(honest().header, format=2))
    report = verify(BytesIO(FILE_HEAD + chained_bytes(data, header_head(data))))
    assert (report.status, report.part, report.check) == (Status.WRONG, "header", Check.ENCODING)
    assert "format" in report.message


def test_bytes_that_are_no_seal_or_reveal_are_found() -> None:
    log = honest()
    assert log.seal
    assert log.reveal
    open_file = replace(log, seal=None, reveal=None).to_bytes()
    seal, reveal = encode_seal(log.seal), encode_reveal(log.reveal)
    for seal_data, reveal_data, part in (
        (seal + UNKNOWN_FIELD, reveal, "seal"),
        (b"\xff", reveal, "seal"),
        (seal, reveal + UNKNOWN_FIELD, "reveal"),
        (seal, b"\xff", "reveal"),
    ):
        data = open_file + section_bytes(SEAL_TAG, seal_data) + section_bytes(REVEAL_TAG, reveal_data)
        report = verify(BytesIO(data))
        assert (report.status, report.part, report.check) == (Status.WRONG, part, Check.ENCODING)


def test_false_fact_is_not_found_without_the_reveal_and_that_is_said() -> None:
    tampering = event_changed(is_fact(CardsPlayed), lambda event: changed(event, fact=changed(event.fact, left=40)))
    false = replace(tampering(honest())[0], reveal=None)
    assert verify(BytesIO(false.resealed().to_bytes())).status is Status.INCOMPLETE
