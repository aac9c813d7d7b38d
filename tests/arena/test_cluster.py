"""Tournaments on a cluster: the table of a run on this machine, whatever becomes of workers and runners."""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from distributed import Client

from referee.arena.failures import ArenaError
from referee.arena.run import run_tournament
from referee.arena.specification import Specification
from referee.arena.tournament import Standing
from referee.audit.master import Master
from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.contest.pairing import Half
from tests.arena import bot_program
from tests.arena.clusters import Cluster, cluster, kill, plays
from tests.arena.cups import BASELINES, MASTER, cup, journal, replays, run
from tests.arena.processes import PATIENCE_S, text_of, until, until_blocking
from tests.cli.command import ROOT, unoduo
from tests.cli.processes import MARK, all_gone, marked

# Many processes are started one after the other; on a busy machine that takes its time.
pytestmark = [pytest.mark.timeout(300), pytest.mark.slow]

# The same for all, because it is among the settings, and so in the digest.
_MARK = "cluster-of-the-tests"
_PAIRS = 16


def asked_in(folder: Path) -> Specification:
    return cup(folder, "random", "greedy", pairs=_PAIRS, mark=_MARK)


async def run_at(address: str, asked: Specification, steps: list[Standing] | None = None) -> dict[str, Any]:
    """Runs a tournament on a cluster and returns its standings."""
    return await run_tournament(asked, MASTER, ([] if steps is None else steps).append, cluster=address)


async def run_on(where: Cluster, asked: Specification, steps: list[Standing] | None = None) -> dict[str, Any]:
    return await run_at(where.address, asked, steps)


def table_of(asked: Specification) -> bytes:
    return (asked.output / "standings.json").read_bytes()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("two") / "cluster", 2) as started:
        yield started


@pytest.mark.parametrize("common_deals", [False, True])
async def test_table_is_that_of_this_machine_and_proven(tmp_path: Path, two: Cluster, common_deals: bool) -> None:
    mark = token_hex(8)
    here = cup(tmp_path / "here", *BASELINES, pairs=3, mark=mark, common_deals=common_deals)
    there = cup(tmp_path / "there", *BASELINES, pairs=3, mark=mark, common_deals=common_deals)
    await run(here)
    standings = await run_on(two, there)
    assert all_gone(mark, 5)
    assert standings["pairs"] == 9
    assert table_of(there) == table_of(here)
    assert [file.name for file in replays(there)] == [file.name for file in replays(here)]
    master = Master((there.output / "master.json").read_bytes())
    for file in replays(there):
        with file.open("rb") as stream:
            assert verify(stream, Evidence(master=master)).status is Status.OK


