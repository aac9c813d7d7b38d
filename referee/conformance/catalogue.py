"""All checks, in the order in which they are made."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from referee.conformance.checks import Check
from referee.conformance.themes import answering, connecting, ending, playing, resuming, trusting, unknown

CHECKS = (
    *playing.CHECKS,
    *answering.CHECKS,
    *resuming.CHECKS,
    *unknown.CHECKS,
    *ending.CHECKS,
    *trusting.CHECKS,
    *connecting.CHECKS,
)


def chosen(patterns: Sequence[str]) -> list[Check]:
    """Returns the checks whose names match one of these patterns, all without any. Raises ValueError."""
    for pattern in patterns:
        if not any(fnmatchcase(check.name, pattern) for check in CHECKS):
            raise ValueError(f"no check is named {pattern}")
    return [check for check in CHECKS if not patterns or any(fnmatchcase(check.name, name) for name in patterns)]
