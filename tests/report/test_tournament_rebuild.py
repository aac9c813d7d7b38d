"""A tournament again from its replays, and what is found when a folder was changed."""

import asyncio
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from referee.arena.effective import digest_of, effective
from referee.arena.specification import Specification
from referee.audit.replay import replay
from referee.contest.pairing import Half
from referee.log.file_format import FILE_HEAD, EntryPart, HeaderPart, chained_bytes, read_parts
from referee.report.tournament.matches import Distinction, Match, notable, read_match
from referee.report.tournament.rebuild import (
    RebuildFault,
    WrongReplay,
    differences,
    open_folder,
    proven_match,
    rebuilt,
    replay_files,
)
from referee.rules.events import Event, RoundEnded
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat
from tests.arena.cups import MASTER, cup, kept_standings, run
from tests.report.accounts import asked
from tests.report.simulated import match

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Specification:
    """A tournament that is over: three pairs of each of three pairings."""
    asked = cup(tmp_path_factory.mktemp("played"), "random", "greedy", "greedy", pairs=3)
    asyncio.run(run(asked))
    return asked


@pytest.fixture
def folder(played: Specification, tmp_path: Path) -> Path:
    """A copy of its output folder, to be changed."""
    return Path(shutil.copytree(played.output, tmp_path / "cup", ignore=shutil.ignore_patterns("referee")))


def _rebuilt(folder: Path) -> dict[str, Any]:
    kept = open_folder(folder)
    return {**rebuilt(kept, [proven_match(kept, file) for file in replay_files(kept)]).standings}


def _end_early(folder: Path, *names: str) -> None:
    """Leaves a folder as if the runner had been killed before these matches were over."""
    for file in ("master.json", "standings.json", *(f"replays/{name}.unoduo" for name in names)):
        (folder / file).unlink()


def test_standings_follow_from_the_replays(played: Specification, folder: Path) -> None:
    (folder / "journal.jsonl").unlink()
    (folder / "standings.json").unlink()
    assert _rebuilt(folder) == kept_standings(played)


def test_tournament_under_way_counts_as_far_as_it_has_no_gap(played: Specification, folder: Path) -> None:
    _end_early(folder, "pair-0006-second", "pair-0008-first")
    told = _rebuilt(folder)
    assert (told["pairs"], told["over"], told["scheduled"]) == (5, False, 9)
    assert sum(pairing["pairs"] for pairing in told["pairings"]) == 5
    kept = open_folder(folder)
    matches = [proven_match(kept, file) for file in replay_files(kept)]
    beyond = [replace(each, events=10_000) if each.pair == 7 else each for each in matches]
    assert rebuilt(kept, beyond).notable == rebuilt(kept, matches).notable
    # Without the master seed the schedule is that which the matches tell; with it, it is the same.
    shutil.copy(played.output / "master.json", folder)
    assert _rebuilt(folder) == told
    _end_early_of_all(folder)
    assert _rebuilt(folder)["pairs"] == 0


def _end_early_of_all(folder: Path) -> None:
    for file in [folder / "master.json", *(folder / "replays").iterdir()]:
        file.unlink()


def _exchange(folder: Path, one: str, other: str) -> None:
    names = [folder / "replays" / f"{name}.unoduo" for name in (one, other)]
    datas = [name.read_bytes() for name in names]
    for name, data in zip(names, reversed(datas), strict=True):
        name.write_bytes(data)


def _pairs_of_one_pairing(folder: Path) -> list[int]:
    """Returns two pairs that were played by the same players."""
    met: dict[tuple[str, ...], list[int]] = {}
    for pair in range(1, 10):
        with (folder / "replays" / f"pair-{pair:04}-first.unoduo").open("rb") as stream:
            met.setdefault(tuple(player.name for player in replay(stream).header.players), []).append(pair)
    return next(iter(met.values()))[:2]


def _of_another_pair(folder: Path) -> None:
    one, other = _pairs_of_one_pairing(folder)
    _exchange(folder, f"pair-{one:04}-first", f"pair-{other:04}-first")


