import asyncio
import os
import signal
import stat
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2, seat_pb2

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted

FIRST_BOT = Path(__file__).parents[2] / "clients" / "python" / "examples" / "first_bot.py"
BASELINE = ("-m", "unoduo_client", "greedy")
PROGRAMS = pytest.mark.parametrize("program", [(str(FIRST_BOT),), BASELINE], ids=["first bot", "baseline"])


async def start(program: tuple[str, ...], address: str, *arguments: str, token: str | None = "token") -> Process:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("UNODUO", "GRPC"))}
    if token is not None:
        environment["UNODUO_SEAT_TOKEN"] = token
    command = (*program, "--address", address, "--match", MATCH_ID.hex(), "--seat", "A", *arguments)
    return await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE, stderr=PIPE, env=environment)


async def run(
    program: tuple[str, ...], address: str, *arguments: str, token: str | None = "token"
) -> tuple[int | None, str, str]:
    """Returns exit code, stdout and stderr."""
    process = await start(program, address, *arguments, token=token)
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def one_decision(peer: Peer) -> None:
    handle = await peer.play()
    await peer.send(referee.observed(handle, referee.decision()))
    ended = referee.ended(handle)
    ended.ended.outcome.termination = outcome_pb2.TERMINATION_TARGET
    ended.ended.outcome.total_a, ended.ended.outcome.total_b, ended.ended.outcome.rounds = 14, 203, 9
    await peer.send(referee.accepted(await peer.expect("action")), ended)
    await peer.wait_for_the_end()


@PROGRAMS
async def test_program_plays_and_prints_the_result(program: tuple[str, ...]) -> None:
    async with scripted(one_decision) as address:
        code, out, err = await run(program, address)
    assert (code, err) == (0, "")
    assert out == "match 7, seat A: won (TARGET), A 14 : 203 B after 9 rounds\n"


async def test_program_prefers_the_token_of_the_environment() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        item = await peer.expect("join")
        assert item.join.seat_token == ""  # that of the session covers the seat
        assert (item.join.match_id, item.join.seat) == (MATCH_ID, seat_pb2.SEAT_A)
        assert dict(peer.context.invocation_metadata() or ())["authorization"] == "Bearer from the environment"
        await peer.send(referee.joined(item), referee.ended(item.handle))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, err = await run(BASELINE, address, "--token", "argument", token="from the environment")
    assert (code, err) == (0, "")


