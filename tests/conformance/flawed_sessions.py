"""Flaws of resuming, of trust, and of the way to the referee."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import grpc
from unoduo.v1 import observation_pb2, session_pb2
from unoduo_client import channel, connection, deal, dialing, journal, performance
from unoduo_client.connection import Connection
from unoduo_client.conversation import Conversation
from unoduo_client.cursor import Cursor
from unoduo_client.errors import SessionLost
from unoduo_client.outbox import Outbox

from tests.conformance.flawed_seats import fights_for_its_seat
from tests.conformance.patching import GREEDY, Bot, patch

# Resuming


def never_connects_again() -> Bot:
    """Gives up when its connection is lost."""
    original = dialing.Dialer.dial_again

    async def dial_again(self: dialing.Dialer, lost: Any, patience: float, deadline: float) -> Connection:
        return await original(self, lost, 0.0, 0.0)

    patch(dialing.Dialer, "dial_again", dial_again)
    return GREEDY


def forgets_where_it_was() -> Bot:
    """Joins again without saying behind which event."""
    patch(Cursor, "position", property(lambda self: None))
    return GREEDY


def drops_zero_values() -> Bot:
    """Takes the number zero for nothing."""
    original = Cursor.position.fget  # type: ignore[attr-defined]

    def position(self: Cursor) -> tuple[int, bytes] | None:
        found: tuple[int, bytes] | None = original(self)
        return found if found is not None and found[0] else None

    patch(Cursor, "position", property(position))
    return GREEDY


def renumbers() -> Bot:
    """Gives an action another id when it sends it again."""
    original = Conversation._put

    def put(self: Conversation, question: Any) -> None:
        if question.times and question.item.HasField("action"):
            question.item.action.action_id += "b"
        original(self, question)

    patch(Conversation, "_put", put)
    return GREEDY


def draws_entropy_anew() -> Bot:
    """Gives other entropy whenever it is asked."""
    original = Conversation._put

    def put(self: Conversation, question: Any) -> None:
        if question.item.HasField("ready"):
            question.item.ready.entropy = os.urandom(32)
        original(self, question)

    patch(Conversation, "_put", put)
    patch(deal.DealGuard, "check", lambda self, observation: None)
    return GREEDY


def forgets_its_question() -> Bot:
    """Does not say again, after a cut, what was not answered."""
    original = Conversation._put

    def put(self: Conversation, question: Any) -> None:
        if not question.times:
            original(self, question)

    patch(Conversation, "_put", put)
    return GREEDY


def takes_history_for_the_view() -> Bot:
    """Skips what tells no later event than it knows, the view behind history too."""

    def take(self: Cursor, observation: observation_pb2.Observation) -> bool:
        if observation.sequence <= self.sequence:
            return False
        self.sequence, self._head = observation.sequence, observation.head
        return True

    patch(Cursor, "take", take)
    return GREEDY


# Trust


def plays_without_its_entropy() -> Bot:
    """Does not look whether the deal has its entropy."""
    patch(deal.DealGuard, "check", lambda self, observation: None)
    return GREEDY


def gives_entropy_always() -> Bot:
    """Gives entropy also to a deal that takes none."""
    original = deal.DealGuard.__init__

    def init(self: deal.DealGuard, *arguments: Any) -> None:
        original(self, *arguments)
        self.wants_entropy = True

    patch(deal.DealGuard, "__init__", init)
    return GREEDY


def plays_in_a_forked_log() -> Bot:
    """Begins anew when the log has become another one."""

    def fork(self: Conversation) -> None:
        self._cursor.sequence, self._cursor.from_start = 0, False
        self._header = None
        self._first_joined = asyncio.get_running_loop().create_future()
        self._join.ClearField("after_sequence")
        self._join.ClearField("head")
        self._wait(0.05, self._rejoin)

    patch(Conversation, "_fork", fork)
    return GREEDY


def keeps_half_a_journal() -> Bot:
    """Keeps no action in its journal."""
    original = journal.JournalWriter.record

    def record(self: journal.JournalWriter, item: Any) -> None:
        if item.WhichOneof("kind") != "action":
            original(self, item)

    patch(journal.JournalWriter, "record", record)
    return GREEDY


# The way to the referee


def tries_any_token_again() -> Bot:
    """Tries again whatever the referee says of its token."""
    original = dialing.Dialer.dial

    async def dial(self: dialing.Dialer) -> Connection:
        for _ in range(3):
            try:
                return await original(self)
            except Exception:
                await asyncio.sleep(0.05)
        return await original(self)

    patch(dialing.Dialer, "dial", dial)
    return GREEDY


def never_takes_no_for_an_answer() -> Bot:
    """Connects again whatever status its session ended with."""
    original: Any = vars(connection)["session_lost"]

    def session_lost(*arguments: Any) -> SessionLost:
        lost: SessionLost = original(*arguments)
        lost.may_pass = True
        return lost

    patch(connection, "session_lost", session_lost)
    return GREEDY


def comes_back_with_a_revoked_token() -> Bot:
    """Connects and joins again whatever it was told."""
    fights_for_its_seat()
    return never_takes_no_for_an_answer()


def tries_any_join_again() -> Bot:
    """Joins again whatever the referee says of it."""
    original = Conversation._refused

    def refused(self: Conversation, item: session_pb2.ResponseItem) -> bool:
        if not self._is_joined:
            self._wait(0.05, self._rejoin)
            return False
        return original(self, item)

    patch(Conversation, "_refused", refused)
    return GREEDY


def fills_messages() -> Bot:
    """Sends as many items a message as it likes, and waits to fill it."""
    original = Outbox.next_request

    async def next_request(self: Outbox) -> session_pb2.PlayRequest:
        self.max_items = 64
        await self._filled.wait()
        await asyncio.sleep(0.01)
        return await original(self)

    patch(Outbox, "next_request", next_request)
    return GREEDY


def speaks_no_tls() -> Bot:
    """Ignores --tls-ca."""
    patch(performance, "security_of", lambda arguments: False)
    return GREEDY


def trusts_anybody() -> Bot:
    """Accepts the certificate that the referee has, whatever it is."""
    import socket
    import ssl

    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    trusting.set_alpn_protocols(["h2"])

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()

    def opener(address: str, tls: Any = None) -> Callable[[], grpc.aio.Channel]:
        host, _, port = address.rpartition(":")
        listener = socket.create_server(("127.0.0.1", 0))

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            far_reader, far_writer = await asyncio.open_connection(host, int(port), ssl=trusting)
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

        near = f"127.0.0.1:{listener.getsockname()[1]}"
        relays.append(asyncio.ensure_future(asyncio.start_server(carry, sock=listener)))
        return lambda: grpc.aio.insecure_channel(near, options=channel._OPTIONS)

    relays: list[asyncio.Future[asyncio.Server]] = []

    from unoduo_client import session

    patch(session, "opener", opener)
    return GREEDY


def sends_no_pings() -> Bot:
    """Never asks whether the referee is still there."""
    options = (
        (name, 2_000_000 if "keepalive_t" in name or "ping_timeout" in name else value)
        for name, value in channel._OPTIONS
    )
    patch(channel, "_OPTIONS", tuple(options))
    return GREEDY


def pings_every_second() -> Bot:
    """Asks every second whether the referee is still there."""
    options = ((name, 1_000 if name == "grpc.keepalive_time_ms" else value) for name, value in channel._OPTIONS)
    patch(channel, "_OPTIONS", tuple(options))
    return GREEDY
