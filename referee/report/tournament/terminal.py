"""The standings on a terminal or in a plain output."""

import sys
from collections.abc import Mapping
from typing import Any, Final

from referee.report.names import counted, printable
from referee.report.tournament.figures import percent, signed
from referee.report.tournament.words import difference_text, is_marked, lanes_text, score_text, test_text

_HEAD: Final = ("", "player", "Elo", "95 %", "score", "won", "level", "lost", "faults", "void")
_NAMES: Final = 1
_SIGNS: Final = {"at most": "<=", "at least": ">="}
_MOST_PAIRINGS: Final = 10


def print_standings(standings: Mapping[str, Any]) -> None:
    """Prints the standings, with colors and lines if the output is a terminal."""
    if not sys.stdout.isatty():
        print(standings_text(standings))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, title in enumerate(_HEAD):
        table.add_column(
            title, justify="left" if place == _NAMES else "right", overflow="fold", no_wrap=place != _NAMES
        )
    for row in _rows(standings):
        table.add_row(*map(Text, row))
    console.print(table)
    for line in _notes(standings):
        console.print(Text(line))


def standings_text(standings: Mapping[str, Any]) -> str:
    """Returns the standings as plain lines: the table of players, pairings if they are few, and what they rest on."""
    return "\n".join([players_text(standings), *_notes(standings)])


def players_text(standings: Mapping[str, Any]) -> str:
    """Returns the table of players alone, a line each."""
    rows = [_HEAD, *_rows(standings)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == _NAMES else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _rows(standings: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            f"{player['place']}.",
            printable(player["name"]),
            *_rating(player["rating"]),
            score_text(player),
            *(f"{player[count]}" for count in ("won", "level", "lost")),
            f"{player['faults']['total']}",
            f"{player['voids']}",
        )
        for player in standings["players"]
    ]


def _rating(rating: Mapping[str, Any]) -> tuple[str, str]:
    kind, elo = rating["kind"], rating["elo"]
    told = "-" if elo is None else f"{_SIGNS.get(kind, '')}{signed(elo)}"
    return told, f"{signed(rating['low'])} to {signed(rating['high'])}" if kind == "estimate" else ""


def _notes(standings: Mapping[str, Any]) -> list[str]:
    told = [pairing for pairing in standings["pairings"] if pairing["score"] is not None]
    lines = [*map(_pairing, told)] if len(told) <= _MOST_PAIRINGS else []
    if any(map(is_marked, told)) and lines:
        lines.append("* beyond chance, corrected by Holm for all pairings")
    lines += [
        f"{_names(pairing)}: abandoned, the referee failed each attempt at a pair; no match of theirs counts"
        for pairing in standings["pairings"]
        if pairing["abandoned"]
    ]
    if standings["test"] is not None:
        lines.append(test_text(standings["test"]))
    over = "over" if standings["over"] else f"not over, {counted(standings['scheduled'], 'pair')} scheduled"
    return [*lines, f"{over}: {counted(standings['pairs'], 'pair')} count; {lanes_text(standings['lanes'])}"]


def _pairing(pairing: Mapping[str, Any]) -> str:
    mark = " *" if is_marked(pairing) else ""
    return f"{_names(pairing)}: {percent(pairing['score']['score'])}, Elo {difference_text(pairing['score'])}{mark}"


def _names(pairing: Mapping[str, Any]) -> str:
    return f"{printable(pairing['first'])} against {printable(pairing['second'])}"
