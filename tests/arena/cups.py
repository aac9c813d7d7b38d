"""Small tournaments: one round a match, a few pairs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.arena.journal import BookedMatch, Journal
from referee.arena.run import run_tournament
from referee.arena.specification import Specification, specification
from referee.arena.tournament import Standing
from tests.arena import bot_program
from tests.cli.processes import MARK

MASTER = bytes(range(32))
BASELINES = ("random", "greedy", "careful")
SILENT = ["python", "-c", "import time; time.sleep(600)"]


def cup(
    folder: Path,
    *bots: str | list[str],
    pairs: int = 3,
    mark: str = "",
    clock: dict[str, int] | None = None,
    **values: Any,
) -> Specification:
    """Returns what asks for a tournament of baselines, bots of the tests or command lines."""
    players = [
        {
            "name": f"{place} {bot if isinstance(bot, str) else 'other'}",
            "command": _command(bot),
            "entropy": bytes([place]).hex(),
            "environment": {MARK: mark},
            **({"function": bot} if bot in BASELINES else {}),
        }
        for place, bot in enumerate(bots)
    ]
    fixed: dict[str, Any] = {
        "output": "cup",
        "seed_file": "cup.seed",
        "concurrency": 4,
        "rules": {"target": 1},
        "clock": {"limit_ms": 20_000, **(clock or {})},
        "players": players,
    }
    if "sprt" not in values:
        fixed["pairs"] = pairs
    return specification(fixed | values, folder)


def _command(bot: str | list[str]) -> list[str]:
    if isinstance(bot, list):
        return bot
    play = ["--address", "{address}", "--assigned", "--no-journal"]
    if bot in bot_program.BOTS:
        return ["python", bot_program.__file__, bot, *play]
    return ["python", "-m", "unoduo_client", bot, *play]


async def run(asked: Specification, steps: list[Standing] | None = None, *, in_process: bool = False) -> dict[str, Any]:
    """Runs a tournament to its end and returns its standings."""
    return await run_tournament(asked, MASTER, ([] if steps is None else steps).append, in_process=in_process)


def results(standings: dict[str, Any]) -> dict[str, Any]:
    """Returns what standings say of the results."""
    return {key: value for key, value in standings.items() if key not in ("digest", "lanes")}


def kept_standings(asked: Specification) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((asked.output / "standings.json").read_text())
    return kept


def journal(asked: Specification) -> list[BookedMatch]:
    return list(Journal(asked.output / "journal.jsonl").read())


def replays(asked: Specification) -> Sequence[Path]:
    return sorted((asked.output / "replays").iterdir())


def row(standings: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns a player's line."""
    (found,) = [player for player in standings["players"] if player["name"] == name]
    player: dict[str, Any] = found
    return player
