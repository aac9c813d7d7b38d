"""Writes the fields of proto3 messages as bytes.

Messages that are sent or logged for every action are joined from these pieces: building them as protobuf objects
costs several times more than the rest of the way to the socket.  Written in ascending order of field numbers, the
bytes are those of protobuf's deterministic serialisation; as there, a field that has its default is left out.
"""

from collections.abc import Callable
from typing import Final

_LARGEST_UINT32: Final = 0xFFFFFFFF
_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
_BYTES: Final = tuple(bytes((value,)) for value in range(128))
_MORE_FOLLOWS: Final = tuple(bytes((value | 128,)) for value in range(128))
_TWO_BYTES: Final = tuple(low + high for high in _BYTES for low in _MORE_FOLLOWS)


def varint(value: int) -> bytes:
    """Returns an unsigned 32-bit integer as a varint.

    Raises:
        ValueError: for a value outside of 0 to 2^32 - 1.
    """
    if 0 <= value < 128:
        return _BYTES[value]
    if 128 <= value < 16384:
        return _TWO_BYTES[value]
    if not 0 <= value <= _LARGEST_UINT32:
        raise ValueError(f"{value} is not an unsigned 32-bit integer")
    return _MORE_FOLLOWS[value & 127] + _MORE_FOLLOWS[value >> 7 & 127] + varint(value >> 14)


def tag(number: int, wire_type: int) -> bytes:
    """Returns the tag of a field: its number and how its value is written."""
    return varint(number << 3 | wire_type)


def uint_field(number: int) -> Callable[[int], bytes]:
    """Returns the writer of a uint32, enum or bool field without explicit presence: it gives nothing for zero."""
    field_tag = tag(number, _VARINT)
    short = (b"", *(field_tag + value for value in _BYTES[1:]))

    def write(value: int) -> bytes:
        return short[value] if 0 <= value < 128 else field_tag + varint(value)

    return write


def present_uint_field(number: int) -> Callable[[int], bytes]:
    """Returns the writer of a uint32 field with explicit presence, `optional` or of a oneof: it writes zero too."""
    field_tag = tag(number, _VARINT)

    def write(value: int) -> bytes:
        return field_tag + varint(value)

    return write


def message_field(number: int) -> Callable[[bytes], bytes]:
    """Returns the writer of a field that holds a message, of one element of a repeated one, or of a text of a oneof.

    It writes an empty value too.
    """
    field_tag = tag(number, _LENGTH_DELIMITED)
    short_heads = tuple(field_tag + size for size in _BYTES)

    def write(value: bytes) -> bytes:
        size = len(value)
        return (short_heads[size] if size < 128 else field_tag + varint(size)) + value

    return write


def bytes_field(number: int) -> Callable[[bytes], bytes]:
    """Returns the writer of a string or bytes field, or of a packed repeated enum whose values are all below 128.

    It gives nothing for an empty value.
    """
    write_value = message_field(number)

    def write(value: bytes) -> bytes:
        return write_value(value) if value else b""

    return write
