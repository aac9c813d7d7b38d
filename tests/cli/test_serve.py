"""`unoduo serve`: one line when it is ready, one line when it cannot, a clean end on a signal."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli.command import unoduo
from tests.cli.serving import served


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_stops_it_cleanly(number: signal.Signals, tmp_path: Path) -> None:
    with served("--store", tmp_path / "store") as server:
        assert server.address.startswith("127.0.0.1:")
        server.process.send_signal(number)
        rest, errors = server.process.communicate(timeout=10)
        assert (server.process.returncode, rest, errors) == (0, "", "")


def test_busy_port_is_one_line() -> None:
    with served() as server:
        ended = unoduo("serve", "--port", server.port)
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaint() == f"cannot listen on {server.address}: it is in use, or no address of this machine"


def test_store_in_use_is_one_line(tmp_path: Path) -> None:
    with served("--store", tmp_path / "store") as server:
        ended = unoduo("serve", "--port", "0", "--store", tmp_path / "store")
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaint() == f"{tmp_path / 'store'} is in use by process {server.process.pid}"


def test_matches_of_a_directory_are_there_after_a_restart(tmp_path: Path) -> None:
    with served("--store", tmp_path / "store") as server:
        unoduo("match", "new", "--address", server.address)
        server.process.terminate()
        server.process.wait(timeout=10)
    with served("--store", tmp_path / "store") as server:
        matches = unoduo("match", "list", "--json", "--address", server.address).out.splitlines()
        assert [json.loads(match)["number"] for match in matches] == [1]


def test_memory_forgets(tmp_path: Path) -> None:
    with served() as server:
        assert unoduo("match", "new", "--quiet", "--address", server.address).code == 0
    with served() as server:
        ended = unoduo("match", "list", "--address", server.address)
        assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_other_loopback_addresses_are_served() -> None:
    with served("--host", "127.0.0.2") as server:
        assert server.address.startswith("127.0.0.2:")
        assert unoduo("match", "list", env={"UNODUO_ADDRESS": server.address}).code == 0
