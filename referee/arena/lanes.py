"""The processes of the local bots, so that none ever meets a deal twice (`README.md`, "Lanes").

Each player has two lanes, one for the first and one for the second halves of its pairs; a lane is a bot of its own to
the referee, with a token of its own. Where pairs share deals, each match has a process of its own.
"""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Final, Self

from referee.arena import commands
from referee.arena.boxes import BoxOrder, running_box
from referee.arena.host import Host
from referee.arena.sandbox import Sandbox
from referee.arena.specification import Entrant, Specification
from referee.arena.together import cancel_all
from referee.contest.pairing import Half

_POLL_S: Final = 0.01
_FIRST_DELAY_S: Final = 0.05
_LONGEST_DELAY_S: Final = 2.0


class Quarters:
    """Says where bots run: `lanes` has a folder for each process as long as it runs, `logs` what each lane wrote."""

    def __init__(self, host: Host, specification: Specification, sandbox: Sandbox, lanes: Path, logs: Path) -> None:
        self.host = host
        self.specification = specification
        self.sandbox = sandbox
        self._lanes = lanes
        self._logs = logs

    @asynccontextmanager
    async def order(self, player: Entrant, token: str, log: str) -> AsyncIterator[BoxOrder]:
        """Yields what starts the bot of a player in a new folder of its own, which is gone when the block is left."""
        home = Path(tempfile.mkdtemp(dir=self._lanes))
        address = self.host.address
        order = BoxOrder(
            commands.command(player, self.specification.folder, address),
            commands.environment(player, home, address, token),
            home,
            self.log(log),
            self.specification.limits,
        )
        try:
            async with self.sandbox.around(order) as boxed:
                yield boxed
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def log(self, name: str) -> Path:
        """Returns where the bots of a lane write to."""
        return self._logs / f"{name}.log"


class Lane:
    """Is one bot, started again when it ends by itself, as often in a row as the limits say."""

    def __init__(self, quarters: Quarters, player: Entrant, bot: str, log: str) -> None:
        self.bot = bot
        self._quarters = quarters
        self._player = player
        self._log = log
        self._failures = 0
        loop = asyncio.get_running_loop()
        self._patience_until = loop.time() + quarters.specification.terms.time_control.startup_grace_ms / 1_000
        self.task = loop.create_task(self._run())

    async def ready(self) -> None:
        """Waits for the bot to be there, but not longer after its start than a match would wait for it to join.

        Raises OSError if it cannot be started for want of something on this machine.
        """
        loop, host = asyncio.get_running_loop(), self._quarters.host
        while not (  # noqa: ASYNC110
            self.task.done() or host.is_connected(self.bot) or loop.time() > self._patience_until
        ):
            await asyncio.sleep(_POLL_S)
        if self.task.done():
            self.task.result()

    def has_played(self) -> None:
        """Learns that the bot has played a match without a fault."""
        self._failures = 0

    async def end(self) -> None:
        """Ends the bot and all that it has started."""
        await cancel_all((self.task,))

    async def _run(self) -> None:
        token = await self._quarters.host.new_token(self.bot)
        while self._failures <= self._quarters.specification.limits.restarts:
            async with self._quarters.order(self._player, token, self._log) as order, running_box(order) as box:
                await box.exit_code()
            await asyncio.sleep(min(_FIRST_DELAY_S * (1 + self._failures) ** 2, _LONGEST_DELAY_S))
            self._failures += 1


class Lanes:
    """Has the lanes of all players, by their places in the list; when the block is left, no bot runs any more."""

    def __init__(self, quarters: Quarters) -> None:
        self._quarters = quarters
        self._lanes: dict[tuple[int, Half], Lane] = {}
        self._processes = count(1)

    async def __aenter__(self) -> Self:
        """Returns the lanes themselves; a bot is started when it is needed first."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Ends all bots."""
        await cancel_all(lane.task for lane in self._lanes.values())

    @asynccontextmanager
    async def seat(self, player: int, half: Half) -> AsyncIterator[Lane]:
        """Yields the lane of a player for a match."""
        if self._quarters.specification.common_deals:
            # The name is told to the opponent, and says nothing of the pair.
            lane = self._lane(player, half, f", process {next(self._processes)}")
            try:
                yield lane
            finally:
                await lane.end()
        else:
            if (player, half) not in self._lanes:
                self._lanes[player, half] = self._lane(player, half)
            yield self._lanes[player, half]

    def _lane(self, player: int, half: Half, process: str = "") -> Lane:
        name = f"player {player + 1}, lane {half.value}"
        entrant = self._quarters.specification.players[player]
        return Lane(self._quarters, entrant, name + process, name.replace(", ", "-").replace(" ", "-"))
