"""The example that `unoduo tournament init` writes, from the command line to the report; whole in `make torture`."""

import json
from pathlib import Path

import pytest

from referee.arena.folder import replay_name
from referee.contest.pairing import Half
from tests.arena.dealt import dealt
from tests.cli.command import unoduo
from tests.faults.sizes import size

PAIRS = size(2, 50)


@pytest.mark.slow
@pytest.mark.timeout(size(300, 3_000))
def test_example_is_played_proven_and_told(tmp_path: Path) -> None:
    assert unoduo("tournament", "init", tmp_path).code == 0
    file, folder = tmp_path / "cup.toml", tmp_path / "cup"
    file.write_text(file.read_text().replace("pairs = 50 ", f"pairs = {PAIRS} "))
    ended = unoduo("tournament", "run", file, timeout=size(240, 2_400))
    assert (ended.code, ended.err) == (0, "")
    standings = json.loads((folder / "standings.json").read_text())
    assert (standings["over"], standings["pairs"]) == (True, 3 * PAIRS)
    # It may win a match now and then; if it has lost everything, no number is made up.
    (random,) = [player for player in standings["players"] if player["name"] == "random"]
    assert (random["rating"]["kind"] == "at most") == (random["won"] == random["level"] == 0)
    assert sum(player["faults"]["total"] + player["voids"] for player in standings["players"]) == 0

    page = (folder / "report.html").read_bytes()
    again = unoduo("tournament", "report", folder, timeout=size(240, 2_400))
    assert (again.code, again.err) == (0, "")
    assert (folder / "report.html").read_bytes() == page
    assert len([*(folder / "replays").iterdir()]) == 6 * PAIRS

    for number in range(1, 3 * PAIRS + 1):
        one, other = (dealt(folder / "replays" / replay_name(number, 0, half)) for half in Half)
        shared = min(len(one), len(other))
        assert one[:shared] == other[:shared]
