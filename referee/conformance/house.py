"""The real referee behind the front, in this process; it can go down and come back."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from referee.conformance.front import Front
from referee.server.runtime import Running, serve
from referee.server.tls import Certificate
from referee.store.sqlite import SqliteStore


class House:
    """Serves from a store in a directory, to the kit at `address` and to the client through the front."""

    def __init__(self, store: Path, front: Front, certificate: Certificate | None, host: str) -> None:
        self._store = store
        self._front = front
        self._certificate = certificate
        self._host = host
        self._port = 0
        self._serving: AbstractAsyncContextManager[Running] | None = None

    @property
    def address(self) -> str:
        """Returns where the referee itself listens."""
        return f"127.0.0.1:{self._port}"

    @property
    def front_address(self) -> str:
        """Returns where the client finds it."""
        return f"{self._host}:{self._front.port}"

    async def start(self) -> None:
        """Begins to serve, later at the same addresses again."""
        serving = serve(SqliteStore(self._store), port=self._port)
        running = await serving.__aenter__()
        self._serving, self._port = serving, running.port
        await self._front.open(self.address, self._certificate, self._host)

    async def stop(self) -> None:
        """Goes down: open calls are told first, then nobody listens any more."""
        serving, self._serving = self._serving, None
        if serving is not None:
            await serving.__aexit__(None, None, None)
        await self._front.close()
