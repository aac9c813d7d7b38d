"""The keeper of one bot: a program of its own, standard library only, that lets nothing of the bot outlive it.

It reads one line from its standard input, the order as JSON (`boxes` writes it), starts the bot in a session of its
own and stays until the bot has ended or its input is closed, which the end of whoever started it does too, however that
came about. Then it ends all processes that the bot has left, also those that have turned away from it, and exits as the
bot did: 128 and the number for a signal, 127 if the bot could not be started, 125 for too many processes.
"""

import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any, BinaryIO, Final

CANNOT_START: Final = 127
TOO_MANY: Final = 125
ENDED_BY_KEEPER: Final = 124
# Numbers of Linux (prctl(2)).
_SET_PARENT_DEATH_SIGNAL: Final = 1
_SET_CHILD_SUBREAPER: Final = 36
_POLL_S: Final = 0.05
_COUNT_S: Final = 0.2
_TERM_GRACE_S: Final = 1.0
_CHUNK: Final = 1 << 16
_OPEN_FILES: Final = 1024
# proc(5): what the system ends first where memory is short.
_FIRST_TO_GO: Final = b"1000"


class Log:
    """Keeps what a bot writes, up to a number of bytes for the whole file; the rest is lost."""

    def __init__(self, path: str, limit: int) -> None:
        self._file: BinaryIO = open(path, "ab", buffering=0)  # noqa: SIM115
        self._room = limit - self._file.tell()

    def write(self, data: bytes) -> None:
        """Keeps data as far as there is room."""
        kept = data[: max(0, self._room)]
        self._room -= len(data)
        # A full disk is nothing that a bot can be blamed for.
        with suppress(OSError):
            self._file.write(kept)

    def say(self, words: str) -> None:
        """Keeps a line of the keeper's own."""
        self.write(f"[{words}]\n".encode())


class Keeper:
    """Runs one bot."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._log = Log(order["log"], order["log_bytes"])
        self._selector = selectors.DefaultSelector()
        self._pid = os.getpid()
        self._code: int | None = None
        self._is_over = False

    def run(self) -> int:
        """Returns the exit code of the bot once it and all that it has started are gone."""
        _control_process(_SET_CHILD_SUBREAPER, 1)
        order = self._order
        try:
            self._bot = subprocess.Popen(
                order["command"],
                cwd=order["folder"],
                env=order["environment"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=self._limit,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self._log.say(f"cannot be started: {error}")
            return CANNOT_START
        assert self._bot.stdout is not None
        os.set_blocking(self._bot.stdout.fileno(), False)
        self._selector.register(self._bot.stdout, selectors.EVENT_READ)
        self._selector.register(sys.stdin.buffer, selectors.EVENT_READ)
        self._watch()
        self._end_all()
        return ENDED_BY_KEEPER if self._code is None else self._code

    def _limit(self) -> None:
        """Prepares the process of the bot. It dies with this one even if nobody else can see to it."""
        memory, allowed = self._order["memory_bytes"], resource.getrlimit(resource.RLIMIT_DATA)[1]
        if allowed == resource.RLIM_INFINITY or memory < allowed:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # The runner takes all that it can get; programs expect the usual number.
        open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if open_files == resource.RLIM_INFINITY or open_files > _OPEN_FILES:
            resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
        _be_first_to_go()
        die_with(self._pid)

    def _watch(self) -> None:
        """Returns when the bot has ended, is to end or has too many processes."""
        count_at = time.monotonic()
        while self._code is None and not self._is_over:
            self._serve(_POLL_S)
            self._reap()
            if time.monotonic() < count_at:
                continue
            count_at = time.monotonic() + _COUNT_S
            if len(descendants()) > self._order["processes"]:
                self._log.say(f"ended: more than {self._order['processes']} processes")
                self._code = TOO_MANY
                _signal_all(signal.SIGSTOP)
                _signal_all(signal.SIGKILL)

    def _end_all(self) -> None:
        """Ends whatever is left, kindly at first; returns when nothing is."""
        _signal_all(signal.SIGTERM)
        kind_until = time.monotonic() + _TERM_GRACE_S
        while self._reap():
            self._serve(_POLL_S / 5)
            if time.monotonic() > kind_until:
                _signal_all(signal.SIGKILL)
        self._serve(0)

    def _serve(self, timeout: float) -> None:
        """Takes what the bot has written, and notices the end of the own input."""
        for key, _ in self._selector.select(timeout):
            if key.fileobj is sys.stdin.buffer:
                if not os.read(key.fd, _CHUNK):
                    self._is_over = True
                    self._selector.unregister(key.fileobj)
                continue
            with suppress(BlockingIOError):
                data = os.read(key.fd, _CHUNK)
                self._log.write(data)
                if not data:
                    self._selector.unregister(key.fileobj)

    def _reap(self) -> bool:
        """Takes leave of all processes that have ended, and returns whether there are others."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._bot.pid:
                code = os.waitstatus_to_exitcode(status)
                self._bot.returncode = code
                if self._code is None and not self._is_over:
                    self._code = code if code >= 0 else 128 - code


def descendants() -> set[int]:
    """Returns the processes that this one has started, directly or by way of others, as far as the system tells."""
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        tasks = f"/proc/{waiting.pop()}/task"
        # A process may end while it is looked at.
        with suppress(OSError):
            for task in os.listdir(tasks):
                with suppress(OSError), open(f"{tasks}/{task}/children") as file:
                    new = set(map(int, file.read().split())) - found
                    found |= new
                    waiting += new
    return found


def die_with(parent: int) -> None:
    """Lets this process be killed when the one that has started it ends, however that comes about."""
    _control_process(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    # It may have ended before.
    if os.getppid() != parent:
        os._exit(ENDED_BY_KEEPER)


def _be_first_to_go() -> None:
    """Lets the system end this process, and what it starts, rather than others where memory is short."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
        file.write(_FIRST_TO_GO)


def _signal_all(number: signal.Signals) -> None:
    for pid in descendants():
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _control_process(option: int, value: int) -> None:
    """Sets an option of this process, where the system is Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # It ends when its input does. A handler, unlike being ignored, is not handed down to the bot.
        signal.signal(number, lambda *_: None)
    sys.exit(Keeper(json.loads(sys.stdin.buffer.readline())).run())
