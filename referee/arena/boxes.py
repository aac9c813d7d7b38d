"""Starts a bot with its keeper (`box`), and ends it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.arena import box
from referee.arena.specification import BotLimits
from referee.arena.together import to_its_end

_END_S: Final = 4.0
_LAST_WORDS_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class BoxOrder:
    """Holds what is to run where: `folder` is where it runs, what it writes goes to `log`."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    limits: BotLimits


class Box:
    """Is a bot that runs, or did."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def exit_code(self) -> int:
        """Waits for the bot to end, and returns its exit code as `box` makes it."""
        return await self._process.wait()


@asynccontextmanager
async def running_box(order: BoxOrder) -> AsyncIterator[Box]:
    """Runs a bot; when the block is left, it and all that it has started have ended."""
    # Isolated, and by its path: nothing that is installed or lies about takes part.
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        box.__file__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        process.stdin.write(_encoded(order))
        yield Box(process)
    finally:
        await to_its_end(_end(process))


def last_words(log: Path) -> str:
    """Returns the last line of a log that is not empty, or an empty text."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LAST_WORDS_BYTES))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _encoded(order: BoxOrder) -> bytes:
    fields = {
        "command": order.command,
        "environment": dict(order.environment),
        "folder": str(order.folder),
        "log": str(order.log),
        "log_bytes": order.limits.log_kib << 10,
        "memory_bytes": order.limits.memory_mib << 20,
        "processes": order.limits.processes,
    }
    return json.dumps(fields).encode() + b"\n"


async def _end(process: asyncio.subprocess.Process) -> None:
    """Tells the keeper to end the bot."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(_END_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