def _whole_pairs(folder: Path) -> None:
    one, other = _pairs_of_one_pairing(folder)
    for half in ("first", "second"):
        _exchange(folder, f"pair-{one:04}-{half}", f"pair-{other:04}-{half}")


def _copied(folder: Path) -> None:
    one, other = _pairs_of_one_pairing(folder)
    (folder / "master.json").unlink()
    for half in ("first", "second"):
        shutil.copy(folder / f"replays/pair-{one:04}-{half}.unoduo", folder / f"replays/pair-{other:04}-{half}.unoduo")


def _with_settings(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        kept = json.loads((folder / "tournament.json").read_text())
        change(kept["settings"])
        kept["digest"] = digest_of(kept["settings"])
        (folder / "tournament.json").write_text(json.dumps(kept))

    return apply


def _text(name: str, text: str) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_text(text)


def _master_of_another(folder: Path) -> None:
    master = json.loads((folder / "master.json").read_text())
    (folder / "master.json").write_text(json.dumps(master | {"master": "ab" * 32}))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_of_another_pair, "was not played with the deal of its pair"),
        (_whole_pairs, "was not played with the deal of its pair"),
        (_copied, "is the same match as another one"),
        (lambda folder: _exchange(folder, "pair-0001-first", "pair-0001-second"), "or in the wrong seats"),
        (_text("replays/letter.txt", "Dear Ann"), "has not the name of a replay"),
        (_text("tournament.json", "{}"), "is damaged"),
        (_text("master.json", "{}"), "is no master file"),
        (_master_of_another, "is of another master seed"),
        (_with_settings(lambda settings: settings.update(pairs=2)), "there is no such pair"),
        (_with_settings(lambda settings: settings.update(pairs=0)), "are not sound: pairs: "),
        (_with_settings(lambda settings: settings["rules"].update(target=2)), "was not played by the rules"),
        (_with_settings(lambda settings: settings["players"][0].update(name="X")), "by others than the players"),
    ],
)
def test_folder_that_was_changed_gives_no_standings(folder: Path, change: Callable[[Path], Any], told: str) -> None:
    change(folder)
    with pytest.raises(RebuildFault, match=told):
        _rebuilt(folder)


@pytest.mark.parametrize(
    "values",
    [
        {"pairs": 3, "common_deals": True, "format": "gauntlet"},
        {"sprt": {"elo1": 50, "most_pairs": 70}},
        {"pairs": 1, "rules": {"variant": "official-leaning"}, "faults": {"on_expiry": "forfeit"}},
    ],
)
def test_settings_of_every_kind_are_understood(tmp_path: Path, values: dict[str, Any]) -> None:
    cup = asked("Anna", "Bert", **values)
    settings = effective(cup, MASTER)
    (tmp_path / "tournament.json").write_text(json.dumps({"settings": settings, "digest": digest_of(settings)}))
    kept = open_folder(tmp_path)
    assert kept.specification == replace(cup, folder=tmp_path, output=tmp_path, seed_file=tmp_path / "unknown")
    told = rebuilt(kept, [])
    assert (told.standings["pairs"], told.standings["over"]) == (0, False)


