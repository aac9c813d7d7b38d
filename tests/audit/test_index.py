"""What an index proves of a match, and of itself; further cases are in `proto/vectors/log/replays.json`."""

from io import BytesIO

import pytest

from referee.audit.index import NOT_SIGNED, Index, verify_index
from referee.audit.report import Check, Status
from referee.audit.signatures import SigningKey
from referee.audit.verify import Evidence, verify
from referee.codec.seals import IndexCreated, IndexRecord
from referee.log.index_file import SIGNATURE_SIZE
from tests.audit.chained import index_file, index_of, records_of, signed_matches

KEY, OTHER = SigningKey.generate(), SigningKey.generate()
LOGS = signed_matches(KEY)
INDEX = index_of(LOGS, KEY)


def read(data: bytes, key: SigningKey | None = KEY) -> Index:
    return Index(BytesIO(data), None if key is None else key.public)


def test_matches_of_an_index_are_proven_with_key_and_index() -> None:
    for log in LOGS:
        report = verify(BytesIO(log.to_bytes()), Evidence(KEY.public, read(INDEX)))
        assert report.status is Status.OK
        assert len(report.not_proven) == 1
    assert verify_index(read(INDEX)).status is Status.OK


@pytest.mark.parametrize("key", [None, KEY])
def test_index_without_a_checkpoint_is_not_known_to_be_the_referees(key: SigningKey | None) -> None:
    report = verify_index(read(INDEX[: -1 - SIGNATURE_SIZE], key))
    assert (report.status, report.not_proven) == (Status.OK, (NOT_SIGNED,))
    assert verify_index(read(INDEX, None)).not_proven == (NOT_SIGNED,)
    told = verify(BytesIO(LOGS[0].to_bytes()), Evidence(KEY.public, read(INDEX[: -1 - SIGNATURE_SIZE])))
    assert (told.status, told.not_proven[-1]) == (Status.OK, NOT_SIGNED)


def test_checkpoint_of_another_key_or_fewer_records_is_wrong() -> None:
    fewer = index_file(records_of(LOGS[:2]))
    for data, key in ((INDEX, OTHER), (fewer + INDEX[-1 - SIGNATURE_SIZE :], KEY)):
        report = verify(BytesIO(LOGS[0].to_bytes()), Evidence(KEY.public, read(data, key)))
        assert (report.status, report.part, report.check) == (Status.WRONG, "index", Check.SIGNATURE)


@pytest.mark.parametrize("data", [INDEX + b"\0", INDEX[:-1]])
def test_checkpoint_is_the_end_of_an_index(data: bytes) -> None:
    report = verify_index(read(data))
    assert (report.status, report.part, report.check) == (Status.WRONG, "index", Check.FILE)


def test_match_without_an_end_is_told() -> None:
    records = records_of(LOGS)
    report = verify_index(read(index_file([*records[:3], *records[4:]], KEY)))
    assert (report.status, report.message) == (Status.INCOMPLETE, "matches that have begun and not ended: 2")


def test_many_matches_without_an_end_are_told_in_part() -> None:
    records = [IndexRecord(number, IndexCreated(bytes(32))) for number in range(1, 30)]
    report = verify_index(read(index_file(records), None))
    assert report.message == "matches that have begun and not ended: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..."
