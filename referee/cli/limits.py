"""The limits of a referee on the command line."""

import argparse
from dataclasses import fields
from typing import Final

from referee.server.limits import Limits

_LARGEST: Final = (1 << 31) - 1


def limits_help() -> str:
    """Returns a line for each limit with its default."""
    return "\n".join(f"  {limit.name}={limit.default:g}  {limit.metadata['text']}" for limit in fields(Limits))


def limit(text: str) -> tuple[str, int | float]:
    """Returns a limit and its value, the type of an argument `NAME=VALUE`."""
    name, _, value = text.partition("=")
    known = {field.name: field for field in fields(Limits)}
    if name not in known:
        raise argparse.ArgumentTypeError(f"there is no limit {name!r}; the limits are {', '.join(known)}")
    default: int | float = getattr(Limits(), name)
    kind, smallest = type(default), known[name].metadata["smallest"]
    try:
        number = kind(value)
    except ValueError:
        number = None
    if number is None or not smallest <= number <= _LARGEST:
        what = "whole number" if kind is int else "number"
        example = f"{name}={default:g}"
        raise argparse.ArgumentTypeError(
            f"{name} is a {what} from {smallest} to {_LARGEST} such as {example}, not {value!r}"
        )
    return name, number
