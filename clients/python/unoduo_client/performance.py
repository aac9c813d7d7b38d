"""What the main program of a bot does: plays the seat that its arguments name, or all that are assigned to it."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path

from unoduo.v1 import outcome_pb2, seat_pb2, session_pb2

from unoduo_client.channel import read_token
from unoduo_client.enums import enum_name
from unoduo_client.errors import ClientError, SessionLost
from unoduo_client.keeping import default_directory, new_journal
from unoduo_client.program import Player, security_of
from unoduo_client.seat import SeatSession
from unoduo_client.session import Session, connect

_SECRET_BYTES = 32


async def perform(play: Player, program: str, arguments: argparse.Namespace) -> None:
    """Plays and prints a line for each match that has ended. Raises ClientError, OSError and what the bot raises."""
    async with connect(
        arguments.address,
        token=arguments.token or read_token(arguments.token_file),
        tls=security_of(arguments),
        secret=None if arguments.secret_file is None else _secret(arguments.secret_file),
        patience=arguments.patience,
    ) as session:
        if arguments.assigned:
            await _play_assigned(session, play, program, arguments.journal or _kept_by_default(arguments, program))
        else:
            seat = seat_pb2.SEAT_A if arguments.seat == "A" else seat_pb2.SEAT_B
            journal = arguments.journal
            if journal is None and (directory := _kept_by_default(arguments, program)) is not None:
                journal = new_journal(directory, arguments.match, seat)
            await _play(session, arguments.match, seat, play, None, journal)


def _kept_by_default(arguments: argparse.Namespace, program: str) -> Path | None:
    """Returns where to keep journals that nobody asked for; a machine without such a place is told of and plays on."""
    if arguments.no_journal:
        return None
    try:
        return default_directory()
    except OSError as error:
        print(f"{program}: no journal is kept: {error}", file=sys.stderr, flush=True)
        return None


async def _play_assigned(session: Session, play: Player, program: str, journals: Path | None) -> None:
    """Plays every match that is assigned, at once, until the session is lost. Raises SessionLost."""
    games: set[asyncio.Task[None]] = set()
    try:
        async for assigned in session.assignments():
            game = asyncio.create_task(_play_one(session, assigned, play, program, journals))
            games.add(game)
            game.add_done_callback(games.discard)
    finally:
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)


async def _play_one(
    session: Session, assigned: session_pb2.Assigned, play: Player, program: str, journals: Path | None
) -> None:
    """Plays one match; what goes wrong in it is told and costs no other one anything."""
    try:
        journal = None if journals is None else new_journal(journals, assigned.match_id, assigned.seat)
        await _play(session, assigned.match_id, assigned.seat, play, assigned.bot_seed, journal)
    except SessionLost:
        pass  # told once, for all matches
    except (ClientError, OSError) as error:
        name = f"match {assigned.match_id.hex()}, seat {_letter(assigned.seat)}"
        print(f"{program}: {name}: {error}", file=sys.stderr, flush=True)
    except Exception as error:
        traceback.print_exception(error)


async def _play(
    session: Session,
    match_id: bytes,
    seat: seat_pb2.Seat.ValueType,
    play: Player,
    seed: bytes | None,
    journal: Path | None,
) -> None:
    held = await session.join(match_id, seat, delivery=session_pb2.DELIVERY_ON_DECISION, journal=journal)
    print(_result(held, await play(held, seed)), flush=True)


def _result(seat: SeatSession, ended: session_pb2.Ended) -> str:
    outcome = ended.outcome
    termination = enum_name(outcome_pb2.Termination.Name, outcome.termination).removeprefix("TERMINATION_")
    if outcome.winner == seat_pb2.SEAT_UNSPECIFIED:
        verdict = "no winner"
    else:
        verdict = "won" if outcome.winner == seat.seat else "lost"
    rounds = f"{outcome.rounds} round{'' if outcome.rounds == 1 else 's'}"
    return (
        f"match {seat.header.match_number}, seat {_letter(seat.seat)}: {verdict} ({termination}),"
        f" A {outcome.total_a} : {outcome.total_b} B after {rounds}"
    )


def _letter(seat: seat_pb2.Seat.ValueType) -> str:
    return "A" if seat == seat_pb2.SEAT_A else "B"


def _secret(path: Path) -> bytes:
    """Returns the secret kept in a file, and makes the file first if there is none. Raises OSError."""
    with (
        suppress(FileExistsError),
        open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
    ):
        file.write(os.urandom(_SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) < _SECRET_BYTES:
        raise OSError(f"{path} holds no secret of at least {_SECRET_BYTES} bytes")
    return secret
