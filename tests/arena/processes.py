"""Bots in a few lines, and what is left of them."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

PATIENCE_S = 60.0


def python(code: str) -> tuple[str, ...]:
    """Returns a command that runs some Python."""
    return (sys.executable, "-c", code)


def marked(mark: str) -> list[psutil.Process]:
    """Returns the processes with a mark in their arguments."""
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
        and any(mark in word for word in process.info["cmdline"] or ())
    ]


async def until(condition: Callable[[], object]) -> None:
    """Waits for a condition, as long as a test may hang."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def until_blocking(condition: Callable[[], object], what: str) -> None:
    """Waits for a condition, as long as a test may hang."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"this did not come: {what}"
        time.sleep(0.02)


def text_of(file: Path) -> str:
    return file.read_text() if file.exists() else ""
