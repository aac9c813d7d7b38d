"""What the kernel refuses to boxed bots: calls by which two that see the same file, or have the same owner, could talk.

Namespaces do not part locks on files, watches of files, what is in memory of a file, and keys; a file that can only be
read is enough for the first three. It is enough for futex(2) too, but no thread could be waited for without that. The
list is a program for seccomp(2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from errno import ENOSYS, EOPNOTSUPP
from platform import machine
from struct import Struct
from types import MappingProxyType
from typing import Final

# linux/bpf_common.h, linux/seccomp.h
_INSTRUCTION: Final = Struct("=HBBI")
_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000
_CALL_AT: Final = 0
_ARCHITECTURE_AT: Final = 4
_SECOND_ARGUMENT_AT: Final = 24
# What x86-64 has beside its own calls.
_X32_CALLS: Final = 0x40000000

# linux/fcntl.h: whether somebody holds a lock, leases, watches of a folder, how long data of a file will live.
_FCNTL_COMMANDS: Final = (5, 36, 1024, 1026, 1036)


@dataclass(frozen=True, slots=True)
class _Calls:
    """Holds the numbers of calls on an architecture: of `fcntl`, some of whose commands are refused, and of others."""

    architecture: int
    fcntl: int
    refused: Sequence[int]


# flock, inotify_add_watch, fanotify_init, add_key, request_key, keyctl, mincore, preadv2, cachestat; ptrace and
# process_vm_writev, so that no process is taken over that may do more.
_X86_64: Final = _Calls(0xC000003E, 72, (73, 254, 300, 248, 249, 250, 27, 327, 451, 101, 311))
_GENERIC: Final = (32, 27, 262, 217, 218, 219, 232, 286, 451, 117, 271)
_MACHINES: Final[Mapping[str, _Calls]] = MappingProxyType(
    {
        "x86_64": _X86_64,
        "aarch64": _Calls(0xC00000B7, 25, _GENERIC),
        "riscv64": _Calls(0xC00000F3, 25, _GENERIC),
    }
)


def refusals() -> bytes | None:
    """Returns the program for this machine, or None if its calls are not known here."""
    calls = _MACHINES.get(machine())
    return None if calls is None else _program(calls)


def _program(calls: _Calls) -> bytes:
    """Returns the program; what it refuses fails as on a file system or kernel that does not have it."""
    refused = [step for number in calls.refused for step in _fail_if(_IF_EQUAL, number, EOPNOTSUPP)]
    commands = [step for command in _FCNTL_COMMANDS for step in _fail_if(_IF_EQUAL, command, EOPNOTSUPP)]
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_IF_EQUAL, 1, 0, calls.architecture),
        (_RETURN, 0, 0, _FAIL | ENOSYS),
        (_LOAD, 0, 0, _CALL_AT),
        *_fail_if(_IF_AT_LEAST, _X32_CALLS, ENOSYS),
        *refused,
        (_IF_EQUAL, 0, 1 + len(commands), calls.fcntl),
        (_LOAD, 0, 0, _SECOND_ARGUMENT_AT),
        *commands,
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(_INSTRUCTION.pack(*step) for step in steps)


def _fail_if(comparison: int, value: int, error: int) -> Sequence[tuple[int, int, int, int]]:
    return (comparison, 0, 1, value), (_RETURN, 0, 0, _FAIL | error)
