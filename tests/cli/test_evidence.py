"""`unoduo verify --key --index` and `unoduo index fetch`, on what a referee that signs has served."""

import json
from pathlib import Path

import pytest

from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.journaled import journal_file, journal_of
from tests.audit.simulated import random_match
from tests.audit.tampering import honest
from tests.cli.command import unoduo
from tests.cli.serving import served


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key, an index and a void match; another match has not ended."""
    folder = tmp_path_factory.mktemp("evidence")
    unoduo("keygen", "--signing", folder / "key", "--quiet")
    unoduo("keygen", "--signing", folder / "other", "--quiet")
    with served("--signing-key", folder / "key") as server:
        where = ("--address", server.address)
        for _ in range(2):
            assert unoduo("match", "new", "--quiet", *where).code == 0
        assert unoduo("match", "void", "1", "--quiet", *where).code == 0
        assert unoduo("match", "replay", "1", folder / "match", "--quiet", *where).code == 0
        fetched = unoduo("index", "fetch", "-o", folder / "index", *where)
        assert (fetched.code, fetched.out) == (0, f"{folder / 'index'}: 3 records, signed\n")
        again = unoduo("index", "fetch", "-o", folder / "index", *where)
        assert (again.code, again.complaint()) == (2, f"{folder / 'index'} is there already, and is not replaced")
        told = json.loads(unoduo("index", "fetch", "-o", folder / "again", "--json", *where).out)
        assert (told["file"], told["records"], told["is_signed"]) == (str(folder / "again"), 3, True)
    return folder


def test_match_is_proven_with_key_and_index(folder: Path) -> None:
    key, index = folder / "key.pub", folder / "index"
    ended = unoduo("verify", "--key", key, "--index", index, folder / "match")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("not proven") == 1
    digits = key.read_text().strip().upper()
    assert unoduo("verify", "--key", digits, "--index", index, folder / "match").out == ended.out


def test_other_key_is_told(folder: Path) -> None:
    ended = unoduo("verify", "--key", folder / "other.pub", folder / "match")
    assert ended.code == 1
    assert "WRONG at seal: the header names another key than the one given (SIGNATURE)" in ended.out


def test_index_alone_tells_which_matches_have_no_end(folder: Path) -> None:
    ended = unoduo("verify", "--index", folder / "index", "--key", folder / "key.pub")
    assert (ended.code, ended.out) == (
        3,
        f"{folder / 'index'}: incomplete: matches that have begun and not ended: 2\n",
    )


def test_several_files_end_in_a_summary(folder: Path) -> None:
    ended = unoduo("verify", folder / "match", folder / "index", folder / "match", folder / "missing")
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == "4 files: 2 ok, 1 wrong, 1 unread"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "give a replay to verify, or --index"),
        (("--journal", "{}/missing", "{}/match"), "cannot read {}/missing: no such file"),
        (("--journal", "{}/match", "{}/match", "{}/match"), "--journal goes with one replay"),
        (("--key", "{}/missing", "{}/match"), "cannot read {}/missing: no such file"),
        (("--key", "{}/match", "{}/match"), "{}/match does not hold a public key of 64 hex digits"),
        (("--index", "{}/missing", "{}/match"), "cannot read {}/missing: no such file"),
    ],
)
def test_evidence_that_cannot_be_used_is_told(folder: Path, arguments: tuple[str, ...], complaint: str) -> None:
    ended = unoduo("verify", *(text.format(folder) for text in arguments))
    assert ended.code == 2
    assert ended.complaint().startswith(complaint.format(folder))


def test_journals_are_held_against_the_replay(tmp_path: Path) -> None:
    file, journals = tmp_path / "match", [tmp_path / seat.name for seat in Seat]
    file.write_bytes(honest().to_bytes())
    for seat, journal in zip(Seat, journals, strict=True):
        journal.write_bytes(journal_file(journal_of(honest(), seat)))
    both = unoduo("verify", "--journal", journals[0], "--journal", journals[1], file)
    assert (both.code, both.err) == (0, "")
    assert "only its own journal tells" not in both.out
    file.write_bytes(random_match(7, Ruleset(target=1)).to_bytes())
    other = unoduo("verify", "--journal", journals[0], file)
    assert other.code == 1
    words = "WRONG at journal of seat A, record 1: the seat was shown another header than that of the file (HEADER)"
    assert words in other.out
