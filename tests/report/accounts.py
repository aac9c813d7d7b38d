"""Reports of tournaments that nobody has played: results are made, and told as if they had been."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

from referee.arena.effective import effective
from referee.arena.specification import Specification, specification
from referee.contest.pairing import Pairing
from referee.contest.results import Abandoned, HalfResult, PairResult
from referee.contest.schedule import make_schedule
from referee.contest.stopping import course
from referee.report.tournament.matches import Distinction, Match
from referee.report.tournament.page import Account
from referee.report.tournament.standings import standings_object
from referee.rules.outcome import Termination
from tests.contest.made import MASTER, played

HOSTILE = ("</style><script>alert(1)</script>", "=1+1", "שלום <b>&amp;", "\"'`${}", "Zoë 🃏 Ünal")


def asked(*names: str, pairs: int = 4, **values: Any) -> Specification:
    """Returns what asks for a tournament of these players."""
    players = [{"name": name, "command": ["bot"]} for name in names]
    fixed = {"output": "cup", "seed_file": "cup.seed", "players": players}
    return specification(fixed | ({} if "sprt" in values else {"pairs": pairs}) | values, Path("/nowhere"))


def account(
    asked: Specification,
    results: Sequence[PairResult | Abandoned],
    lanes: str = "boxed",
    notable: Mapping[Distinction, Match] | None = None,
) -> Account:
    """Returns what is told of results, a beginning of the schedule in its order."""
    settings = effective(asked, MASTER)
    schedule = make_schedule(asked.pairings, asked.pairs, MASTER, common_deals=asked.common_deals)
    now = course(schedule, results, asked.sprt)
    return Account(asked, settings, now, standings_object(asked, settings, now, lanes), notable or {})


def results(asked: Specification, scores: Iterable[tuple[int, int]]) -> tuple[PairResult, ...]:
    """Returns results with these half points of the first players of the pairs of the schedule."""
    schedule = make_schedule(asked.pairings, asked.pairs, MASTER, common_deals=asked.common_deals)
    return played(schedule, scores)


def faulty(result: PairResult, termination: Termination, voids: int = 0) -> PairResult:
    """Returns a result whose first match was lost by the first player's own fault, after so many void attempts."""
    return PairResult(result.pair, voids, (HalfResult(0, 0, termination, (True, False)), result.halves[1]))


def exchanged(result: PairResult) -> PairResult:
    """Returns a result with the first two players' places exchanged, told in the eyes of whoever is now first."""
    places = {0: 1, 1: 0, 2: 2}
    first, second = (places[player] for player in result.pair.pairing.players)
    if first < second:
        return replace(result, pair=replace(result.pair, pairing=Pairing(first, second)))
    one, other = (
        replace(half, score=2 - half.score, margin=-half.margin, faulted=half.faulted[::-1]) for half in result.halves
    )
    return PairResult(replace(result.pair, pairing=Pairing(second, first)), result.attempt, (one, other))


def cells(text: str, label: str) -> Iterator[tuple[str, ...]]:
    """Yields the rows of a table of a page as plain text, its head first."""
    found = re.search(rf'aria-label="{label}" tabindex="0"><table>(.*?)</table>', text, re.DOTALL)
    assert found is not None
    for row in re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL):
        yield tuple(plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL))


def plain(html: str) -> str:
    """Returns the text of HTML, with hyphens for minus signs."""
    return unescape(re.sub(r"<[^>]*>", "", html)).strip().replace("\N{MINUS SIGN}", "-")
