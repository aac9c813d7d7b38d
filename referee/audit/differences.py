"""Says in a sentence in what two values differ."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum


def difference(name: str, found: object, due: object) -> str:
    """Returns how `found` differs from what it must be, as in `RoundEnded.totals is (7, 7), must be (0, 31)`.

    Dataclasses of one type are told field by field. The two must not be equal.
    """
    pairs = _differing(name, found, due)
    return "; ".join(f"{place} is {_text(one)}, must be {_text(other)}" for place, one, other in pairs)


def _differing(name: str, found: object, due: object) -> Iterator[tuple[str, object, object]]:
    if not is_dataclass(found) or type(found) is not type(due):
        yield name, found, due
        return
    for field in fields(found):
        one, other = getattr(found, field.name), getattr(due, field.name)
        if one != other:
            yield from _differing(f"{name}.{field.name}", one, other)


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if value is None:
        return "none"
    return type(value).__name__ if is_dataclass(value) else repr(value)
