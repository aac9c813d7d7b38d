"""Writes the report of a tournament into its output folder.

Beside what the runner keeps there, it holds::

    report.html       the page
    standings.csv     a line a player
    pairings.csv      a line a pairing
    matches/          viewers of the matches that the page links to
"""

from collections.abc import Iterable

from referee.arena.files import write_whole
from referee.arena.folder import OutputFolder
from referee.report.html.page import page as viewer
from referee.report.story import Observer
from referee.report.tournament.matches import Match
from referee.report.tournament.page import Account, page
from referee.report.tournament.sections import VIEWERS, viewer_file
from referee.report.tournament.spreadsheets import pairings_csv, players_csv


def write_report(folder: OutputFolder, account: Account) -> None:
    """Writes the page, the tables and the viewers. Raises OSError, and FileFault for a replay that is damaged."""
    _write_viewers(folder, account.notable.values())
    write_whole(folder.path / "standings.csv", players_csv(account.standings).encode())
    write_whole(folder.path / "pairings.csv", pairings_csv(account.standings).encode())
    write_whole(folder.path / "report.html", page(account).encode())


def _write_viewers(folder: OutputFolder, matches: Iterable[Match]) -> None:
    (folder.path / VIEWERS).mkdir(exist_ok=True)
    files = {folder.path / viewer_file(match): folder.replays / match.file for match in matches}
    for file, replay in files.items():
        with replay.open("rb") as stream:
            write_whole(file, viewer(stream, Observer.AUDITOR).encode())
    for stale in set((folder.path / VIEWERS).glob("pair-*.html")) - set(files):
        stale.unlink()
