"""A tournament as one page, which loads nothing and runs nothing."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from string import Template
from typing import Any, Final

from referee.arena.sandbox import BOXED
from referee.arena.specification import Specification
from referee.codec.headers import RULES_REVISION
from referee.contest.stopping import Course
from referee.report.html.document import policy, style_of, template
from referee.report.names import counted, printable
from referee.report.story import ruleset_text
from referee.report.tournament.course_section import course_section
from referee.report.tournament.crosstable import crosstable
from referee.report.tournament.matches import Distinction, Match
from referee.report.tournament.sections import (
    faults_section,
    mirrored_section,
    notable_section,
    pairings_section,
    ratings_section,
    standing_section,
)
from referee.report.tournament.words import lanes_text

_PACKAGE: Final = "referee.report.tournament"
_NAMES_IN_TITLE: Final = 4
_MASTER: Final = (
    "<dt>Prove the deals, in this folder</dt><dd><code>unoduo verify --master master.json replays/*.unoduo</code></dd>"
)


@dataclass(frozen=True, slots=True)
class Account:
    """Holds all that a report tells of a tournament: what it is, the results that count, and the standings of them.

    `settings` are the effective ones, `standings` what `standings_object` returns for the rest, `notable` the matches
    that stand out of those that count.
    """

    specification: Specification
    settings: Mapping[str, Any]
    course: Course
    standings: Mapping[str, Any]
    notable: Mapping[Distinction, Match]


def page(account: Account) -> str:
    """Returns the page; it links to viewers of the notable matches, where `viewer_file` says."""
    standings = account.standings
    style = style_of(_PACKAGE, "page.css")
    return Template(template(_PACKAGE, "page.html")).substitute(
        policy=policy(style),
        style=style,
        title=escape(_title(account.specification)),
        about=escape(_about(account.specification)),
        status="ok" if standings["over"] else "incomplete",
        state=escape(_state(standings)),
        lanes_status="ok" if standings["lanes"] == BOXED else "incomplete",
        lanes=escape(lanes_text(standings["lanes"])),
        sections="\n".join(_sections(account)),
        digest=standings["digest"],
        commitment=standings["master_commitment"],
        versions=escape(_versions()),
        master=_MASTER if standings["over"] else "",
        settings=escape(json.dumps(_shown(account.settings), indent=2, ensure_ascii=False)),
    )


def _sections(account: Account) -> list[str]:
    standings = account.standings
    players, pairings = standings["players"], standings["pairings"]
    names = [player.name for player in account.specification.players]
    return [
        _wide(standing_section(players)),
        ratings_section(players),
        course_section(standings, names, account.course.results, account.specification.sprt),
        _wide(crosstable(standings)),
        _wide(pairings_section(pairings)),
        _wide(mirrored_section(pairings)),
        notable_section(account.notable),
        faults_section(players),
    ]


def _wide(section: str) -> str:
    return section.replace("<section", '<section class="wide"', 1)


def _title(specification: Specification) -> str:
    names = [printable(player.name) for player in specification.players]
    if len(names) > _NAMES_IN_TITLE:
        return f"Tournament of {len(names)} players"
    return f"Tournament of {', '.join(names[:-1])} and {names[-1]}"


def _about(specification: Specification) -> str:
    pairs = f"{'up to ' if specification.sprt else ''}{counted(specification.pairs, 'pair')} of matches a pairing"
    deals = "common deals" if specification.common_deals else "a deal for each pair"
    return f"{specification.format}, {pairs}, {deals}; rules {ruleset_text(specification.terms.ruleset)}"


def _state(standings: Mapping[str, Any]) -> str:
    if standings["over"]:
        return f"over: {counted(standings['pairs'], 'pair')} count"
    return f"not over: {standings['pairs']} of {counted(standings['scheduled'], 'pair')} count"


def _versions() -> str:
    program = f"unoduo-referee {version('unoduo-referee')}"
    return f"{program}, rules revision {RULES_REVISION}, Python {platform.python_version()}"


def _shown(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings without what the environment of a bot holds: a page is published, and that may be a password."""
    players = [player | {"environment": dict.fromkeys(player["environment"], "...")} for player in settings["players"]]
    return {**settings, "players": players}
