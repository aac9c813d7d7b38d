"""A tournament from its settings to its table, on this machine."""

import shutil
from typing import Any, Final

from referee.arena.check import check_bots
from referee.arena.commands import check_programs
from referee.arena.effective import digest_of, effective
from referee.arena.folder import OutputFolder
from referee.arena.host import Host, hosting
from referee.arena.lanes import Quarters
from referee.arena.local import local_executor
from referee.arena.sandbox import Bubblewrap, Honour, Sandbox, works
from referee.arena.specification import Specification
from referee.arena.tournament import Show, Tournament
from referee.report.tournament.standings import standings_object

_BUBBLEWRAP: Final = "bwrap"


async def run_tournament(specification: Specification, master: bytes, show: Show) -> dict[str, Any]:
    """Plays what is not over, and returns the standings as they were written to the output folder.

    Killed at any moment, it goes on when it is called again. Raises ArenaError for what the organiser can set right,
    and OSError.
    """
    check_programs(specification)
    settings = effective(specification, master)
    folder = OutputFolder(specification.output)
    folder.prepare(settings, digest_of(settings))
    # Whoever has the store has the folder.
    async with hosting(folder.store, specification.terms, specification.concurrency) as host:
        tournament = Tournament(specification, master, folder)
        if not tournament.course.over:
            await _play(tournament, host, folder, master, show)
        tournament.publish_master()
        standings = standings_object(specification, settings, tournament.course, folder.lanes_mark())
        folder.keep_standings(standings)
        return standings


async def _play(tournament: Tournament, host: Host, folder: OutputFolder, master: bytes, show: Show) -> None:
    with folder.place_for_lanes():
        sandbox = await _sandbox(tournament.specification, host)
        quarters = Quarters(host, tournament.specification, sandbox, folder.lanes, folder.logs)
        await check_bots(quarters)
        folder.mark_lanes(sandbox.mark)
        async with local_executor(quarters, master) as executor:
            await tournament.run(executor, show)


async def _sandbox(specification: Specification, host: Host) -> Sandbox:
    program = shutil.which(_BUBBLEWRAP)
    if program is None or not await works(program):
        return Honour()
    return Bubblewrap(program, host.port, specification.folder, specification.output, specification.seed_file)
