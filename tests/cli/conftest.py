"""A replay file for the commands that read one, and signals as in a terminal."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.rules.ruleset import Ruleset
from tests.audit.simulated import troubled_match


@pytest.fixture(scope="session", autouse=True)
def signals_are_heeded() -> Iterator[None]:
    """Commands started by tests that run in the background would ignore SIGINT with them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def replay_bytes() -> bytes:
    """A match with refused tries and time-outs, to one point."""
    return troubled_match(2, Ruleset(target=1)).to_bytes()


@pytest.fixture
def replay_file(replay_bytes: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "match.unoduo"
    file.write_bytes(replay_bytes)
    return file
