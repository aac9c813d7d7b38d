"""Reads stored bytes: exactly one message, in the one form in which it is written (PROTOCOL.md, "The log")."""

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from referee.codec.errors import Malformed

M = TypeVar("M", bound=Message)


def parse(kind: type[M], data: bytes, field: str) -> M:
    """Returns the message that the bytes hold.

    Raises:
        Malformed: naming `field`, if they are no such message.
    """
    try:
        return kind.FromString(data)
    except DecodeError:
        raise Malformed(field, f"is not a message {kind.DESCRIPTOR.name}") from None


def require_same(data: bytes, written: bytes, field: str) -> None:
    """Checks that bytes are what encoding their content gives again.

    Anything else holds an unknown field, a field out of order or a default written out: something that a hash covers
    and nobody has judged.

    Raises:
        Malformed: naming `field`, if they differ.
    """
    if data != written:
        raise Malformed(field, "is not in canonical form, or has fields that this program does not know")


def require_size(data: bytes, sizes: tuple[int, ...], field: str) -> bytes:
    """Returns the bytes if they have one of the sizes.

    Raises:
        Malformed: naming `field`, if they have another.
    """
    if len(data) not in sizes:
        raise Malformed(field, f"must have {' or '.join(map(str, sizes))} bytes, not {len(data)}")
    return data
