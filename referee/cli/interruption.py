"""Work that SIGINT, SIGTERM and SIGHUP end in order."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, Final

from referee.cli.failures import ExitCode

_CODES: Final = (
    (signal.SIGINT, ExitCode.INTERRUPTED),
    (signal.SIGTERM, ExitCode.TERMINATED),
    # The terminal was closed.
    (signal.SIGHUP, ExitCode.TERMINATED),
)


def run_interruptible(work: Callable[[], Coroutine[Any, Any, ExitCode]]) -> ExitCode:
    """Returns what the work returns, or INTERRUPTED or TERMINATED if such a signal came first and is not ignored.

    The signal cancels the work once. Further ones are ignored to the end of the process, so that neither the cleaning
    up nor the way out is disturbed; whoever writes the work bounds the time that its cleaning up takes.
    """
    return asyncio.run(_guarded(work))


async def _guarded(work: Callable[[], Coroutine[Any, Any, ExitCode]]) -> ExitCode:
    loop = asyncio.get_running_loop()
    task = loop.create_task(work())
    received: list[ExitCode] = []

    def stop(number: int, _: FrameType | None) -> None:
        if not received:
            received.append(dict(_CODES)[signal.Signals(number)])
            loop.call_soon_threadsafe(task.cancel)

    # Handlers of the loop would go with the loop, and a second signal would hit the interpreter on its way out.
    heeded = [number for number, _ in _CODES if signal.getsignal(number) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, stop)) for number in heeded]
    try:
        return await task
    except asyncio.CancelledError:
        if received:
            return received[0]
        raise
    finally:
        if not received:
            for number, handler in before:
                signal.signal(number, handler)
