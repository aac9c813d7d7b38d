"""Typed reading of JSON values: each function returns what stands at a place or raises ShapeError naming it."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from referee.cases.errors import ShapeError
from referee.codec.enums import CARDS, COLORS, SEATS, EnumTable
from referee.rules.cards import Card, Color
from referee.rules.seats import Seat

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=Message)

Reader = Callable[[object, str], T]

_LARGEST_COUNT: Final = 2**31 - 1


class Fields:
    """Reads the fields of one JSON object, each at most once; `finish` refuses those that nobody asked for."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise ShapeError(where, "must be an object")
        self._rest: dict[str, object] = dict(value)
        self._where = where

    def place(self, name: str) -> str:
        """Returns the place of a field."""
        return f"{self._where}.{name}" if self._where else name

    def required(self, name: str, read: Reader[T]) -> T:
        """Returns the value of a field."""
        if name not in self._rest:
            raise ShapeError(self.place(name), "is missing")
        return read(self._rest.pop(name), self.place(name))

    def optional(self, name: str, read: Reader[T], default: T) -> T:
        """Returns the value of a field, the default if it is absent."""
        return self.required(name, read) if name in self._rest else default

    def one_of(self, readers: Mapping[str, Reader[T]]) -> T:
        """Returns the value of the one field that is there of several."""
        there = [name for name in readers if name in self._rest]
        if len(there) != 1:
            raise ShapeError(self._where, f"must have one of {', '.join(readers)}, has {', '.join(there) or 'none'}")
        return self.required(there[0], readers[there[0]])

    def names(self) -> tuple[str, ...]:
        """Returns the names of the fields not read yet, in the order of the file."""
        return tuple(self._rest)

    def finish(self) -> None:
        """Refuses fields that were not read."""
        for name in self._rest:
            raise ShapeError(self.place(name), "is unknown")


def text(value: object, where: str) -> str:
    """Returns a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ShapeError(where, "must be a text that is not empty")
    return value


def count(value: object, where: str) -> int:
    """Returns a number from 0 that leaves room for what is added to it in a uint32."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LARGEST_COUNT:
        raise ShapeError(where, f"must be a whole number, 0 to {_LARGEST_COUNT}")
    return value


def boolean(value: object, where: str) -> bool:
    """Returns true or false."""
    if not isinstance(value, bool):
        raise ShapeError(where, "must be true or false")
    return value


def items(read: Reader[T], least: int = 0) -> Reader[tuple[T, ...]]:
    """Returns a reader of lists of at least so many elements."""

    def read_items(value: object, where: str) -> tuple[T, ...]:
        if not isinstance(value, list) or len(value) < least:
            raise ShapeError(where, f"must be a list of at least {least}" if least else "must be a list")
        return tuple(read(item, f"{where}[{place}]") for place, item in enumerate(value))

    return read_items


def pair(value: object, where: str) -> tuple[int, int]:
    """Returns two numbers from 0, one a seat."""
    numbers = items(count)(value, where)
    if len(numbers) != 2:
        raise ShapeError(where, "must be two numbers, one a seat")
    return numbers[0], numbers[1]


def member(table: EnumTable[E, N]) -> Reader[E]:
    """Returns a reader of names of a wire enum."""

    def read_member(value: object, where: str) -> E:
        found = table.names.get(value) if isinstance(value, str) else None
        if found is None:
            raise ShapeError(where, f"{value!r} is no name of {table.descriptor.name}")
        return found

    return read_member


def nullable(read: Reader[T]) -> Reader[T | None]:
    """Returns a reader that also takes null."""

    def read_nullable(value: object, where: str) -> T | None:
        return None if value is None else read(value, where)

    return read_nullable


def message(kind: type[M]) -> Reader[M]:
    """Returns a reader of protobuf's JSON mapping of a message."""

    def read_message(value: object, where: str) -> M:
        if not isinstance(value, dict):
            raise ShapeError(where, "must be an object")
        try:
            return ParseDict(value, kind())
        except ParseError as error:
            raise ShapeError(where, f"is no message {kind.DESCRIPTOR.name}: {error}") from None

    return read_message


seat: Reader[Seat] = member(SEATS)
color: Reader[Color] = member(COLORS)
card: Reader[Card] = member(CARDS)
cards: Reader[tuple[Card, ...]] = items(card)
