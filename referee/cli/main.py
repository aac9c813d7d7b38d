"""The entry of the command `unoduo`. It imports next to nothing, so that it is in charge at once."""

import io
import os
import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code of the command named by the arguments (default: those of the process)."""
    _end_on_interrupt()
    _mend_streams()
    # The C core of gRPC reads this when it is imported, and would else write lines of its own to the error output.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from referee.cli.program import run

    return run(arguments)


def _end_on_interrupt() -> None:
    """Lets SIGINT end this process at once, until work that must clean up begins.

    The exception that Python raises by default gets lost where nothing can pass it on, such as within an import. An
    ignored signal, as of a job in the background, stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _mend_streams() -> None:
    """Makes the standard streams fit to be written to, however this process was started.

    A closed one leads nowhere instead: else a file opened later would get its number, and what is meant for people.
    What an output cannot encode is escaped.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
