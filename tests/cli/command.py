"""Runs the command line as a user does: a process of its own, judged by its outputs and its exit code."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Ended:
    """Holds how a command ended."""

    code: int
    out: str
    err: str

    def complaint(self) -> str:
        """Returns the error output, which must be one line that begins with `unoduo: `."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("unoduo: "), self.err
        return lines[0].removeprefix("unoduo: ")


def unoduo(
    *arguments: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, timeout: float = 60
) -> Ended:
    """Runs `unoduo` with these arguments to its end."""
    ended = subprocess.run(
        [sys.executable, "-m", "referee", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)
