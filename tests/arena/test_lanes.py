"""A bot that ends by itself is started again, so many times in a row."""

from pathlib import Path

import pytest

from tests.arena.cups import cup, row, run
from tests.arena.processes import text_of


@pytest.mark.timeout(300)
async def test_match_without_a_fault_begins_the_count_of_restarts_anew(tmp_path: Path) -> None:
    asked = cup(
        tmp_path,
        "greedy",
        "leaving",
        concurrency=1,
        faults={"forfeit_after_absence_ms": 0},
        limits={"restarts": 1},
    )
    standings = await run(asked)
    # In each lane it ends in the second match and in the third.
    assert [player["faults"]["total"] for player in standings["players"]] == [0, 0]


async def test_bot_that_fails_in_every_match_is_given_up(tmp_path: Path) -> None:
    asked = cup(
        tmp_path,
        "greedy",
        "crashing",
        concurrency=1,
        clock={"startup_grace_ms": 3_000},
        faults={"forfeit_after_absence_ms": 1},
        limits={"restarts": 1},
    )
    assert row(await run(asked), "1 crashing")["faults"]["total"] == 6
    asked_in_lanes = [text_of(asked.output / "logs" / f"player-2-lane-{lane}.log").count("asked") for lane in (1, 2)]
    # On a busy machine a match may be over before it is there.
    assert max(asked_in_lanes) <= 2
