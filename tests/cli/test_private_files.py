"""Files with secrets: who may read them, and what is left of what cannot be written."""

import os
import stat
from pathlib import Path

import pytest

from referee.cli.failures import CommandError
from referee.cli.private_files import EVERYBODY, FileThere, NewFile, read_private, write_new
from tests.cli.command import unoduo


def test_new_file_is_for_its_owner_alone_unless_told_otherwise(tmp_path: Path) -> None:
    secret, public = tmp_path / "key", tmp_path / "key.pub"
    write_new(NewFile(secret, b"x"), NewFile(public, b"y", EVERYBODY))
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (secret, public)] == [0, 0o044]
    assert read_private(secret) == b"x"
    assert "secret" not in repr(NewFile(Path("a"), b"secret"))


@pytest.mark.parametrize("there", ["one", "two"])
def test_files_are_written_all_or_none(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    with pytest.raises(FileThere):
        write_new(NewFile(tmp_path / "one", b"1"), NewFile(tmp_path / "two", b"2"))
    assert os.listdir(tmp_path) == [there]
    assert (tmp_path / there).read_text() == "precious"


def test_file_that_cannot_be_filled_is_not_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, mode: str) -> object:
        os.close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fdopen", full)
    with pytest.raises(CommandError, match=f"cannot write {tmp_path / 'one'}: no space left on device"):
        write_new(NewFile(tmp_path / "one", b"1"))
    assert os.listdir(tmp_path) == []


def test_link_that_leads_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileThere):
        write_new(NewFile(tmp_path / "link", b"1"))
    assert os.listdir(tmp_path) == ["link"]


@pytest.mark.parametrize("there", ["cert.pem", "key.pem"])
def test_certificate_and_key_are_made_together_or_not_at_all(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    assert (
        unoduo("keygen", "--tls", tmp_path).complaint() == f"{tmp_path / there} is there already, and is not replaced"
    )
    assert os.listdir(tmp_path) == [there]
    assert (tmp_path / there).read_text() == "precious"


def test_file_that_others_may_read_is_not_even_read() -> None:
    with pytest.raises(CommandError, match="/dev/zero can be read by others"):
        read_private(Path("/dev/zero"))


def test_pipe_that_nobody_writes_to_holds_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert read_private(tmp_path / "pipe") == b""
