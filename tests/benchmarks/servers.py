"""Server processes for benchmarks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import psutil

from tests.benchmarks.sampling import Profile


class Server:
    """Is a server process that listens on `port`."""

    def __init__(self, process: subprocess.Popen[str], lines: IO[str], commands: IO[str]) -> None:
        self._lines = lines
        self._commands = commands
        self._process = psutil.Process(process.pid)
        self.port = int(lines.readline())

    def cpu_s(self) -> float:
        """Returns the processor time that it has used, in seconds."""
        times = self._process.cpu_times()
        return times.user + times.system

    def own_bytes(self) -> int:
        """Returns the memory that it alone uses."""
        return int(self._process.memory_full_info().uss)

    def commits(self) -> int:
        """Returns how often its store has committed."""
        return int(self._ask("commits"))

    def start_profile(self) -> None:
        """Makes it sample itself."""
        self._ask("profile")

    def profile(self) -> Profile:
        """Ends that and returns what it found."""
        return Profile.from_json(self._ask("profiled"))

    def _ask(self, command: str) -> str:
        self._commands.write(f"{command}\n")
        self._commands.flush()
        return self._lines.readline()


@contextmanager
def server(*arguments: str) -> Iterator[Server]:
    """Starts a server process and yields it; it ends with the block."""
    command = [sys.executable, "-m", "tests.benchmarks.serving", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield Server(process, process.stdout, process.stdin)
        finally:
            process.stdin.close()
            process.wait(timeout=30)
