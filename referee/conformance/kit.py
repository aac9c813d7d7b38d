"""Makes checks of a client, one after the other, and judges each."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.stage import Stage


@dataclass(frozen=True, slots=True)
class Result:
    """Is what came of a check: `came` says it in a line, `log` is what the client wrote if it failed, else None."""

    check: Check
    passed: bool
    came: str
    ms: int
    log: Path | None


async def run_checks(
    checks: Sequence[Check], command: Sequence[str], folder: Path, limit_s: float, show: Callable[[Result], None]
) -> list[Result]:
    """Makes the checks, shows the result of each at once, and returns all.

    `limit_s` is the time of a check, unless that needs more. What a failed check leaves is kept in a folder of its
    name. Raises KitError if the command cannot be started.
    """
    results = []
    for check in checks:
        result = await _run(check, command, folder / check.name, limit_s)
        results.append(result)
        show(result)
    return results


async def _run(check: Check, command: Sequence[str], folder: Path, limit_s: float) -> Result:
    stage = Stage(command, folder)
    began_s = time.monotonic()
    passed, limit_s = False, max(limit_s, check.least_s)
    try:
        async with asyncio.timeout(limit_s):
            came = await check.run(stage)
        passed = True
    except Flaw as flaw:
        came = str(flaw)
    except TimeoutError:
        came = f"it was not done after {limit_s:g} seconds; {_last(stage)}"
    took_ms = round((time.monotonic() - began_s) * 1_000)
    if passed:
        shutil.rmtree(folder)
    return Result(check, passed, " ".join(came.split()), took_ms, None if passed else stage.log)


def _last(stage: Stage) -> str:
    """Returns what was heard last of the client."""
    heard = stage.ledger.heard if stage.ledger is not None else []
    return f"the last that it said was {heard[-1].kind or 'nothing known'}" if heard else "it said nothing"
