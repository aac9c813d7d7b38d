"""The standings for programs: every figure is a number or nothing, and both sides of a pairing agree."""

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.contest.results import Abandoned, PairResult
from referee.report.tournament import figures
from referee.report.tournament.page import Account
from referee.report.tournament.progress import looks, ratios
from referee.report.tournament.spreadsheets import pairings_csv, players_csv
from referee.report.tournament.standings import FORMAT, mirrored
from referee.report.tournament.terminal import print_standings, standings_text
from referee.rules.outcome import Termination
from tests.report.accounts import HOSTILE, account, asked, exchanged, faulty, results

MIXED = ((2, 0), (2, 2), (0, 0), (1, 2), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2), (0, 2), (1, 1), (2, 0))


def _duel(*scores: tuple[int, int], **values: Any) -> Account:
    cup = asked("Anna", "Bert", pairs=max(1, len(scores)), **values)
    return account(cup, results(cup, scores))


def _everybody_loses_to_the_one_before() -> Account:
    cup = asked("Anna", "Bert", "Carl", pairs=6)
    return account(cup, results(cup, [(2, 2)] * 18))


def _nothing_counts() -> Account:
    return account(asked("Anna", "Bert", "Carl"), ())


def _thirty_eight_players() -> Account:
    cup = asked(*(f"player {number}" for number in range(38)), pairs=1)
    return account(cup, results(cup, [MIXED[place % 7] for place in range(38 * 37 // 2)]))


ACCOUNTS = [
    _nothing_counts,
    _everybody_loses_to_the_one_before,
    _thirty_eight_players,
    lambda: _duel((2, 2)),
    lambda: _duel((1, 1)),
    lambda: _duel(*[(2, 0)] * 30),
    lambda: _duel(*MIXED),
    lambda: _duel(*MIXED * 3, sprt={"most_pairs": 40}),
]


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("make", ACCOUNTS)
def test_every_figure_is_finite_and_rounded(make: Any) -> None:
    standings = make().standings
    text = json.dumps(standings, allow_nan=False)
    assert json.loads(text) == standings
    assert "-0.0," not in text
    assert all(round(number, 6) == number for number in _numbers(standings))
    assert standings["format"] == FORMAT
    assert "nan" not in standings_text(standings).lower()


@pytest.mark.parametrize("make", ACCOUNTS)
def test_every_key_is_documented(make: Any) -> None:
    readme = (Path(figures.__file__).parent / "README.md").read_text()

    def check(value: Any) -> None:
        for key in value if isinstance(value, dict) else ():
            assert f"`{key}`" in readme
            check(value[key])
        for item in value if isinstance(value, list) else ():
            check(item)

    check(make().standings)


def test_players_outside_are_bounds_and_have_no_interval() -> None:
    players = _everybody_loses_to_the_one_before().standings["players"]
    assert [player["name"] for player in players] == ["Anna", "Bert", "Carl"]
    assert [player["rating"]["kind"] for player in players] == ["origin", "at most", "at most"]
    assert all(set(player["rating"]) == {"kind", "elo"} for player in players)


def test_nothing_is_said_before_the_first_pair_counts() -> None:
    standings = _nothing_counts().standings
    assert (standings["pairs"], standings["scheduled"], standings["over"]) == (0, 12, False)
    assert {player["rating"]["kind"] for player in standings["players"]} == {"not comparable"}
    assert [player["score"] for player in standings["players"]] == [None, None, None]
    assert [(each["score"], each["margin"]) for each in standings["pairings"]] == [(None, None)] * 3


def test_figures_that_are_none_are_refused() -> None:
    for number in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(ValueError, match="is no figure"):
            figures.rounded({"players": [{"elo": number}]})
    assert str(figures.rounded(-1e-9)) == "0.0"


@given(st.floats(0, 1))
def test_shares_of_both_sides_add_up_to_a_hundred_percent(share: float) -> None:
    ours: float = figures.rounded(share)
    theirs = figures.complement(ours)
    printed = [figures.percent(side).removesuffix(" %") for side in (ours, theirs)]
    tenths = [int(text.replace(".", "")) for text in printed]
    assert sum(tenths) == 1000


@given(st.floats(-1e6, 1e6), st.integers(0, 3))
def test_differences_of_both_sides_have_the_same_digits(value: float, digits: int) -> None:
    ours = figures.signed(figures.rounded(value), digits)
    theirs = figures.signed(figures.rounded(-value), digits)
    assert ours.lstrip("+-") == theirs.lstrip("+-")
    assert (ours[0], theirs[0]) in {("+", "-"), ("-", "+"), ("0", "0")}


def test_exchanged_names_mirror_the_standings() -> None:
    cup, swapped = asked("Anna", "Bert", "Carl", pairs=4), asked("Bert", "Anna", "Carl", pairs=4)
    told = results(cup, MIXED)
    ours = account(cup, told).standings
    theirs = account(swapped, [exchanged(result) for result in told]).standings
    assert sorted(theirs["players"], key=_name) == sorted(ours["players"], key=_name)
    pairings = {(each["first"], each["second"]): each for each in theirs["pairings"]}
    assert set(pairings) == {("Bert", "Anna"), ("Anna", "Carl"), ("Bert", "Carl")}
    for pairing in ours["pairings"]:
        other = pairings.get((pairing["first"], pairing["second"]))
        assert pairing == (other or mirrored(pairings[pairing["second"], pairing["first"]]))


def _name(player: Mapping[str, Any]) -> str:
    return str(player["name"])


def test_faults_and_voids_are_told_of_their_owners() -> None:
    cup = asked("Anna", "Bert", pairs=3)
    one, other, last = results(cup, [(2, 2)] * 3)
    told = [faulty(one, Termination.NO_SHOW), faulty(other, Termination.TIMEOUT, 2), last]
    anna, bert = sorted(account(cup, told).standings["players"], key=_name)
    assert anna["faults"] == {"total": 2, "timeouts": 1, "illegal_actions": 0, "disconnects": 0, "no_shows": 1}
    assert bert["faults"]["total"] == 0
    assert (anna["voids"], bert["voids"]) == (2, 2)


def test_abandoned_pairing_is_told_and_gives_nobody_anything() -> None:
    cup = asked("Anna", "Bert", "Cleo", pairs=1)
    one, other, last = results(cup, [(2, 2)] * 3)
    dropped: list[PairResult | Abandoned] = [Abandoned(one.pair, 3), other, last]
    told = account(cup, dropped).standings
    abandoned = [pairing for pairing in told["pairings"] if pairing["abandoned"]]
    ((first, second),) = [(pairing["first"], pairing["second"]) for pairing in abandoned]
    assert {player["name"]: player["voids"] for player in told["players"]} == {
        name: 3 if name in (first, second) else 0 for name in ("Anna", "Bert", "Cleo")
    }
    assert (abandoned[0]["score"], told["pairs"], told["over"]) == (None, 2, True)
    assert f"{first} against {second}: abandoned" in standings_text(told)


def test_test_is_told_with_its_bounds() -> None:
    told = _duel(*[(2, 2)] * 40, sprt={"elo1": 50, "most_pairs": 40}).standings
    assert told["test"]["verdict"] == "stronger"
    assert told["test"]["ratio"] >= told["test"]["upper"] > 0 > told["test"]["lower"]
    assert (told["test"]["elo0"], told["test"]["elo1"], told["over"]) == (0, 50, True)
    assert told["pairs"] == told["test"]["pairs"] < 40


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_name_that_a_spreadsheet_could_calculate_is_quoted(sign: str) -> None:
    cup = asked("Ann", f"{sign}1+1", pairs=1)
    standings = account(cup, results(cup, MIXED)).standings
    assert f"'{sign}1+1" in [player["name"] for player in csv.DictReader(StringIO(players_csv(standings)))]
    assert f"'{sign}1+1" in [pairing["second"] for pairing in csv.DictReader(StringIO(pairings_csv(standings)))]


def test_tables_hold_the_names_and_figures_of_the_standings() -> None:
    cup = asked(*HOSTILE, pairs=2)
    standings = account(cup, results(cup, MIXED * 2)).standings
    players = [*csv.DictReader(StringIO(players_csv(standings)))]
    # A name that a spreadsheet would take for a formula is quoted.
    names = ["'=1+1" if player["name"] == "=1+1" else player["name"] for player in standings["players"]]
    assert [player["name"] for player in players] == names
    assert [float(player["score"]) for player in players] == [player["score"] for player in standings["players"]]
    assert [player["elo"] for player in players] == [
        str(player["rating"]["elo"] if player["rating"]["elo"] is not None else "") for player in standings["players"]
    ]
    pairings = [*csv.DictReader(StringIO(pairings_csv(standings)))]
    assert [int(each["q4"]) for each in pairings] == [each["quarters"][4] for each in standings["pairings"]]
    assert [float(each["low"]) for each in pairings] == [each["score"]["interval"][0] for each in standings["pairings"]]


def test_looks_end_with_the_scores_of_the_standings() -> None:
    told = _duel(*MIXED * 20)
    taken = looks(2, told.course.results)
    assert len(taken) == 60
    assert [look.pairs for look in taken] == list(range(4, 244, 4))
    scores = {player["name"]: player["score"] for player in told.standings["players"]}
    assert dict(zip(("Anna", "Bert"), taken[-1].shares, strict=True)) == pytest.approx(scores)
    assert taken[0].shares == (0.5625, 0.4375)


def test_ratios_end_where_the_test_stands() -> None:
    told = _duel(*MIXED * 3, sprt={"most_pairs": 40})
    assert told.specification.sprt is not None
    track = ratios(told.specification.sprt, told.course.results)
    assert told.course.test is not None
    assert track[-1] == (36, told.course.test.ratio)
    assert len(track) == 36


class _Terminal(StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_terminal_is_given_a_table_that_names_cannot_change(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = asked("[bold]Anna[/bold]", "Bert", pairs=3)
    standings = account(cup, results(cup, [(2, 2)] * 3)).standings
    for output in (_Terminal(), StringIO()):
        monkeypatch.setattr("sys.stdout", output)
        monkeypatch.setenv("COLUMNS", "100")
        print_standings(standings)
        # Among the players and in their pairing.
        assert output.getvalue().count("[bold]Anna[/bold]") == 2
        assert ("─" in output.getvalue()) is output.isatty()
        assert output.getvalue().endswith("over: 3 pairs count; lanes boxed: no bot could meet cards that it knew\n")


def test_terminal_of_eighty_columns_has_names_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = asked("Maximilian", "Bert", pairs=600)
    standings = account(cup, results(cup, [(2, 2), (2, 0), (0, 2), (0, 0)] * 150)).standings
    output = _Terminal()
    monkeypatch.setattr("sys.stdout", output)
    monkeypatch.setenv("COLUMNS", "80")
    print_standings(standings)
    players = [line.split()[:2] for line in output.getvalue().splitlines() if line.startswith(" 1.")]
    assert players == [["1.", "Maximilian"], ["1.", "Bert"]]


def test_terminal_tells_bounds_marks_and_lanes() -> None:
    text = standings_text({**_everybody_loses_to_the_one_before().standings, "lanes": "on honour"})
    assert text.splitlines()[1].split()[:3] == ["1.", "Anna", "0"]
    assert text.splitlines()[2].split()[2].startswith("<=-")
    assert "Anna against Bert: 100.0 %, Elo at least +198 *" in text
    assert "lanes on honour" in text
    assert "not over, 12 pairs scheduled: 0 pairs count" in standings_text(_nothing_counts().standings)