@pytest.fixture(scope="module")
def table_here(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    here = asked_in(tmp_path_factory.mktemp("here"))
    asyncio.run(run(here))
    return table_of(here)


async def test_lost_worker_changes_nothing(tmp_path: Path, table_here: bytes) -> None:
    asked = asked_in(tmp_path)
    with cluster(tmp_path / "cluster", 1) as started:
        lost = started.worker("lost")
        steps: list[Standing] = []
        running = asyncio.create_task(run_on(started, asked, steps))
        await until(lambda: running.done() or (steps and steps[-1].over >= 1 and plays(lost)))
        kill(lost)
        assert not running.done()
        await running
        assert all_gone(_MARK, 5)
    assert "is lost" in text_of(asked.output / "logs" / "cluster.log")
    assert table_of(asked) == table_here
    booked = sorted((match.pair, match.attempt, match.half) for match in journal(asked))
    assert booked == [(pair, 0, half) for pair in range(1, _PAIRS + 1) for half in Half]


async def test_runner_that_was_killed_goes_on(tmp_path: Path, two: Cluster, table_here: bytes) -> None:
    asked = asked_in(tmp_path)
    code = (
        "import asyncio; from pathlib import Path; from tests.arena.test_cluster import asked_in, run_at; "
        f"asyncio.run(run_at({two.address!r}, asked_in(Path({str(tmp_path)!r}))))"
    )
    runner = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=ROOT)
    await until(lambda: text_of(asked.output / "journal.jsonl"))
    runner.kill()
    assert await runner.wait() == -signal.SIGKILL
    await run_on(two, asked)
    assert table_of(asked) == table_here


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_runner_that_ends_leaves_nothing_at_the_workers(
    tmp_path: Path, two: Cluster, number: signal.Signals, code: int
) -> None:
    mark = token_hex(8)
    asked, log = tmp_path / "cup.toml", tmp_path / "cup" / "logs" / "cluster.log"
    assert unoduo("tournament", "init", tmp_path).code == 0
    text = asked.read_text().replace("function =", f'environment = {{{MARK} = "{mark}"}}\nfunction =')
    # Nobody ever answers: nothing ends by itself.
    text = text.replace("\nlimit_ms = 10000", "\nlimit_ms = 600000")
    asked.write_text(re.sub('"-m", "unoduo_client", "[a-z]+"', f'"{bot_program.__file__}", "hanging"', text))
    command = (sys.executable, "-m", "referee", "tournament", "run", asked, "--quiet", "--cluster", two.address)
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as runner:
        # When both have been tried, all bots play.
        until_blocking(lambda: text_of(log).count("plays with") == 2 and marked(mark), "bots that play")
        runner.send_signal(number)
        assert runner.wait(PATIENCE_S) == code
        assert runner.stderr is not None
        assert runner.stderr.read() == b""
    assert all_gone(mark, PATIENCE_S)


