"""The starter bot against a real referee in a process of its own."""

import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from unoduo.v1 import match_pb2, ruleset_pb2, seat_pb2
from unoduo.v1.referee_service_pb2 import CreateMatchResponse
from unoduo_client import TLS, Action, Observation, Organiser, connect, play_seat
from unoduo_client.baselines import BASELINES
from unoduo_client.channel import Security
from unoduo_client.play import Bot

from tests.cli.command import unoduo
from tests.cli.serving import Served, served
from tests.clients_rust.conftest import PATIENCE_S
from tests.faults.proxy import Proxy, proxy

pytestmark = pytest.mark.timeout(PATIENCE_S)

ONE_ROUND = ruleset_pb2.Ruleset(target=1)
CONTROL = match_pb2.TimeControl(limit_ms=30_000, startup_grace_ms=60_000, reconnect_grace_ms=30_000)
GREEDY = BASELINES["greedy"](None)
RESULT = r"match \d+, seat A: (won|lost|no winner) \(\w+\), A \d+ : \d+ B after \d+ rounds?\n"


@asynccontextmanager
async def started(starter: Path, address: str, *arguments: str | Path, token: str) -> AsyncIterator[Process]:
    """Runs the bot for the length of a block; it is killed at the end unless it has ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNODUO")}
    variable = "UNODUO_BOT_TOKEN" if "--assigned" in arguments else "UNODUO_SEAT_TOKEN"
    command = (starter, "--address", address, *arguments)
    process = await asyncio.create_subprocess_exec(
        *command, stdout=PIPE, stderr=PIPE, env={**environment, variable: token}
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(process: Process) -> tuple[int | None, str, str]:
    """Waits for the end of the bot and returns its exit code, output and errors."""
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def failure(starter: Path, address: str, *arguments: str | Path, token: str = "token") -> tuple[int | None, str]:
    """Returns the exit code of a bot that plays nothing, and its only line of errors."""
    async with started(starter, address, *arguments, token=token) as bot:
        code, out, err = await ended(bot)
    assert (out, err.count("\n")) == ("", 1), out + err
    return code, err.removesuffix("\n")


def place(match: CreateMatchResponse) -> tuple[str, ...]:
    return "--match", match.match_id.hex(), "--seat", "A"


async def create(organiser: Organiser, bots: tuple[str, str] = ("", "")) -> CreateMatchResponse:
    return await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND, time_control=CONTROL, bots=bots)


async def play_other_seat(address: str, match: CreateMatchResponse, bot: Bot, tls: Security = None) -> None:
    async with connect(address, tls=tls) as session:
        await play_seat(await session.join(match.match_id, seat_pb2.SEAT_B, token=match.seat_tokens[1]), bot)


async def verify(organiser: Organiser, folder: Path, match: CreateMatchResponse, journal: Path) -> None:
    """Holds the journal against the replay of its match."""
    replay = folder / f"{match.number}.unoduo"
    replay.write_bytes(await organiser.fetch_replay(match.match_id))
    verdict = await asyncio.to_thread(unoduo, "verify", "--journal", journal, replay)
    assert (verdict.code, verdict.err) == (0, ""), verdict


async def test_a_match_against_greedy_is_played_and_its_journal_verified(starter: Path, tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    with served() as referee:
        async with Organiser(referee.address) as organiser:
            match = await organiser.create_match(["Ann", "Bob"])
            arguments: tuple[str | Path, ...] = (*place(match), "--journal", journal)
            async with started(starter, referee.address, *arguments, token=match.seat_tokens[0]) as process:
                await play_other_seat(referee.address, match, GREEDY)
                code, out, err = await ended(process)
            assert (code, err) == (0, "")
            assert re.fullmatch(RESULT, out)
            await verify(organiser, tmp_path, match, journal)


class Trouble:
    """Is what happens to referee and network while a match is played."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._referee = served("--store", store)
        self.served: Served = self._referee.__enter__()
        self.network: Proxy | None = None

    @property
    def address(self) -> str:
        return self.served.address

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Ends the referee, by default as nothing that runs can notice."""
        self.served.process.send_signal(number)
        self.served.process.wait(timeout=30)
        self._referee.__exit__(None, None, None)

    def start(self) -> None:
        """Starts the referee again, where it was."""
        self._referee = served("--store", self._store, "--port", self.served.port)
        self.served = self._referee.__enter__()

    async def kill(self) -> None:
        """Starts the referee again after nothing that runs could notice its end."""
        self.stop()
        await asyncio.to_thread(self.start)

    async def renew(self) -> None:
        """Starts the referee again after it was asked to end."""
        self.stop(signal.SIGTERM)
        await asyncio.to_thread(self.start)

    async def cut(self) -> None:
        """Cuts the connection of the bot, once there is one."""
        assert self.network is not None
        while not self.network.connections or self.network.connections[-1].is_cut:  # noqa: ASYNC110 - the proxy has no event for it
            await asyncio.sleep(0.01)
        self.network.cut()


def troubled(trouble: Trouble) -> Bot:
    """Returns a bot before whose decisions three cuts and two restarts happen."""
    troubles = {2: trouble.cut, 4: trouble.kill, 6: trouble.cut, 8: trouble.renew, 10: trouble.cut}
    asked = 0

    async def bot(observation: Observation) -> Action:
        nonlocal asked
        asked += 1
        if asked in troubles:
            await troubles.pop(asked)()
        return GREEDY(observation)

    return bot


async def test_a_bot_started_before_the_referee_plays_through_restarts_and_cuts(starter: Path, tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    trouble = Trouble(tmp_path / "store")
    try:
        async with Organiser(trouble.address) as organiser:
            match = await create(organiser)
        trouble.stop(signal.SIGTERM)
        async with proxy(trouble.address) as network:
            trouble.network = network
            arguments: tuple[str | Path, ...] = (*place(match), "--journal", journal, "--patience", "60")
            async with started(starter, network.address, *arguments, token=match.seat_tokens[0]) as process:
                await asyncio.sleep(1)  # it finds nobody
                await asyncio.to_thread(trouble.start)
                await play_other_seat(trouble.address, match, troubled(trouble))
                code, out, err = await ended(process)
            assert (code, err) == (0, "")
            assert re.fullmatch(RESULT, out)
            assert len(network.connections) >= 6
        async with Organiser(trouble.address) as organiser:
            await verify(organiser, tmp_path, match, journal)
    finally:
        trouble.stop()


@pytest.mark.slow  # it takes the client 20 seconds to notice
async def test_a_connection_that_is_dead_without_a_word_is_replaced(starter: Path, tmp_path: Path) -> None:
    control = match_pb2.TimeControl(limit_ms=60_000)
    with served() as referee:
        async with Organiser(referee.address) as organiser, proxy(referee.address) as network:
            match = await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND, time_control=control)
            dropped = False

            def bot(observation: Observation) -> Action:
                nonlocal dropped
                if not dropped:
                    network.drop()
                    dropped = True
                return GREEDY(observation)

            arguments = (*place(match), "--no-journal")
            async with started(starter, network.address, *arguments, token=match.seat_tokens[0]) as process:
                await play_other_seat(referee.address, match, bot)
                code, out, err = await ended(process)
            assert (code, err) == (0, "")
            assert re.fullmatch(RESULT, out)
            assert len(network.connections) == 2


@pytest.mark.parametrize("count", [10, pytest.param(500, marks=pytest.mark.slow)])
async def test_a_bot_plays_all_matches_that_are_assigned_to_it_until_it_is_interrupted(
    starter: Path, tmp_path: Path, count: int
) -> None:
    with served() as referee:
        async with Organiser(referee.address) as organiser:
            tokens = [await organiser.revoke_bot_token(name) for name in ("ann", "bob")]
            matches = [await create(organiser, ("ann", "bob")) for _ in range(count)]
            arguments = ("--assigned", "--journal", tmp_path / "journals")
            async with (
                started(starter, referee.address, *arguments, token=tokens[0]) as process,
                connect(referee.address, token=tokens[1]) as session,
            ):
                seats = [await session.join(match.match_id, seat_pb2.SEAT_B) for match in matches]
                await asyncio.gather(*(play_seat(seat, GREEDY) for seat in seats))
                assert process.stdout is not None
                told = [(await process.stdout.readline()).decode() for _ in matches]
                process.send_signal(signal.SIGINT)
                assert await ended(process) == (1, "", "starter: interrupted\n")
            assert all(re.fullmatch(RESULT, line) for line in told)
            for match in matches[:3]:
                await verify(organiser, tmp_path, match, tmp_path / "journals" / f"{match.match_id.hex()}-A-1.journal")


async def test_a_certificate_of_keygen_is_trusted_and_one_of_another_name_or_maker_is_not(
    starter: Path, tmp_path: Path
) -> None:
    for name in ("mine", "others"):
        assert unoduo("keygen", "--tls", tmp_path / name).code == 0
    tls = ("--tls-cert", tmp_path / "mine" / "cert.pem", "--tls-key", tmp_path / "mine" / "key.pem")
    trusted, others = (tmp_path / name / "cert.pem" for name in ("mine", "others"))
    with served(*tls) as referee, served("--host", "127.0.0.2", *tls) as elsewhere:
        security = TLS(trusted)
        async with Organiser(referee.address, tls=security) as organiser:
            match = await create(organiser)
            arguments = (*place(match), "--no-journal", "--tls-ca")
            async with started(starter, referee.address, *arguments, trusted, token=match.seat_tokens[0]) as process:
                await play_other_seat(referee.address, match, GREEDY, security)
                code, out, err = await ended(process)
        assert (code, err) == (0, "")
        assert re.fullmatch(RESULT, out)
        refused = {
            (elsewhere.address, trusted): f"{elsewhere.address} is for another name: certificate not valid for name",
            (referee.address, others): f"{referee.address} is not trusted: ",
        }
        for (address, authority), message in refused.items():
            code, line = await failure(starter, address, *arguments, authority, "--patience", "60")
            assert (code, line.startswith(f"starter: the certificate of the referee at {message}")) == (1, True), line


async def test_what_cannot_be_played_is_told_in_a_line(starter: Path, tmp_path: Path) -> None:
    with served() as referee:
        async with Organiser(referee.address) as organiser:
            match = await create(organiser)
        seat = (*place(match), "--no-journal")
        code, line = await failure(starter, referee.address, *seat)
        assert (code, line) == (1, "starter: nobody has this token (TOKEN_UNKNOWN in authorization)")
        code, line = await failure(starter, referee.address, *seat[:3], "B", token=match.seat_tokens[0])
        assert (code, "NOT_YOURS" in line) == (1, True)
        journal = tmp_path / "absent" / "a.journal"
        code, line = await failure(
            starter, referee.address, *seat[:4], "--journal", journal, token=match.seat_tokens[0]
        )
        assert (code, "No such file or directory" in line) == (1, True)
    code, line = await failure(starter, referee.address, *seat)
    assert (code, line) == (1, f"starter: nobody listens at {referee.address} (UNAVAILABLE)")
    code, line = await failure(starter, referee.address, *seat, "--unheard-of")
    assert (code, "--unheard-of" in line) == (2, True)