async def test_program_takes_the_token_of_a_file(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        assert dict(peer.context.invocation_metadata() or ())["authorization"] == "Bearer from a file"
        await one_decision(peer)

    path = tmp_path / "token"
    path.write_text("from a file\n")
    async with scripted(script) as address:
        code, _, err = await run(BASELINE, address, "--token-file", str(path), token=None)
        assert (code, err) == (0, "")
        path.write_bytes(b"")
        code, _, err = await run(BASELINE, address, "--token-file", str(path), token=None)
    assert (code, one_line(err)) == (1, f"python -m unoduo_client: {path} holds no token")


async def test_program_speaks_tls_when_told_so(tmp_path: Path) -> None:
    async with scripted(one_decision) as address:
        for name, message in (("absent", "no such file or directory"), ("junk", "holds no certificate")):
            (tmp_path / "junk").write_text("junk")
            code, _, err = await run(BASELINE, address, "--tls-ca", str(tmp_path / name))
            assert (code, message in one_line(err)) == (1, True)
        code, _, err = await run(BASELINE, address, "--insecure")
    assert (code, err) == (0, "")


async def test_program_keeps_its_secret_and_writes_a_journal(tmp_path: Path) -> None:
    entropy = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        handle = await peer.seat(match_pb2.DEAL_MODE_FRESH)
        entropy.append((await peer.expect("ready")).ready.entropy)
        await peer.send(referee.ready_accepted(handle), referee.ended(handle))
        await peer.wait_for_the_end()

    secret = tmp_path / "secret"
    async with scripted(script) as address:
        for number in range(2):
            arguments = ("--secret-file", str(secret), "--journal", str(tmp_path / f"{number}.journal"))
            code, _, err = await run(BASELINE, address, *arguments)
            assert (code, err) == (0, "")
    assert entropy[0] == entropy[1]
    assert len(secret.read_bytes()) == 32
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert (tmp_path / "1.journal").read_bytes().startswith(b"UNODUOJ\x01")


def one_line(err: str) -> str:
    """Returns the only line of stderr."""
    (line,) = err.splitlines()
    return line


@PROGRAMS
async def test_program_says_in_one_line_that_nobody_listens(program: tuple[str, ...], closed_address: str) -> None:
    code, out, err = await run(program, closed_address)
    assert (code, out) == (1, "")
    assert one_line(err).endswith(f": nobody listens at {closed_address} (UNAVAILABLE)")


async def test_program_says_in_one_line_that_its_token_is_wrong() -> None:
    async def script(peer: Peer) -> None:
        code = grpc.StatusCode.UNAUTHENTICATED
        peer.context.set_trailing_metadata([referee.status_details(code, "TOKEN_UNKNOWN", "")])
        await peer.context.abort(code, "nobody has this token")

    async with scripted(script) as address:
        code, out, err = await run(BASELINE, address)
    assert (code, out) == (1, "")
    assert one_line(err) == "python -m unoduo_client: nobody has this token (TOKEN_UNKNOWN)"


async def test_program_says_in_one_line_that_the_referee_went_away() -> None:
    async def script(peer: Peer) -> None:
        await peer.play()
        code = grpc.StatusCode.UNAVAILABLE
        peer.context.set_trailing_metadata([referee.status_details(code, "DRAINING", "")])
        await peer.context.abort(code, "the referee is going down")

    async with scripted(script) as address:
        code, _, err = await run(BASELINE, address)
    assert code == 1
    assert one_line(err) == "python -m unoduo_client: the referee is going down (DRAINING)"


async def test_program_says_in_one_line_that_the_referee_stopped() -> None:
    waiting = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.play()
        waiting.set()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        process = await start(BASELINE, address)
        await waiting.wait()
    _, err = await process.communicate()
    assert process.returncode == 1
    assert one_line(err.decode()).startswith("python -m unoduo_client: ")


WATCHING_BOT = """\
import os, sys
from unoduo_client import Action, Observation, run

class Watch:
    def find_spec(self, name, path, target=None):
        if name == "grpc":
            print(os.environ.get("GRPC_VERBOSITY"))

sys.meta_path.insert(0, Watch())
run(lambda observation: observation.decision.legal[0])
"""


async def test_program_keeps_the_grpc_core_quiet_before_it_is_imported(closed_address: str) -> None:
    code, out, _ = await run(("-c", WATCHING_BOT), closed_address)
    assert (code, out) == (1, "NONE\n")


async def test_program_refuses_a_journal_that_exists(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.wait_for_the_end()

    path = tmp_path / "a.journal"
    path.write_bytes(b"evidence")
    async with scripted(script) as address:
        code, _, err = await run(BASELINE, address, "--journal", str(path))
    assert code == 1
    assert one_line(err) == f"python -m unoduo_client: {path}: file exists"


async def test_program_refuses_a_short_secret(tmp_path: Path, closed_address: str) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"short")
    code, _, err = await run(BASELINE, closed_address, "--secret-file", str(path))
    assert code == 1
    assert "holds no secret of at least 32 bytes" in one_line(err)


async def test_program_stops_in_one_line_when_interrupted() -> None:
    waiting = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.play()
        waiting.set()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        process = await start(BASELINE, address)
        await waiting.wait()
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
    assert (process.returncode, out) == (1, b"")
    assert one_line(err.decode()) == "python -m unoduo_client: interrupted"


@pytest.mark.parametrize(
    ("arguments", "token", "message"),
    [
        ((), None, "no seat token: set UNODUO_SEAT_TOKEN or give --token-file or --token"),
        ((), "to\nken", "the seat token has characters that no token has"),
        (("--match", "xyz"), "token", "a match id has 32 hex digits"),
        (("--match", "00"), "token", "a match id has 32 hex digits"),
        (("--seat", "C"), "token", "invalid choice: 'C'"),
        (("--nonsense",), "token", "unrecognized arguments: --nonsense"),
        (("--seed", "x"), "token", "invalid int value: 'x'"),
    ],
)
async def test_program_exits_with_2_for_wrong_usage(
    arguments: tuple[str, ...], token: str | None, message: str, closed_address: str
) -> None:
    code, out, err = await run(BASELINE, closed_address, *arguments, token=token)
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


async def test_program_names_the_baselines_for_a_wrong_one(closed_address: str) -> None:
    code, _, err = await run(("-m", "unoduo_client", "clever"), closed_address)
    assert code == 2
    assert "invalid choice: 'clever'" in err
    assert "greedy" in err
    assert "random" in err


@PROGRAMS
async def test_program_explains_itself(program: tuple[str, ...], closed_address: str) -> None:
    code, out, err = await run(program, closed_address, "--help")
    assert (code, err) == (0, "")
    for part in ("--address", "--journal", "--secret-file", "UNODUO_SEAT_TOKEN", "exit codes"):
        assert part in out
