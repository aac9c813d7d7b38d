"""Runs `unoduo serve` for the length of a block."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command import ROOT


@dataclass(frozen=True, slots=True)
class Served:
    """Holds a running referee."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> str:
        """Returns the port it listens on."""
        return self.address.rpartition(":")[2]


@contextmanager
def served(*arguments: str | Path) -> Iterator[Served]:
    """Serves on a free port; kills the referee at the end unless it has ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "serve", "--port", "0", *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("serving on "), line
        yield Served(process, line.removeprefix("serving on ").partition(",")[0])
    finally:
        process.kill()
        process.communicate()
