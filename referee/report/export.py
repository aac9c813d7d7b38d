"""A replay file as JSON, a line a part, and back to the identical bytes (PROTOCOL.md, "The log")."""

import json
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import DecodeError, Message
from unoduo.v1 import log_pb2 as pb

from referee.log.byte_streams import Source
from referee.log.file_format import (
    FILE_HEAD,
    REVEAL_TAG,
    SEAL_TAG,
    EntryPart,
    FileFault,
    HeaderPart,
    Part,
    RevealPart,
    SealPart,
    chained_bytes,
    read_parts,
    section_bytes,
)
from referee.log.heads import entry_head, header_head

_NAMES: Final = MappingProxyType({HeaderPart: "header", EntryPart: "entry", SealPart: "seal", RevealPart: "reveal"})
_MESSAGES: Final[MappingProxyType[str, type[Message]]] = MappingProxyType(
    {"header": pb.Header, "entry": pb.Entry, "seal": pb.Seal, "reveal": pb.Reveal}
)
# What may stand behind each part; a file may end after any but the beginning.
_NEXT: Final = MappingProxyType(
    {"": ("header",), "header": ("entry", "seal"), "entry": ("entry", "seal"), "seal": ("reveal",), "reveal": ()}
)


class JsonFault(Exception):
    """Names the first line of a JSON form that stands for no part of a replay file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")


def export_lines(source: Source) -> Iterator[str]:
    """Yields a line without its end for each part of a replay file: an object with the part under its name.

    Heads and digests are left out, because they follow from the rest.

    Raises:
        FileFault: at the first part that is damaged, or that would not come back from its JSON with the same bytes.
    """
    for part in read_parts(source):
        name = _NAMES[type(part)]
        where = f"entry {part.index}" if isinstance(part, EntryPart) else name
        fields = MessageToDict(_parsed(name, where, part), preserving_proto_field_name=True)
        if _bytes_of(name, fields) != part.data:
            raise FileFault(where, "holds what its JSON form cannot express")
        yield json.dumps({name: fields}, ensure_ascii=False, separators=(",", ":"))


def imported_bytes(lines: Iterable[str]) -> Iterator[bytes]:
    """Yields the bytes of the file that these lines were exported from, piece by piece.

    Raises:
        JsonFault: for a line that is no JSON, out of order, or in another form than an export gives its content.
    """
    yield FILE_HEAD
    before, head = "", b""
    number = 0
    for number, line in enumerate(lines, 1):
        name, fields = _part_of(number, line)
        if name not in _NEXT[before]:
            raise JsonFault(number, f"{name} does not stand {'here' if not before else f'after {before}'}")
        try:
            data = _bytes_of(name, fields)
            if MessageToDict(_MESSAGES[name].FromString(data), preserving_proto_field_name=True) != fields:
                raise JsonFault(number, f"the fields of {name} are not written as an export writes them")
            if name in ("header", "entry"):
                head = entry_head(head, data) if before else header_head(data)
                yield chained_bytes(data, head)
            else:
                yield section_bytes(SEAL_TAG if name == "seal" else REVEAL_TAG, data)
        except (ParseError, TypeError, ValueError) as error:
            raise JsonFault(number, str(error)) from None
        before = name
    if not before:
        raise JsonFault(number + 1, "header is missing")


def _parsed(name: str, where: str, part: Part) -> Message:
    try:
        return _MESSAGES[name].FromString(part.data)
    except DecodeError:
        raise FileFault(where, "is no message") from None


def _bytes_of(name: str, fields: Any) -> bytes:
    return ParseDict(fields, _MESSAGES[name]()).SerializeToString(deterministic=True)


def _part_of(number: int, line: str) -> tuple[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise JsonFault(number, f"no JSON: {error}") from None
    if not isinstance(value, dict) or len(value) != 1 or not (value.keys() <= _MESSAGES.keys()):
        raise JsonFault(number, f"must be an object with one of {', '.join(_MESSAGES)}")
    return next(iter(value.items()))
