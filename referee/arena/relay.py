"""Runs a bot where no network is, but for one port of its own loopback that leads to a socket file.

A program of its own, standard library only: `relay.py PORT SOCKET REFUSALS COMMAND...`, with the program of `refusals`
in hex digits. It exits as the command does.
"""

import ctypes
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread, stack_size
from typing import Final

_CHUNK: Final = 1 << 16
# Numbers of Linux (prctl(2)).
_SET_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_FILTER_MODE: Final = 2
_INSTRUCTION_BYTES: Final = 8
# The usual 8 MiB of each thread would count as memory of the bot.
_STACK_BYTES: Final = 1 << 18


class _Program(ctypes.Structure):
    """Is `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def refuse(program: bytes) -> None:
    """Lets the kernel refuse calls of this process, and of all that it starts, for ever. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    filtered = _Program(len(program) // _INSTRUCTION_BYTES, program)
    if libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(
        _SET_SECCOMP, _FILTER_MODE, ctypes.byref(filtered), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of calls")


def accept_all(listener: socket.socket, path: str) -> None:
    """Leads each connection to the socket file."""
    while True:
        near, _ = listener.accept()
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far = socket.socket(socket.AF_UNIX)
        try:
            far.connect(path)
        except OSError:
            near.close()
            far.close()
            continue
        for source, target in ((near, far), (far, near)):
            Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Passes on what comes, and then that nothing more will."""
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def main(port: str, path: str, refusals: str, *command: str) -> int:
    """Returns the exit code of the command."""
    stack_size(_STACK_BYTES)
    try:
        refuse(bytes.fromhex(refusals))
        listener = socket.create_server(("127.0.0.1", int(port)))
        bot = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(f"cannot be started: {error}", flush=True)
        return 127
    Thread(target=accept_all, args=(listener, path), daemon=True).start()
    code = bot.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
