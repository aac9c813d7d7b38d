"""Tries every bot before anything is played, so that a wrong command line is told at once."""

import asyncio
from typing import Final

from referee.arena.boxes import last_words, running_box
from referee.arena.commands import check_programs
from referee.arena.failures import SpecificationError
from referee.arena.lanes import Quarters
from referee.arena.together import together

_POLL_S: Final = 0.01


async def check_bots(quarters: Quarters) -> None:
    """Starts each bot and waits for it to call the referee.

    One that is still silent when a match would not wait for it any longer passes: its matches will show what becomes of
    it. Raises SpecificationError for a bot that cannot be started, or that ends without having called.
    """
    check_programs(quarters.specification)
    await together(_check(quarters, place) for place in range(len(quarters.specification.players)))


async def _check(quarters: Quarters, place: int) -> None:
    player, host = quarters.specification.players[place], quarters.host
    bot = f"player {place + 1}, first try"
    log = f"player-{place + 1}-first-try"
    quarters.log(log).unlink(missing_ok=True)
    token = await host.new_token(bot)
    loop = asyncio.get_running_loop()
    patience_until = loop.time() + quarters.specification.terms.time_control.startup_grace_ms / 1_000
    async with quarters.order(player, token, log) as order, running_box(order) as box:
        ended = asyncio.ensure_future(box.exit_code())
        try:
            while not (ended.done() or host.is_connected(bot) or loop.time() > patience_until):  # noqa: ASYNC110
                await asyncio.sleep(_POLL_S)
            if ended.done() and not host.is_connected(bot):
                words = last_words(quarters.log(log))
                raise SpecificationError(
                    f"players[{place}].command",
                    f"the bot of {player.name} ended at once with exit code {ended.result()}"
                    + (f": {words}" if words else ""),
                )
        finally:
            ended.cancel()
