"""`unoduo replay export` and `import`: there and back, into files that are whole or not there."""

import json
from pathlib import Path

import pytest

from tests.cli.command import unoduo


def test_exported_file_comes_back_identical(replay_file: Path, replay_bytes: bytes, tmp_path: Path) -> None:
    text, back = tmp_path / "match.json", tmp_path / "back.unoduo"
    assert unoduo("replay", "export", "--json", replay_file, "-o", text) == unoduo(
        "replay", "show", "--quiet", replay_file
    )
    assert unoduo("replay", "import", text, "-o", back).code == 0
    assert back.read_bytes() == replay_bytes == replay_file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back.unoduo", "match.json", "match.unoduo"]


def test_export_without_a_file_goes_to_the_output(replay_file: Path) -> None:
    lines = [json.loads(line) for line in unoduo("replay", "export", "--json", replay_file).out.splitlines()]
    assert lines[0]["header"]["players"][0]["name"] == "Anna"
    assert list(lines[-1]) == ["reveal"]


def test_export_goes_into_a_pipe_too(replay_file: Path) -> None:
    ended = unoduo("replay", "export", "--json", replay_file, "-o", "/dev/stdout")
    assert ended == unoduo("replay", "export", "--json", replay_file)


def test_damaged_replay_leaves_what_was_there(replay_file: Path, tmp_path: Path) -> None:
    data = bytearray(replay_file.read_bytes())
    data[len(data) // 2] ^= 1
    replay_file.write_bytes(data)
    target = tmp_path / "match.json"
    target.write_text("before")
    ended = unoduo("replay", "export", "--json", replay_file, "-o", target)
    assert ended.code == 1
    assert ended.complaint().startswith(f"{replay_file}: entry ")
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.json", "match.unoduo"]


@pytest.mark.parametrize(
    ("content", "message"), [(b"{}", "line 1: must be an object"), (b"\xff", "'utf-8' codec can't decode")]
)
def test_foreign_text_is_not_imported(tmp_path: Path, content: bytes, message: str) -> None:
    text, back = tmp_path / "foreign.json", tmp_path / "back.unoduo"
    text.write_bytes(content)
    ended = unoduo("replay", "import", text, "-o", back)
    assert ended.code == 1
    assert ended.complaint().startswith(f"{text}: {message}")
    assert not back.exists()


@pytest.mark.parametrize("command", [("export", "--json"), ("import",), ("html",)], ids=lambda command: command[0])
def test_file_that_is_read_is_not_written(command: tuple[str, ...], replay_file: Path, replay_bytes: bytes) -> None:
    ended = unoduo("replay", *command, replay_file, "-o", replay_file)
    assert ended.code == 2
    assert ended.complaint() == f"{replay_file} is the file that is read"
    assert replay_file.read_bytes() == replay_bytes


def test_file_that_cannot_be_written_is_named(replay_file: Path) -> None:
    ended = unoduo("replay", "export", "--json", replay_file, "-o", "no/such/folder/x")
    assert (ended.code, ended.complaint()) == (2, "cannot write no/such/folder/x: no such file or directory")


def test_line_without_end_is_refused(tmp_path: Path) -> None:
    ended = unoduo("replay", "import", "/dev/zero", "-o", tmp_path / "back.unoduo")
    assert (ended.code, ended.complaint()) == (1, "/dev/zero: line 1: it is longer than a part can be")
