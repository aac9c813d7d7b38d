"""The verifier of `clients/go`, built once."""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2] / "clients" / "go"

Verdict = dict[str, Any]
GoVerify = Callable[..., list[Verdict]]


@pytest.fixture(scope="session")
def go() -> str:
    command = shutil.which("go")
    if command is None:
        pytest.skip("Go is not installed, so the second verifier was not tested")
    return command


@pytest.fixture(scope="session")
def go_verify(go: str, tmp_path_factory: pytest.TempPathFactory) -> GoVerify:
    """Returns what runs the verifier over files, with options, and gives a verdict a file.

    Without files it is the index of the options that is verified.
    """
    program = tmp_path_factory.mktemp("go") / "verify"
    subprocess.run([go, "build", "-o", program, "./cmd/verify"], cwd=SOURCE, check=True, timeout=110)

    def run(files: Sequence[Path], *options: str) -> list[Verdict]:
        done = subprocess.run(
            [program, "--json", *options, *files], capture_output=True, text=True, timeout=110, check=False
        )
        assert done.stderr == ""
        verdicts = [json.loads(line) for line in done.stdout.splitlines()]
        judged = list(map(str, files)) or [options[options.index("--index") + 1]]
        assert [verdict["file"] for verdict in verdicts] == judged
        codes = {"ok": 0, "wrong": 1, "incomplete": 3}
        found = {codes[verdict["status"]] for verdict in verdicts}
        assert done.returncode == next(code for code in (1, 3, 0) if code in found)
        return verdicts

    return run
