"""Work that SIGINT and SIGTERM end in order."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any

from referee.cli.failures import ExitCode


def run_interruptible(work: Callable[[], Coroutine[Any, Any, ExitCode]]) -> ExitCode:
    """Returns what the work returns, or INTERRUPTED or TERMINATED if such a signal came first.

    The signal cancels the work once; while it cleans up, further signals are ignored, so that nothing is left behind.
    Whoever writes the work bounds the time that its cleaning up takes.
    """
    return asyncio.run(_guarded(work))


async def _guarded(work: Callable[[], Coroutine[Any, Any, ExitCode]]) -> ExitCode:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work())
    received: list[ExitCode] = []

    def stop(code: ExitCode) -> None:
        if not received:
            received.append(code)
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, stop, ExitCode.INTERRUPTED)
    loop.add_signal_handler(signal.SIGTERM, stop, ExitCode.TERMINATED)
    try:
        return await task
    except asyncio.CancelledError:
        if received:
            return received[0]
        raise
