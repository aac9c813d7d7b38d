"""`unoduo verify` of several files on a terminal: a bar for people, and nothing of it where a program reads."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import ROOT

HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Yields the two ends of a terminal: that of who looks at it, and that of the command."""
    looks, command = os.openpty()
    try:
        yield looks, command
    finally:
        os.close(looks)


def started(*files: Path, out: int, err: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "referee", "verify", *map(str, files)]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    os.close(err)
    return process


def shown(looks: int) -> bytes:
    """Returns what appears on a terminal until the command has ended."""
    parts = []
    while True:
        try:
            parts.append(os.read(looks, 65536))
        except OSError:
            return b"".join(parts)


def test_bar_does_not_take_what_goes_to_a_file(replay_file: Path) -> None:
    with terminal() as (looks, command), started(replay_file, replay_file, out=subprocess.PIPE, err=command) as process:
        seen = shown(looks)
        out, _ = process.communicate(timeout=60)
    lines = out.decode().splitlines()
    assert process.returncode == 0
    assert lines.count(f"{replay_file}: ok") == 2
    assert lines[-1] == "2 files: 2 ok"
    assert b"verifying" in seen
    assert b"ok" not in seen


def test_verdicts_and_bar_share_a_terminal(replay_file: Path) -> None:
    with terminal() as (looks, command), started(replay_file, replay_file, out=command, err=command) as process:
        seen = shown(looks)
        assert process.wait(timeout=60) == 0
    assert b"verifying" in seen
    assert seen.count(b": ok") == 2
    assert seen.rstrip().endswith(b"2 files: 2 ok")


def test_interrupted_bar_leaves_the_cursor_visible(replay_file: Path) -> None:
    many = [replay_file] * 500
    with terminal() as (looks, command), started(*many, out=subprocess.DEVNULL, err=command) as process:
        seen = os.read(looks, 65536)
        process.send_signal(signal.SIGINT)
        seen += shown(looks)
        assert process.wait(timeout=60) == -signal.SIGINT
    assert HIDE_CURSOR in seen
    assert seen.rindex(SHOW_CURSOR) > seen.rindex(HIDE_CURSOR)
