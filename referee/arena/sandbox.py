"""What keeps the lanes of a bot apart: bubblewrap where it works, else nothing but the bot's honour."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from referee.arena import relay
from referee.arena.boxes import BoxOrder
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
# No process, file, network or memory outside is within reach, but for files to read.
_APART: Final = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-net",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    _TEMPORARY,
)


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
    this process can, but for the folder `hidden_folder` and the file `hidden_file`; `shown` is a folder that it sees
    even if it is one for temporary files.
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
        # Not in the folder of the bot: the path of a socket may not be long.
        folder = Path(tempfile.mkdtemp(prefix="unoduo-"))
        try:
            server = await asyncio.start_unix_server(self._pass_on, folder / _SOCKET)
            try:
                yield replace(order, command=self._command(order, folder))
            finally:
                server.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _command(self, order: BoxOrder, socket_folder: Path) -> tuple[str, ...]:
        shown, hidden, own = str(self.shown), str(self.hidden_folder), str(order.folder)
        files = (*_shown(shown, *_python()), "--tmpfs", hidden, "--bind", own, own)
        secret = ("--ro-bind", "/dev/null", str(self.hidden_file)) if self.hidden_file.exists() else ()
        socket = ("--bind", str(socket_folder), _INNER)
        inner = (sys.executable, "-I", relay.__file__, str(self.port), f"{_INNER}/{_SOCKET}")
        return (self.program, *_APART, *files, *secret, *socket, "--chdir", own, "--", *inner, *order.command)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            to_referee = await asyncio.open_connection("127.0.0.1", self.port)
            await asyncio.gather(_pump(reader, to_referee[1]), _pump(to_referee[0], writer))


def _python() -> list[str]:
    """Returns the folders that this Python and its packages need, as far as a box would hide them."""
    needed: list[Path] = []
    for folder in sorted({Path(path) for path in (sys.base_prefix, sys.prefix, *sys.path)}):
        # What is in a folder that is shown is shown with it.
        if folder.is_relative_to(_TEMPORARY) and folder.exists() and not any(map(folder.is_relative_to, needed)):
            needed.append(folder)
    return [str(folder) for folder in needed]


def _shown(*folders: str) -> list[str]:
    # A worker of a cluster may do without the folder of the tournament's file.
    return [word for folder in folders for word in ("--ro-bind-try", folder, folder)]


async def find_sandbox(specification: Specification, port: int, hidden_folder: Path) -> Sandbox:
    """Returns the best sandbox there is on this machine for bots that call a referee at a port of loopback."""
    program = shutil.which(_PROGRAM)
    if not specification.sandbox or program is None or not await works(program):
        return Honour()
    return Bubblewrap(program, port, specification.folder, hidden_folder, specification.seed_file)


async def works(program: str) -> bool:
    """Returns whether bubblewrap can keep processes apart here: a container may not let it."""
    process = await asyncio.create_subprocess_exec(
        program,
        *_APART,
        "--",
        "true",
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
