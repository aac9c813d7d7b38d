import asyncio
import os
import signal
import stat
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import grpc
import pytest
from unoduo.v1 import match_pb2, outcome_pb2, seat_pb2, session_pb2

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, in_turn, scripted

FIRST_BOT = Path(__file__).parents[2] / "clients" / "python" / "examples" / "first_bot.py"
BASELINE = ("-m", "unoduo_client", "greedy")
PROGRAMS = pytest.mark.parametrize("program", [(str(FIRST_BOT),), BASELINE], ids=["first bot", "baseline"])


async def start(program: tuple[str, ...], address: str, *arguments: str, token: str | None = "token") -> Process:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("UNODUO", "GRPC"))}
    what = () if "--assigned" in arguments else ("--match", MATCH_ID.hex(), "--seat", "A")
    if token is not None:
        environment["UNODUO_SEAT_TOKEN" if what else "UNODUO_BOT_TOKEN"] = token
    command = (*program, "--address", address, *what, *arguments)
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
    assert (tmp_path / "1.journal").read_bytes().startswith(b"UNODUOJ\x02")


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
        code, _, err = await run(BASELINE, address, "--patience", "0")
    assert code == 1
    assert one_line(err) == "python -m unoduo_client: the referee is going down (DRAINING)"


async def test_program_says_in_one_line_that_the_referee_stopped() -> None:
    waiting = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.play()
        waiting.set()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        process = await start(BASELINE, address, "--patience", "0")
        await waiting.wait()
    _, err = await process.communicate()
    assert process.returncode == 1
    assert one_line(err.decode()).startswith("python -m unoduo_client: ")


def assigned(number: int, seat: seat_pb2.Seat.ValueType) -> session_pb2.ResponseItem:
    seed = bytes([number] * 32)
    return session_pb2.ResponseItem(
        assigned=session_pb2.Assigned(match_id=bytes([number] * 16), seat=seat, bot_seed=seed)
    )


