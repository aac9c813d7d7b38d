"""The schemas of the Go verifier: what log.proto and the files that it imports say, and the ranges in their comments.

`python -m tests.clients_go.schemas` brings the file up to date with the former and keeps the latter, which are written
into it by hand: `least` and `most` of a number, of the size of bytes and texts or of the count of a list, and
`optional` where an enum, a kind or what has a least size may be unset.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from google.protobuf.descriptor import FieldDescriptor, FileDescriptor
from unoduo.v1 import log_pb2

from tests.clients_go.conftest import SOURCE

SCHEMAS = SOURCE / "cmd" / "verify" / "schemas.json"
_BY_HAND = ("least", "most", "optional")
_SCALARS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT32: "uint32",
}


def up_to_date(text: str) -> str:
    """Returns what the file must have if it has this text."""
    files = {file.name: file for file in _with_imports(log_pb2.DESCRIPTOR)}
    ranges = json.loads(text)["messages"]
    enums, messages = [], []
    for _, file in sorted(files.items()):
        for enum in file.enum_types_by_name.values():
            assert [value.number for value in enum.values] == list(range(len(enum.values)))
            enums.append(f'"{enum.name}": {_rows(json.dumps(value.name) for value in enum.values)}')
        for message in file.message_types_by_name.values():
            by_hand = {field["name"]: field for field in ranges.get(message.name, ())}
            rows = (json.dumps(_field(field, by_hand.get(field.name, {}))) for field in message.fields)
            messages.append(f'"{message.name}": {_rows(rows)}')
    return '{"enums": {\n' + ",\n".join(enums) + '\n}, "messages": {\n' + ",\n".join(messages) + "\n}}\n"


def _with_imports(file: FileDescriptor) -> Iterator[FileDescriptor]:
    yield file
    for other in file.dependencies:
        yield from _with_imports(other)


def _rows(rows: Iterable[str]) -> str:
    return "[" + ",".join(f"\n  {row}" for row in rows) + "]"


def _field(field: FieldDescriptor, by_hand: Mapping[str, object]) -> dict[str, object]:
    kind = field.message_type or field.enum_type
    said: dict[str, object] = {"number": field.number, "name": field.name}
    said["type"] = kind.name if kind else _SCALARS[field.type]
    if field.is_repeated:
        said["many"] = True
    if field.containing_oneof:
        said["oneof"] = True
    return said | {name: by_hand[name] for name in _BY_HAND if name in by_hand}


if __name__ == "__main__":
    SCHEMAS.write_text(up_to_date(SCHEMAS.read_text(encoding="utf-8")), encoding="utf-8")
