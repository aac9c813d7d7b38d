"""A tournament from its settings to its table."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from referee.arena.check import check_bots
from referee.arena.commands import check_programs
from referee.arena.effective import digest_of, effective
from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.host import Host, hosting
from referee.arena.in_process import find_functions, in_process_executor
from referee.arena.lanes import Quarters
from referee.arena.local import local_executor
from referee.arena.played import Executor
from referee.arena.sandbox import IN_PROCESS, find_sandbox
from referee.arena.seeds import SeedsOf, seeds_of_master
from referee.arena.specification import Specification
from referee.arena.tournament import Show, Tournament
from referee.report.tournament.standings import standings_object
from referee.store.directory import StoreDirectory
from referee.store.errors import StoreUnavailable


async def run_tournament(
    specification: Specification, master: bytes, show: Show, *, in_process: bool = False, cluster: str = ""
) -> dict[str, Any]:
    """Plays what is not over, and returns the standings as they were written to the output folder.

    Killed at any moment, it goes on when it is called again. `in_process` plays with the functions of the players,
    without sockets and clocks; `cluster` is the address of the scheduler of a cluster that plays, instead of this
    machine. Raises ArenaError for what the organiser can set right, and OSError.
    """
    if in_process:
        find_functions(specification)
    elif not cluster:
        check_programs(specification)
    settings = effective(specification, master)
    folder = OutputFolder(specification.output)
    folder.prepare(settings, digest_of(settings))
    async with _holding(specification, folder, plays_here=not (in_process or cluster)) as host:
        tournament = Tournament(specification, master, folder)
        if not tournament.course.over:
            async with _executor(specification, master, folder, host, cluster) as executor:
                await tournament.run(executor, show)
        tournament.publish_master()
        standings = standings_object(specification, settings, tournament.course, folder.lanes_mark())
        folder.keep_standings(standings)
        return standings


@asynccontextmanager
async def _holding(
    specification: Specification, folder: OutputFolder, *, plays_here: bool
) -> AsyncIterator[Host | None]:
    """Keeps other runners away, and yields the referee of a run that needs one here.

    Whoever has the store has the folder. Raises ArenaError.
    """
    if plays_here:
        async with hosting(folder.store, specification.terms, specification.concurrency) as host:
            yield host
        return
    directory = StoreDirectory(folder.store)
    try:
        directory.acquire()
    except StoreUnavailable as error:
        raise ArenaError(str(error)) from error
    try:
        yield None
    finally:
        directory.release()


@asynccontextmanager
async def _executor(
    specification: Specification, master: bytes, folder: OutputFolder, host: Host | None, cluster: str
) -> AsyncIterator[Executor]:
    """Yields what plays, once every bot has been tried. Raises ArenaError."""
    seeds = seeds_of_master(master, specification.entropies)
    if cluster:
        async with _cluster_executor(cluster, specification, seeds, folder) as far:
            yield far
        return
    if host is None:
        folder.mark_lanes(IN_PROCESS)
        async with in_process_executor(specification, seeds) as in_process:
            yield in_process
        return
    with folder.place_for_lanes():
        sandbox = await find_sandbox(specification, host.port, folder.path)
        quarters = Quarters(host, specification, sandbox, folder.lanes, folder.logs)
        await check_bots(quarters)
        folder.mark_lanes(sandbox.mark)
        async with local_executor(quarters, seeds) as local:
            yield local


def _cluster_executor(
    address: str, specification: Specification, seeds: SeedsOf, folder: OutputFolder
) -> AbstractAsyncContextManager[Executor]:
    try:
        # Few need it, and it takes its time.
        from referee.arena.cluster import cluster_executor
    except ModuleNotFoundError as error:
        raise ArenaError(f"a cluster needs {error.name}: pip install 'unoduo-referee[cluster]'") from None
    return cluster_executor(address, specification, seeds, folder)
