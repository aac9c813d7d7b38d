"""The program behind the bridge: a process, in a group of its own, that is told lines and answers with lines."""

import asyncio
import logging
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from unoduo_client.bridge_lines import LONGEST_ANSWER
from unoduo_client.errors import BotError
from unoduo_client.program import BOT_VARIABLE, SEAT_VARIABLE

GRACE_S = 2.0
"""Seconds that a program has to end by itself, once its input has ended."""

_LAST_BREATH_S = 1.0
_WAITING_LINES = 64

_log = logging.getLogger(__name__)


@asynccontextmanager
async def child(command: Sequence[str]) -> AsyncIterator["Child"]:
    """Runs a program; when the block is left, its input ends, and after a grace its process group is killed.

    It inherits the error output and the environment, without the tokens. Raises OSError if it cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        limit=LONGEST_ANSWER,
        env={name: value for name, value in os.environ.items() if name not in (SEAT_VARIABLE, BOT_VARIABLE)},
        process_group=0,
    )
    running = Child(process)
    try:
        yield running
    finally:
        await running.end()


class Child:
    """Holds a running program."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        # None stands for the end. What does not fit waits in the pipe, and then the program waits.
        self._answers: asyncio.Queue[bytes | None] = asyncio.Queue(_WAITING_LINES)
        self._is_too_long = False
        self._reading = asyncio.create_task(self._read())

    def tell(self, line: bytes) -> None:
        """Writes a line; `ask` waits until all are taken."""
        if not self._input.is_closing():
            self._input.write(line)

    async def ask(self, line: bytes) -> bytes:
        """Writes a line and returns the next one that the program writes; what it had written before is dropped.

        Raises BotError if it has ended, does not read any more or writes an endless line.
        """
        self._drop_unasked()
        self.tell(line)
        with suppress(ConnectionError):
            await self._input.drain()
        answer = None if self._input.is_closing() else await self._answers.get()
        if answer is None:
            raise BotError(await self._why_it_ended())
        return answer

    async def end(self) -> None:
        """Ends the input of the program, and kills what is left of it and its group after the grace."""
        self._input.close()
        self._reading.cancel()
        try:
            await self._farewell()
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        try:
            await self._farewell()
        finally:
            # asyncio closes it when it sees the end, for which an interrupted bridge may not wait.
            self._process._transport.close()  # type: ignore[attr-defined]

    async def _farewell(self) -> None:
        """Waits until the program has ended, for the grace at most.

        What it still writes is read: else it might wait for that, and so does asyncio for the end of its output.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                await asyncio.wait([self._reading])
                while await self._output.read(LONGEST_ANSWER):
                    pass
                await self._process.wait()

    async def _read(self) -> None:
        try:
            while answer := await self._output.readline():
                await self._answers.put(answer)
        except ValueError:
            self._is_too_long = True
        await self._answers.put(None)

    def _drop_unasked(self) -> None:
        count = 0
        while not self._answers.empty():
            if self._answers.get_nowait() is None:
                self._answers.put_nowait(None)
                break
            count += 1
        if count:
            _log.warning("lines of the bot that nobody asked for were dropped: %d", count)

    async def _why_it_ended(self) -> str:
        if self._is_too_long:
            return f"the bot has written a line of more than {LONGEST_ANSWER} bytes"
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_BREATH_S):
                await self._process.wait()
        code = self._process.returncode
        if code is None:
            return "the bot has closed its input or output"
        return "the bot has ended " + (f"by signal {-code}" if code < 0 else f"with exit code {code}")
