"""A bot as a process of its own, in a process group of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

_TERM_GRACE_S = 1.0
_TAIL_BYTES = 4096


@dataclass(slots=True)
class BotProcess:
    """Holds a running bot: the seat it plays, its name, and the end of what it wrote to its error output."""

    seat: str
    name: str
    process: asyncio.subprocess.Process
    tail: bytes = b""

    async def exit_code(self) -> int:
        """Returns the exit code once the bot has ended and its error output is read; negative for a signal."""
        stream = self.process.stderr
        assert stream is not None
        while chunk := await stream.read(_TAIL_BYTES):
            self.tail = (self.tail + chunk)[-_TAIL_BYTES:]
        return await self.process.wait()

    def last_words(self) -> str:
        """Returns the last line that the bot wrote to its error output, or an empty text."""
        lines = [line for line in self.tail.decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""


@asynccontextmanager
async def running_bot(seat: str, name: str, arguments: Sequence[str], token: str) -> AsyncIterator[BotProcess]:
    """Runs `python -m unoduo_client` with these arguments; when the block is left, the bot and its group have ended.

    The seat token travels in the environment, where the list of processes does not show it.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "unoduo_client",
        *arguments,
        env={**os.environ, "UNODUO_SEAT_TOKEN": token},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        process_group=0,
    )
    try:
        yield BotProcess(seat, name, process)
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    _signal_group(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(_TERM_GRACE_S):
            await process.wait()
    except TimeoutError:
        _signal_group(process, signal.SIGKILL)
        await process.wait()


def _signal_group(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
