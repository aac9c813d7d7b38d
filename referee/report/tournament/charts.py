"""Drawings of a tournament: ratings with their intervals, and lines over the schedule.

Places are in percent or stretched, so that texts keep their size on every screen. Each drawing stands beside the same
in words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Any, Final

from referee.report.names import counted
from referee.report.tournament.figures import plain, signed
from referee.report.tournament.markup import figure, name
from referee.report.tournament.words import rating_text

_MARGIN: Final = 0.06
_TICKS: Final = 5
_STEPS: Final = (1, 2, 5, 10)
_SIDE: Final = 1000


@dataclass(frozen=True, slots=True)
class Scale:
    """Holds a range of values that is not empty, and where its lines are."""

    low: float
    high: float
    ticks: tuple[float, ...]

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """Returns a scale with room for these values, at least one, and a little more."""
        told = [*values]
        low, high = min(told), max(told)
        room = (high - low) * _MARGIN or 1.0
        low, high = low - room, high + room
        step = _step((high - low) / _TICKS)
        return cls(low, high, tuple(step * place for place in range(ceil(low / step), floor(high / step) + 1)))

    def place(self, value: float) -> float:
        """Returns where a value is, 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Series:
    """Holds a line: points of pairs and values in order, and the class of its color."""

    kind: str
    points: tuple[tuple[int, float], ...]


def ratings_chart(players: Sequence[Mapping[str, Any]]) -> str:
    """Returns a line a player with its rating in words and drawn: an interval, or an open end for a bound."""
    known = [number for player in players for number in _numbers(player["rating"])]
    scale = Scale.over([0.0, *known])
    lines = "\n".join(
        f'<li><span class="who">{name(player["name"])}</span> <span class="elo">{figure(rating_text(player["rating"]))}'
        f"</span>{_rating_track(player['rating'], scale)}</li>"
        for player in players
    )
    ticks = "".join(
        f'<text x="{_percent(scale.place(tick))}" y="14" text-anchor="middle">{figure(signed(tick))}</text>'
        for tick in scale.ticks
    )
    return f'<ol class="ratings">\n{lines}\n</ol>\n<svg class="axis" aria-hidden="true">{ticks}</svg>'


def line_chart(label: str, lines: Sequence[Series], values: Scale, unit: str, bounds: Sequence[float] = ()) -> str:
    """Returns lines over the pairs of a schedule; `label` says the same in words, `bounds` are drawn across."""
    pairs = max(pair for series in lines for pair, _ in series.points)

    def path(series: Series) -> str:
        places = [
            f"{_SIDE * pair / pairs:.1f} {_SIDE * (1 - values.place(value)):.1f}" for pair, value in series.points
        ]
        # A line of one point is drawn as a dot.
        return f'<path class="{series.kind}" d="M{"L".join([*places, places[-1]])}"/>'

    grid = "".join(_across("grid", values.place(tick)) for tick in values.ticks)
    across = "".join(_across("bound", values.place(bound)) for bound in bounds)
    drawn = "".join(map(path, lines))
    amounts = "".join(
        f'<text x="100%" y="{_percent(1 - values.place(tick))}" dy="4" text-anchor="end">'
        f"{figure(_tick(tick) + unit)}</text>"
        for tick in values.ticks
    )
    ends = f'<text x="0" y="14">0</text><text x="100%" y="14" text-anchor="end">{counted(pairs, "pair")}</text>'
    stretched = f'viewBox="0 0 {_SIDE} {_SIDE}" preserveAspectRatio="none"'
    return (
        f'<div class="chart" role="img" aria-label="{escape(label)}">'
        f'<svg class="amounts" aria-hidden="true">{amounts}</svg>'
        f'<svg class="lines" aria-hidden="true" {stretched}>{grid}{across}{drawn}</svg>'
        f'<svg class="pairs" aria-hidden="true">{ends}</svg></div>'
    )


def _numbers(rating: Mapping[str, Any]) -> list[float]:
    return [rating[key] for key in ("elo", "low", "high") if rating.get(key) is not None]


def _rating_track(rating: Mapping[str, Any], scale: Scale) -> str:
    drawn = _line("zero", scale.place(0), scale.place(0), "0", "100%")
    kind, elo = rating["kind"], rating["elo"]
    if elo is not None:
        place = scale.place(elo)
        if kind == "estimate":
            drawn += _line("interval", scale.place(rating["low"]), scale.place(rating["high"]))
        elif kind in ("at most", "at least"):
            drawn += _line("open", 0 if kind == "at most" else 1, place) + _line("end", place, place, "20%", "80%")
        if kind in ("estimate", "origin"):
            drawn += f'<circle class="{kind}" cx="{_percent(place)}" cy="50%" r="5"/>'
    return f'<svg class="track" aria-hidden="true">{drawn}</svg>'


def _line(kind: str, start: float, end: float, top: str = "50%", bottom: str = "50%") -> str:
    return f'<line class="{kind}" x1="{_percent(start)}" x2="{_percent(end)}" y1="{top}" y2="{bottom}"/>'


def _across(kind: str, place: float) -> str:
    height = f"{_SIDE * (1 - place):.1f}"
    return f'<line class="{kind}" x1="0" x2="{_SIDE}" y1="{height}" y2="{height}"/>'


def _percent(place: float) -> str:
    return f"{100 * place:.2f}%"


def _tick(value: float) -> str:
    return plain(value, 0 if value == round(value) else 1)


def _step(least: float) -> float:
    """Returns the smallest of 1, 2, 5, 10, 20, ... and their tenths that is not less."""
    unit = 10.0 ** floor(log10(least))
    return next(unit * step for step in _STEPS if unit * step >= least * (1 - 1e-9))
