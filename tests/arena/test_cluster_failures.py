"""Clusters that cannot play: what the organiser is told, and that it is told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from distributed import Client, KilledWorker

from referee.arena import cluster as module
from referee.arena.cluster import ClusterExecutor
from referee.arena.cluster_task import Delivery, try_bots, versions
from referee.arena.failures import ArenaError
from referee.arena.folder import OutputFolder
from referee.arena.played import groups_of
from referee.arena.seeds import seeds_of_master
from referee.arena.specification import Specification
from referee.contest.schedule import make_schedule
from tests.arena.clusters import cluster, kill
from tests.arena.cups import MASTER, cup
from tests.arena.processes import text_of, until, until_blocking
from tests.cli.command import unoduo

pytestmark = pytest.mark.timeout(300)

_WORKER = "tcp://127.0.0.1:1"


class Lost:
    """Is a future of a task that ends with its worker."""

    def __await__(self) -> Any:
        raise KilledWorker("task", cast(Any, None), 3)
        yield

    async def cancel(self) -> None:
        pass


class Tried(Lost):
    """Is a future of a worker that can start all bots."""

    def __await__(self) -> Any:
        return None
        yield


class Delivered(Lost):
    """Is a future of a worker that has played one group."""

    def __await__(self) -> Any:
        return Delivery(((),), "boxed", {})
        yield


class LosingClient:
    """Is a client of a cluster whose only worker is lost with each task, and there again."""

    def __init__(self) -> None:
        self.workers = {_WORKER: 1}

    async def nthreads(self) -> dict[str, int]:
        return self.workers

    async def run(self, function: Callable[[], Any], **_: object) -> dict[str, Any]:
        return {_WORKER: function()}

    async def run_on_scheduler(self, function: Callable[[], Any]) -> Any:
        return function()

    def submit(self, work: object, *_: object, **options: object) -> Lost:
        return Tried() if work is try_bots else Lost()


class DeliveringClient(LosingClient):
    """Is a client of a cluster that plays."""

    def submit(self, work: object, *_: object, **options: object) -> Lost:
        return Tried() if work is try_bots else Delivered()


@pytest.fixture
def asked(tmp_path: Path) -> Specification:
    return cup(tmp_path, "greedy", "greedy", pairs=1)


def executor_of(asked: Specification, client: LosingClient) -> ClusterExecutor:
    folder = OutputFolder(asked.output)
    folder.logs.mkdir(parents=True)
    return ClusterExecutor(cast(Client, client), asked, seeds_of_master(MASTER, asked.entropies), folder)


async def test_pair_that_is_lost_too_often_ends_the_run(asked: Specification, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK_S", 0.01)
    (group,) = groups_of(make_schedule(asked.pairings, 1, MASTER))
    executor = executor_of(asked, LosingClient())
    try:
        await executor.start()
        with pytest.raises(ArenaError, match=r"^pair 1 was lost with 6 workers, one after the other$"):
            await executor.play(group)
    finally:
        await executor.end()


async def test_cluster_that_has_lost_all_workers_for_long_ends_the_run(
    asked: Specification, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOOK_S", 0.01)
    monkeypatch.setattr(module, "_PATIENCE_S", 0.1)
    client = LosingClient()
    (group,) = groups_of(make_schedule(asked.pairings, 1, MASTER))
    executor = executor_of(asked, client)
    try:
        await executor.start()
        client.workers = {}
        await until(lambda: executor.groups_at_once == 1 and not executor._posts)
        with pytest.raises(ArenaError, match=r"^the cluster has no workers any more$"):
            await executor.play(group)
    finally:
        await executor.end()


async def test_full_disk_of_the_runner_ends_the_run(asked: Specification, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_LOOK_S", 0.01)
    (group,) = groups_of(make_schedule(asked.pairings, 1, MASTER))
    executor = executor_of(asked, DeliveringClient())
    try:
        await executor.start()
        monkeypatch.setattr(OutputFolder, "mark_lanes", full)
        with pytest.raises(OSError, match="No space"):
            await executor.play(group)
    finally:
        await executor.end()


async def test_scheduler_of_another_version_is_told(asked: Specification) -> None:
    class Other(LosingClient):
        async def run_on_scheduler(self, function: Callable[[], Any]) -> Any:
            return versions() | {"Python": "3.99"}

    class Bare(LosingClient):
        async def run_on_scheduler(self, function: Callable[[], Any]) -> Any:
            raise ModuleNotFoundError("No module named 'referee'")

    with pytest.raises(ArenaError, match=r"^the scheduler has Python 3\.99, not 3\."):
        await executor_of(asked, Other()).start()
    with pytest.raises(ArenaError, match=r"^the scheduler has no unoduo-referee like the one here: No module"):
        await ClusterExecutor(
            cast(Client, Bare()), asked, seeds_of_master(MASTER, ()), OutputFolder(asked.output)
        ).start()


def test_scheduler_that_is_lost_ends_the_run_with_one_line(tmp_path: Path) -> None:
    assert unoduo("tournament", "init", tmp_path).code == 0
    with cluster(tmp_path / "cluster", 1) as started, ThreadPoolExecutor() as threads:
        assert started.scheduler is not None
        command = ("tournament", "run", tmp_path / "cup.toml", "--quiet", "--cluster", started.address)
        running = threads.submit(unoduo, *command)
        log = tmp_path / "cup" / "logs" / "cluster.log"
        until_blocking(lambda: running.done() or "plays with" in text_of(log), "a worker that plays")
        kill(started.scheduler)
        ended = running.result()
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaint().startswith("the scheduler of the cluster is lost")


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("tcp://127.0.0.1:1", "no cluster at tcp://127.0.0.1:1: "),
        ("tls://127.0.0.1:1", "no cluster at tls://127.0.0.1:1: "),
        ("carrier://pigeon", "no cluster at carrier://pigeon: unknown address scheme"),
    ],
)
def test_wrong_address_is_one_line(tmp_path: Path, address: str, complaint: str) -> None:
    assert unoduo("tournament", "init", tmp_path).code == 0
    ended = unoduo("tournament", "run", tmp_path / "cup.toml", "--quiet", "--cluster", address)
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaint().startswith(complaint)


def test_missing_dask_is_named_with_its_extra(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "distributed.py").write_text("raise ModuleNotFoundError(name='distributed')")
    assert unoduo("tournament", "init", tmp_path).code == 0
    command = ("tournament", "run", tmp_path / "cup.toml", "--quiet", "--cluster", "tcp://127.0.0.1:1")
    ended = unoduo(*command, env={"PYTHONPATH": str(missing)})
    assert ended.code == 2
    assert ended.complaint() == "a cluster needs distributed: pip install 'unoduo-referee[cluster]'"


def test_cluster_is_not_this_process(tmp_path: Path) -> None:
    ended = unoduo("tournament", "run", tmp_path / "cup.toml", "--cluster", "tcp://127.0.0.1:1", "--in-process")
    assert ended.code == 2
    assert "not allowed with" in ended.complaint()
