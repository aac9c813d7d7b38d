"""Whole tournaments of sound bots: what is played, kept and counted."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from unoduo.v1 import log_pb2

from referee.arena.effective import effective
from referee.arena.failures import ArenaError
from referee.arena.folder import replay_name
from referee.arena.run import run_tournament
from referee.arena.tournament import Standing
from referee.audit.master import Master
from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.codec.seals import decode_reveal, decode_seal
from referee.contest.book import Book
from referee.contest.pairing import Half
from referee.contest.schedule import make_schedule
from referee.contest.stopping import course
from referee.log.file_format import EntryPart, RevealPart, SealPart, read_parts
from referee.report.tournament.standings import standings_object
from tests.arena.cups import BASELINES, MASTER, cup, journal, kept_standings, replays, row, run
from tests.arena.dealt import dealt
from tests.arena.processes import text_of
from tests.cli.processes import all_gone


async def test_round_robin_is_played_kept_and_proven(tmp_path: Path) -> None:
    mark = token_hex(8)
    asked = cup(tmp_path, *BASELINES, pairs=2, mark=mark)
    steps: list[Standing] = []
    standings = await run(asked, steps)
    assert all_gone(mark, 5)
    assert standings == kept_standings(asked)
    assert standings["over"]
    assert standings["pairs"] == 6
    assert row(standings, "0 random")["rating"]["kind"] == "at most"
    assert [step.over for step in steps] == sorted(step.over for step in steps)
    assert (steps[0].over, steps[-1].over, steps[-1].played) == (0, 6, 12)
    assert [file.name for file in replays(asked)] == sorted(
        replay_name(pair, 0, half) for pair in range(1, 7) for half in Half
    )
    master = Master((asked.output / "master.json").read_bytes())
    for file in replays(asked):
        with file.open("rb") as stream:
            report = verify(stream, Evidence(master=master))
        assert report.status is Status.OK, report
    assert not (asked.output / "lanes").exists()


async def test_table_is_that_of_the_replays(tmp_path: Path) -> None:
    asked = cup(tmp_path, "random", "greedy", pairs=4)
    standings = await run(asked)
    schedule = make_schedule(asked.pairings, asked.pairs, MASTER)
    book = Book(schedule, asked.attempts)
    for number in range(1, 5):
        for half in Half:
            with (asked.output / "replays" / replay_name(number, 0, half)).open("rb") as stream:
                (seal,) = [part for part in read_parts(stream) if isinstance(part, SealPart)]
            book.enter(number, 0, half, decode_seal(seal.data).outcome)
    settings = effective(asked, MASTER)
    assert standings == standings_object(asked, settings, course(schedule, book.prefix()), standings["lanes"])


async def test_halves_have_the_same_deal_and_other_dice(tmp_path: Path) -> None:
    asked = cup(tmp_path, "greedy", "greedy", pairs=2)
    await run(asked)
    for number in (1, 2):
        first, second = (asked.output / "replays" / replay_name(number, 0, half) for half in Half)
        assert _revealed(first) == _revealed(second)
        # Both play the same way, so that everything is the same but who is who.
        assert [*_events(first)] == [*_events(second)]
    assert _revealed(first) != _revealed(asked.output / "replays" / replay_name(1, 0, Half.FIRST))
    counts = kept_standings(asked)["pairings"][0]
    assert counts["quarters"] == [0, 0, 2, 0, 0]
    assert counts["score"]["score"] == 0.5


async def test_halves_have_equal_cuts_offers_and_starters_whoever_plays(tmp_path: Path) -> None:
    asked = cup(tmp_path, *BASELINES, pairs=2, rules={"target": 60})
    await run(asked, in_process=True)
    rounds = 0
    for number in range(1, 7):
        both = [dealt(asked.output / "replays" / replay_name(number, 0, half)) for half in Half]
        # What one half has in rounds that the other did not get to is left aside.
        pairs = [*zip(*both, strict=False)]
        assert all(first == second for first, second in pairs)
        rounds += len(pairs) - 1
    assert rounds > 6


async def test_files_of_a_pair_are_there_when_both_halves_are_over(tmp_path: Path) -> None:
    asked = cup(tmp_path, "greedy", "random", pairs=4, concurrency=1)
    seen: list[list[str]] = []

    def look(_standing: Standing) -> None:
        seen.append([file.name for file in replays(asked)])

    await run_tournament(asked, MASTER, look)
    whole = [replay_name(pair, 0, half) for pair in range(1, 5) for half in Half]
    assert seen == [whole[:count] for count in (0, 2, 4, 6, 8)]


@pytest.mark.parametrize("common_deals", [False, True])
async def test_no_process_meets_a_deal_twice(tmp_path: Path, common_deals: bool) -> None:
    asked = cup(tmp_path, "remembering", "remembering", "greedy", pairs=2, common_deals=common_deals)
    await run(asked)
    logs = "".join(map(text_of, (asked.output / "logs").iterdir()))
    met = set(re.findall(r"^process (\w+) seat (\d) cards ([\d.]+)$", logs, re.MULTILINE))
    # Each of the two meets two others in two pairs of two matches. They would know a deal again from the other seat.
    assert Counter(seat for _, seat, _ in met) == {"1": 8, "2": 8}
    deals = {seat: {deal for _, its_seat, deal in met if its_seat == seat} for seat in "12"}
    assert deals["1"] == deals["2"]
    assert len(deals["1"]) == (2 if common_deals else 6)
    assert len({(process, deal) for process, _, deal in met}) == len(met)
    assert len({process for process, _, _ in met}) == (16 if common_deals else 4)


async def test_matches_at_once_do_not_change_the_table(tmp_path: Path) -> None:
    one = await run(cup(tmp_path / "one", "random", "greedy", pairs=3, concurrency=1))
    many = await run(cup(tmp_path / "many", "random", "greedy", pairs=3, concurrency=12))
    assert one == many


async def test_test_of_two_players_ends_the_tournament(tmp_path: Path) -> None:
    sprt = {"elo0": 0, "elo1": 300, "first_look": 3, "most_pairs": 50}
    asked = cup(tmp_path, "greedy", "random", sprt=sprt)
    standings = await run(asked)
    assert standings["over"]
    assert standings["test"]["verdict"] == "stronger"
    assert standings["pairs"] == standings["test"]["pairs"] < 20
    assert standings["pairings"][0]["pairs"] == standings["pairs"]


async def test_gauntlet_has_the_first_player_in_all_pairs(tmp_path: Path) -> None:
    standings = await run(cup(tmp_path, *BASELINES, pairs=1, format="gauntlet"))
    assert [(pairing["first"], pairing["second"]) for pairing in standings["pairings"]] == [
        ("0 random", "1 greedy"),
        ("0 random", "2 careful"),
    ]


async def test_finished_tournament_is_told_again(tmp_path: Path) -> None:
    asked = cup(tmp_path, "greedy", "greedy", pairs=1)
    standings = await run(asked)
    files = _results_of(asked.output)
    steps: list[Standing] = []
    assert await run(asked, steps) == standings
    assert steps == []
    assert _results_of(asked.output) == files


async def test_folder_of_another_tournament_is_left_alone(tmp_path: Path) -> None:
    await run(cup(tmp_path, "greedy", "greedy", pairs=1))
    with pytest.raises(ArenaError, match=r"with other settings \(pairs\)"):
        await run(cup(tmp_path, "greedy", "greedy", pairs=2))
    (tmp_path / "cut" / "cup").mkdir(parents=True)
    (tmp_path / "cut" / "cup" / ".tournament.json.part").write_text("{")
    assert (await run(cup(tmp_path / "cut", "greedy", "greedy", pairs=1), in_process=True))["over"]
    other = tmp_path / "other"
    (other / "cup").mkdir(parents=True)
    (other / "cup" / "letter").write_text("Dear Ann")
    with pytest.raises(ArenaError, match="of no tournament"):
        await run(cup(other, "greedy", "greedy"))
    assert [file.name for file in (other / "cup").iterdir()] == ["letter"]


async def test_journal_that_was_cut_counts_as_far_as_it_is_whole(tmp_path: Path) -> None:
    asked = cup(tmp_path, "greedy", "greedy", pairs=2)
    standings = await run(asked)
    booked, file = journal(asked), asked.output / "journal.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    assert journal(asked) == booked[:2]
    assert await run(asked) == standings
    assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())
    file.write_bytes(b"5\n" + whole)
    with pytest.raises(ArenaError, match=r"line 1 of .* is damaged"):
        await run(asked)


def _results_of(folder: Path) -> dict[Path, bytes]:
    """Returns all files of a tournament but those of its referee."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.parent.name != "referee"]
    return {file: file.read_bytes() for file in files}


def _revealed(file: Path) -> Any:
    with file.open("rb") as stream:
        (reveal,) = [part for part in read_parts(stream) if isinstance(part, RevealPart)]
    return decode_reveal(reveal.data).deal_id


def _events(file: Path) -> Iterator[str]:
    with file.open("rb") as stream:
        for part in read_parts(stream):
            if isinstance(part, EntryPart):
                for event in log_pb2.Entry.FromString(part.data).events:
                    yield str(event)
