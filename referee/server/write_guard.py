"""Notices a client that does not read."""

import asyncio
from types import TracebackType
from typing import Final, Self

# Of the time that a blocked client has, so much is kept for the status that tells it.
STATUS_SHARE: Final = 0.1


class WriteGuard:
    """Ends the block that it guards with TimeoutError once one write in it is blocked for `patience_s` seconds.

    One timer serves all writes: a timer for each would cost as much as a tenth of the write.
    """

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._loop = asyncio.get_running_loop()
        self._block = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None
        self._since: float | None = None

    async def __aenter__(self) -> Self:
        """Returns the guard, which stands from now on."""
        await self._block.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the guard. Raises TimeoutError if it has ended the block."""
        if self._timer is not None:
            self._timer.cancel()
        await self._block.__aexit__(kind, error, trace)

    def begin(self) -> None:
        """Learns that a write begins."""
        self._since = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_at(self._since + self._patience_s, self._look)

    def end(self) -> None:
        """Learns that it is done."""
        self._since = None

    def _look(self) -> None:
        self._timer = None
        if self._since is None:
            # The next write arms the timer again.
            return
        due = self._since + self._patience_s
        if due <= self._loop.time():
            self._block.reschedule(due)
        else:
            self._timer = self._loop.call_at(due, self._look)
