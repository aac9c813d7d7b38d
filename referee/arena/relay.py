"""Runs a bot where no network is, but for one port of its own loopback that leads to a socket file.

A program of its own, standard library only: `relay.py PORT SOCKET COMMAND...`. It exits as the command does.
"""

import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread
from typing import Final

_CHUNK: Final = 1 << 16


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


def main(port: str, path: str, *command: str) -> int:
    """Returns the exit code of the command."""
    listener = socket.create_server(("127.0.0.1", int(port)))
    Thread(target=accept_all, args=(listener, path), daemon=True).start()
    try:
        code = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        print(f"cannot be started: {error}", flush=True)
        return 127
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
