from dataclasses import replace
from io import BytesIO

import pytest

from referee.audit.replay import replay
from referee.codec.headers import encode_header
from referee.log.file_format import FILE_HEAD, FileFault, chained_bytes
from referee.log.heads import header_head
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import random_match, troubled_match
from tests.audit.tampering import changed

SHORT = Ruleset(target=1)


def test_replay_tells_header_and_entries_as_written() -> None:
    log = troubled_match(3)
    told = replay(BytesIO(log.to_bytes()))
    assert told.header == log.header
    assert list(told.entries) == log.entries


def test_replay_of_a_match_not_over_tells_what_there_is() -> None:
    log = replace(random_match(3, SHORT), seal=None, reveal=None)
    log = replace(log, entries=log.entries[:9])
    assert list(replay(BytesIO(log.to_bytes())).entries) == log.entries


def test_replay_judges_nothing() -> None:
    log = random_match(3, SHORT)
    log.entries[4] = replace(log.entries[4], events=log.entries[4].events[:1])
    assert list(replay(BytesIO(log.to_bytes())).entries) == log.entries


@pytest.mark.parametrize("data", [b"", b"hello world, this is no replay"])
def test_replay_of_a_foreign_file_is_refused(data: bytes) -> None:
    with pytest.raises(FileFault) as fault:
        replay(BytesIO(data))
    assert fault.value.part == "file head"


def test_replay_with_a_strange_header_is_refused() -> None:
    data = encode_header(changed(random_match(3, SHORT).header, format=9))
    with pytest.raises(FileFault) as fault:
        replay(BytesIO(FILE_HEAD + chained_bytes(data, header_head(data))))
    assert fault.value.part == "header"
    assert fault.value.message == "header.format: this program reads format 1 only, not 9"


@pytest.mark.parametrize(
    ("strange", "message"),
    [(True, "entry: is not a message Entry"), (False, "its head does not follow from the one before and its bytes")],
)
def test_replay_stops_at_the_first_bad_entry(strange: bool, message: str) -> None:
    log = random_match(3, SHORT)
    if strange:
        data = replace(log, raw={6: b"\xff\xff"}).to_bytes()
    else:
        sixth = replace(log, entries=log.entries[:6], seal=None, reveal=None).to_bytes()
        data = sixth[:-1] + bytes((sixth[-1] ^ 1,)) + log.to_bytes()[len(sixth) :]
    told = replay(BytesIO(data))
    with pytest.raises(FileFault) as fault:
        list(told.entries)
    assert (fault.value.part, fault.value.message) == ("entry 6", message)
    told = replay(BytesIO(data))
    assert [next(told.entries) for _ in range(5)] == log.entries[:5]
