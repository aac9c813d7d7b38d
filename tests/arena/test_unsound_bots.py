"""Bots that fail: the others finish, each fault is booked to its owner, and nothing is left of anybody."""

from pathlib import Path
from secrets import token_hex

import pytest

from referee.arena.failures import SpecificationError
from tests.arena.cups import SILENT, cup, row, run
from tests.cli.processes import all_gone


async def test_faults_are_booked_to_their_owners_and_stop_nobody(tmp_path: Path) -> None:
    mark = token_hex(8)
    asked = cup(
        tmp_path,
        "greedy",
        "hanging",
        "crashing",
        "forking",
        SILENT,
        format="gauntlet",
        pairs=1,
        mark=mark,
        concurrency=10,
        clock={"limit_ms": 4_000, "startup_grace_ms": 4_000},
        faults={"max_strikes": 1, "forfeit_after_absence_ms": 2_000},
        limits={"restarts": 1},
    )
    standings = await run(asked)
    assert all_gone(mark, 5)
    assert standings["over"]
    faults = {player["name"]: player["faults"] for player in standings["players"]}
    assert faults["0 greedy"]["total"] == faults["3 forking"]["total"] == 0
    assert faults["1 hanging"]["timeouts"] == 2
    # It is there again after its first crash, then no more.
    assert faults["2 crashing"]["disconnects"] + faults["2 crashing"]["no_shows"] == 2
    assert faults["4 other"]["no_shows"] == 2
    for name in ("1 hanging", "2 crashing", "4 other"):
        assert (row(standings, name)["lost"], faults[name]["total"]) == (2, 2)


async def test_both_at_fault_are_level_and_booked_both(tmp_path: Path) -> None:
    standings = await run(cup(tmp_path, SILENT, SILENT, pairs=1, clock={"startup_grace_ms": 300}))
    for player in standings["players"]:
        assert (player["level"], player["faults"]["no_shows"]) == (2, 2)
    assert standings["pairings"][0]["score"]["score"] == 0.5


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["/no/such/bot"], "/no/such/bot is no program that can be run"),
        (["no-such-bot"], "no-such-bot is no program that can be run"),
        (["python", "-c", "raise SystemExit('which bot?')"], "ended at once with exit code 1: which bot?"),
        (["python", "/no/such/bot.py"], r"ended at once with exit code 2: .*No such file"),
    ],
)
async def test_wrong_command_line_is_told_before_anything_is_played(
    tmp_path: Path, command: list[str], told: str
) -> None:
    mark = token_hex(8)
    asked = cup(tmp_path, "greedy", command, mark=mark)
    with pytest.raises(SpecificationError, match=told) as refusal:
        await run(asked)
    assert refusal.value.key == "players[1].command"
    assert all_gone(mark, 5)
    assert not (asked.output / "journal.jsonl").exists()
