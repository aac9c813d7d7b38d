"""Names of enum values, also of those that a newer referee knows alone."""

from collections.abc import Callable
from typing import Any


def enum_name(name: Callable[[Any], str], number: int) -> str:
    """Returns what the `Name` of an enum says, and the number itself for one that the enum does not have."""
    try:
        return name(number)
    except ValueError:
        return str(number)
