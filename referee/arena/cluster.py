"""Plays matches on the workers of a Dask cluster.

The runner keeps the list of what waits, and hands each worker as much as it has threads for; a task is tied to its
worker. When that is lost, or fails, the groups of its tasks wait again, for any other. A worker gets nothing before it
has been found to have the same versions as the runner and to be able to start every bot.
"""

import asyncio
import logging
import pickle
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any, Final

from distributed import Client, KilledWorker
from distributed.client import FutureCancelledError

from referee.arena.cluster_task import Delivery, Failure, Order, play, try_bots, versions
from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.played import Group, PlayedMatch
from referee.arena.seeds import SeedsOf
from referee.arena.specification import MATCHES_A_CORE, Specification
from referee.arena.together import cancel_all, together

_CONNECT_S: Final = 5.0
_LOOK_S: Final = 0.5
_PATIENCE_S: Final = 60.0
_MOST_LOSSES: Final = 5
_MOST_PAIRS_A_TASK: Final = 32
_TASKS_A_THREAD: Final = 4
_LOGGERS: Final = ("distributed", "distributed.client")


class _Unfit(ArenaError):
    """Tells why a worker is given nothing, or nothing more."""


@dataclass(slots=True)
class _Errand:
    """Holds a group that is to be played, where its matches are waited for, and how often it was lost on the way."""

    group: Group
    matches: "asyncio.Future[Sequence[PlayedMatch]]"
    losses: int = 0

    def succeed(self, matches: Sequence[PlayedMatch]) -> None:
        """Gives the matches to whoever still waits for them."""
        if not self.matches.done():
            self.matches.set_result(matches)

    def fail(self, failure: Exception) -> None:
        """Tells whoever still waits that there will be none."""
        if not self.matches.done():
            self.matches.set_exception(failure)


