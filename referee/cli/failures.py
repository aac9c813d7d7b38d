"""How a command ends, and how it says why it could not do its work."""

from enum import IntEnum
from typing import Final


class ExitCode(IntEnum):
    """Names the exit codes of all commands."""

    OK = 0
    FAILED = 1
    USAGE = 2
    INCOMPLETE = 3
    INTERRUPTED = 130
    TERMINATED = 143


EXIT_CODES_HELP: Final = """\
exit codes:
  0    done, and what was asked about is right
  1    what was asked about is wrong or failed
  2    the command could not do its work: wrong usage, missing file, busy port, unreachable server
  3    a replay is incomplete: nothing wrong was found, and not all is proven
  130  interrupted (143: terminated)
"""


class CommandError(Exception):
    """Tells in one line why a command could not do its work; `code` is the exit code."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.message = " ".join(message.split())
        self.code = code
