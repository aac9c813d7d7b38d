"""The tables of the page of a tournament."""

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from referee.report.names import counted, outcome_text
from referee.report.tournament.charts import ratings_chart
from referee.report.tournament.figures import percent, signed
from referee.report.tournament.markup import figure, hint, name, section, table
from referee.report.tournament.matches import Distinction, Match
from referee.report.tournament.words import (
    correlation_text,
    difference_text,
    p_text,
    rating_text,
    saving_text,
    score_text,
)

VIEWERS: Final = "matches"
_RATING = (
    "Elo, 0 is the mean of all players with a rating; intervals of 95 %, clustered by deal. Of a player that has won or"
    " lost everything only a bound can be told."
)
_SCORE = (
    "In the eyes of the first player, with intervals of 95 %. Superiority is the likelihood that it is the better one;"
    " p is corrected by Holm. The margin is in points a match, of pairs in which both matches ended by the rules."
)
_MIRRORED = (
    "Pairs by what they brought the first player, the correlation of their two matches with its interval of 95 %, and"
    " what share of the matches mirroring has saved. Pairs with a fault or a resignation leave the correlation."
)


def standing_section(players: list[Mapping[str, Any]]) -> str:
    """Returns the table of players."""
    head = ["Player", "Elo (95 %)", "Score", "Won", "Level", "Lost"]
    rows = [
        [
            f"<small>{player['place']}</small> {name(player['name'])}",
            figure(rating_text(player["rating"])),
            figure(score_text(player)),
            *(f"{player[count]}" for count in ("won", "level", "lost")),
        ]
        for player in players
    ]
    return section("Standings", table("Standings", head, rows))


def ratings_section(players: list[Mapping[str, Any]]) -> str:
    """Returns ratings, drawn."""
    return section("Ratings", ratings_chart(players), hint(_RATING))


def pairings_section(pairings: list[Mapping[str, Any]]) -> str:
    """Returns what is known of each pairing."""
    head = ["Pairing", "Pairs", "Score (95 %)", "Elo (95 %)", "Superiority", "p", "Margin (95 %)"]
    rows = [[_pairing(pairing), f"{pairing['pairs']}", *_score(pairing), _margin(pairing)] for pairing in pairings]
    return section("Pairings", table("Pairings", head, rows), hint(_SCORE))


def mirrored_section(pairings: list[Mapping[str, Any]]) -> str:
    """Returns how the halves of pairs hang together."""
    head = ["Pairing", "0", "\N{VULGAR FRACTION ONE QUARTER}", "\N{VULGAR FRACTION ONE HALF}"]
    head += ["\N{VULGAR FRACTION THREE QUARTERS}", "1", "Correlation (95 %)", "Saving"]
    rows = [
        [
            _pairing(pairing),
            *map(str, pairing["quarters"]),
            figure(correlation_text(pairing["halves"])),
            figure(saving_text(pairing["halves"])),
        ]
        for pairing in pairings
    ]
    return section("Mirrored pairs", table("Mirrored pairs", head, rows), hint(_MIRRORED))


def faults_section(players: list[Mapping[str, Any]]) -> str:
    """Returns what is booked to whom."""
    told = [player for player in players if player["faults"]["total"] or player["voids"]]
    if not told:
        return section("Faults", "<p>No match ended by a fault, and none was void.</p>")
    head = ["Player", "Out of time", "Illegal actions", "Disconnects", "No-shows", "Void attempts"]
    kinds = ("timeouts", "illegal_actions", "disconnects", "no_shows")
    rows = [
        [name(player["name"]), *(f"{player['faults'][kind]}" for kind in kinds), f"{player['voids']}"]
        for player in told
    ]
    meaning = hint(
        "Matches that ended by a player's own fault. A void attempt at a pair, which the referee failed, is counted for"
        " both of its players: one that could provoke it could choose among its results. If each attempt at a pair was"
        " void, the pairing is abandoned, and nothing of it counts."
    )
    return section("Faults", table("Faults", head, rows), meaning)


def notable_section(matches: Mapping[Distinction, Match]) -> str:
    """Returns links to the viewers of the matches that stand out."""
    lines = "\n".join(f"<li>{_notable(*each)}</li>" for each in matches.items())
    return section("Notable matches", f"<ul>\n{lines}\n</ul>" if lines else "<p>None so far.</p>")


def viewer_file(match: Match) -> str:
    """Returns where the viewer of a match is, as seen from the report."""
    return f"{VIEWERS}/{match.file.removesuffix('.unoduo')}.html"


def _notable(distinction: Distinction, match: Match) -> str:
    name_a, name_b = match.names
    what = {
        Distinction.LONGEST: counted(match.events, "event"),
        Distinction.CLOSEST: f"{counted(match.difference, 'point')} apart",
        Distinction.SWING: f"the winner was {counted(match.behind, 'point')} behind",
    }[distinction]
    link = f'<a href="{viewer_file(match)}">{distinction.value.capitalize()}: {escape(what)}</a>'
    players = f"{name(name_a)} (A) against {name(name_b)} (B)"
    where = f"pair {match.pair}, {match.half.name.lower()} match"
    return f"{link} <span>{players}, {where}: {escape(outcome_text(match.outcome))}</span>"


def _pairing(pairing: Mapping[str, Any]) -> str:
    return f"{name(pairing['first'])} <small>against</small> {name(pairing['second'])}"


def _score(pairing: Mapping[str, Any]) -> list[str]:
    score = pairing["score"]
    if score is None:
        return ["abandoned" if pairing["abandoned"] else "-", *["-"] * 3]
    low, high = score["interval"]
    share = f"{percent(score['score'])} ({percent(low)} to {percent(high)})"
    shown = (share, difference_text(score), percent(score["superiority"]), p_text(score["p_value"]))
    return [*map(figure, shown)]


def _margin(pairing: Mapping[str, Any]) -> str:
    margin = pairing["margin"]
    if margin is None:
        return "-"
    if margin["interval"] is None:
        return figure(signed(margin["mean"], 1))
    low, high = margin["interval"]
    return figure(f"{signed(margin['mean'], 1)} ({signed(low, 1)} to {signed(high, 1)})")
