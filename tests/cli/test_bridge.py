"""`unoduo bridge`: the bridge of the Python client under the program's own name, with its words for what goes wrong."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ROOT, unoduo
from tests.cli.processes import MARK, all_gone
from tests.cli.serving import Served, served

SH_BOT = ROOT / "clients" / "bridge" / "sh_bot.sh"


def _new(referee: Served) -> dict[str, Any]:
    made = unoduo("match", "new", "Ann", "Bob", "--target", "1", "--json", "--address", referee.address)
    created: dict[str, Any] = json.loads(made.out)
    return created


def _where(match: dict[str, Any], seat: str) -> tuple[str, ...]:
    return ("--no-journal", "--address", match["address"], "--match", match["match_id"], "--seat", seat)


def test_two_programs_play_a_match_over_two_bridges() -> None:
    with served() as referee:
        match = _new(referee)
        command = [sys.executable, "-m", "referee", "bridge", *_where(match, "B"), "--", str(SH_BOT)]
        environment = {**os.environ, "UNODUO_SEAT_TOKEN": match["seat_tokens"]["B"]}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as other:
            ended = unoduo(
                "bridge", *_where(match, "A"), "--", SH_BOT, env={"UNODUO_SEAT_TOKEN": match["seat_tokens"]["A"]}
            )
            assert (ended.code, ended.err) == (0, "")
            assert ended.out.startswith(f"match {match['number']}, seat A: ")
            assert other.wait(timeout=60) == 0


def test_program_that_ends_is_told_in_one_line() -> None:
    with served() as referee:
        match = _new(referee)
        command = [sys.executable, "-m", "unoduo_client", "greedy", *_where(match, "B")]
        with subprocess.Popen(command, env={**os.environ, "UNODUO_SEAT_TOKEN": match["seat_tokens"]["B"]}) as other:
            token = {"UNODUO_SEAT_TOKEN": match["seat_tokens"]["A"]}
            ended = unoduo("bridge", *_where(match, "A"), "--", "sh", "-c", "exit 7", env=token)
            other.kill()
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint() == "the bot has ended with exit code 7"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_interrupted_bridge_leaves_nothing_behind(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with served() as referee:
        match = _new(referee)
        environment = {**os.environ, "UNODUO_SEAT_TOKEN": match["seat_tokens"]["A"], MARK: str(tmp_path)}
        bot = "trap '' TERM HUP INT; read -r line; echo there >&2; while :; do sleep 100; done"
        command = [sys.executable, "-m", "referee", "bridge", *_where(match, "A"), "--", "sh", "-c", bot]
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as bridge:
            assert bridge.stderr is not None
            assert bridge.stderr.readline() == "there\n"
            bridge.send_signal(number)
            assert bridge.stderr.read() == ""
            assert bridge.wait(timeout=60) == code
        assert all_gone(str(tmp_path), 30)
