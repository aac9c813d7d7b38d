"""A bar on a terminal that shows how far a command has come with many things."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Final, TypeVar

T = TypeVar("T")

_SHOW_CURSOR: Final = b"\x1b[?25h\n"


def with_bar(things: Sequence[T], description: str) -> Iterator[T]:
    """Yields the things; if there are several and the error output is a terminal, a bar is shown there meanwhile."""
    if len(things) == 1 or not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    # What is printed appears above the bar on a terminal, and nothing of the bar elsewhere.
    bar = Progress(console=console, transient=True, redirect_stdout=sys.stdout.isatty())
    before = signal.getsignal(signal.SIGINT)

    def end(number: int, _: FrameType | None) -> None:
        # The bar has hidden the cursor, and may be in the middle of drawing itself.
        os.write(console.file.fileno(), _SHOW_CURSOR)
        signal.signal(number, before)
        signal.raise_signal(number)

    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, end)
    try:
        with bar:
            yield from bar.track(things, description=description)
    finally:
        signal.signal(signal.SIGINT, before)
