"""What a check is, and how one is made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from referee.conformance.stage import Stage


@dataclass(frozen=True, slots=True)
class Check:
    """Is one check: `expected` says in a line what a client must do, `run` returns what it did or raises Flaw.

    `least_s` is the time that it needs whatever the limit of a check is.
    """

    name: str
    expected: str
    run: Callable[[Stage], Awaitable[str]]
    least_s: float = 0.0
