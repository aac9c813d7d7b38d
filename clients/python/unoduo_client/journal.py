"""The journal of a seat: what it saw and said, kept as evidence (PROTOCOL.md section 11)."""

import os
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from unoduo.v1 import journal_pb2, session_pb2

JOURNAL_HEAD = b"UNODUOJ\x02"

_OWNER_ONLY = 0o600
_RECORDED = frozenset(
    {"joined", "ready", "ready_accepted", "observation", "action", "action_result", "resign", "ended"}
)


class JournalWriter:
    """Writes a new journal, each record in one unbuffered write: a killed client leaves at most a torn last record.

    `path` is the file. Its owner alone can read it, for it holds the hand of the seat while the match is played.
    """

    def __init__(self, path: Path) -> None:
        """Creates the file. Raises FileExistsError rather than to overwrite evidence, OSError if it cannot write."""
        self.path = path
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        self._file = FileIO(descriptor, "w")
        self._write(JOURNAL_HEAD)

    def record(self, item: session_pb2.RequestItem | session_pb2.ResponseItem) -> None:
        """Writes what an item of the session says, if it is of a kind that a journal has. Raises OSError."""
        kind = item.WhichOneof("kind")
        if kind not in _RECORDED:
            return
        record = journal_pb2.JournalRecord()
        getattr(record, kind).CopyFrom(getattr(item, kind))
        data = record.SerializeToString()
        self._write(len(data).to_bytes(4, "big") + data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:  # once, unless the disk is full: then the next try says so
            rest = rest[self._file.write(rest) :]

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Self:
        """Returns the writer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the file."""
        self.close()
