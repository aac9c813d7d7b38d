"""The hash chains against `proto/vectors/log`."""

import pytest

from referee.log.heads import INDEX_ORIGIN, entry_head, header_head, index_head
from tests.log.vectors import Case, cases, named, unhex


@pytest.mark.parametrize("case", **named("log/heads.json"))
def test_log_heads_match_the_vectors(case: Case) -> None:
    head = header_head(unhex(case["header"]))
    assert head.hex() == case["h0"]
    assert head.hex() not in case["not"]["h0"].values()
    for entry in case["entries"]:
        head = entry_head(head, unhex(entry["bytes"]))
        assert head.hex() == entry["head"]
        assert head.hex() not in case["not"]["head_of_entry_1"].values()


@pytest.mark.parametrize("case", **named("log/index.json"))
def test_index_heads_match_the_vectors(case: Case) -> None:
    head = INDEX_ORIGIN
    for record in case["records"]:
        assert head.hex() == record["previous"]
        head = index_head(head, unhex(record["bytes"]))
        assert head.hex() == record["head"]
        assert head.hex() not in case["not"]["first_head"].values()


def test_vectors_hold_logs_that_differ_only_in_order() -> None:
    by_name = {case["name"]: case for case in cases("log/heads.json")}
    straight, swapped = by_name["three_entries"]["entries"], by_name["same_entries_swapped"]["entries"]
    assert sorted(e["bytes"] for e in straight) == sorted(e["bytes"] for e in swapped)
    assert straight[-1]["head"] != swapped[-1]["head"]


@pytest.mark.parametrize("head", [b"", bytes(31), bytes(33)])
def test_head_of_wrong_size_is_refused(head: bytes) -> None:
    with pytest.raises(ValueError, match="a head has 32 bytes"):
        entry_head(head, b"entry")
    with pytest.raises(ValueError, match="a head has 32 bytes"):
        index_head(head, b"record")
