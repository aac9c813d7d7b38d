"""Writes the fields of proto3 messages as bytes.

Messages that are sent or logged for every action are joined from these pieces: building them as protobuf objects
costs several times more than the rest of the way to the socket.  Written in ascending order of field numbers, the
bytes are those of protobuf's deterministic serialisation; as there, a field that has its default is left out.
"""

from typing import Final

_LARGEST_UINT32: Final = 0xFFFFFFFF
_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
_BYTES: Final = tuple(bytes((value,)) for value in range(128))


def varint(value: int) -> bytes:
    """Returns an unsigned 32-bit integer as a varint.

    Raises:
        ValueError: for a value outside of 0 to 2^32 - 1.
    """
    if 0 <= value < 128:
        return _BYTES[value]
    if not 0 <= value <= _LARGEST_UINT32:
        raise ValueError(f"{value} is not an unsigned 32-bit integer")
    groups = bytearray()
    while value >= 128:
        groups.append(value & 127 | 128)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def tag(number: int, wire_type: int) -> bytes:
    """Returns the tag of a field: its number and how its value is written."""
    return varint(number << 3 | wire_type)


class UintField:
    """Writes a uint32, enum or bool field that has no explicit presence."""

    __slots__ = ("_short", "_tag")

    def __init__(self, number: int) -> None:
        self._tag = tag(number, _VARINT)
        self._short = (b"", *(self._tag + value for value in _BYTES[1:]))

    def __call__(self, value: int) -> bytes:
        """Returns the field, empty for zero."""
        if 0 <= value < 128:
            return self._short[value]
        return self._tag + varint(value)


class PresentUintField:
    """Writes a uint32 field that has explicit presence: an `optional` one or one of a oneof."""

    __slots__ = ("_tag",)

    def __init__(self, number: int) -> None:
        self._tag = tag(number, _VARINT)

    def __call__(self, value: int) -> bytes:
        """Returns the field, zero included."""
        return self._tag + varint(value)


class BytesField:
    """Writes a string or bytes field, or a packed repeated enum whose values are all below 128."""

    __slots__ = ("_tag",)

    def __init__(self, number: int) -> None:
        self._tag = tag(number, _LENGTH_DELIMITED)

    def __call__(self, value: bytes) -> bytes:
        """Returns the field, empty for no bytes."""
        return self._tag + varint(len(value)) + value if value else b""


class MessageField:
    """Writes a field that holds a message, one element of a repeated one, or a string or bytes of a oneof."""

    __slots__ = ("_tag",)

    def __init__(self, number: int) -> None:
        self._tag = tag(number, _LENGTH_DELIMITED)

    def __call__(self, value: bytes) -> bytes:
        """Returns the field, an empty message included."""
        return self._tag + varint(len(value)) + value
