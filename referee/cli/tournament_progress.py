"""Shows how far a tournament has come: a live table on a terminal, else a line now and then."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from referee.arena.specification import Specification
from referee.arena.table import table
from referee.arena.tournament import Show, Standing
from referee.deal.master import master_commitment
from referee.report.tournament.terminal import players_text

_LINES: Final = 20
_TABLE_EVERY_S: Final = 2.0


def introduction(specification: Specification, master: bytes, where: str) -> str:
    """Returns what is going to be played where, and the promise that an organiser may publish."""
    pairs = len(specification.pairings) * specification.pairs
    most = "up to " if specification.sprt is not None else ""
    return (
        f"{len(specification.players)} players, {specification.format}, {most}{pairs} pairs of matches,"
        f" {where}\n"
        f"commitment to the master seed: {master_commitment(master).hex()}"
    )


@contextmanager
def progress(specification: Specification, quiet: bool) -> Iterator[Show]:
    """Returns what shows a standing on the output there is."""
    if quiet:
        yield lambda standing: None
    elif sys.stdout.isatty():
        from rich.live import Live
        from rich.text import Text

        with Live(Text("starting the bots"), refresh_per_second=4, transient=True) as live:
            text = _Texts(specification)
            yield lambda standing: live.update(Text(f"{text.table(standing)}\n{text.line(standing)}"))
    else:
        yield _a_line_now_and_then(_Texts(specification))


class _Texts:
    """Makes the texts of a run; the table anew every other second only."""

    def __init__(self, specification: Specification) -> None:
        self._specification = specification
        self._began_at = time.monotonic()
        self._over_at_first: int | None = None
        self._table = ""
        self._table_at = -_TABLE_EVERY_S

    def line(self, standing: Standing) -> str:
        """Returns how many pairs are over, and how long the rest will take at most."""
        if self._over_at_first is None:
            self._over_at_first = standing.over
        new, passed_s = standing.over - self._over_at_first, time.monotonic() - self._began_at
        left = f", {_duration((standing.pairs - standing.over) * passed_s / new)} left" if new else ""
        test = standing.course.test
        ratio = f", test at {test.ratio:+.2f}" if test is not None else ""
        return f"{standing.over} of {standing.pairs} pairs over{ratio}{left}"

    def table(self, standing: Standing) -> str:
        """Returns the table of what counts so far."""
        if time.monotonic() - self._table_at >= _TABLE_EVERY_S:
            self._table = players_text(table(self._specification, standing.course))
            self._table_at = time.monotonic()
        return self._table


def _a_line_now_and_then(texts: _Texts) -> Show:
    shown = -1

    def show(standing: Standing) -> None:
        nonlocal shown
        part = _LINES * standing.over // standing.pairs
        if part > shown:
            shown = part
            print(texts.line(standing), flush=True)

    return show


def _duration(seconds: float) -> str:
    minutes = round(seconds) // 60
    return f"{round(seconds)} s" if minutes == 0 else f"{minutes} min" if minutes < 120 else f"{minutes // 60} h"
