"""What the starter bot of each language must do, against a real referee in a process of its own.

A subclass for each client sets `client`, and has a fixture `starter`, the command of its starter bot.
"""

import asyncio
import re
import signal
from pathlib import Path
from typing import ClassVar

import pytest
from unoduo.v1 import match_pb2, seat_pb2
from unoduo_client import TLS, Action, Observation, Organiser, connect, play_seat

from tests.cli.command import unoduo
from tests.cli.serving import served
from tests.clients_shared.client import PATIENCE_S, Client
from tests.clients_shared.starting import (
    GREEDY,
    ONE_ROUND,
    RESULT,
    Starter,
    check_faultless,
    create,
    ended,
    failure,
    place,
    play_other_seat,
    started,
    verify,
)
from tests.clients_shared.trouble import Trouble, troubled
from tests.faults.proxy import proxy


@pytest.mark.timeout(PATIENCE_S)
class StarterContract:
    client: ClassVar[Client]

    async def test_a_match_against_greedy_is_played_and_its_journal_verified(
        self, starter: Starter, tmp_path: Path
    ) -> None:
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

    async def test_a_bot_started_before_the_referee_plays_through_restarts_and_cuts(
        self, starter: Starter, tmp_path: Path
    ) -> None:
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
    async def test_a_connection_that_is_dead_without_a_word_is_replaced(self, starter: Starter) -> None:
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
        self, starter: Starter, tmp_path: Path, count: int
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
                    code, errors = self.client.interrupted
                    assert await ended(process) == (code, "", errors)
                assert all(re.fullmatch(RESULT, line) for line in told)
                for match in matches:
                    journal = tmp_path / "journals" / f"{match.match_id.hex()}-A-1.journal"
                    replay = await organiser.fetch_replay(match.match_id)
                    await asyncio.to_thread(check_faultless, replay, [journal])

    async def test_a_certificate_of_keygen_is_trusted_and_one_of_another_name_or_maker_is_not(
        self, starter: Starter, tmp_path: Path
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
                token = match.seat_tokens[0]
                async with started(starter, referee.address, *arguments, trusted, token=token) as process:
                    await play_other_seat(referee.address, match, GREEDY, security)
                    code, out, err = await ended(process)
            assert (code, err) == (0, "")
            assert re.fullmatch(RESULT, out)
            refused = {
                (elsewhere.address, trusted): "is for another name",
                (referee.address, others): "is not trusted",
            }
            for (address, authority), message in refused.items():
                code, line = await failure(starter, address, *arguments, authority, "--patience", "60")
                expected = f"{self.client.program}: the certificate of the referee at {address} {message}"
                assert (code, line.startswith(expected)) == (1, True), line

    async def test_what_cannot_be_played_is_told_in_a_line(self, starter: Starter, tmp_path: Path) -> None:
        name = self.client.program
        with served() as referee:
            async with Organiser(referee.address) as organiser:
                match = await create(organiser)
            seat = (*place(match), "--no-journal")
            told = await failure(starter, referee.address, *seat)
            assert told == (1, f"{name}: nobody has this token (TOKEN_UNKNOWN in authorization)")
            code, line = await failure(starter, referee.address, *seat[:3], "B", token=match.seat_tokens[0])
            assert (code, "NOT_YOURS" in line) == (1, True), line
            journal = tmp_path / "absent" / "a.journal"
            code, line = await failure(
                starter, referee.address, *seat[:4], "--journal", journal, token=match.seat_tokens[0]
            )
            assert (code, "no such file or directory" in line.lower()) == (1, True), line
        told = await failure(starter, referee.address, *seat)
        assert told == (1, f"{name}: nobody listens at {referee.address} (UNAVAILABLE)")
        code, line = await failure(starter, referee.address, *seat, "--unheard-of")
        assert (code, "-unheard-of" in line) == (2, True), line
