"""The matches of a tournament that are over, a line of JSON for each group of pairs; a line counts when it is whole."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.arena.failures import ArenaError
from referee.arena.files import sync_folder
from referee.arena.played import PlayedMatch
from referee.contest.pairing import Half
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class BookedMatch:
    """Holds a match as the journal has it."""

    pair: int
    attempt: int
    half: Half
    match_id: bytes
    outcome: Outcome


class Journal:
    """Is a file that is only added to; all methods raise OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Iterator[BookedMatch]:
        """Yields all matches. A line that was cut is dropped from the file. Raises ArenaError for a damaged one."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            os.truncate(self._path, whole)
        for place, line in enumerate(data[:whole].splitlines(), 1):
            try:
                yield from map(_booked, json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ArenaError(f"line {place} of {self._path} is damaged") from None

    def add(self, groups: Iterable[Sequence[PlayedMatch]]) -> None:
        """Adds the matches of groups, whose replays are there; when this returns, they count for ever."""
        is_new = not self._path.exists()
        with self._path.open("ab") as file:
            for matches in groups:
                file.write(json.dumps([_fields(match) for match in matches], separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_folder(self._path.parent)


def _fields(match: PlayedMatch) -> dict[str, Any]:
    outcome = match.outcome
    return {
        "pair": match.pair,
        "attempt": match.attempt,
        "half": int(match.half),
        "match_id": match.match_id.hex(),
        "winner": None if outcome.winner is None else outcome.winner.name,
        "termination": outcome.termination.name,
        "totals": outcome.totals,
        "rounds": outcome.rounds,
        "faulted": [seat.name for seat in outcome.faulted],
    }


def _booked(fields: dict[str, Any]) -> BookedMatch:
    total_a, total_b = map(_whole, fields["totals"])
    outcome = Outcome(
        None if fields["winner"] is None else Seat[fields["winner"]],
        Termination[fields["termination"]],
        (total_a, total_b),
        _whole(fields["rounds"]),
        tuple(Seat[name] for name in fields["faulted"]),
    )
    match_id = bytes.fromhex(fields["match_id"])
    return BookedMatch(_whole(fields["pair"]), _whole(fields["attempt"]), Half(fields["half"]), match_id, outcome)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value
