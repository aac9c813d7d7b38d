"""`unoduo replay html`: a page for the one who looks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, unoduo


@pytest.mark.parametrize(
    ("options", "observers"),
    [
        ((), ["auditor", "A", "B", "spectator"]),
        (("--seat", "A"), ["A"]),
        (("--seat", "B"), ["B"]),
        (("--spectator",), ["spectator"]),
    ],
)
def test_page_has_the_views_that_were_asked_for(
    options: tuple[str, ...], observers: list[str], replay_file: Path, replay_bytes: bytes, tmp_path: Path
) -> None:
    page = tmp_path / "match.html"
    ended = unoduo("replay", "html", *options, replay_file, "-o", page)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert re.findall(r'"observer":"(\w+)"', page.read_text(encoding="utf-8")) == observers
    assert replay_file.read_bytes() == replay_bytes


def test_damaged_file_makes_no_page(replay_file: Path, tmp_path: Path) -> None:
    data = bytearray(replay_file.read_bytes())
    data[len(data) // 2] ^= 1
    replay_file.write_bytes(data)
    ended = unoduo("replay", "html", replay_file, "-o", tmp_path / "match.html")
    assert ended.code == 1
    assert re.fullmatch(rf"{replay_file}: entry \d+: .*", ended.complaint())
    assert not (tmp_path / "match.html").exists()


def test_pipe_is_refused_because_it_is_read_twice(replay_bytes: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "replay", "html", "/dev/stdin", "-o", str(tmp_path / "match.html")]
    ended = subprocess.run(command, cwd=ROOT, input=replay_bytes, capture_output=True, check=False, timeout=60)
    assert ended.returncode == 2
    assert b"/dev/stdin is a pipe" in ended.stderr
    assert not (tmp_path / "match.html").exists()
