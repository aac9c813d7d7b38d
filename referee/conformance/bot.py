"""The client program under test, as a process in a process group of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from referee.conformance.failures import KitError

PLACE = "{}"
SEAT_VARIABLE, BOT_VARIABLE = VARIABLES = "UNODUO_SEAT_TOKEN", "UNODUO_BOT_TOKEN"
_TERM_GRACE_S = 1.0


class Bot:
    """Is a running client."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def is_running(self) -> bool:
        """Returns whether it has not ended yet."""
        return self._process.returncode is None

    async def exit_code(self) -> int:
        """Waits for its end; negative for a signal."""
        return await self._process.wait()

    def interrupt(self) -> None:
        """Asks it to end, as Ctrl-C does."""
        _signal_group(self._process, signal.SIGINT)


def arguments_of(command: Sequence[str], options: Sequence[str]) -> list[str]:
    """Returns a command with options in place of its word `{}`, or behind it if it has none."""
    if PLACE not in command:
        return [*command, *options]
    place = command.index(PLACE)
    return [*command[:place], *options, *command[place + 1 :]]


@asynccontextmanager
async def running(
    command: Sequence[str], options: Sequence[str], token: tuple[str, str], log: Path
) -> AsyncIterator[Bot]:
    """Runs the command for the length of a block; then it and its process group are ended.

    `token` is the name of a variable and its value; what the program writes is added to `log`. Raises KitError if it
    cannot be started.
    """
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    with log.open("ab") as output, _heeding_interrupts():
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments_of(command, options),
                env={**environment, token[0]: token[1]},
                stdin=DEVNULL,
                stdout=output,
                stderr=output,
                process_group=0,
            )
        except OSError as error:
            raise KitError(f"cannot start {command[0]}: {(error.strerror or str(error)).lower()}") from None
    try:
        yield Bot(process)
    finally:
        await _end(process)


@contextmanager
def _heeding_interrupts() -> Iterator[None]:
    """Lets what is started heed SIGINT, which it would ignore as the kit does that a shell runs in the background."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _end(process: Process) -> None:
    _signal_group(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(_TERM_GRACE_S):
            await process.wait()
    except TimeoutError:
        pass
    finally:
        # Also what the program left behind.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _signal_group(process: Process, number: signal.Signals) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
