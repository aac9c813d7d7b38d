"""A tournament again from its replays, each of them verified; nothing that the runner has booked is asked."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.arena.effective import digest_of
from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.specification import Specification, specification
from referee.audit.master import Master, MasterFault
from referee.audit.report import Report, Status
from referee.audit.verify import Evidence, verify
from referee.contest.book import Book, BookingRefused
from referee.contest.pairing import Half, Pairing
from referee.contest.schedule import ScheduledPair, make_schedule
from referee.contest.stopping import Course, course
from referee.deal.keys import shared_deal_id
from referee.deal.master import pair_seed
from referee.report.tournament.matches import Match, counted_matches, notable, read_match
from referee.report.tournament.page import Account
from referee.report.tournament.standings import standings_object

_REPLAY: Final = re.compile(r"pair-([0-9]{4,9})(?:-attempt-([0-9]{1,4}))?-(first|second)\.unoduo")


class RebuildFault(Exception):
    """Tells in one sentence why no standings follow from a folder."""


class WrongReplay(RebuildFault):
    """Reports a replay that is not proven; `report` is the verdict on it."""

    def __init__(self, file: Path, report: Report) -> None:
        super().__init__(f"{file} is {report.status.value}")
        self.report = report


@dataclass(frozen=True, slots=True)
class Kept:
    """Holds what a folder says of its tournament: settings, and when it is over the master seed with its file."""

    folder: OutputFolder
    settings: Mapping[str, Any]
    specification: Specification
    master: Master | None
    seed: bytes | None


def open_folder(path: Path) -> Kept:
    """Returns what the output folder of a tournament says. Raises RebuildFault and OSError."""
    folder = OutputFolder(path)
    settings = _settings(path / "tournament.json")
    asked = _specification(settings, path)
    master, seed = _master(path / "master.json")
    if master is not None and master.commitment.hex() != settings["master_commitment"]:
        raise RebuildFault(f"{path / 'master.json'} is of another master seed than the tournament")
    return Kept(folder, settings, asked, master, seed)


def replay_files(kept: Kept) -> Sequence[Path]:
    """Returns the replays of a folder by their names. Raises OSError."""
    return sorted(file for file in kept.folder.replays.iterdir() if not file.name.startswith("."))


def proven_match(kept: Kept, file: Path) -> Match:
    """Returns what a replay tells after it is verified. Raises WrongReplay, RebuildFault for a foreign one, OSError."""
    found = _REPLAY.fullmatch(file.name)
    if found is None:
        raise RebuildFault(f"{file} has not the name of a replay of a tournament")
    pair, attempt, half = int(found[1]), int(found[2] or 1) - 1, Half[found[3].upper()]
    with file.open("rb") as stream:
        report = verify(stream, Evidence(master=kept.master))
        if report.status is not Status.OK:
            raise WrongReplay(file, report)
        stream.seek(0)
        match = read_match(stream, pair, attempt, half)
    if match.file != file.name:
        raise RebuildFault(f"{file} has not the name of a replay of a tournament")
    if match.terms != kept.specification.terms:
        raise RebuildFault(f"{file} was not played by the rules, clocks and faults of the tournament")
    return match


def rebuilt(kept: Kept, matches: Iterable[Match]) -> Account:
    """Returns what follows from the matches of a folder, which are proven. Raises RebuildFault."""
    told = sorted(matches, key=lambda match: (match.pair, match.attempt, match.half))
    now = _course(kept, told)
    standings = standings_object(kept.specification, kept.settings, now, kept.folder.lanes_mark())
    counted = set(counted_matches(now.results))
    outstanding = notable(match for match in told if (match.pair, match.attempt, match.half) in counted)
    return Account(kept.specification, kept.settings, now, standings, outstanding)


def differences(stored: Any, told: Any, path: str = "") -> Iterator[str]:
    """Yields a line for each value in which stored standings differ from those of the replays."""
    if isinstance(stored, dict) and isinstance(told, dict):
        for key in [*told, *(key for key in stored if key not in told)]:
            yield from differences(stored.get(key), told.get(key), f"{path}.{key}" if path else key)
    elif isinstance(stored, list) and isinstance(told, list) and len(stored) == len(told):
        for place, (one, other) in enumerate(zip(stored, told, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif stored != told or type(stored) is not type(told):
        yield f"{path}: {json.dumps(stored)} is stored, {json.dumps(told)} follows from the replays"


def _settings(file: Path) -> Mapping[str, Any]:
    try:
        fields = json.loads(file.read_bytes())
        settings, digest = fields["settings"], fields["digest"]
        if isinstance(settings, dict) and digest_of(settings) == digest and "master_commitment" in settings:
            return settings
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise RebuildFault(f"{file} is damaged")


def _specification(settings: Mapping[str, Any], path: Path) -> Specification:
    values = {key: value for key, value in settings.items() if key != "master_commitment" and value is not None}
    if "sprt" in values:
        del values["pairs"]
    try:
        # What is empty was not in the file.
        values["players"] = [
            {key: value for key, value in player.items() if value != ""} for player in values["players"]
        ]
        # Where the files of the runner are is no part of the settings.
        return specification(values | {"output": str(path), "seed_file": "unknown"}, path)
    except (ArenaError, KeyError, TypeError, AttributeError) as error:
        raise RebuildFault(f"the settings of the tournament are not sound: {error}") from None


def _master(file: Path) -> tuple[Master | None, bytes | None]:
    try:
        data = file.read_bytes()
        return Master(data), bytes.fromhex(json.loads(data)["master"])
    except FileNotFoundError:
        return None, None
    except MasterFault as fault:
        raise RebuildFault(f"{file} is no master file: {fault}") from None


def _course(kept: Kept, matches: Sequence[Match]) -> Course:
    asked = kept.specification
    schedule = _schedule(kept, matches)
    _check(kept, schedule, matches)
    book = Book(schedule, asked.attempts)
    for match in matches:
        try:
            book.enter(match.pair, match.attempt, match.half, match.outcome)
        except BookingRefused as refused:
            raise RebuildFault(f"{match.file} has no place in the tournament: {refused.message}") from None
    return course(schedule, book.prefix(), asked.sprt)


def _schedule(kept: Kept, matches: Iterable[Match]) -> Sequence[ScheduledPair]:
    """Returns the schedule: by the master seed, or as far as the players of the matches tell it.

    In a round that is not over the rest is in any order; no match of it counts before those that are missing.
    """
    asked = kept.specification
    if kept.seed is not None:
        return make_schedule(asked.pairings, asked.pairs, kept.seed, common_deals=asked.common_deals)
    names = [player.name for player in asked.players]
    size = len(asked.pairings)
    told = {match.pair: _pairing(match, names) for match in matches}
    schedule: list[ScheduledPair] = []
    for round in range(1, asked.pairs + 1):
        numbers = range((round - 1) * size + 1, round * size + 1)
        met = {told[number] for number in numbers if number in told}
        rest = iter([pairing for pairing in asked.pairings if pairing not in met])
        for number in numbers:
            pairing = told.get(number) or next(rest, None)
            if pairing is None:
                raise RebuildFault(f"round {round} has two pairs of the same players")
            schedule.append(ScheduledPair(number, round, pairing, round if asked.common_deals else number))
    return schedule


def _pairing(match: Match, names: Sequence[str]) -> Pairing:
    first, second = match.names if match.half is Half.FIRST else match.names[::-1]
    if first not in names or second not in names:
        raise RebuildFault(f"{match.file} was played by others than the players of the tournament")
    return Pairing(names.index(first), names.index(second))


def _check(kept: Kept, schedule: Sequence[ScheduledPair], matches: Iterable[Match]) -> None:
    """Checks that each match is of the players of its pair, of the deal of its attempt, and there once."""
    names = [player.name for player in kept.specification.players]
    ids: set[bytes] = set()
    deals: dict[tuple[int, int], bytes] = {}
    for match in matches:
        if not 1 <= match.pair <= len(schedule):
            raise RebuildFault(f"{match.file} has no place in the tournament: there is no such pair")
        pair = schedule[match.pair - 1]
        if _pairing(match, names) != pair.pairing:
            raise RebuildFault(f"{match.file} was not played by the players of its pair, or in the wrong seats")
        if match.match_id in ids:
            raise RebuildFault(f"{match.file} is the same match as another one")
        due = deals.setdefault((pair.deal, match.attempt), _deal_id(kept, pair, match))
        if match.deal_id != due:
            raise RebuildFault(f"{match.file} was not played with the deal of its pair")
        ids.add(match.match_id)


def _deal_id(kept: Kept, pair: ScheduledPair, match: Match) -> bytes:
    """Returns the id of the deal due; as long as the master seed is secret, whatever the first match of it had."""
    if kept.seed is None:
        return match.deal_id
    return shared_deal_id(pair_seed(kept.seed, pair.deal, match.attempt, kept.specification.entropies))
