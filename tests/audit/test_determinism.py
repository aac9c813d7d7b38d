"""The same header, secrets and inputs make the same bytes, in every process."""

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from referee.rules.ruleset import VARIANTS
from tests.audit.simulated import Log, Simulation, play, random_match, troubled_match

PROGRAM = """
from tests.audit.test_determinism import digests
print(*digests())
"""


def digests() -> list[str]:
    """Returns the digests of a plain, a troubled and a shuffling match."""
    logs = (random_match(7), troubled_match(7), random_match(7, VARIANTS["official-leaning"]))
    return [sha256(log.to_bytes()).hexdigest() for log in logs]


def taken_again(log: Log) -> Log:
    """Returns the log that the same header, secrets and inputs make."""
    assert log.reveal
    simulation = Simulation(7)
    assert simulation.header.match_id == log.header.match_id
    for entry in log.entries:
        simulation.take(entry.input)
    return simulation.log()


def test_same_match_makes_the_same_bytes_twice_in_one_process() -> None:
    assert digests() == digests()
    assert len(set(digests())) == 3


def test_other_seed_makes_other_bytes() -> None:
    assert random_match(7).to_bytes() != random_match(8).to_bytes()


def test_recorded_inputs_make_the_same_bytes() -> None:
    log = play(Simulation(7))
    assert taken_again(log).to_bytes() == log.to_bytes()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_same_match_makes_the_same_bytes_in_another_process(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert result.stdout.split() == digests()
