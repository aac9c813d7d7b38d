"""The standings as two tables for spreadsheets: a line a player, and a line a pairing."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any, Final

_FAULTS: Final = ("timeouts", "illegal_actions", "disconnects", "no_shows")
# A spreadsheet would take the rest of such a text for a formula; some read the wide forms of Asian scripts as well.
_FORMULA: Final = ("=", "+", "-", "@", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def players_csv(standings: Mapping[str, Any]) -> str:
    """Returns `standings.csv`; a rating without a number has an empty cell."""
    head = ("place", "name", "rating", "elo", "low", "high", "score", "won", "level", "lost", *_FAULTS, "voids")
    return _csv(head, map(_player, standings["players"]))


def pairings_csv(standings: Mapping[str, Any]) -> str:
    """Returns `pairings.csv`, in the eyes of the first player; `q0` to `q4` count pairs by its quarters."""
    head = (
        *("first", "second", "pairs", "q0", "q1", "q2", "q3", "q4"),
        *("score", "low", "high", "elo", "elo_low", "elo_high", "games", "superiority", "p_value"),
        *("margin", "margin_low", "margin_high", "correlation", "correlation_low", "correlation_high", "saving"),
    )
    return _csv(head, map(_pairing, standings["pairings"]))


def _player(player: Mapping[str, Any]) -> Sequence[Any]:
    rating, faults = player["rating"], player["faults"]
    return (
        *(player["place"], _text(player["name"])),
        *(rating["kind"], rating["elo"], rating.get("low"), rating.get("high")),
        *(player["score"], player["won"], player["level"], player["lost"]),
        *(faults[kind] for kind in _FAULTS),
        player["voids"],
    )


def _pairing(pairing: Mapping[str, Any]) -> Sequence[Any]:
    score, margin, halves = pairing["score"] or {}, pairing["margin"] or {}, pairing["halves"]
    return (
        *(_text(pairing["first"]), _text(pairing["second"]), pairing["pairs"], *pairing["quarters"]),
        *(score.get("score"), *_ends(score), score.get("elo"), score.get("elo_low"), score.get("elo_high")),
        *(score.get("games"), score.get("superiority"), score.get("p_value")),
        *(margin.get("mean"), *_ends(margin)),
        *(halves["correlation"], *_ends(halves), halves["saving"]),
    )


def _ends(holder: Mapping[str, Any]) -> Sequence[float | None]:
    return holder.get("interval") or (None, None)


def _text(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
