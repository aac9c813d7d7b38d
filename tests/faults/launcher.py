"""A referee in a process of its own, on a store of its own: started, killed, and started again."""

import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

from tests.faults.crash_points import Plan

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


class RefereeProcess:
    """Is `unoduo serve`, begun through `launcher_program`, which does to it what the plan says."""

    def __init__(self, process: asyncio.subprocess.Process, errors: Path) -> None:
        self.address = ""
        self.starting_s = 0.0
        self._process = process
        self._errors = errors

    @property
    def is_running(self) -> bool:
        """Returns whether nothing has ended it yet."""
        return self._process.returncode is None

    async def serving(self) -> bool:
        """Waits for it to serve, and returns whether it has come to that."""
        begin = time.monotonic()
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = (await self._process.stdout.readline()).decode()
        self.starting_s = time.monotonic() - begin
        if not line:
            return False
        self.address = line.removeprefix("serving on ").split(",")[0]
        return True

    def kill(self) -> None:
        """Ends it at once, as nothing that runs can notice."""
        if self.is_running:
            self._process.kill()

    def terminate(self) -> None:
        """Asks it to end."""
        self._process.send_signal(signal.SIGTERM)

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

    def error_output(self) -> str:
        """Returns what it has written to its error output."""
        return self._errors.read_text(encoding="utf-8")


@asynccontextmanager
async def launched(store: Path, plan: Plan | None = None, options: Sequence[str] = ()) -> AsyncIterator[RefereeProcess]:
    """Runs a referee on a store until the block ends. It may be dead before, or die instead of serving."""
    arguments = ["serve", "--port", "0", "--store", str(store), *options]
    errors = store.with_name(f"{store.name}.log")
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
    referee = RefereeProcess(process, errors)
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
