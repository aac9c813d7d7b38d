"""What happens to referee and network while a bot plays."""

import asyncio
import signal
from pathlib import Path

from unoduo_client import Action, Observation
from unoduo_client.play import Bot

from tests.cli.serving import Served, served
from tests.clients_shared.starting import GREEDY
from tests.faults.proxy import Proxy


class Trouble:
    """Holds a referee that can be ended and started again, and the network before it."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._referee = served("--store", store)
        self.served: Served = self._referee.__enter__()
        self.network: Proxy | None = None

    @property
    def address(self) -> str:
        """Returns where the referee listens, now and when it is started again."""
        return self.served.address

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Ends the referee, by default as nothing that runs can notice."""
        self.served.process.send_signal(number)
        self.served.process.wait(timeout=30)
        self._referee.__exit__(None, None, None)

    def start(self) -> None:
        """Starts the referee again, where it was."""
        self._referee = served("--store", self._store, "--port", self.served.port)
        self.served = self._referee.__enter__()

    async def kill(self) -> None:
        """Starts the referee again after nothing that runs could notice its end."""
        self.stop()
        await asyncio.to_thread(self.start)

    async def renew(self) -> None:
        """Starts the referee again after it was asked to end."""
        await asyncio.to_thread(self.stop, signal.SIGTERM)
        await asyncio.to_thread(self.start)

    async def cut(self) -> None:
        """Cuts the connection of the bot, once there is one."""
        assert self.network is not None
        while not self.network.connections or self.network.connections[-1].is_cut:  # noqa: ASYNC110 - the proxy has no event for it
            await asyncio.sleep(0.01)
        self.network.cut()


def troubled(trouble: Trouble) -> Bot:
    """Returns a bot before whose decisions three cuts and two restarts happen."""
    troubles = {2: trouble.cut, 4: trouble.kill, 6: trouble.cut, 8: trouble.renew, 10: trouble.cut}
    asked = 0

    async def bot(observation: Observation) -> Action:
        nonlocal asked
        asked += 1
        if asked in troubles:
            await troubles.pop(asked)()
        return GREEDY(observation)

    return bot
