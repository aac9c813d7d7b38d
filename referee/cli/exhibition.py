"""A match of two bots in processes of their own at a referee in this process."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from hmac import digest
from itertools import count
from pathlib import Path

from unoduo.v1 import referee_service_pb2
from unoduo_client import Organiser

from referee.cli.bot_process import BotProcess, running_bot
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import reason_of
from referee.cli.progress import Show, progress
from referee.cli.settings import MatchSettings
from referee.cli.standing import Standing
from referee.server.runtime import serve
from referee.store.base import Store
from referee.store.memory import MemoryStore

_SEATS = ("A", "B")
_TAG = b"unoduo/v1/play\0"
_POLL_S = 0.1
_FAREWELL_S = 2.0


class Exhibition:
    """Plays one match; `replay` is the path of its file once `play` has returned OK."""

    def __init__(self, bots: tuple[str, str], settings: MatchSettings, bot_seed: int | None, quiet: bool) -> None:
        self._bots = bots
        self._settings = settings
        self._bot_arguments = () if bot_seed is None else ("--seed", str(bot_seed))
        self._quiet = quiet
        self.replay = Path()

    async def play(self, replay: Path | None, directory: Path) -> ExitCode:
        """Plays the match and writes its replay, to a file named after the match in the directory unless one is given.

        However it ends, also when it is cancelled, no bot is left running. Raises CommandError for a bot that died.
        """
        async with AsyncExitStack() as stack:
            store = MemoryStore()
            referee = await stack.enter_async_context(serve(store, entropy=self._entropy()))
            address = referee.address
            organiser = await stack.enter_async_context(Organiser(address))
            created = await organiser.create_match(
                self._bots,
                ruleset=self._settings.ruleset,
                time_control=self._settings.time_control,
                fault_policy=self._settings.fault_policy,
                seed=self._settings.seed,
            )
            if not self._quiet:
                print(f"{self._bots[0]} (A) against {self._bots[1]} (B), referee on {address}", flush=True)
            bots = [await stack.enter_async_context(self._bot(place, address, created)) for place in range(len(_SEATS))]
            with progress(self._quiet) as show:
                await _follow(organiser, store, created, bots, show)
            self.replay = replay or directory / f"{created.match_id.hex()}.unoduo"
            await _save(organiser, created.match_id, self.replay)
        return ExitCode.OK

    def _entropy(self) -> Callable[[int], bytes]:
        """Returns where the referee takes its random bytes from: with a given seed all of them follow from it."""
        seed = self._settings.seed
        if seed is None:
            return os.urandom
        draws = count()
        return lambda size: digest(seed, _TAG + next(draws).to_bytes(4, "big"), "sha256")[:size]

    def _bot(
        self, place: int, address: str, created: referee_service_pb2.CreateMatchResponse
    ) -> AbstractAsyncContextManager[BotProcess]:
        name, seat = self._bots[place], _SEATS[place]
        # The referee is this very process: evidence against it is of no use, and when it is gone it does not come back.
        alone = ("--no-journal", "--patience", "0")
        where = (*alone, "--address", address, "--match", created.match_id.hex(), "--seat", seat)
        return running_bot(seat, name, (name, *self._bot_arguments, *where), created.seat_tokens[place])


async def _follow(
    organiser: Organiser,
    store: Store,
    created: referee_service_pb2.CreateMatchResponse,
    bots: Sequence[BotProcess],
    show: Show,
) -> None:
    """Shows the match until its replay can be fetched. Raises CommandError as soon as a bot has died."""
    standing = Standing()
    watches = [asyncio.create_task(_watch(bot)) for bot in bots]
    try:
        while not (await organiser.get_match(created.match_id)).replay_available:
            for watch in watches:
                if watch.done():
                    watch.result()
            await standing.update(store, created.number, show)
            await asyncio.sleep(_POLL_S)
        await standing.update(store, created.number, show)
        # The bots still say goodbye. What they could not play to its end the log tells better than their exit code.
        await asyncio.wait(watches, timeout=_FAREWELL_S)
    finally:
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)


async def _watch(bot: BotProcess) -> None:
    """Waits for a bot to end. Raises CommandError, with its last words, if it did not end well."""
    code = await bot.exit_code()
    if code != 0:
        how = f"exit code {code}" if code > 0 else f"signal {signal.Signals(-code).name}"
        words = f": {bot.last_words()}" if bot.last_words() else ""
        raise CommandError(f"bot {bot.seat} ({bot.name}) died with {how}{words}", ExitCode.FAILED)


async def _save(organiser: Organiser, match_id: bytes, file: Path) -> None:
    try:
        await organiser.save_replay(match_id, file)
    except OSError as error:
        raise CommandError(f"cannot write {file}: {reason_of(error)}") from None
