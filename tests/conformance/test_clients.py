"""The clients of this repository pass the kit whole."""

import json
import shlex
import sys

import pytest

from referee.conformance.catalogue import CHECKS
from tests.cli.command import ROOT, unoduo
from tests.clients_shared.client import PATIENCE_S
from tests.clients_shared.starting import Starter

# Checks of a transport that is silent take their time.
SILENT = ("mute", "quiet")


def expect_all(command: str, names: list[str]) -> None:
    """Expects that a client passes these checks."""
    only = [argument for name in names for argument in ("--only", name)]
    run = unoduo("conformance", "--bot", command, *only, "--json", timeout=PATIENCE_S)
    *results, score = map(json.loads, run.out.splitlines())
    assert [result for result in results if not result["ok"]] == []
    assert (run.code, run.err) == (0, "")
    assert score == {"passed": len(names), "checks": len(names)}
    assert [result["name"] for result in results] == names


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_python_client_passes_the_kit() -> None:
    names = [check.name for check in CHECKS if check.name not in SILENT]
    expect_all(f"{shlex.quote(sys.executable)} -m unoduo_client greedy", names)


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_python_client_bears_silence() -> None:
    expect_all(f"{shlex.quote(sys.executable)} -m unoduo_client greedy", list(SILENT))


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_bridge_passes_the_kit() -> None:
    bot = shlex.quote(str(ROOT / "clients" / "bridge" / "sh_bot.sh"))
    names = [check.name for check in CHECKS]
    expect_all(f"{shlex.quote(sys.executable)} -m unoduo_client bridge {{}} -- {bot}", names)


@pytest.mark.fetches
@pytest.mark.timeout(PATIENCE_S)
def test_starter_passes_the_kit(starter: Starter) -> None:
    expect_all(shlex.join(starter), [check.name for check in CHECKS])
