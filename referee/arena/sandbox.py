"""What keeps the lanes of a bot apart: bubblewrap where it works, else nothing but the bot's honour."""

import asyncio
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from referee.arena import relay
from referee.arena.boxes import BoxOrder
from referee.arena.refusals import refusals
from referee.arena.specification import Specification

BOXED: Final = "boxed"
ON_HONOUR: Final = "on honour"
IN_PROCESS: Final = "in process"
_CHUNK: Final = 1 << 16
_PROGRAM: Final = "bwrap"
_PROBE_S: Final = 10.0
_TEMPORARY: Final = "/tmp"
_INNER: Final = f"{_TEMPORARY}/referee"
_SOCKET: Final = "socket"
_MOST_CONNECTIONS: Final = 32


class Sandbox(Protocol):
    """Puts a bot into a box of its own; `mark` is what the table says of it."""

    @property
    def mark(self) -> str:
        """What the table says of the lanes."""

    def around(self, order: BoxOrder) -> AbstractAsyncContextManager[BoxOrder]:
        """Yields the order that runs the bot in its box."""


class Honour:
    """Is no sandbox: lanes are processes with folders of their own, and could find each other if they wanted."""

    @property
    def mark(self) -> str:
        """What the table says of the lanes."""
        return ON_HONOUR

    @asynccontextmanager
    async def around(self, order: BoxOrder) -> AsyncIterator[BoxOrder]:
        """Yields the order as it is."""
        yield order


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Runs each bot with `program` in namespaces of its own; only its own folder can be written to.

    It reaches the referee, at a port of loopback, and nothing else. Of the files of this machine it can read those that
    this process can, but for folders of temporary files and of sockets, the folder `hidden_folder` and the file
    `hidden_file`, all without symbolic links; `shown` is a folder that it sees wherever it is. What it writes is in
    memory, and limited.
    """

    program: str
    port: int
    shown: Path
    hidden_folder: Path
    hidden_file: Path

    @property
    def mark(self) -> str:
        """What the table says of the lanes."""
        return BOXED

    @asynccontextmanager
    async def around(self, order: BoxOrder) -> AsyncIterator[BoxOrder]:
        """Yields the order that runs the bot in its box, and passes on what it says to the referee."""
        # Beside that of the bot: hidden from all bots, and cleared away with the lanes if this process is killed.
        folder = Path(tempfile.mkdtemp(dir=order.folder.parent))
        try:
            server = await asyncio.start_unix_server(_Passage(self.port).pass_on, sock=_listener(folder))
            try:
                yield replace(order, command=self._command(order, folder))
            finally:
                server.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _command(self, order: BoxOrder, socket_folder: Path) -> tuple[str, ...]:
        hidden, own, room = str(self.hidden_folder), str(order.folder), order.limits.files_mib << 20
        secret = ("--ro-bind", "/dev/null", str(self.hidden_file)) if self.hidden_file.exists() else ()
        files = (*_shown(self.shown), "--tmpfs", hidden, *secret, *_memory(own, room), "--remount-ro", hidden)
        passage = ("--ro-bind", str(socket_folder), _INNER)
        relayed = _relayed(self.port, f"{_INNER}/{_SOCKET}", order.command)
        return (self.program, *_apart(room), *files, *passage, "--chdir", own, "--", *relayed)


def _listener(folder: Path) -> socket.socket:
    """Returns a socket in a folder. Raises OSError."""
    listener = socket.socket(socket.AF_UNIX)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # The whole path may be longer than that of a socket can be.
        listener.bind(f"/proc/self/fd/{descriptor}/{_SOCKET}")
    finally:
        os.close(descriptor)
    return listener


class _Passage:
    """Leads connections of one box to the referee's port, only so many at once: each takes files of this process."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open = 0

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Passes on what a connection brings, both ways, to its end."""
        self._open += 1
        try:
            if self._open <= _MOST_CONNECTIONS:
                to_referee = await asyncio.open_connection("127.0.0.1", self._port)
                await asyncio.gather(_pump(reader, to_referee[1]), _pump(to_referee[0], writer))
        except OSError:
            # The referee is gone, or takes no more.
            pass
        finally:
            writer.close()
            self._open -= 1


def _apart(room: int) -> tuple[str, ...]:
    """Returns what keeps a program apart: no process, file, network or memory outside is within reach but to be read.

    `room` is how many bytes it may write to each place for files that come and go.
    """
    temporary = [word for folder in _hidden_everywhere() for word in _memory(folder, room)]
    return (
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"),
        # Where this process is root, bubblewrap would leave it the right to take the box apart.
        *("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"),
        *("--dev", "/dev", *_memory("/dev/shm", room), "--remount-ro", "/dev"),
        # The owner of a setting of the kernel needs no right to change it.
        *("--proc", "/proc", "--remount-ro", "/proc"),
        *temporary,
    )


def _memory(folder: str, room: int) -> tuple[str, ...]:
    return "--size", str(room), "--tmpfs", folder


def _relayed(port: int, path: str, command: Sequence[str]) -> tuple[str, ...]:
    return sys.executable, "-I", relay.__file__, str(port), path, (refusals() or b"").hex(), *command


def _hidden_everywhere() -> list[str]:
    """Returns the folders in which programs meet: by files that come and go, and by sockets."""
    folders = {os.path.realpath(folder) for folder in (_TEMPORARY, "/var/tmp", "/run", tempfile.gettempdir())}
    return sorted(filter(os.path.isdir, folders))


def _shown(folder: Path) -> list[str]:
    """Returns what shows a folder, and those of this Python and of programs, as far as a box would hide them."""
    hidden = _hidden_everywhere()
    programs = os.environ.get("PATH", os.defpath).split(os.pathsep)
    needed: list[Path] = []
    for path in sorted({folder, *map(Path, (sys.base_prefix, sys.prefix, *sys.path, *programs))}):
        # What is in a folder that is shown is shown with it. A worker of a cluster may do without that of the file.
        if any(map(path.is_relative_to, hidden)) and path.exists() and not any(map(path.is_relative_to, needed)):
            needed.append(path)
    return [word for path in needed for word in ("--ro-bind", str(path), str(path))]


async def find_sandbox(specification: Specification, port: int, hidden_folder: Path) -> Sandbox:
    """Returns the best sandbox there is on this machine for bots that call a referee at a port of loopback."""
    program = shutil.which(_PROGRAM)
    if not specification.sandbox or program is None or not await works(program):
        return Honour()
    return Bubblewrap(program, port, specification.folder, hidden_folder, specification.seed_file)


async def works(program: str) -> bool:
    """Returns whether bubblewrap can keep processes apart here: a container may not let it."""
    if refusals() is None:
        return False
    process = await asyncio.create_subprocess_exec(
        program,
        *_apart(1 << 20),
        *_shown(Path(sys.prefix)),
        "--",
        *_relayed(0, _SOCKET, ("true",)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_PROBE_S):
            return await process.wait() == os.EX_OK
    except TimeoutError:
        process.kill()
        await process.wait()
        return False


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Passes on what comes, and then that nothing more will."""
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    writer.close()
