"""Starter bots as processes, the other seat played in this one, and what comes of their matches."""

import asyncio
import io
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from unoduo.v1 import match_pb2, ruleset_pb2, seat_pb2
from unoduo.v1.referee_service_pb2 import CreateMatchResponse
from unoduo_client import Organiser, connect, play_seat
from unoduo_client.baselines import BASELINES
from unoduo_client.channel import Security
from unoduo_client.play import Bot

from referee.audit.report import Report, Status
from referee.audit.verify import Evidence
from referee.audit.verify import verify as verdict
from referee.codec.entries import decode_entry
from referee.log.file_format import EntryPart, read_parts
from tests.cli.command import unoduo

ONE_ROUND = ruleset_pb2.Ruleset(target=1)
CONTROL = match_pb2.TimeControl(limit_ms=30_000, startup_grace_ms=60_000, reconnect_grace_ms=30_000)
GREEDY = BASELINES["greedy"](None)
RESULT = r"match \d+, seat [AB]: (won|lost|no winner) \(\w+\), A \d+ : \d+ B after \d+ rounds?\n"

Starter = Sequence[str]
"""The command of a starter bot."""


@asynccontextmanager
async def started(starter: Starter, address: str, *arguments: str | Path, token: str) -> AsyncIterator[Process]:
    """Runs the bot for the length of a block; it is killed at the end unless it has ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNODUO")}
    variable = "UNODUO_BOT_TOKEN" if "--assigned" in arguments else "UNODUO_SEAT_TOKEN"
    command = (*starter, "--address", address, *arguments)
    # Where tests run in the background what they start would ignore SIGINT as they do.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = await asyncio.create_subprocess_exec(
        *command, stdout=PIPE, stderr=PIPE, env={**environment, variable: token}
    )
    signal.signal(signal.SIGINT, before)
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


async def failure(
    starter: Starter, address: str, *arguments: str | Path, token: str = "token"
) -> tuple[int | None, str]:
    """Returns the exit code of a bot that plays nothing, and its only line of errors."""
    async with started(starter, address, *arguments, token=token) as bot:
        code, out, err = await ended(bot)
    assert (out, err.count("\n")) == ("", 1), out + err
    return code, err.removesuffix("\n")


def place(match: CreateMatchResponse) -> tuple[str, ...]:
    """Returns the arguments that name seat A of a match."""
    return "--match", match.match_id.hex(), "--seat", "A"


async def create(organiser: Organiser, bots: tuple[str, str] = ("", "")) -> CreateMatchResponse:
    """Makes a match of one round that bears long outages."""
    return await organiser.create_match(["Ann", "Bob"], ruleset=ONE_ROUND, time_control=CONTROL, bots=bots)


async def play_other_seat(address: str, match: CreateMatchResponse, bot: Bot, tls: Security = None) -> None:
    """Plays seat B to the end of the match."""
    async with connect(address, tls=tls) as session:
        await play_seat(await session.join(match.match_id, seat_pb2.SEAT_B, token=match.seat_tokens[1]), bot)


async def verify(organiser: Organiser, folder: Path, match: CreateMatchResponse, *journals: Path) -> None:
    """Holds the journals against the replay of their match."""
    replay = folder / f"{match.number}.unoduo"
    replay.write_bytes(await organiser.fetch_replay(match.match_id))
    evidence = [part for journal in journals for part in ("--journal", journal)]
    verdict = await asyncio.to_thread(unoduo, "verify", *evidence, replay)
    assert (verdict.code, verdict.err) == (0, ""), verdict


def check_faultless(replay: bytes, journals: Sequence[Path]) -> Report:
    """Checks that a replay is right by the journals, and that no action was refused or late; returns what is found."""
    report = verdict(io.BytesIO(replay), Evidence(journals=tuple(io.BytesIO(path.read_bytes()) for path in journals)))
    assert report.status is Status.OK, report
    entries = [decode_entry(part.data) for part in read_parts(io.BytesIO(replay)) if isinstance(part, EntryPart)]
    assert not [entry for entry in entries if entry.tries]
    # The start, then nothing but actions.
    assert report.actions == len(entries) - 1
    return report
