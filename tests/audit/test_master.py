"""Replays against the master files of tournaments: `proto/vectors/log/masters.json`."""

from io import BytesIO

import pytest

from referee.audit.master import NO_MASTER, NOT_LISTED, Master, MasterFault
from referee.audit.verify import NO_EVIDENCE, Evidence, verify
from referee.report.verdict import details
from tests.log.vectors import Case, cases, unhex

CASES = cases("log/masters.json")
JUDGED = [case for case in CASES if "refused" not in case]
REFUSED = [case for case in CASES if "refused" in case]


def name_of(case: Case) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", JUDGED, ids=name_of)
def test_replay_is_judged_by_a_master_file_as_the_vectors_say(case: Case) -> None:
    master = Master(case["master"].encode())
    report = verify(BytesIO(unhex(case["file"])), Evidence(master=master))
    found = report.status.value, report.part, report.check
    assert found == (case["status"], case.get("part"), case.get("check"))
    assert report.master_commitment == unhex(case["commitment"])
    assert NO_MASTER not in report.not_proven
    assert (NOT_LISTED in report.not_proven) == (case["name"] == "shared_deal_that_is_not_listed")
    left_out = [
        text for text in report.not_proven if text == "the master file leaves out pair 1, which is before this match's"
    ]
    assert len(left_out) == (case["name"] == "pair_before_it_left_out")
    (told,) = [line for line in details(report) if case["commitment"] in line]
    assert "commitment" in told


@pytest.mark.parametrize("case", JUDGED, ids=name_of)
def test_replay_without_a_master_file_is_not_wrong_and_what_only_that_proves_is_told(case: Case) -> None:
    report = verify(BytesIO(unhex(case["file"])), NO_EVIDENCE)
    assert report.status.value == ("incomplete" if case["name"] == "not_revealed" else "ok")
    is_shared = not case["name"].startswith(("fresh_", "given_", "no_pairs"))
    assert (NO_MASTER in report.not_proven) == is_shared
    assert report.master_commitment is None


@pytest.mark.parametrize("case", REFUSED, ids=name_of)
def test_file_that_is_no_master_file_is_refused_in_a_sentence(case: Case) -> None:
    with pytest.raises(MasterFault) as refused:
        Master(case["master"].encode())
    assert str(refused.value)


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00" * 10, JUDGED[0]["master"].encode("utf-16")])
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(MasterFault, match="no JSON"):
        Master(data)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("seed_of_another_attempt", "its seed is not that of pair 2, attempt 0"),
        ("given_deal_of_the_seed", "its deal is not shared, as that of pair 2, attempt 1 must be"),
    ],
)
def test_fault_is_told_with_the_pair(name: str, sentence: str) -> None:
    (case,) = [case for case in JUDGED if case["name"] == name]
    report = verify(BytesIO(unhex(case["file"])), Evidence(master=Master(case["master"].encode())))
    assert report.message == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("without_pairs", "the file must be an object with format, master, entropies, pairs"),
        ("another_format", "its format is not unoduo-master-1"),
        ("master_of_31_bytes", "master must have 32 bytes, not 31"),
        ("master_that_is_null", "master must be hex digits"),
        ("entropies_that_are_null", "entropies must be a list"),
        ("entropy_of_33_bytes", "entropies[0] must have at most 32 bytes, not 33"),
        ("entropy_that_is_null", "entropies[0] must be hex digits"),
        ("pairs_that_are_null", "pairs must be a list"),
        ("pair_that_is_null", "pairs[0] must be an object with pair, attempt, matches"),
        ("pair_that_is_true", "pairs[0].pair must be a whole number"),
        ("pair_0", "pair must be 1 to 4294967295, not 0"),
        ("first_attempt_missing", "pair 1 has attempt 1, must be 0"),
        ("attempt_left_out", "pair 2 has attempt 2, must be 1"),
        ("pair_of_no_matches", "pairs[0] has no matches"),
        ("matches_that_are_null", "pairs[0].matches must be a list"),
        ("match_id_that_is_no_hex", "pairs[0].matches[1] must be hex digits"),
        ("key_twice", "no JSON: key 'format' is there twice"),
        ("attempt_of_minus_0", "no JSON: a whole number is not written as -0"),
        ("match_id_of_15_bytes", "pairs[0] has a match id that is not one of 32 hex digits"),
        ("match_listed_in_two_pairs", f"pairs[1] has match {'bb' * 16}, which is listed before"),
    ],
)
def test_what_is_wrong_with_a_master_file_is_told(name: str, sentence: str) -> None:
    (case,) = [case for case in REFUSED if case["name"] == name]
    with pytest.raises(MasterFault) as refused:
        Master(case["master"].encode())
    assert str(refused.value) == sentence
