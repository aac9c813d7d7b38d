"""`unoduo verify`: the verdict, its exit code, and the first wrong part."""

import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from referee.log.file_format import RevealPart, SealPart, read_parts
from tests.audit.tampering import honest
from tests.audit.test_false_inputs import card_not_held
from tests.cli.command import unoduo


def _without_sections(replay: bytes) -> bytes:
    """Cuts seal and reveal off, whose length is found from their tags."""
    sizes = sum(
        1 + 4 + len(part.data) + 32 for part in read_parts(BytesIO(replay)) if isinstance(part, SealPart | RevealPart)
    )
    return replay[:-sizes]


def test_whole_replay_is_ok(replay_file: Path) -> None:
    ended = unoduo("verify", replay_file)
    assert (ended.code, ended.err) == (0, "")
    verdict, match, *rest = ended.out.splitlines()
    assert verdict == f"{replay_file}: ok"
    assert match.startswith("  match 1, Anna (A) against Bert (B): ")
    assert any(line.startswith("  not proven: signer unknown") for line in rest)


def test_flipped_bit_is_wrong_at_its_part(replay_file: Path) -> None:
    data = bytearray(replay_file.read_bytes())
    data[len(data) // 2] ^= 0x10
    replay_file.write_bytes(data)
    ended = unoduo("verify", replay_file)
    assert ended.code == 1
    assert ended.out.startswith(f"{replay_file}: WRONG at entry ")


def test_action_against_the_rules_is_told_with_the_clause_to_look_up(tmp_path: Path) -> None:
    file = tmp_path / "false.unoduo"
    log, _ = card_not_held(honest())
    file.write_bytes(log.to_bytes())
    ended = unoduo("verify", file)
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == "  see: unoduo rules R5.6"


def test_foreign_file_is_wrong_at_its_head(tmp_path: Path) -> None:
    foreign = tmp_path / "letter.txt"
    foreign.write_text("Dear referee")
    ended = unoduo("verify", foreign)
    assert ended.code == 1
    assert ended.out == f"{foreign}: WRONG at file head: this is no replay file (FILE)\n"


def test_pipe_is_refused_by_name(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # which waits for no reader, as a writer alone would
    ended = unoduo("verify", pipe)
    os.close(writer)
    assert ended.code == 2
    assert ended.err.startswith(f"unoduo: {pipe} is a pipe")


def test_file_cut_within_an_entry_is_wrong(replay_file: Path) -> None:
    replay_file.write_bytes(replay_file.read_bytes()[:3000])
    ended = unoduo("verify", replay_file)
    assert ended.code == 1
    assert "the file is cut short" in ended.out


def test_file_without_seal_is_incomplete(replay_file: Path) -> None:
    replay_file.write_bytes(_without_sections(replay_file.read_bytes()))
    ended = unoduo("verify", replay_file)
    assert ended.code == 3
    assert ended.out.startswith(f"{replay_file}: incomplete: ")


def test_worst_of_several_files_decides_the_code(replay_file: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.unoduo"
    cut.write_bytes(_without_sections(replay_file.read_bytes()))
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"")
    missing = tmp_path / "missing"
    assert unoduo("verify", replay_file, cut).code == 3
    with_missing = unoduo("verify", missing, replay_file, cut)
    assert with_missing.code == 2
    assert with_missing.complaint() == f"cannot read {missing}: no such file or directory"
    assert f"{replay_file}: ok" in with_missing.out
    assert unoduo("verify", missing, foreign, replay_file).code == 1


def test_json_is_an_object_for_each_file(replay_file: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"UNODUO")
    ended = unoduo("verify", "--json", replay_file, foreign)
    ok, wrong = map(json.loads, ended.out.splitlines())
    assert ok["file"] == str(replay_file)
    assert (ok["status"], ok["part"], ok["players"], ok["number"]) == ("ok", None, ["Anna", "Bert"], 1)
    assert ok["outcome"]["termination"] == "TARGET"
    assert len(bytes.fromhex(ok["final_head"])) == 32
    assert (wrong["status"], wrong["part"], wrong["check"], wrong["outcome"]) == ("wrong", "file head", "FILE", None)
    assert ok.keys() == wrong.keys()


def test_quiet_leaves_the_exit_code_alone(replay_file: Path) -> None:
    ended = unoduo("verify", "--quiet", replay_file)
    assert (ended.code, ended.out, ended.err) == (0, "", "")


@pytest.mark.parametrize("option", ["", "--key", "--index", "--journal", "--master"])
def test_pipe_that_nobody_writes_to_keeps_nobody_waiting(option: str, replay_file: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ended = unoduo("verify", *([option, pipe, replay_file] if option else [pipe]))
    assert ended.code in (1, 2)
    assert str(pipe) in ended.complaint() if ended.code == 2 else "index: this is no index" in ended.out


def test_directory_of_journals_with_other_things_in_it_is_read(replay_file: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.journal")
    (tmp_path / "zero.journal").symlink_to("/dev/zero")
    (tmp_path / "loop.journal").symlink_to("loop.journal")
    (tmp_path / "folder.journal").mkdir()
    assert unoduo("verify", "--journal", tmp_path, replay_file).code == 0


def test_master_file_without_end_is_refused(replay_file: Path) -> None:
    ended = unoduo("verify", "--master", "/dev/zero", replay_file)
    assert (ended.code, "/dev/zero" in ended.complaint()) == (2, True)


def test_name_of_a_file_cannot_pass_for_a_verdict(replay_file: Path) -> None:
    false = replay_file.with_name("a: ok\n\x1b[2Kb")
    false.write_bytes(replay_file.read_bytes()[:100])
    ended = unoduo("verify", false)
    assert ended.out.splitlines()[0].startswith(f"{false.parent}/a: ok??[2Kb: WRONG at ")