async def test_program_plays_every_match_that_is_assigned(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        assert dict(peer.context.invocation_metadata() or ())["authorization"] == "Bearer token"
        await peer.greet()
        await peer.send(assigned(1, seat_pb2.SEAT_A), assigned(2, seat_pb2.SEAT_B), assigned(3, seat_pb2.SEAT_A))
        for _ in range(3):
            item = await peer.expect("join")
            number = item.join.match_id[0]
            assert (item.join.seat, item.join.seat_token) == (number % 2 or 2, "")
            if number == 3:
                await peer.send(referee.problem(item.handle))
            else:
                await peer.send(referee.joined(item), referee.ended(item.handle, item.join.seat))
        await peer.send(assigned(4, seat_pb2.SEAT_A))
        await peer.expect("join")  # by now the client has read what was sent before
        code = grpc.StatusCode.UNAUTHENTICATED
        peer.context.set_trailing_metadata([referee.status_details(code, "TOKEN_UNKNOWN", "")])
        await peer.context.abort(code, "nobody has this token")

    (tmp_path / f"{bytes([1] * 16).hex()}-A-1.journal").write_bytes(b"of an earlier run")
    async with scripted(script) as address:
        code, out, err = await run(BASELINE, address, "--assigned", "--journal", str(tmp_path))
    assert code == 1
    assert sorted(out.splitlines()) == [
        "match 7, seat A: won (UNSPECIFIED), A 0 : 0 B after 0 rounds",
        "match 7, seat B: won (UNSPECIFIED), A 0 : 0 B after 0 rounds",
    ]
    assert sorted(err.splitlines()) == [
        f"python -m unoduo_client: match {bytes([3] * 16).hex()}, seat A: no (NOT_YOURS in join)",
        "python -m unoduo_client: nobody has this token (TOKEN_UNKNOWN)",
    ]
    names = sorted(name[30:] for name in os.listdir(tmp_path))
    assert names == [f"0{number}.journal" for number in ("1-A-1", "1-A-2", "2-B-1", "3-A-1", "4-A-1")]


TELLING_BOT = "from unoduo_client import run_each; run_each(lambda seed: print(seed and seed[:2]) or first)"


async def test_program_makes_a_bot_for_each_match_from_its_seed() -> None:
    async def both(peer: Peer) -> None:
        await peer.greet()
        await peer.send(assigned(1, seat_pb2.SEAT_A), assigned(2, seat_pb2.SEAT_B))
        for _ in range(2):
            item = await peer.expect("join")
            await peer.send(referee.joined(item), referee.ended(item.handle, item.join.seat))
        await peer.send(assigned(3, seat_pb2.SEAT_A))
        await peer.expect("join")  # by now the client has read what was sent before
        await peer.context.abort(grpc.StatusCode.UNAUTHENTICATED, "enough")

    program = ("-c", f"first = lambda observation: observation.decision.legal[0]; {TELLING_BOT}")
    async with scripted(both) as address:
        _, out, _ = await run(program, address, "--assigned", "--no-journal")
    assert sorted(line for line in out.splitlines() if line.startswith("b")) == [r"b'\x01\x01'", r"b'\x02\x02'"]
    async with scripted(one_decision) as address:
        code, out, _ = await run(program, address, "--no-journal")
    assert (code, out.splitlines()[0]) == (0, "None")


CRASHING_BOT = "from unoduo_client import run; run(lambda observation: 1 // 0)"


async def test_program_plays_on_when_its_bot_fails_in_one_assigned_match() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        for number in (1, 2):
            await peer.send(assigned(number, seat_pb2.SEAT_A))
            handle = await peer.seat()
            await peer.expect("ready")
            await peer.send(referee.ready_accepted(handle), referee.observed(handle, referee.decision()))
        await peer.context.abort(grpc.StatusCode.UNAUTHENTICATED, "enough")

    async with scripted(script) as address:
        code, _, err = await run(("-c", CRASHING_BOT), address, "--assigned")
    assert code == 1
    assert err.count("ZeroDivisionError") >= 1
    assert err.splitlines()[-1] == "-c: enough (UNAUTHENTICATED)"


async def test_program_waits_for_a_referee_that_is_late() -> None:
    async def late(peer: Peer) -> None:
        await peer.context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")

    async with scripted(in_turn(late, one_decision)) as address:
        code, _, err = await run(BASELINE, address, "--patience", "30")
    assert (code, err) == (0, "")


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


@PROGRAMS
async def test_program_stops_without_a_word_when_interrupted(program: tuple[str, ...]) -> None:
    waiting = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.play()
        waiting.set()
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        process = await start(program, address)
        await waiting.wait()
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize(
    ("arguments", "token", "message"),
    [
        ((), None, "no token: set UNODUO_SEAT_TOKEN or give --token-file or --token"),
        ((), "to\nken", "the token has characters that no token has"),
        (("--match", "xyz"), "token", "a match id has 32 hex digits"),
        (("--match", "00"), "token", "a match id has 32 hex digits"),
        (("--seat", "C"), "token", "invalid choice: 'C'"),
        (("--assigned", "--seat", "A"), "token", "give either --match and --seat or --assigned"),
        (("--assigned",), None, "no token: set UNODUO_BOT_TOKEN or give --token-file or --token"),
        (("--patience", "-1"), "token", "SECONDS is a number from 0 to 999999999, not '-1'"),
        (("--patience", "nan"), "token", "SECONDS is a number from 0 to 999999999, not 'nan'"),
        (("--tls-ca", "x", "--insecure"), "token", "not allowed with argument"),
        (("--nonsense",), "token", "unrecognized arguments: --nonsense"),
        (("--seed", "x"), "token", "invalid int value: 'x'"),
    ],
)
async def test_program_exits_with_2_for_wrong_usage(
    arguments: tuple[str, ...], token: str | None, message: str, closed_address: str
) -> None:
    code, out, err = await run(BASELINE, closed_address, *arguments, token=token)
    assert (code, out) == (2, "")
    assert message in one_line(err)
    assert err.endswith("(see python -m unoduo_client --help)\n")


async def test_program_names_the_baselines_for_a_wrong_one(closed_address: str) -> None:
    code, _, err = await run(("-m", "unoduo_client", "clever"), closed_address)
    assert code == 2
    assert "invalid choice: 'clever'" in one_line(err)
    assert "greedy" in err
    assert "random" in err


@PROGRAMS
async def test_program_explains_itself(program: tuple[str, ...], closed_address: str) -> None:
    code, out, err = await run(program, closed_address, "--help")
    assert (code, err) == (0, "")
    for part in ("--address", "--journal", "--secret-file", "UNODUO_SEAT_TOKEN", "exit codes"):
        assert part in out
