"""Dask clusters of processes on loopback."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import psutil

from tests.arena.processes import PATIENCE_S, text_of, until_blocking
from tests.cli.command import ROOT


class Cluster:
    """Is a scheduler with workers; when the block is left, all of them have ended."""

    def __init__(self, folder: Path, environment: Mapping[str, str], protocol: str) -> None:
        self._folder = folder
        self._environment = environment
        self._protocol = protocol
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.address = ""

    def __enter__(self) -> Self:
        file = self._folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--port", "0", "--scheduler-file", str(file), "--protocol", self._protocol
        )
        until_blocking(lambda: text_of(file).endswith("}"), "the address of the scheduler")
        self.address = json.loads(file.read_text())["address"]
        return self

    def __exit__(self, *_: object) -> None:
        # A scheduler that goes first takes the workers with it, but not at once.
        for process in reversed(self._processes):
            process.kill()
            process.wait(PATIENCE_S)

    def worker(self, name: str, environment: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
        """Starts a worker with one thread, and waits until the scheduler has it."""
        log = self._folder / f"{name}.log"
        worker = self._start(
            "worker",
            self.address,
            *("--no-nanny", "--nthreads", "1", "--name", name, "--local-directory", str(self._folder)),
            log=log,
            environment=environment,
        )
        until_blocking(lambda: "Registered to" in text_of(log), f"{name} at the scheduler")
        return worker

    def _start(
        self, *arguments: str, log: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        command = (sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--no-dashboard")
        with open(log or os.devnull, "wb") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **self._environment, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        self._processes.append(process)
        return process


@contextmanager
def cluster(
    folder: Path, workers: int, environment: Mapping[str, str] | None = None, protocol: str = "tcp"
) -> Iterator[Cluster]:
    """Yields a cluster with workers of one thread each."""
    folder.mkdir()
    with Cluster(folder, environment or {}, protocol) as started:
        for number in range(workers):
            started.worker(f"worker-{number}")
        yield started


def plays(worker: "subprocess.Popen[bytes]") -> bool:
    """Returns whether bots run at a worker."""
    return bool(psutil.Process(worker.pid).children())


def kill(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE_S)
