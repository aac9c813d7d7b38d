"""One match of the client under test: the referee with its front, the client, and the kit's own player opposite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from unoduo.v1 import match_pb2, outcome_pb2, ruleset_pb2, seat_pb2
from unoduo.v1.referee_service_pb2 import CreateMatchResponse
from unoduo_client import Organiser, connect, play_seat
from unoduo_client.errors import ClientError
from unoduo_client.play import Bot as Player

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.conformance.bot import BOT_VARIABLE, SEAT_VARIABLE, Bot, running
from referee.conformance.failures import Flaw, KitError
from referee.conformance.front import Front, Said, Told
from referee.conformance.hole import Hole
from referee.conformance.house import House
from referee.conformance.ledger import Ledger
from referee.conformance.opponents import pushy
from referee.server.tls import Certificate

SEAT_A, SEAT_B = seat_pb2.SEAT_A, seat_pb2.SEAT_B
LOOPBACK = "127.0.0.1"
Assigning = Callable[[], AbstractAsyncContextManager[None]]
_BOT = "kit-bot"
_LETTERS = {SEAT_A: "A", SEAT_B: "B"}
_PATIENCE_S = 60


def patient(limit_ms: int = 60_000) -> match_pb2.TimeControl:
    """Returns clocks that leave the client time for everything but, if it is short, its decisions."""
    return match_pb2.TimeControl(limit_ms=limit_ms, startup_grace_ms=60_000, reconnect_grace_ms=60_000)


@dataclass(frozen=True, slots=True)
class Plan:
    """Tells what is played and what is done to it.

    `said` and `told` are the front's, `tolerated` the ledger's. `seed` gives the deal, fresh without one. With a
    `certificate` the front speaks TLS. The client shall trust `trusted`, or else this one. `hole` is the network
    between both.
    `token` and `told_seat` are what the client is given in place of what is right.
    """

    said: Said | None = None
    told: Told | None = None
    tolerated: frozenset[str] = frozenset()
    seat: seat_pb2.Seat.ValueType = SEAT_A
    seed: bytes | None = None
    ruleset: ruleset_pb2.Ruleset = field(default_factory=lambda: ruleset_pb2.Ruleset(target=1))
    control: match_pb2.TimeControl = field(default_factory=patient)
    opponent: Player = pushy
    certificate: Certificate | None = None
    trusted: bytes | None = None
    host: str = LOOPBACK
    hole: Hole | None = None
    token: str | None = None
    told_seat: seat_pb2.Seat.ValueType | None = None


class Match:
    """Is a match that the client plays, or should."""

    def __init__(
        self, plan: Plan, house: House, front: Front, ledger: Ledger, created: CreateMatchResponse, journal: Path
    ) -> None:
        self.plan = plan
        self.house = house
        self.front = front
        self.ledger = ledger
        self.created = created
        self.journal = journal
        self.bot: Bot

    @property
    def connections(self) -> int:
        """Returns how many calls of `Play` the client has made."""
        return len(self.front.lines)

    @property
    def seat_token(self) -> str:
        """Returns the token of the client's seat."""
        return self.created.seat_tokens[self.plan.seat - SEAT_A]

    async def restart(self, away_s: float) -> None:
        """Takes the referee down for some seconds."""
        await self.house.stop()
        await asyncio.sleep(away_s)
        await self.house.start()

    async def finished(self, *, verified: bool = True) -> str:
        """Waits for the end, which must be that of the match, and returns what came; holds the journal to the replay.

        Raises Flaw.
        """
        code = await self.exit_code()
        if code != 0:
            raise Flaw(f"it ended with exit code {code} instead of 0")
        if not self.ledger.has_ended:
            raise Flaw("it ended with exit code 0 before the match had ended")
        if self.ledger.outcome.termination == outcome_pb2.TERMINATION_VOID_REFEREE:
            raise KitError("the referee of the kit has failed")
        if verified and self.journal.exists():
            await self.verify()
        count = len({heard.item.action.decision_id for heard in self.ledger.of_kind("action")})
        calls = f"{self.connections} connection{'' if self.connections == 1 else 's'}"
        return f"it played to the end, {count} decisions over {calls}"

    async def refused(self, why: str, after: str = "") -> str:
        """Waits for the end, which must be a refusal to go on after it had said something of a kind: exit code 1.

        Raises Flaw.
        """
        code = await self.exit_code()
        if after and not self.ledger.of_kind(after):
            raise Flaw(f"it ended with exit code {code} before it had sent {after}")
        if code != 1:
            raise Flaw(f"it ended with exit code {code} instead of 1 ({why})")
        return "it ended with exit code 1"

    async def exit_code(self) -> int:
        """Waits for the end of the client. Raises Flaw as soon as one is found."""
        ended, flawed = asyncio.create_task(self.bot.exit_code()), asyncio.create_task(self.ledger.flawed.wait())
        try:
            await asyncio.wait({ended, flawed}, return_when=asyncio.FIRST_COMPLETED)
            self.expect_no_flaw()
            return ended.result()
        finally:
            ended.cancel()
            flawed.cancel()
            await asyncio.gather(ended, flawed, return_exceptions=True)

    def expect_no_flaw(self) -> None:
        """Raises Flaw with the first one, if there is one."""
        if self.ledger.flaws:
            raise Flaw(self.ledger.flaws[0])

    async def verify(self) -> None:
        """Holds the journal against the replay. Raises Flaw."""
        async with Organiser(self.house.address) as organiser:
            replay = self.journal.with_suffix(".unoduo")
            replay.write_bytes(await organiser.fetch_replay(self.created.match_id))
        report = await asyncio.to_thread(_verdict, replay, self.journal)
        if report is not None:
            raise Flaw(f"its journal and the replay differ: {report}")


