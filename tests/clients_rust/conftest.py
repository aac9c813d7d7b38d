"""The Rust client, built once."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "clients" / "rust"
# Long enough to compile everything on a busy machine.
PATIENCE_S = 900


def said(*command: str | Path) -> str:
    """Returns what a tool says of the client."""
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def cargo() -> str:
    """The Cargo command, with the crates that the client needs."""
    command = shutil.which("cargo")
    if command is None:
        pytest.skip("Rust is not installed, so the Rust client was not tested")
    try:
        said(command, "fetch", "--locked", "--quiet")
    except AssertionError as error:
        pytest.skip(f"the Rust client was not tested, for Cargo cannot fetch the crates that it needs: {error}")
    return command


@pytest.fixture(scope="session")
def starter(cargo: str) -> Path:
    """The program of the starter bot."""
    messages = said(cargo, "build", "--locked", "--quiet", "--message-format", "json").splitlines()
    made = [message.get("executable") for message in map(json.loads, messages)]
    return Path(next(program for program in made if program is not None))
