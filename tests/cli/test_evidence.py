"""`unoduo verify --key --index` and `unoduo index fetch`, on what a referee that signs has served."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.log.journal import JOURNAL_HEAD
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.journaled import journal_file, journal_of, place_of
from tests.audit.simulated import Log, random_match
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


def test_index_alone_without_a_key_is_of_nobody(folder: Path) -> None:
    ended = unoduo("verify", "--index", folder / "index")
    assert ended.code == 3
    assert ended.out.splitlines()[1:] == [
        "  not proven: that the index is the referee's: no signature of it was checked"
    ]


def test_several_files_end_in_a_summary(folder: Path) -> None:
    ended = unoduo("verify", folder / "match", folder / "index", folder / "match", folder / "missing")
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == "4 files: 2 ok, 1 wrong, 1 unread"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "give a replay to verify, or --index"),
        (("--journal", "{}/missing", "{}/match"), "cannot read {}/missing: no such file"),
        (("--journal", "{}/match", "{}/match"), "{}/match is no journal of a seat: this is no journal"),
        (("--key", "{}/missing", "{}/match"), "--key is a public key of 64 hex digits or a file that holds one, not "),
        (("--key", "{}/match", "{}/match"), "{}/match does not hold a public key of 64 hex digits"),
        (("--index", "{}/missing", "{}/match"), "cannot read {}/missing: no such file"),
    ],
)
def test_evidence_that_cannot_be_used_is_told(folder: Path, arguments: tuple[str, ...], complaint: str) -> None:
    ended = unoduo("verify", *(text.format(folder) for text in arguments))
    assert ended.code == 2
    assert ended.complaint().startswith(complaint.format(folder))


@pytest.fixture
def logs(tmp_path: Path) -> list[Log]:
    """Two matches as `0.unoduo` and `1.unoduo` with a journal for each seat, such as `1-A.journal`."""
    logs = [honest(), random_match(7, Ruleset(target=1))]
    for number, log in enumerate(logs):
        (tmp_path / f"{number}.unoduo").write_bytes(log.to_bytes())
        for seat in Seat:
            (tmp_path / f"{number}-{seat.name}.journal").write_bytes(journal_file(journal_of(log, seat)))
    return logs


def test_each_journal_is_held_against_the_replay_of_its_match(tmp_path: Path, logs: list[Log]) -> None:
    files = [tmp_path / f"{number}.unoduo" for number in range(len(logs))]
    journals = [argument for path in tmp_path.glob("*.journal") for argument in ("--journal", path)]
    both = unoduo("verify", *journals, *files)
    assert (both.code, both.err) == (0, "")
    assert "only its own journal tells" not in both.out
    records = journal_of(logs[1], Seat.B)
    records[place_of(records, "observation", 20)].observation.head = bytes(32)
    (tmp_path / "1-B.journal").write_bytes(journal_file(records))
    wrong = unoduo("verify", *journals, *files)
    assert wrong.code == 1
    assert f"{files[0]}: ok\n" in wrong.out
    assert f"{files[1]}: WRONG at journal of seat B, record " in wrong.out


def test_journal_of_another_match_is_named(tmp_path: Path, logs: list[Log]) -> None:
    journals = ("--journal", tmp_path / "0-A.journal", "--journal", tmp_path / "1-A.journal")
    ended = unoduo("verify", *journals, tmp_path / "0.unoduo")
    match_id = logs[1].header.match_id.hex()
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaint() == f"{tmp_path / '1-A.journal'} is of match {match_id}, and no replay given is of that"


def test_journal_of_another_header_of_the_same_match_is_evidence(tmp_path: Path, logs: list[Log]) -> None:
    other = replace(logs[0], header=replace(logs[0].header, created="later")).resealed()
    (tmp_path / "0.unoduo").write_bytes(other.to_bytes())
    ended = unoduo("verify", "--journal", tmp_path / "0-A.journal", tmp_path / "0.unoduo")
    assert ended.code == 1
    words = "WRONG at journal of seat A, record 1: the seat was shown another header than that of the file (HEADER)"
    assert words in ended.out


def test_directory_gives_the_journals_that_fit(tmp_path: Path, logs: list[Log]) -> None:
    (tmp_path / "torn.journal").write_bytes(JOURNAL_HEAD)
    ended = unoduo("verify", "--journal", tmp_path, tmp_path / "1.unoduo")
    assert (ended.code, ended.err) == (0, "")
    assert "only its own journal tells" not in ended.out
    (tmp_path / "1-B.journal").unlink()
    ended = unoduo("verify", "--journal", tmp_path, tmp_path / "1.unoduo", tmp_path / "missing")
    assert ended.code == 2
    assert "what seat B was shown" in ended.out


def test_index_is_fetched_over_no_other_file(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "index.part").symlink_to(precious)
    with served() as server:
        fetched = unoduo("index", "fetch", "-o", tmp_path / "index", "--address", server.address)
    assert (fetched.code, precious.read_text()) == (0, "precious")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "index.part", "precious"]
