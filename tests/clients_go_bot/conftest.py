"""The Go client, generated and built once."""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "clients" / "go" / "bot"
# Long enough to compile everything on a busy machine.
PATIENCE_S = 600


def said(*command: str | Path) -> str:
    """Returns what a tool says of the client."""
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def go() -> str:
    """The Go command, with the modules that the client needs and the messages generated."""
    command = shutil.which("go")
    if command is None:
        pytest.skip("Go is not installed, so the Go client was not tested")
    try:
        said(command, "mod", "download")
    except AssertionError as error:
        pytest.skip(f"the Go client was not tested, for Go cannot fetch the modules that it needs: {error}")
    said(command, "generate", "./...")
    return command


@pytest.fixture(scope="session")
def starter(go: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the starter bot."""
    program = tmp_path_factory.mktemp("go") / "starter"
    said(go, "build", "-o", program, "./cmd/starter")
    return program
