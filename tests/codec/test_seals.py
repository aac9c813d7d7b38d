from collections.abc import Callable

import pytest
from hypothesis import given
from unoduo.v1 import log_pb2 as pb
from unoduo.v1 import outcome_pb2

from referee.codec.errors import Malformed
from referee.codec.outcomes import decode_outcome, encode_outcome, outcome_bytes
from referee.codec.seals import (
    IndexCreated,
    IndexRecord,
    IndexVoid,
    Reveal,
    Seal,
    decode_index_record,
    decode_reveal,
    decode_seal,
    encode_index_record,
    encode_reveal,
    encode_seal,
)
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import index_records, outcomes, reveals, seals

OUTCOME = Outcome(Seat.B, Termination.TARGET, (210, 95), 9)
SEAL = encode_seal(Seal(bytes(range(32)), OUTCOME))
REVEAL = encode_reveal(Reveal(bytes(16), bytes(32), bytes(range(32))))
RECORD = encode_index_record(IndexRecord(4, IndexCreated(bytes(range(32)))))


@given(outcomes)
def test_outcome_survives_both_ways(outcome: Outcome) -> None:
    assert decode_outcome(encode_outcome(outcome)) == outcome
    assert_canonical(outcome_pb2.Outcome, outcome_bytes(outcome))


@given(seals)
def test_seal_survives_both_ways(seal: Seal) -> None:
    assert decode_seal(encode_seal(seal)) == seal
    assert_canonical(pb.Seal, encode_seal(seal))


@given(reveals)
def test_reveal_survives_both_ways(reveal: Reveal) -> None:
    assert decode_reveal(encode_reveal(reveal)) == reveal
    assert_canonical(pb.Reveal, encode_reveal(reveal))


@given(index_records)
def test_index_record_survives_both_ways(record: IndexRecord) -> None:
    assert decode_index_record(encode_index_record(record)) == record
    assert_canonical(pb.IndexRecord, encode_index_record(record))


def test_void_is_told_apart_from_no_kind() -> None:
    assert encode_index_record(IndexRecord(1, IndexVoid())) != pb.IndexRecord(match_number=1).SerializeToString()


def test_seal_holds_the_outcome_as_it_is_signed() -> None:
    assert outcome_bytes(OUTCOME) in SEAL


REFUSED: list[tuple[Callable[[bytes], object], bytes, str]] = [
    (decode_seal, SEAL + b"\x20\x01", "seal"),
    (decode_seal, SEAL[34:] + SEAL[:34], "seal"),
    (decode_seal, b"\xff", "seal"),
    (decode_seal, b"", "seal.final_head"),
    (decode_seal, SEAL[:34], "seal.outcome.termination"),
    (decode_seal, SEAL + b"\x1a\x01\x00", "seal.signature"),
    (decode_reveal, REVEAL + b"\x20\x01", "reveal"),
    (decode_reveal, b"\xff", "reveal"),
    (decode_reveal, b"", "reveal.deal_id"),
    (decode_reveal, REVEAL[:18], "reveal.seed"),
    (decode_reveal, REVEAL[:52], "reveal.salt"),
    (decode_index_record, RECORD + b"\x28\x01", "index_record"),
    (decode_index_record, b"\xff", "index_record"),
    (decode_index_record, b"\x08\x01", "index_record.kind"),
    (decode_index_record, b"\x12\x00", "index_record.created.h0"),
    (decode_index_record, b"\x1a\x00", "index_record.sealed.final_head"),
    (decode_index_record, b"\x1a\x22\x0a\x20" + bytes(32), "index_record.sealed.outcome.termination"),
]


@pytest.mark.parametrize(("decode", "data", "field"), REFUSED)
def test_bytes_of_another_form_are_refused(decode: Callable[[bytes], object], data: bytes, field: str) -> None:
    with pytest.raises(Malformed) as error:
        decode(data)
    assert error.value.field == field
