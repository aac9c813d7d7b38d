"""How the standings came about, drawn over the schedule."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.contest.results import PairResult
from referee.contest.sprt import Sprt
from referee.report.names import printable
from referee.report.tournament.charts import Scale, Series, line_chart
from referee.report.tournament.figures import exact, rounded
from referee.report.tournament.markup import figure, hint, name, section
from referee.report.tournament.progress import looks, ratios
from referee.report.tournament.words import score_text, test_text

_COLORS: Final = 8
_MEANING: Final = (
    "The share of the points that each player had after so many pairs of the schedule. Any beginning of it gives all"
    " pairings equal numbers of pairs, but for one."
)


def course_section(
    standings: Mapping[str, Any], names: Sequence[str], results: Sequence[PairResult], sprt: Sprt | None
) -> str:
    """Returns the shares of the players over the schedule, and where a test stood; `names` in their list's order."""
    if not results:
        return section("Progress", "<p>No pair counts so far.</p>")
    test = () if sprt is None else _test(standings["test"], sprt, results)
    return section("Progress", *_shares(standings, names, results), *test)


def _shares(standings: Mapping[str, Any], names: Sequence[str], results: Sequence[PairResult]) -> tuple[str, str, str]:
    seen = looks(len(names), results)
    # The first ones have a color each; they are drawn last, above the others.
    order = [names.index(player["name"]) for player in standings["players"]]
    lines = [
        Series(
            f"c{rank}" if rank < _COLORS else "rest",
            tuple((look.pairs, 100 * share) for look in seen if (share := look.shares[player]) is not None),
        )
        for rank, player in enumerate(order)
    ]
    lines = [line for line in reversed(lines) if line.points]
    leaders = standings["players"][:_COLORS]
    scores = ", ".join(f"{printable(player['name'])} {score_text(player)}" for player in leaders)
    label = f"Score of each player over {len(results)} pairs, in the end: {scores}"
    scale = Scale.over(value for line in lines for _, value in line.points)
    legend = "\n".join(
        f'<li class="c{rank}">{name(player["name"])} {figure(score_text(player))}</li>'
        for rank, player in enumerate(leaders)
    )
    others = '<li class="rest">the others</li>' if len(names) > _COLORS else ""
    return line_chart(label, lines, scale, " %"), f'<ul class="legend">\n{legend}{others}</ul>', hint(_MEANING)


def _test(test: Mapping[str, Any], sprt: Sprt, results: Sequence[PairResult]) -> tuple[str, str, str]:
    points = tuple(rounded(ratios(sprt, results)))
    track = Series("c0", tuple((pairs, ratio) for pairs, ratio in points))
    scale = Scale.over([0.0, sprt.lower, sprt.upper, *(ratio for _, ratio in track.points)])
    label = f"Log-likelihood ratio of the test over {test['pairs']} pairs. {test_text(test)}"
    meaning = hint(
        f"The test decides at one of the broken lines; it may err in {exact(100 * test['alpha'])} % and"
        f" {exact(100 * test['beta'])} % of runs, and its first look is at pair {sprt.first_look}."
    )
    return (
        f"<h3>Test</h3>\n<p>{figure(test_text(test))}</p>",
        line_chart(label, [track], scale, "", [sprt.lower, sprt.upper]),
        meaning,
    )
