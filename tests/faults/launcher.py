"""A referee in a process of its own, on a store of its own: started, killed, and started again."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from tests.faults.crash_points import Plan

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


class RefereeProcess:
    """Is `unoduo serve`, begun through `launcher_program`, which does to it what the plan says."""

    def __init__(self, process: asyncio.subprocess.Process, begin_s: float, errors: Path) -> None:
        self.address = ""
        self.starting_s = 0.0
        self._process = process
        self._begin_s = begin_s
        self._errors = errors

    async def serving(self) -> bool:
        """Waits for it to serve, and returns whether it has come to that."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = (await self._process.stdout.readline()).decode()
        self.starting_s = time.monotonic() - self._begin_s
        if not line:
            return False
        self.address = line.removeprefix("serving on ").split(",")[0]
        return True

    def kill(self) -> None:
        """Ends it at once, as nothing that runs can notice."""
        self._send(signal.SIGKILL)

    def terminate(self) -> None:
        """Asks it to end."""
        self._send(signal.SIGTERM)

    async def ended(self) -> int:
        """Waits for its end and returns the exit code, that of a signal below 0."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._process.wait()

    async def lives_for(self, seconds: float) -> bool:
        """Waits for so long, or until it is dead, and returns whether it still lives."""
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            return True
        return False

    def bugs(self) -> list[str]:
        """Returns the lines in which it, or one before it on the same store, has told of a bug of its own."""
        lines = self.error_output().splitlines()
        return [line for line in lines if " ERROR " in line or line.startswith("Traceback")]

    def error_output(self) -> str:
        """Returns what it has written to its error output."""
        return self._errors.read_text(encoding="utf-8")

    def _send(self, number: signal.Signals) -> None:
        # Not by its methods, which take the exit code of one that has just died from whoever waits for that.
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)


@asynccontextmanager
async def launched(store: Path, plan: Plan | None = None, options: Sequence[str] = ()) -> AsyncIterator[RefereeProcess]:
    """Runs a referee on a store until the block ends. It may be dead before, or die instead of serving."""
    arguments = ["serve", "--port", "0", "--store", str(store), *options]
    errors = store.with_name(f"{store.name}.log")
    begin_s = time.monotonic()
    with errors.open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.faults.launcher_program",
            json.dumps(asdict(plan) if plan is not None else None),
            *arguments,
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    referee = RefereeProcess(process, begin_s, errors)
    try:
        yield referee
    finally:
        referee.kill()
        await referee.ended()


@asynccontextmanager
async def serving(store: Path, plan: Plan | None = None, options: Sequence[str] = ()) -> AsyncIterator[RefereeProcess]:
    """Runs a referee that serves when the block begins."""
    async with launched(store, plan, options) as referee:
        assert await referee.serving(), referee.error_output()
        yield referee
