"""Reads a table of a TOML file key by key, and names the key of whatever is wrong."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from referee.arena.failures import SpecificationError

E = TypeVar("E", bound=Enum)
_VERY_LARGE: Final = 1 << 63


class TomlTable:
    """Holds a table and its dotted path, empty for the whole file.

    Each key is to be taken, then `close` refuses the others. Every method raises SpecificationError.
    """

    def __init__(self, values: object, path: str = "") -> None:
        if not isinstance(values, dict):
            raise SpecificationError(path, f"must be a table, not {_kind(values)}")
        self._values: dict[str, Any] = dict(values)
        self._path = path

    def key(self, name: str) -> str:
        """Returns the dotted path of a key."""
        return f"{self._path}.{name}" if self._path else name

    def has(self, name: str) -> bool:
        """Returns whether a key is there and not taken yet."""
        return name in self._values

    def close(self) -> None:
        """Refuses a key that nobody has taken."""
        for name in self._values:
            raise SpecificationError(self.key(name), "there is no such key")

    def table(self, name: str) -> "TomlTable":
        """Takes a table, an empty one if it is not there."""
        return TomlTable(self._values.pop(name, {}), self.key(name))

    def tables(self, name: str) -> list["TomlTable"]:
        """Takes a list of tables, an empty one if it is not there."""
        values = self._values.pop(name, [])
        if not isinstance(values, list):
            raise SpecificationError(self.key(name), f"must be a list of tables, not {_kind(values)}")
        return [TomlTable(value, f"{self.key(name)}[{place}]") for place, value in enumerate(values)]

    def text(self, name: str, default: str | None = None) -> str:
        """Takes a text that is not empty; without a default it must be there."""
        value = self._take(name, default)
        if not isinstance(value, str) or not value:
            raise SpecificationError(self.key(name), f"must be a text, not {_kind(value)}")
        if "\0" in value:
            raise SpecificationError(self.key(name), "holds a zero character")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Takes a list of texts with at least one, the first of which is not empty."""
        values = self._take(name, None)
        if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
            raise SpecificationError(self.key(name), "must be a list of texts, not empty")
        if not values[0] or any("\0" in value for value in values):
            raise SpecificationError(self.key(name), "begins with an empty text, or holds a zero character")
        return tuple(values)

    def named_texts(self, name: str) -> tuple[tuple[str, str], ...]:
        """Takes a table of texts by the names of variables, in its order."""
        values = self._values.pop(name, {})
        if not isinstance(values, dict):
            raise SpecificationError(self.key(name), f"must be a table, not {_kind(values)}")
        for variable, value in values.items():
            if not variable or "=" in variable or not isinstance(value, str) or "\0" in variable + value:
                raise SpecificationError(f"{self.key(name)}.{variable}", "must be the name of a variable and its text")
        return tuple(values.items())

    def whole(self, name: str, default: int, smallest: int, largest: int) -> int:
        """Takes a whole number of a range."""
        value = self._take(name, default)
        if type(value) is not int or not smallest <= value <= largest:
            raise SpecificationError(
                self.key(name), f"must be a whole number from {smallest} to {largest}, not {_shown(value)}"
            )
        return value

    def number(self, name: str, default: float) -> float:
        """Takes a number that is neither infinite nor very large."""
        value = self._take(name, default)
        if type(value) not in (int, float) or not abs(value) < _VERY_LARGE:
            raise SpecificationError(self.key(name), f"must be a number, not {_shown(value)}")
        return float(value)

    def truth(self, name: str, default: bool) -> bool:
        """Takes true or false."""
        value = self._take(name, default)
        if type(value) is not bool:
            raise SpecificationError(self.key(name), f"must be true or false, not {_shown(value)}")
        return value

    def choice(self, name: str, choices: Mapping[str, Any], default: str) -> Any:
        """Takes the name of one of several things, and returns that."""
        value = self._take(name, default)
        if not isinstance(value, str) or value not in choices:
            raise SpecificationError(self.key(name), f"must be {_one_of(choices)}, not {_shown(value)}")
        return choices[value]

    def member(self, name: str, default: E) -> E:
        """Takes a member of an enum, which is written in lower case with hyphens."""
        choices = {option_name(member): member for member in type(default)}
        member: E = self.choice(name, choices, option_name(default))
        return member

    def hexadecimal(self, name: str, most: int) -> bytes:
        """Takes up to so many bytes in hex digits, none if the key is not there."""
        value = self._take(name, "")
        try:
            data = bytes.fromhex(value)
        except (TypeError, ValueError):
            raise SpecificationError(self.key(name), f"must be hex digits in pairs, not {_shown(value)}") from None
        if len(data) > most:
            raise SpecificationError(self.key(name), f"must have at most {most} bytes, not {len(data)}")
        return data

    def _take(self, name: str, default: object) -> Any:
        if name not in self._values and default is None:
            raise SpecificationError(self.key(name), "is missing")
        return self._values.pop(name, default)


def option_name(member: Enum) -> str:
    """Returns how a member of an enum is written in the file."""
    return member.name.lower().replace("_", "-")


def _kind(value: object) -> str:
    if value == "":
        return "an empty text"
    names = {str: "a text", bool: "a truth value", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "that")


def _shown(value: object) -> str:
    if isinstance(value, int) and abs(value) > _VERY_LARGE:
        # Python refuses to write the largest ones.
        return "a number as large as that"
    return repr(value) if isinstance(value, str | int | float | bool) else _kind(value)


def _one_of(choices: Mapping[str, Any]) -> str:
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last
