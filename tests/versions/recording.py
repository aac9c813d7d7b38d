"""What client and referee of one version said to each other, and the messages as that version knew them.

A recording is two files in `recordings`, named after the version: `VERSION.json` has the calls in the order in which
they began, each with its messages in the order in which they went by, in hex; `VERSION.binpb` has the descriptors of
the messages. What that version did not know yet is dropped where its messages are read.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from google.protobuf.descriptor import FileDescriptor
from unoduo.v1 import journal_pb2, log_pb2, referee_service_pb2

FOLDER = Path(__file__).parent / "recordings"
SERVICE = "unoduo.v1.RefereeService"
Side = Literal["client", "referee"]


@dataclass
class Call:
    """Is one call: its method, the token that it was made with if any, and all messages with who sent them."""

    method: str
    token: str = ""
    messages: list[tuple[Side, bytes]] = field(default_factory=list)

    def of(self, side: Side) -> bytes:
        """Returns the only message of one side, as of a call without streams."""
        (data,) = (data for sender, data in self.messages if sender == side)
        return data


@dataclass(frozen=True)
class Recording:
    """Holds the calls of a version and its descriptors."""

    version: str
    calls: Sequence[Call]
    descriptors: bytes

    @cached_property
    def _pool(self) -> descriptor_pool.DescriptorPool:
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(self.descriptors).file:
            pool.Add(file)
        return pool

    def read(self, name: str, data: bytes) -> Any:
        """Returns a message of the package as the version of the recording reads it."""
        message = message_factory.GetMessageClass(self._pool.FindMessageTypeByName(f"unoduo.v1.{name}"))()
        message.ParseFromString(data)
        message.DiscardUnknownFields()
        return message

    def request(self, method: str, data: bytes) -> Any:
        """Returns what a client says in a call."""
        return self.read(f"{method}Request", data)

    def response(self, method: str, data: bytes) -> Any:
        """Returns what a referee answers."""
        return self.read(f"{method}Response", data)

    def save(self, folder: Path) -> None:
        """Writes both files. Raises FileExistsError for a version that has a recording: it is evidence."""
        calls = [
            {
                "method": call.method,
                "token": call.token,
                "messages": [[side, data.hex()] for side, data in call.messages],
            }
            for call in self.calls
        ]
        with (folder / f"{self.version}.json").open("x", encoding="ascii") as file:
            file.write(json.dumps({"version": self.version, "calls": calls}, indent=1) + "\n")
        (folder / f"{self.version}.binpb").write_bytes(self.descriptors)


def load(path: Path) -> Recording:
    """Reads a recording from its JSON file and the one beside it."""
    stored = json.loads(path.read_text(encoding="ascii"))
    calls = [
        Call(call["method"], call["token"], [(side, bytes.fromhex(data)) for side, data in call["messages"]])
        for call in stored["calls"]
    ]
    return Recording(stored["version"], calls, path.with_suffix(".binpb").read_bytes())


def present_descriptors() -> bytes:
    """Returns the descriptors of the messages as they are now, each file behind those that it imports."""
    files = descriptor_pb2.FileDescriptorSet()
    seen: set[str] = set()

    def add(file: FileDescriptor) -> None:
        if file.name not in seen:
            seen.add(file.name)
            for imported in file.dependencies:
                add(imported)
            file.CopyToProto(files.file.add())

    for module in (referee_service_pb2, log_pb2, journal_pb2):
        add(module.DESCRIPTOR)
    return files.SerializeToString(deterministic=True)


def is_known(message: Any) -> bool:
    """Returns whether the version of the present messages has all that a message has, itself and what is in it."""
    if len(unknown_fields.UnknownFieldSet(message)):
        return False
    parts = (
        part
        for fact, value in message.ListFields()
        if fact.message_type is not None
        for part in (value if fact.is_repeated else [value])
    )
    return all(map(is_known, parts))
