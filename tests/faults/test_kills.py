"""A referee that is killed at any moment loses nothing that it said, and its matches go on."""

from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests.faults.kill_toll import kill_and_play_on
from tests.faults.sizes import size


async def test_kills_under_live_matches_lose_and_double_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    toll = await kill_and_play_on(tmp_path / "store", kills=size(10, 500), matches=70)
    for name, figure in toll.figures():
        record_property(name, figure)
    assert toll.findings == []
    assert median(toll.live) >= 50
    assert toll.resumed >= len(toll.live) == size(10, 500)
    assert set(toll.ends) <= {"TERMINATION_TARGET", "TERMINATION_ROUND_CAP"}
