"""A replay file for the commands that read one."""

from pathlib import Path

import pytest

from referee.rules.ruleset import Ruleset
from tests.audit.simulated import troubled_match


@pytest.fixture(scope="session")
def replay_bytes() -> bytes:
    """A match with refused tries and time-outs, to one point."""
    return troubled_match(2, Ruleset(target=1)).to_bytes()


@pytest.fixture
def replay_file(replay_bytes: bytes, tmp_path: Path) -> Path:
    file = tmp_path / "match.unoduo"
    file.write_bytes(replay_bytes)
    return file
