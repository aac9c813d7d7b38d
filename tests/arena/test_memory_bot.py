"""Memory is worth nothing in a tournament, for no process meets a deal again."""

from dataclasses import replace
from pathlib import Path

import pytest

from referee.arena.specification import Specification
from tests.arena import memory_bot
from tests.arena.cups import cup, kept_standings, run
from tests.arena.processes import text_of

_COMMAND = ["python", memory_bot.__file__, "--address", "{address}", "--assigned", "--no-journal"]


def asked_in(folder: Path, *, remembers: bool) -> Specification:
    """Returns what asks for the same tournament, of a bot with or without its memory."""
    return cup(folder, _COMMAND if remembers else "greedy", "careful", pairs=12, rules={"target": 60})


async def test_bot_that_remembers_every_card_scores_as_without_memory(tmp_path: Path) -> None:
    with_memory, without = (asked_in(tmp_path / str(remembers), remembers=remembers) for remembers in (True, False))
    for asked in (with_memory, without):
        await run(asked)
    assert memory_bot.MET_AGAIN not in "".join(map(text_of, (with_memory.output / "logs").iterdir()))
    (one,), (other,) = (kept_standings(asked)["pairings"] for asked in (with_memory, without))
    # It plays the very same matches, so that its score is that of the other, and inside its interval.
    assert one["quarters"] == other["quarters"]
    assert one["score"] == other["score"]
    assert one["margin"] == other["margin"]


async def test_same_bot_would_know_deals_again_where_nothing_keeps_the_halves_apart(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = asked_in(tmp_path, remembers=True)
    first, second = asked.players
    functions = (replace(first, function=f"{memory_bot.__name__}:remembering"), replace(second, function="careful"))
    await run(replace(asked, players=functions), in_process=True)
    assert capfd.readouterr().err.count(memory_bot.MET_AGAIN) > 12
