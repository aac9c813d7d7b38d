"""The output folder of a tournament, in which no end of the runner leaves anything half-written.

It holds::

    tournament.json   the effective settings and their digest, from the beginning
    journal.jsonl     a line for each group of pairs that is over, added when its replays are there
    replays/          a replay of each match, the void ones too
    standings.json    the table; the report beside it is written by `referee.report.tournament.files`
    master.json       at the end: the master seed, for `unoduo verify --master`
    logs/             what the bots wrote
    lanes.txt         what has kept the lanes of the bots apart
    lanes/            the folders of bots that run
    referee/          the store of the referee, with the secrets of pairs under way
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from referee.arena.failures import ArenaError
from referee.arena.files import is_part, write_all_whole, write_whole
from referee.arena.journal import Journal
from referee.arena.played import PlayedMatch
from referee.arena.sandbox import BOXED, IN_PROCESS, ON_HONOUR
from referee.audit.master import FORMAT as MASTER_FORMAT
from referee.contest.pairing import Half

_SETTINGS: Final = "tournament.json"
_LANES: Final = "lanes.txt"
_WORSE_AND_WORSE: Final = (BOXED, ON_HONOUR, IN_PROCESS)
_PRIVATE: Final = 0o700


def replay_name(pair: int, attempt: int, half: Half) -> str:
    """Returns the name of a replay: `pair-0001-first.unoduo`, with the attempt if earlier ones were void."""
    again = f"-attempt-{attempt + 1}" if attempt else ""
    return f"pair-{pair:04}{again}-{half.name.lower()}.unoduo"


class OutputFolder:
    """Is the folder; all methods raise OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replays = path / "replays"
        self.logs = path / "logs"
        self.lanes = path / "lanes"
        self.store = path / "referee"
        self.journal = Journal(path / "journal.jsonl")

    def prepare(self, settings: Mapping[str, Any], digest: str) -> None:
        """Makes the folder, or finds that it is there for the same settings. Raises ArenaError if it is for others."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / _SETTINGS
        if file.exists():
            if (there := _settings_in(file)) is None or there["digest"] != digest:
                which = _other(there, settings)
                raise ArenaError(f"{self.path} is of a tournament with other settings{which}; give another `output`")
        elif any(not is_part(other) for other in self.path.iterdir()):
            raise ArenaError(f"{self.path} is there already and of no tournament; give another `output`")
        else:
            write_whole(file, as_json({"digest": digest, "settings": settings}))
        for folder in (self.replays, self.logs):
            folder.mkdir(exist_ok=True)

    @contextmanager
    def place_for_lanes(self) -> Iterator[None]:
        """Makes `lanes`, without what an earlier runner has left; only the one that holds the store may do that."""
        shutil.rmtree(self.lanes, ignore_errors=True)
        self.lanes.mkdir(_PRIVATE)
        try:
            yield
        finally:
            shutil.rmtree(self.lanes, ignore_errors=True)

    def keep(self, groups: Sequence[Sequence[PlayedMatch]]) -> None:
        """Keeps the matches of groups: first their replays, then the lines that say that they are over."""
        files = {
            self.replays / replay_name(match.pair, match.attempt, match.half): match.replay
            for matches in groups
            for match in matches
        }
        write_all_whole(files)
        self.journal.add(groups)

    def mark_lanes(self, mark: str) -> None:
        """Keeps what the lanes of a runner are, if those of no other were worse."""
        file = self.path / _LANES
        worst = max(self.lanes_mark(), mark, key=_WORSE_AND_WORSE.index) if file.exists() else mark
        write_whole(file, worst.encode())

    def lanes_mark(self) -> str:
        """Returns what the lanes were; where that is not known, nobody can say that they were boxed."""
        try:
            mark = (self.path / _LANES).read_bytes().decode("ascii", "replace")
        except FileNotFoundError:
            return ON_HONOUR
        return mark if mark in _WORSE_AND_WORSE else ON_HONOUR

    def keep_standings(self, standings: Mapping[str, Any]) -> None:
        """Keeps the table."""
        write_whole(self.path / "standings.json", as_json(standings))

    def keep_master(
        self, master: bytes, entropies: Sequence[bytes], matches: Mapping[tuple[int, int], Sequence[bytes]]
    ) -> None:
        """Publishes the master seed, with the ids of the matches by the number of their deal and their attempt."""
        pairs = [
            {"pair": deal, "attempt": attempt, "matches": [match_id.hex() for match_id in ids]}
            for (deal, attempt), ids in sorted(matches.items())
        ]
        fields = {
            "format": MASTER_FORMAT,
            "master": master.hex(),
            "entropies": [entropy.hex() for entropy in entropies],
            "pairs": pairs,
        }
        write_whole(self.path / "master.json", as_json(fields))


def as_json(value: Any) -> bytes:
    """Returns a value as JSON for people and programs."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def _settings_in(file: Path) -> dict[str, Any] | None:
    """Returns what a file of settings holds, or None if it is damaged."""
    try:
        there = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None
    is_sound = isinstance(there, dict) and isinstance(there.get("settings"), dict) and "digest" in there
    return there if is_sound else None


def _other(there: dict[str, Any] | None, settings: Mapping[str, Any]) -> str:
    """Returns which settings differ, as far as that can be told."""
    if there is None:
        return ""
    # By way of JSON, in which those are that are there.
    now = json.loads(as_json(settings))
    names = [name for name in now if there["settings"].get(name) != now[name]]
    return f" ({', '.join(names)})" if names else ""