class ClusterExecutor:
    """Plays on a cluster; `referee.arena.played.Executor` says what."""

    def __init__(self, client: Client, specification: Specification, seeds: SeedsOf, folder: OutputFolder) -> None:
        # Of a worker, each thread plays as many matches at once as a core would here.
        self._specification = replace(specification, concurrency=min(specification.concurrency, MATCHES_A_CORE))
        # Much of a client has no types.
        self._client: Any = client
        self._seeds = seeds
        self._folder = folder
        self._waiting: deque[_Errand] = deque()
        self._has_come = asyncio.Event()
        self._posts: dict[str, asyncio.Task[None]] = {}
        self._threads: dict[str, int] = {}
        self._unfit: dict[str, _Unfit] = {}
        self._failure: Exception | None = None
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Tries all workers that are there. Raises ArenaError if there is none, and for the first that is unfit."""
        if not (there := await self._client.nthreads()):
            raise ArenaError("the cluster has no workers")
        try:
            _check_versions("the scheduler", await self._client.run_on_scheduler(versions))
        except (ImportError, AttributeError) as error:
            _check_versions("the scheduler", error)
        for worker, threads in there.items():
            self._employ(worker, threads)
        self._watch = asyncio.create_task(self._watch_workers())
        while self._posts.keys() != self._threads.keys():  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S / 10)
        for unfit in self._unfit.values():
            raise unfit
        self._check()

    async def end(self) -> None:
        """Lets go of all tasks; the workers notice it, and end their bots, within a moment."""
        if self._watch is not None:
            await cancel_all((self._watch,))
        await cancel_all(self._posts.values())

    @property
    def groups_at_once(self) -> int:
        """How many groups it is worth while to have under way: at each worker a task waits, so that no thread does."""
        return max(1, (sum(self._threads.values()) + len(self._threads)) * self._groups_a_task)

    async def play(self, group: Group) -> Sequence[PlayedMatch]:
        """Plays the pairs of a group, again if they are lost with a worker. Raises ArenaError."""
        self._check()
        errand = _Errand(group, asyncio.get_running_loop().create_future())
        self._waiting.append(errand)
        self._has_come.set()
        return await errand.matches

    @property
    def _groups_a_task(self) -> int:
        """So many that the start of the bots is worth it, but so few that all threads have work to the end."""
        pairs, pairings = self._specification.pairs, len(self._specification.pairings)
        groups, pairs_a_group = (pairs, pairings) if self._specification.common_deals else (pairs * pairings, 1)
        fair = groups // (_TASKS_A_THREAD * max(1, sum(self._threads.values())))
        return max(1, min(fair, _MOST_PAIRS_A_TASK // pairs_a_group))

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _watch_workers(self) -> None:
        """Follows workers that come and go, until nothing can be played any more; then all that waits is told."""
        loop = asyncio.get_running_loop()
        patience_until = loop.time() + _PATIENCE_S
        while self._failure is None:
            try:
                there: Mapping[str, int] = await self._client.nthreads()
            except OSError as error:
                self._failure = ArenaError(f"the scheduler of the cluster is lost: {error}")
                break
            except Exception as error:
                # Unforeseen; whatever it is, nobody may wait for ever.
                self._failure = error
                break
            for worker in self._posts.keys() - there.keys():
                self._note(f"worker {worker} is lost")
                await cancel_all((self._posts[worker],))
            for worker in there.keys() - self._posts.keys() - self._unfit.keys():
                self._employ(worker, there[worker])
            if self._posts:
                patience_until = loop.time() + _PATIENCE_S
            elif loop.time() > patience_until:
                reasons = ("the cluster has no workers any more", *map(str, self._unfit.values()))
                self._failure = ArenaError("; ".join(reasons))
            await asyncio.sleep(_LOOK_S)
        await cancel_all(self._posts.values())
        while self._waiting:
            self._waiting.popleft().fail(self._failure)

    def _employ(self, worker: str, threads: int) -> None:
        self._posts[worker] = asyncio.create_task(self._post(worker, threads))

    async def _post(self, worker: str, threads: int) -> None:
        """Gives a worker all that it can take, until it proves to be unfit."""
        try:
            await self._try(worker)
            self._threads[worker] = threads
            self._note(f"worker {worker} plays with {threads} threads")
            await together(self._serve(worker) for _ in range(threads + 1))
        except _Unfit as unfit:
            self._unfit[worker] = unfit
            self._note(str(unfit))
        except Exception as error:
            # No fault of the worker, such as a full disk here.
            self._failure = error
        finally:
            self._threads.pop(worker, None)
            self._posts.pop(worker, None)

    async def _try(self, worker: str) -> None:
        try:
            answers = await self._client.run(versions, workers=[worker], on_error="return")
        except OSError as error:
            raise _Unfit(f"worker {worker} cannot be asked: {error}") from error
        _check_versions(f"worker {worker}", answers[worker])
        await self._task(worker, try_bots, self._specification)

    async def _serve(self, worker: str) -> None:
        """Has a worker carry out one task after the other."""
        while True:
            errands = await self._take()
            try:
                delivery: Delivery = await self._task(worker, play, self._order(errands))
                self._keep(delivery)
            except BaseException as error:
                self._give_back(errands)
                if not isinstance(error, (KilledWorker, FutureCancelledError)):
                    raise
                # So it is lost, which will be noticed.
                await asyncio.sleep(_LOOK_S)
                continue
            for errand, matches in zip(errands, delivery.matches, strict=True):
                errand.succeed(matches)

    async def _take(self) -> list[_Errand]:
        while not self._waiting:
            self._has_come.clear()
            await self._has_come.wait()
        return [self._waiting.popleft() for _ in range(min(self._groups_a_task, len(self._waiting)))]

    def _give_back(self, errands: Sequence[_Errand]) -> None:
        for errand in reversed(errands):
            errand.losses += 1
            if errand.losses <= _MOST_LOSSES:
                self._waiting.appendleft(errand)
            else:
                pairs = ", ".join(str(pair.number) for pair in errand.group)
                errand.fail(ArenaError(f"pair {pairs} was lost with {errand.losses} workers, one after the other"))
        self._has_come.set()

    def _order(self, errands: Sequence[_Errand]) -> Order:
        groups = tuple(errand.group for errand in errands)
        seeds = {
            pair.number: tuple(self._seeds(pair, attempt) for attempt in range(self._specification.attempts))
            for group in groups
            for pair in group
        }
        return Order(self._specification, groups, seeds)

    async def _task(self, worker: str, work: Callable[[str, bytes], Awaitable[Any]], order: Any) -> Any:
        """Returns what a worker makes of an order. Raises _Unfit, and what Dask raises for one that is lost."""
        key = f"unoduo-{token_hex(8)}"
        # As bytes it is nothing to the scheduler.
        future = self._client.submit(work, key, pickle.dumps(order), key=key, workers=[worker], pure=False)
        try:
            result = await future
        except (KilledWorker, FutureCancelledError):
            raise
        except Exception as error:
            raise _Unfit(f"worker {worker}: {type(error).__name__}: {error}") from error
        finally:
            await future.cancel()
        if isinstance(result, Failure):
            raise _Unfit(f"worker {worker}: {result.reason}")
        return result

    def _keep(self, delivery: Delivery) -> None:
        """Keeps what came with matches, before they count."""
        self._folder.mark_lanes(delivery.lanes)
        room = self._specification.limits.log_kib << 10
        for name, text in delivery.logs.items():
            with (self._folder.logs / name).open("ab") as log:
                log.write(text[: max(0, room - log.tell())])

    def _note(self, words: str) -> None:
        with (self._folder.logs / "cluster.log").open("a") as log:
            log.write(f"{words}\n")


@asynccontextmanager
async def cluster_executor(
    address: str, specification: Specification, seeds: SeedsOf, folder: OutputFolder
) -> AsyncIterator[ClusterExecutor]:
    """Yields what plays on the cluster whose scheduler is at an address, when all its workers have tried every bot.

    When the block is left, no task is left there. Raises ArenaError.
    """
    with _without_logs():
        # What keeps a connection secret is in the configuration of Dask.
        client: Any = Client(address, asynchronous=True, timeout=_CONNECT_S)  # type: ignore[no-untyped-call]
        executor = ClusterExecutor(client, specification, seeds, folder)
        try:
            try:
                await client
            except (OSError, ValueError, TypeError) as error:
                raise ArenaError(f"no cluster at {address}: {error}") from error
            await executor.start()
            yield executor
        finally:
            await executor.end()
            await client.close()


@contextmanager
def _without_logs() -> Iterator[None]:
    """Keeps Dask from writing to the error output: what it has to say here comes as exceptions too."""
    levels = {logger: logger.level for logger in map(logging.getLogger, _LOGGERS)}
    for logger in levels:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _check_versions(where: str, found: object) -> None:
    """Checks what `versions` has returned somewhere, or why it could not. Raises _Unfit."""
    if not isinstance(found, dict):
        raise _Unfit(f"{where} has no unoduo-referee like the one here: {found}")
    for name, own in versions().items():
        if found.get(name) != own:
            raise _Unfit(f"{where} has {name} {found.get(name)}, not {own}")