@pytest.mark.parametrize(
    "change", [lambda settings: settings.update(players=5), lambda settings: settings.pop("master_commitment")]
)
def test_settings_that_are_none_are_told(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    _with_settings(change)(folder)
    with pytest.raises(RebuildFault):
        open_folder(folder)


def test_attempt_that_was_not_due_gives_no_standings(folder: Path) -> None:
    _end_early(folder)
    first = folder / "replays" / "pair-0009-first.unoduo"
    first.rename(first.with_name("pair-0009-attempt-2-first.unoduo"))
    with pytest.raises(RebuildFault, match=r"pair-0009-attempt-2-first\.unoduo has no place .* attempt is not due"):
        _rebuilt(folder)


@pytest.mark.parametrize("name", ["pair-0001-attempt-1-first", "pair-00001-first", "pair-0001-third"])
def test_replay_has_one_name_only(folder: Path, name: str) -> None:
    first = folder / "replays" / "pair-0001-first.unoduo"
    first.rename(first.with_name(f"{name}.unoduo"))
    with pytest.raises(RebuildFault, match="has not the name of a replay"):
        _rebuilt(folder)


def test_replay_that_was_changed_is_found(folder: Path) -> None:
    file = folder / "replays" / "pair-0002-first.unoduo"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(WrongReplay) as caught:
        _rebuilt(folder)
    assert caught.value.report.status.value == "wrong"


def test_differences_name_each_value() -> None:
    stored = {"pairs": 3, "over": 1, "players": [{"name": "Anna", "score": 0.5}], "more": [1], "old": 4}
    told = {"pairs": 3, "over": True, "players": [{"name": "Anna", "score": 0.25}], "more": [1, 2], "new": 7}
    assert [*differences(stored, told)] == [
        "over: 1 is stored, true follows from the replays",
        "players[0].score: 0.5 is stored, 0.25 follows from the replays",
        "more: [1] is stored, [1, 2] follows from the replays",
        "new: null is stored, 7 follows from the replays",
        "old: 4 is stored, null follows from the replays",
    ]
    assert [*differences(told, told)] == []


@pytest.mark.parametrize("name", ["duo-careful-greedy", "duo-random-random", "target-of-one", "no-show-a"])
def test_match_is_read_as_its_replay_tells_it(name: str) -> None:
    data = (GOLDEN / f"{name}.unoduo").read_bytes()
    told = read_match(BytesIO(data), 3, 1, Half.SECOND)
    facts = [event for entry in replay(BytesIO(data)).entries for event in entry.events]
    rounds = [event.fact for event in facts if isinstance(event, Event) and isinstance(event.fact, RoundEnded)]
    winner = told.outcome.winner
    assert winner is not None
    assert told.events == len(facts)
    assert told.behind == max([0, *(fact.totals[winner] - fact.totals[winner.other] for fact in rounds)])
    assert told.file == "pair-0003-attempt-2-second.unoduo"
    assert told.names == tuple(player.name for player in replay(BytesIO(data)).header.players)


def test_match_that_is_not_over_is_refused() -> None:
    data = (GOLDEN / "duo-random-random.unoduo").read_bytes()
    with pytest.raises(ValueError, match="not over"):
        read_match(BytesIO(_without_end(data)), 1, 0, Half.FIRST)


def _without_end(data: bytes) -> bytes:
    parts = read_parts(BytesIO(data))
    kept = [chained_bytes(part.data, part.head) for part in parts if isinstance(part, HeaderPart | EntryPart)]
    return FILE_HEAD + b"".join(kept[:10])


def _match(pair: int, events: int, totals: tuple[int, int], rounds: int, behind: int, by_fault: bool = False) -> Match:
    termination = Termination.TIMEOUT if by_fault else Termination.TARGET
    faulted = (Seat.B,) if by_fault else ()
    outcome = Outcome(Seat.A, termination, totals, rounds, faulted)
    return replace(match(pair), outcome=outcome, events=events, behind=behind)


def test_matches_stand_out_by_length_closeness_and_swing() -> None:
    matches = [
        _match(1, 900, (0, 201), 3, 0),
        _match(2, 2000, (0, 0), 1, 0, by_fault=True),
        _match(3, 800, (190, 200), 8, 50),
        _match(4, 700, (191, 201), 9, 120),
        _match(5, 600, (192, 202), 9, 120),
        _match(6, 650, (100, 200), 9, 300, by_fault=True),
    ]
    found = {distinction: each.pair for distinction, each in notable(reversed(matches)).items()}
    # A match that somebody lost by a fault is neither close nor turned; of equals the first one is taken.
    assert found == {Distinction.LONGEST: 2, Distinction.CLOSEST: 4, Distinction.SWING: 4}
    assert set(notable(matches[:2])) == {Distinction.LONGEST, Distinction.CLOSEST}
    assert notable([]) == {}
