"""Shows how far a match has come: a live line on a terminal, else a line a round."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from referee.cli.standing import Standing

Show = Callable[[Standing], None]


@contextmanager
def progress(quiet: bool) -> Iterator[Show]:
    """Returns what shows a standing on the output there is."""
    if quiet:
        yield lambda standing: None
    elif sys.stdout.isatty():
        from rich.console import Console

        with Console().status("waiting for the bots") as status:
            yield lambda standing: status.update(_text(standing))
    else:
        yield _a_line_each_round()


def _a_line_each_round() -> Show:
    shown = 0

    def show(standing: Standing) -> None:
        nonlocal shown
        if standing.round > shown:
            shown = standing.round
            print(_text(standing), flush=True)

    return show


def _text(standing: Standing) -> str:
    points_a, points_b = standing.totals
    return f"round {standing.round}, points A {points_a}, B {points_b}, {standing.actions} actions"
