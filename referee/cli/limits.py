"""The limits of a referee on the command line."""

import argparse
from dataclasses import asdict, fields
from typing import Final

from referee.server.limits import Limits

_LARGEST: Final = (1 << 31) - 1
_MAY_BE_ZERO: Final = frozenset({"spectator_delay_ms", "drain_grace_ms", "max_spectators", "max_calls_a_seat"})


def limits_help() -> str:
    """Returns a line for each limit with its default."""
    return "\n".join(f"  {limit.name}={limit.default:g}  {limit.metadata['text']}" for limit in fields(Limits))


def limit(text: str) -> tuple[str, int | float]:
    """Returns a limit and its value, the type of an argument `NAME=VALUE`."""
    name, _, value = text.partition("=")
    defaults: dict[str, int | float] = asdict(Limits())
    if name not in defaults:
        raise argparse.ArgumentTypeError(f"there is no limit {name!r} (NAME=VALUE, with a name of the list in --help)")
    kind, smallest = type(defaults[name]), 0 if name in _MAY_BE_ZERO else 1
    try:
        number = kind(value)
    except ValueError:
        number = None
    if number is None or not smallest <= number <= _LARGEST:
        what = "whole number" if kind is int else "number"
        raise argparse.ArgumentTypeError(f"{name} is a {what} from {smallest} to {_LARGEST}, not {value!r}")
    return name, number
