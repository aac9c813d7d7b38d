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


class Field(dict[int, bytes]):
    """Gives the bytes of a uint32, enum or bool field by its value; it is a dict, because looking up costs least.

    The default, zero, is left out unless the field is `present` all the same: `optional` or of a oneof.
    """

    __slots__ = ("_tag",)

    def __init__(self, number: int, *, present: bool = False, wire_type: int = _VARINT) -> None:
        """Makes the field with this number; small values are looked up, others written when they are asked for."""
        self._tag = tag(number, wire_type)
        super().__init__({value: self._tag + written for value, written in enumerate(_BYTES)})
        if not present:
            self[0] = b""

    def __missing__(self, value: int) -> bytes:
        """Returns the bytes for a larger value. Raises ValueError for one that is no uint32."""
        return self._tag + (_TWO_BYTES[value] if 128 <= value < 16384 else varint(value))


class Head(Field):
    """Gives what stands before the value of a field by the size of the value in bytes.

    Without `present` a string, bytes or packed repeated enum field, whose default is empty and left out; with it a
    message, an element of a repeated field, or a field of a oneof.
    """

    __slots__ = ()

    def __init__(self, number: int, *, present: bool = False) -> None:
        """Makes what stands before the field with this number."""
        super().__init__(number, present=present, wire_type=_LENGTH_DELIMITED)


def message_field(number: int) -> Callable[[bytes], bytes]:
    """Returns the writer of a field that holds a message, of one element of a repeated one, or of a text of a oneof.

    It writes an empty value too.
    """
    head = Head(number, present=True)

    def write(value: bytes) -> bytes:
        return head[len(value)] + value

    return write


def bytes_field(number: int) -> Callable[[bytes], bytes]:
    """Returns the writer of a string or bytes field, or of a packed repeated enum whose values are all below 128.

    It gives nothing for an empty value.
    """
    head = Head(number)

    def write(value: bytes) -> bytes:
        return head[len(value)] + value

    return write
