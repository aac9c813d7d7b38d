"""The journals that replays are held against, each by the match that it is of."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.cli.failures import CommandError
from referee.cli.output import opened

SUFFIX: Final = ".journal"


class Journals:
    """Knows of files of journals which match each is of.

    A directory stands for the `*.journal` files in it that are journals; they need not be of the matches in question.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Reads the beginning of each journal. Raises CommandError for one that was named and is none."""
        self._named: dict[str, bytes] = {}
        self._of_match: dict[bytes, list[str]] = {}
        for name in names:
            path = Path(name)
            if path.is_dir():
                for found in sorted(filter(Path.is_file, path.glob(f"*{SUFFIX}"))):
                    with suppress(CommandError):
                        self._add(str(found))
            else:
                self._named[name] = self._add(name)

    def of(self, file: str) -> Sequence[str]:
        """Returns the journals of the match that a replay is of; none if that cannot be told."""
        if not self._of_match:
            return ()
        match_id = _match_of_replay(file)
        return () if match_id is None else self._of_match.get(match_id, ())

    def require_use(self, files: Iterable[str]) -> None:
        """Raises CommandError for a journal that was named and is of none of the matches that the replays are of."""
        if not self._named:
            return
        matches = {_match_of_replay(file) for file in files}
        for name, match_id in self._named.items():
            if match_id not in matches:
                raise CommandError(f"{name} is of match {match_id.hex()}, and no replay given is of that")

    def _add(self, name: str) -> bytes:
        from referee.audit.journal_records import owner_of
        from referee.log.journal import JournalFault

        with opened(name) as stream:
            try:
                match_id = owner_of(stream).match_id
            except JournalFault as fault:
                raise CommandError(f"{name} is no journal of a seat: {fault.message}") from None
        self._of_match.setdefault(match_id, []).append(name)
        return match_id


def _match_of_replay(file: str) -> bytes | None:
    """Returns the match id in the header of a replay, None if that cannot be read, which verifying then tells."""
    from referee.audit.replay import replay
    from referee.log.file_format import FileFault

    if not Path(file).is_file():
        return None
    try:
        with opened(file) as stream:
            return replay(stream).header.match_id
    except (CommandError, FileFault):
        return None
