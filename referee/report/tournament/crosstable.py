"""Who did how well against whom."""

from collections.abc import Mapping
from typing import Any

from referee.report.tournament.figures import percent
from referee.report.tournament.markup import figure, hidden, hint, name, section, table
from referee.report.tournament.standings import mirrored
from referee.report.tournament.words import difference_text, is_marked

_MEANING = (
    "Of the points of a row's player against that of a column. \N{BLACK UP-POINTING TRIANGLE} ahead and"
    " \N{BLACK DOWN-POINTING TRIANGLE} behind beyond chance: corrected by Holm for all pairings, so that at most 5 % of"
    " tables of equals have any mark."
)


def crosstable(standings: Mapping[str, Any]) -> str:
    """Returns a row and a column a player, in the order of the standings; each pairing is there from both sides."""
    players = [player["name"] for player in standings["players"]]
    cells: dict[tuple[str, str], Mapping[str, Any]] = {}
    for pairing in standings["pairings"]:
        cells[pairing["first"], pairing["second"]] = pairing
        cells[pairing["second"], pairing["first"]] = mirrored(pairing)
    head = ["Player", *(f"{place}{hidden(f', {player}')}" for place, player in enumerate(players, 1))]
    rows = [
        [
            f"<small>{place}</small> {name(player)}",
            *(_cell(player, other, cells.get((player, other))) for other in players),
        ]
        for place, player in enumerate(players, 1)
    ]
    return section("Crosstable", table("Crosstable", head, rows, "cross"), hint(_MEANING))


def _cell(player: str, other: str, pairing: Mapping[str, Any] | None) -> str:
    if player == other:
        return '<td class="self"></td>'
    if pairing is None:
        return f"<td>{hidden('did not meet')}</td>"
    if pairing["abandoned"]:
        return "<td>void</td>"
    score = pairing["score"]
    if score is None:
        return f"<td>{hidden('not yet')}</td>"
    told = figure(percent(score["score"]).removesuffix(" %"))
    title = f'title="{figure(difference_text(score))} Elo"'
    if not is_marked(pairing):
        return f"<td {title}>{told}</td>"
    if score["score"] > 0.5:
        return f'<td class="ahead" {title}>{told} {_mark("UP", "ahead beyond chance")}</td>'
    return f'<td class="behind" {title}>{told} {_mark("DOWN", "behind beyond chance")}</td>'


def _mark(direction: str, meaning: str) -> str:
    triangle = "\N{BLACK UP-POINTING TRIANGLE}" if direction == "UP" else "\N{BLACK DOWN-POINTING TRIANGLE}"
    return f'<span class="sign" role="img" aria-label="{meaning}">{triangle}</span>'