class Stage:
    """Sets matches up in a folder; `log` has what the client wrote, `ledger` what it said in the latest match."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        folder.mkdir()
        self.log = folder / "bot.log"
        self.ledger: Ledger | None = None
        self._command = command
        self._folder = folder
        self._matches = 0

    @asynccontextmanager
    async def house(self, plan: Plan, ledger: Ledger) -> AsyncIterator[tuple[House, Front]]:
        """Serves a referee behind its front for the length of a block."""
        self._matches += 1
        self.ledger = ledger
        ledger.tolerated = plan.tolerated
        front = Front(ledger)
        front.said, front.told = plan.said or front.said, plan.told or front.told
        house = House(self._folder / f"store-{self._matches}", front, plan.certificate, plan.host)
        try:
            await house.start()
            if plan.hole is not None:
                await plan.hole.open(front.port)
            yield house, front
        finally:
            await house.stop()
            if plan.hole is not None:
                await plan.hole.close()

    @asynccontextmanager
    async def match(self, plan: Plan, *, late_s: float = 0.0) -> AsyncIterator[Match]:
        """Has a match played for the length of a block; `late_s` is by how long the client comes before the referee."""
        ledger = Ledger()
        async with self.house(plan, ledger) as (house, front), Organiser(house.address) as organiser:
            created = await organiser.create_match(
                ["Kit", "Kit"], ruleset=plan.ruleset, time_control=plan.control, seed=plan.seed
            )
            match = Match(plan, house, front, ledger, created, self._folder / f"{self._matches}.journal")
            place = "--match", created.match_id.hex(), "--seat", _LETTERS[plan.told_seat or plan.seat]
            token = SEAT_VARIABLE, plan.token or match.seat_token
            if late_s:
                await house.stop()
            async with self.client(house, plan, (*place, "--journal", str(match.journal)), token) as match.bot:
                if late_s:
                    await asyncio.sleep(late_s)
                    await house.start()
                other = SEAT_B if plan.seat == SEAT_A else SEAT_A
                async with opposing(house.address, created, other, plan.opponent):
                    yield match

    @asynccontextmanager
    async def assigned(self, plan: Plan, ledger: Ledger) -> AsyncIterator[tuple[Bot, Assigning]]:
        """Runs the client for all its matches; yields it and what assigns it one more for the length of a block."""
        async with self.house(plan, ledger) as (house, _), Organiser(house.address) as organiser:

            @asynccontextmanager
            async def assign() -> AsyncIterator[None]:
                created = await organiser.create_match(
                    ["Kit", "Kit"], ruleset=plan.ruleset, time_control=plan.control, bots=(_BOT, "")
                )
                async with opposing(house.address, created, SEAT_B, plan.opponent):
                    yield

            token = BOT_VARIABLE, await organiser.revoke_bot_token(_BOT)
            place = "--assigned", "--journal", str(self._folder / "journals")
            async with self.client(house, plan, place, token) as bot:
                yield bot, assign

    @asynccontextmanager
    async def client(
        self, house: House, plan: Plan, place: Sequence[str], token: tuple[str, str]
    ) -> AsyncIterator[Bot]:
        """Runs the client for the length of a block, with where the referee is and what it is to play."""
        address = house.front_address if plan.hole is None else f"{LOOPBACK}:{plan.hole.port}"
        options = ["--address", address, *place, "--patience", str(_PATIENCE_S)]
        trusted = plan.trusted or (plan.certificate.chain if plan.certificate is not None else None)
        if trusted is not None:
            file = self._folder / "trusted.pem"
            file.write_bytes(trusted)
            options += ["--tls-ca", str(file)]
        async with running(self._command, options, token, self.log) as bot:
            yield bot


@asynccontextmanager
async def opposing(
    address: str, created: CreateMatchResponse, seat: seat_pb2.Seat.ValueType, player: Player
) -> AsyncIterator[None]:
    """Plays a seat for the kit for the length of a block; how its match ends is the client's matter."""

    async def play() -> None:
        with suppress(ClientError):
            async with connect(address, patience=_PATIENCE_S) as session:
                token = created.seat_tokens[seat - SEAT_A]
                await play_seat(await session.join(created.match_id, seat, token=token), player)

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _verdict(replay: Path, journal: Path) -> str | None:
    """Returns what is wrong, None if nothing is."""
    with replay.open("rb") as stream, journal.open("rb") as told:
        report = verify(stream, Evidence(journals=(told,)))
    if report.status is Status.OK:
        return None
    return f"{report.part}, {report.check}: {report.message}"
