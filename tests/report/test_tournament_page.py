"""The page of a tournament: what it shows, and that nothing can leave its place or be loaded."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest

from referee.contest.results import Abandoned
from referee.report.tournament.page import Account, page
from referee.report.tournament.words import rating_text
from tests.report.accounts import HOSTILE, account, asked, cells, exchanged, plain, results
from tests.report.simulated import distinctions, simulated, with_faults

SIX = ("Anna", "Bert", "Carl", "Dora", "Emil", "Finn")
ELOS = (120, 60, 20, -20, -60, -120)


def six(**values: Any) -> Account:
    cup = asked(*SIX, pairs=40)
    return account(cup, with_faults(simulated(cup, ELOS)), notable=distinctions(), **values)


def unrated() -> Account:
    cup = asked("Anna", "Bert", "Carl", pairs=6)
    return account(cup, results(cup, [(2, 2)] * 18), lanes="on honour")


class _Tags(HTMLParser):
    """Checks that every element is closed where it must be."""

    VOID = ("meta", "link", "line", "circle", "path", "text-path")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("names", [SIX, HOSTILE])
def test_names_cannot_leave_their_place(names: tuple[str, ...]) -> None:
    cup = asked(*names, pairs=3)
    told = account(cup, simulated(cup, (120, 60, 20, -20, -60, -120)), notable=distinctions((names[0], names[2])))
    text = page(told)
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.names.isdisjoint({"script", "b", "i", "img", "iframe"})
    rows = [*cells(text, "Standings")]
    assert {row[0].partition(" ")[2] for row in rows[1:]} == set(names)


def test_policy_allows_the_style_of_the_page_and_nothing_else() -> None:
    text = page(six())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy is not None
    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{digest}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert "<script" not in text
    assert " style=" not in text
    assert re.findall(r'(?:src|href)="(?!data:,"|matches/pair-)', text) == []
    assert "http" not in text.replace("http-equiv", "")


def test_standings_show_the_figures_of_the_object() -> None:
    told = six()
    head, *rows = cells(page(told), "Standings")
    assert head == ("Player", "Elo (95 %)", "Score", "Won", "Level", "Lost")
    for row, player in zip(rows, told.standings["players"], strict=True):
        assert row[0] == f"{player['place']} {player['name']}"
        assert row[1] == rating_text(player["rating"])
        assert row[3:] == (str(player["won"]), str(player["level"]), str(player["lost"]))


def test_player_outside_is_shown_as_a_bound_in_words_and_drawing() -> None:
    text = page(unrated())
    rows = {row[0]: row[1] for row in cells(text, "Standings")}
    assert rows["1 Anna"] == "0, the zero of the scale"
    assert re.fullmatch(r"at most -\d+", rows["2 Bert"])
    assert re.fullmatch(r"at most -\d+", rows["3 Carl"])
    tracks = re.findall(r'<svg class="track" aria-hidden="true">(.*?)</svg>', text)
    assert ["circle" in track for track in tracks] == [True, False, False]
    assert ['class="open"' in track for track in tracks] == [False, True, True]
    assert "interval" not in "".join(tracks)


def test_crosstable_has_each_pairing_from_both_sides() -> None:
    told = six()
    text = page(told)
    head, *rows = cells(text, "Crosstable")
    assert head == ("Player", *(f"{place}, {row[0].split()[1]}" for place, row in enumerate(rows, 1)))
    shares = [[float(cell.split()[0]) if cell else None for cell in row[1:]] for row in rows]
    signs = [[cell[-1:] if cell.endswith(("▲", "▼")) else "" for cell in row[1:]] for row in rows]
    for one in range(6):
        assert shares[one][one] is None
        for other in set(range(6)) - {one}:
            assert shares[one][other] + shares[other][one] == 100  # type: ignore[operator]
            assert (signs[one][other], signs[other][one]) in {("", ""), ("▲", "▼"), ("▼", "▲")}
    assert {"▲", "▼", ""} == {sign for row in signs for sign in row}
    names = [row[0].split()[1] for row in rows]
    for pairing in told.standings["pairings"]:
        sign = signs[names.index(pairing["first"])][names.index(pairing["second"])]
        better = "▲" if pairing["score"]["score"] > 0.5 else "▼"
        assert sign == (better if pairing["score"]["p_value"] <= 0.05 else "")
    assert text.count('aria-label="ahead beyond chance"') == text.count('aria-label="behind beyond chance"') > 0


def test_exchanged_names_mirror_the_crosstable() -> None:
    cup, swapped = asked("Anna", "Bert", "Carl", pairs=9), asked("Bert", "Anna", "Carl", pairs=9)
    told = simulated(cup, (50, 0, -50))
    ours, theirs = (
        _by_names(page(account(cup, told))),
        _by_names(page(account(swapped, [exchanged(result) for result in told]))),
    )
    assert ours == theirs
    assert len(ours) == 9


def _by_names(text: str) -> dict[tuple[str, str], str]:
    head, *rows = cells(text, "Crosstable")
    columns = [cell.rpartition(", ")[2] for cell in head[1:]]
    return {(row[0].split()[1], column): cell for row in rows for column, cell in zip(columns, row[1:], strict=True)}


def test_faults_and_voids_are_booked_to_their_owners() -> None:
    told = six()
    head, *rows = cells(page(told), "Faults")
    assert head[1:] == ("Out of time", "Illegal actions", "Disconnects", "No-shows", "Void attempts")
    kinds = ("timeouts", "illegal_actions", "disconnects", "no_shows")
    booked = {
        player["name"]: (*(str(player["faults"][kind]) for kind in kinds), str(player["voids"]))
        for player in told.standings["players"]
    }
    assert {row[0]: row[1:] for row in rows} == {name: row for name, row in booked.items() if set(row) != {"0"}}
    assert "No match ended by a fault" in page(unrated())


def test_abandoned_pairing_is_told_wherever_pairings_are() -> None:
    cup = asked("Anna", "Bert", "Cleo", pairs=1)
    one, other, last = results(cup, [(2, 2)] * 3)
    told = account(cup, [Abandoned(one.pair, 3), other, last])
    assert sum(row[2] == "abandoned" for row in cells(page(told), "Pairings")) == 1
    assert sum(cell == "void" for row in cells(page(told), "Crosstable") for cell in row) == 2


def test_mirrored_pairs_tell_correlation_and_saving() -> None:
    cup = asked("Anna", "Bert", pairs=30)
    (_, row) = cells(page(account(cup, results(cup, [(2, 0)] * 30))), "Mirrored pairs")
    assert row[1:] == ("0", "0", "30", "0", "0", "-1.00", "exact: every pair was shared")
    (_, row) = cells(page(account(cup, results(cup, [(2, 0), (0, 2), (2, 2)] * 10))), "Mirrored pairs")
    assert row[1:6] == ("0", "0", "20", "0", "10")
    assert re.fullmatch(r"-0\.50 \(-1\.00 to -0\.\d\d\)", row[6])
    assert row[7] == "50.0 % of the matches"


def test_lanes_on_honour_are_marked() -> None:
    marked = (
        '<p class="verdict" data-status="incomplete"><span class="mark" aria-hidden="true"></span><span>lanes on honour'
    )
    assert marked in page(unrated())
    assert marked not in page(six())
    assert "lanes boxed" in page(six())
    assert "lanes in process: the bots were functions" in page(six(lanes="in process"))


def test_test_is_drawn_between_its_bounds() -> None:
    cup = asked("Anna", "Bert", sprt={"elo1": 50, "most_pairs": 60})
    text = page(account(cup, results(cup, [(2, 0), (2, 2)] * 30)))
    assert text.count('class="bound"') == 2
    assert "Is the first player ahead by 50 Elo rather than by 0?" in text
    assert text.count('class="chart"') == 2
    assert page(six()).count('class="chart"') == 1


def test_test_is_told_as_it_was_asked_for() -> None:
    cup = asked("Anna", "Bert", sprt={"elo0": -1.75, "elo1": 2.5, "alpha": 0.0001, "beta": 0.1})
    text = page(account(cup, results(cup, [(2, 0)] * 12)))
    assert "Is the first player ahead by 2.5 Elo rather than by \N{MINUS SIGN}1.75?" in text
    assert "it may err in 0.01\N{NO-BREAK SPACE}% and 10\N{NO-BREAK SPACE}% of runs" in text


def test_notable_matches_are_linked() -> None:
    links = re.findall(r'<a href="([^"]*)">(.*?)</a>', page(six()))
    assert links == [
        ("matches/pair-0001-first.html", "Longest: 1204 events"),
        ("matches/pair-0002-first.html", "Closest: 15 points apart"),
        ("matches/pair-0003-first.html", "Biggest swing: the winner was 96 points behind"),
    ]


def test_what_is_needed_to_reproduce_is_told_and_no_secret() -> None:
    told = six()
    players = [player | {"environment": {"KEY": "hunter2"}} for player in told.settings["players"]]
    text = page(replace(told, settings={**told.settings, "players": players}))
    assert told.standings["digest"] in text
    assert told.standings["master_commitment"] in text
    assert "unoduo tournament report ." in text
    assert "hunter2" not in text
    settings = re.search(r'aria-label="All settings">(.*?)</pre>', text, re.DOTALL)
    assert settings is not None
    assert '"KEY": "..."' in plain(settings[1])


def test_tournament_under_way_is_told_as_such() -> None:
    cup = asked(*SIX, pairs=40)
    text = page(account(cup, simulated(cup, ELOS)[:50]))
    assert "not over: 50 of 600 pairs count" in text
    assert "unoduo verify --master" not in text
    text = page(account(cup, ()))
    assert "No pair counts so far." in text
    assert {row[1] for row in cells(text, "Standings")} == {"Elo (95 %)", "not comparable"}


def test_thirty_eight_players_have_a_row_and_a_column_each() -> None:
    cup = asked(*(f"player {number}" for number in range(38)), pairs=1)
    text = page(account(cup, simulated(cup, [10 * number for number in range(38)])))
    rows = [*cells(text, "Crosstable")]
    assert {len(row) for row in rows} == {39}
    assert len(rows) == 39
    assert len([*cells(text, "Pairings")]) == 1 + 38 * 37 // 2
    assert text.count('<path class="rest"') == 30
    assert len(text) < 500_000
