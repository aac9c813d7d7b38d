"""The directory of a store on disk: who may read it, who owns it, and how far its index had come."""

import fcntl
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from referee.store.errors import StoreLocked, StoreUnavailable

DATABASE = "referee.db"
_LOCK = "lock"
_MARK = "index-head"
_OWN_FILES = frozenset({DATABASE, DATABASE + "-wal", DATABASE + "-shm", DATABASE + "-journal", _LOCK, _MARK})
_MARK_SIZE = 10 + 1 + 64 + 1


@dataclass(frozen=True, slots=True)
class IndexMark:
    """Holds how far the referee's index had come when it was last told: its length and head."""

    length: int
    head: bytes


class StoreDirectory:
    """Owns a directory from `acquire` to `release`.

    The directory is 0700 and its files are 0600, for they hold the secrets of running matches. It must be on a local
    disk: neither the lock nor the database's write-ahead log can be trusted on a network file system.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self._lock: int | None = None
        self._mark: int | None = None

    def acquire(self) -> None:
        """Makes the directory if need be and locks it for life. Raises StoreUnavailable or StoreLocked."""
        try:
            self._make_private()
            self._lock = self._locked()
            os.close(self._opened(DATABASE))
            self._mark = self._opened(_MARK)
        except OSError as error:
            self.release()
            raise StoreUnavailable(f"{self.path} cannot be used as a store: {error.strerror or error}") from error
        except StoreUnavailable:
            self.release()
            raise

    def release(self) -> None:
        """Gives the directory up."""
        for descriptor in (self._mark, self._lock):
            if descriptor is not None:
                os.close(descriptor)
        self._mark = self._lock = None

    def read_mark(self) -> IndexMark | None:
        """Returns the mark last written, or None when there is none or it cannot be read."""
        assert self._mark is not None
        text = os.pread(self._mark, _MARK_SIZE + 1, 0)
        try:
            length, head = text.decode("ascii").removesuffix("\n").split(" ")
            return IndexMark(int(length), bytes.fromhex(head)) if len(text) == _MARK_SIZE else None
        except ValueError:
            return None

    def write_mark(self, mark: IndexMark) -> None:
        """Writes the mark through to the disk. It always fills the same bytes of one sector, so it cannot be torn."""
        assert self._mark is not None
        os.pwrite(self._mark, f"{mark.length:010d} {mark.head.hex()}\n".encode("ascii"), 0)
        os.fsync(self._mark)

    def sync(self) -> None:
        """Writes the names of new files through to the disk."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _make_private(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if stat.S_IMODE(self.path.stat().st_mode) & 0o077 == 0:
            return
        if foreign := sorted(set(os.listdir(self.path)) - _OWN_FILES):
            raise StoreUnavailable(f"{self.path} is open to other users and holds other files, such as {foreign[0]}")
        self.path.chmod(0o700)

    def _locked(self) -> int:
        descriptor = self._opened(_LOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise StoreLocked(f"{self.path} is in use by process {owner or '(unknown)'}") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        return descriptor

    def _opened(self, name: str) -> int:
        descriptor = os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.fchmod(descriptor, 0o600)
        return descriptor