async def test_master_seed_stays_with_the_runner(tmp_path: Path, two: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    submit = Client.submit

    def spy(client: Client, *arguments: Any, **options: Any) -> Any:
        sent.append(arguments[-1])
        return submit(client, *arguments, **options)

    monkeypatch.setattr(Client, "submit", spy)
    await run_on(two, cup(tmp_path, "random", "greedy", pairs=1))
    assert len(sent) == 3
    assert all(MASTER not in order for order in sent)


async def test_lanes_on_honour_are_those_of_a_worker(tmp_path: Path, two: Cluster) -> None:
    bwrap = shutil.which("bwrap")
    if bwrap is None or (await run(cup(tmp_path / "here", "greedy", "greedy", pairs=1)))["lanes"] != "boxed":
        pytest.skip("bubblewrap does not work here")
    assert (await run_on(two, cup(tmp_path / "boxed", "greedy", "greedy", pairs=1)))["lanes"] == "boxed"
    with cluster(tmp_path / "cluster", 0) as started:
        started.worker("bare", {"PATH": str(tmp_path)})
        standings = await run_on(started, cup(tmp_path / "bare", "greedy", "greedy", pairs=1))
    assert standings["lanes"] == "on honour"


async def test_logs_of_the_bots_come_back_and_are_bounded(tmp_path: Path, two: Cluster) -> None:
    asked = cup(tmp_path, "remembering", "greedy", pairs=8, limits={"log_kib": 1})
    await run_on(two, asked)
    for lane in ("lane-1", "lane-2"):
        log = asked.output / "logs" / f"player-1-{lane}.log"
        assert text_of(log).startswith("process ")
        assert log.stat().st_size == 1024


def test_cluster_behind_tls_is_that_of_the_configuration_of_dask(tmp_path: Path) -> None:
    cert, key = (tmp_path / name for name in ("cert.pem", "key.pem"))
    write_authority(cert, key)
    prefix = "DASK_DISTRIBUTED__COMM__TLS"
    secured = {f"{prefix}__CA_FILE": str(cert)}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        secured |= {f"{prefix}__{role}__CERT": str(cert), f"{prefix}__{role}__KEY": str(key)}
    asked = tmp_path / "cup.toml"
    assert unoduo("tournament", "init", tmp_path).code == 0
    asked.write_text(asked.read_text().replace("target = 200", "target = 1").replace("pairs = 50", "pairs = 1"))
    with cluster(tmp_path / "cluster", 1, secured, "tls") as started:
        assert started.address.startswith("tls://")
        command = ("tournament", "run", asked, "--quiet", "--cluster", started.address)
        ended = unoduo(*command)
        assert ended.complaint().startswith(f"no cluster at {started.address}: ")
        assert unoduo(*command, env=secured).code == 0
    assert (tmp_path / "cup" / "standings.json").exists()


async def test_bot_that_a_worker_cannot_start_is_told_before_anything_is_played(tmp_path: Path, two: Cluster) -> None:
    asked = cup(tmp_path, "greedy", ["./ghost"])
    with pytest.raises(ArenaError, match=r"^worker tcp://\S+: players\[1\]\.command: \S+/ghost is no program"):
        await run_on(two, asked)
    asked = cup(tmp_path / "other", "greedy", ["python", "-c", "print('no library'); raise SystemExit(4)"])
    with pytest.raises(ArenaError, match=r"^worker tcp://\S+: players\[1\]\.command: .* exit code 4: no library"):
        await run_on(two, asked)
    assert journal(asked) == []


async def test_cluster_without_workers_is_told(tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster", 0) as started, pytest.raises(ArenaError, match=r"^the cluster has no workers$"):
        await run_on(started, cup(tmp_path, "greedy", "greedy"))


async def test_worker_with_another_version_is_told(tmp_path: Path) -> None:
    asked = cup(tmp_path, "greedy", "greedy")
    with cluster(tmp_path / "cluster", 1) as started:
        started.worker("newer", other_version(tmp_path))
        with pytest.raises(ArenaError, match=r"^worker tcp://\S+ has unoduo-referee 99\.0, not \d"):
            await run_on(started, asked)
    with cluster(tmp_path / "bare", 0) as started:
        (tmp_path / "shadow" / "referee").mkdir(parents=True)
        (tmp_path / "shadow" / "referee" / "__init__.py").touch()
        started.worker("bare", {"PYTHONPATH": str(tmp_path / "shadow"), "PYTHONSAFEPATH": "1"})
        with pytest.raises(ArenaError, match=r"^worker tcp://\S+ has no unoduo-referee like the one here: .*No module"):
            await run_on(started, asked)


async def test_unfit_worker_that_comes_later_is_left_out(tmp_path: Path) -> None:
    # Nobody ever answers: it is not over before the worker is there.
    asked = cup(tmp_path, "hanging", "greedy", pairs=1, clock={"limit_ms": 600_000})
    with cluster(tmp_path / "cluster", 1) as started:
        steps: list[Standing] = []
        running = asyncio.create_task(run_on(started, asked, steps))
        await until(lambda: running.done() or steps)
        await asyncio.to_thread(started.worker, "newer", other_version(tmp_path))
        log = asked.output / "logs" / "cluster.log"
        await until(lambda: running.done() or "has unoduo-referee 99.0" in text_of(log))
        assert not running.done()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert text_of(log).count("plays with") == 1


def write_authority(cert: Path, key: Path) -> None:
    """Writes a certificate that vouches for itself, to be that of everybody."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cluster")])
    now, day = datetime.now(UTC), timedelta(days=1)
    builder = x509.CertificateBuilder(name, name, private.public_key(), 1, now - day, now + day)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    cert.write_bytes(builder.sign(private, hashes.SHA256()).public_bytes(Encoding.PEM))
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def other_version(folder: Path) -> dict[str, str]:
    """Returns the environment of a worker whose package calls itself 99.0."""
    metadata = folder / "newer" / "unoduo_referee-99.0.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True, exist_ok=True)
    metadata.write_text("Metadata-Version: 2.4\nName: unoduo-referee\nVersion: 99.0\n")
    return {"PYTHONPATH": str(folder / "newer")}
