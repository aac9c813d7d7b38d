"""`python -m tests.conformance.bad_client FLAW ...`: the greedy baseline with one flaw of its client, named first.

Each flaw is what an author of a client may easily do; `FLAWS` has them all, and what each is.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from unoduo.v1 import action_pb2, observation_pb2, session_pb2
from unoduo_client import cards, channel, connection, deal, dialing, journal, performance, play, program
from unoduo_client.baselines.greedy_bot import greedy_bot
from unoduo_client.connection import Connection
from unoduo_client.conversation import Conversation
from unoduo_client.cursor import Cursor
from unoduo_client.errors import ProblemError, SeatDetached, SessionLost
from unoduo_client.outbox import Outbox
from unoduo_client.seat import SeatSession

Bot = Callable[[observation_pb2.Observation], action_pb2.Action]
GREEDY: Bot = greedy_bot


def patch(owner: object, name: str, value: object) -> None:
    """Puts something flawed in the place of what is right."""
    setattr(owner, name, value)


def plays(change: Callable[[action_pb2.Action], None]) -> Bot:
    """Returns greedy, with each of its actions changed."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        action = action_pb2.Action()
        action.CopyFrom(GREEDY(observation))
        change(action)
        return action

    return bot


# Flaws of the bot


def dies_at_once() -> Bot:
    """Ends with exit code 1 before it has done anything."""
    sys.exit(1)


def lingers() -> Bot:
    """Does not end with its match."""
    original = performance._play

    async def play_on(*arguments: Any) -> None:
        await original(*arguments)
        await asyncio.Event().wait()

    patch(performance, "_play", play_on)
    return GREEDY


def knows_no_color_phase() -> Bot:
    """Dies when it is to name a color."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        assert observation.decision.phase != observation_pb2.PHASE_COLOR, "what is that?"
        return GREEDY(observation)

    return bot


def sorts_cards() -> Bot:
    """Sends the cards of a dump sorted."""
    return plays(lambda action: action.play.cards.sort() if action.HasField("play") else None)


def drops_zero_cards() -> Bot:
    """Takes a zero for nothing."""

    def drop(action: action_pb2.Action) -> None:
        if action.HasField("play"):
            action.play.cards[:] = [card for card in action.play.cards if cards.symbol(card)]

    return plays(drop)


def holds_thirty_cards() -> Bot:
    """Has room for thirty cards."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        hand = [0] * 30
        for place, card in enumerate(observation.view.hand):
            hand[place] = card
        return GREEDY(observation)

    return bot


def thinks_too_long() -> Bot:
    """Takes a second for each decision."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        time.sleep(1.0)
        return GREEDY(observation)

    return bot


def dies_of_unknown_events() -> Bot:
    """Takes it for granted that it knows each event."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        for observed in observation.events:
            assert observed.event.WhichOneof("kind"), "what is that?"
        return GREEDY(observation)

    return bot


def dies_of_unknown_values() -> Bot:
    """Takes it for granted that it knows each number of an enum."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        for observed in observation.events:
            kind = observed.event.WhichOneof("kind")
            for field, value in getattr(observed.event, kind or "").ListFields():
                if field.enum_type is not None and not field.is_repeated:
                    field.enum_type.values_by_number[value]
        return GREEDY(observation)

    return bot


def dies_of_unknown_fields() -> Bot:
    """Refuses a message with a field that it does not know."""

    def bot(observation: observation_pb2.Observation) -> action_pb2.Action:
        bare = observation_pb2.Observation.FromString(observation.SerializeToString())
        bare.DiscardUnknownFields()
        assert bare.ByteSize() == observation.ByteSize(), "what is that?"
        return GREEDY(observation)

    return bot


# Flaws of what it says about a seat


def joins_one_match_only() -> Bot:
    """Plays the first match that is assigned to it, and no other."""
    original = performance._play_one
    taken: list[object] = []

    async def play_one(*arguments: Any) -> None:
        taken.append(arguments)
        if len(taken) == 1:
            await original(*arguments)

    patch(performance, "_play_one", play_one)
    return GREEDY


def ignores_rejection() -> Bot:
    """Takes a rejected action for accepted."""

    async def decide(seat: SeatSession, bot: Bot, observation: observation_pb2.Observation) -> None:
        await seat.act(observation, bot(observation))

    patch(play, "_decide", decide)
    return GREEDY


def never_gives_up() -> Bot:
    """Sends a rejected action again and again."""

    async def decide(seat: SeatSession, bot: Bot, observation: observation_pb2.Observation) -> None:
        action = bot(observation)
        while (await seat.act(observation, action)).HasField("rejected"):
            pass

    patch(play, "_decide", decide)
    return GREEDY


def dies_of_unknown_refusals() -> Bot:
    """Takes it for granted that it knows each reason of a rejection."""

    def text(rejected: session_pb2.Rejected) -> str:
        return session_pb2.RejectionReason.Name(rejected.reason)

    patch(play, "refusal_text", text)
    return GREEDY


def insists_on_accepted() -> Bot:
    """Dies when an action is neither accepted nor rejected."""
    original = SeatSession.act

    async def act(self: SeatSession, *arguments: Any) -> session_pb2.ActionResult:
        result = await original(self, *arguments)
        assert result.HasField("accepted") or result.HasField("rejected"), "what is that?"
        return result

    patch(SeatSession, "act", act)
    return GREEDY


def answers_everything() -> Bot:
    """Answers each observation with a decision, told before or not."""

    def take(self: Cursor, observation: observation_pb2.Observation) -> bool:
        self.sequence, self._head = observation.sequence, observation.head
        return True

    patch(Cursor, "take", take)
    patch(SeatSession, "is_asked", lambda self, observation: observation.HasField("decision"))
    original = SeatSession.act
    numbers = iter(range(1_000_000))

    async def act(self: SeatSession, observation: observation_pb2.Observation, action: Any) -> Any:
        self._tries = next(numbers)
        self._decision_id = observation.decision.decision_id
        return await original(self, observation, action)

    patch(SeatSession, "act", act)
    return GREEDY


def takes_any_result() -> Bot:
    """Takes each result for the answer to what it asked last, and dies when it asked nothing."""

    def take(self: Conversation, item: session_pb2.ResponseItem) -> bool:
        if item.HasField("action_result"):
            assert self._question is not None, "an answer to nothing"
            assert self._question.is_answered_by(item), "an answer to something else"
        return original(self, item)

    original = Conversation._take
    patch(Conversation, "_take", take)
    return GREEDY


def ignores_retry_after() -> Bot:
    """Says at once again what it was told to wait with."""

    def wait(self: Conversation, seconds: float, then: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(then)

    patch(Conversation, "_wait", wait)
    return GREEDY


def gives_up_on_problems(*reasons: str) -> Callable[[], Bot]:
    """Returns a flaw: takes a problem that passes for the end."""

    def flaw() -> Bot:
        original = Conversation._refused

        def refused(self: Conversation, item: session_pb2.ResponseItem) -> bool:
            if item.problem.reason in reasons:
                self.close(ProblemError(item.problem))
                return True
            return original(self, item)

        patch(Conversation, "_refused", refused)
        return GREEDY

    flaw.__doc__ = "Takes a problem that passes for the end."
    return flaw


def takes_detached_for_the_end() -> Bot:
    """Gives up when it is detached, for whatever reason."""

    def let_go(self: Conversation, detached: session_pb2.Detached) -> bool:
        self.close(SeatDetached(detached))
        return True

    patch(Conversation, "_let_go", let_go)
    return GREEDY


def fights_for_its_seat() -> Bot:
    """Joins again whatever the reason it was detached for."""

    def let_go(self: Conversation, detached: session_pb2.Detached) -> bool:
        self._drop_handle()
        self._wait(0.05, self._rejoin)
        return False

    patch(Conversation, "_let_go", let_go)
    return GREEDY


def dies_of_unknown_items() -> Bot:
    """Takes it for granted that it knows each kind of item."""
    original = Connection._route

    def route(self: Connection, item: session_pb2.ResponseItem) -> None:
        assert item.WhichOneof("kind"), "what is that?"
        original(self, item)

    patch(Connection, "_route", route)
    return GREEDY


def dies_of_unknown_ends() -> Bot:
    """Takes it for granted that it knows each way in which a match ends."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.termination < 20, "what is that?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY


def asks_who_won() -> Bot:
    """Takes it for granted that somebody has won."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.winner, "nobody?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY


def asks_for_points() -> Bot:
    """Takes it for granted that a match ends by points."""
    original = performance._result

    def result(seat: Any, ended: session_pb2.Ended) -> str:
        assert ended.outcome.termination == 1, "what is that?"
        return original(seat, ended)

    patch(performance, "_result", result)
    return GREEDY


# Flaws of resuming


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


# Flaws of trust


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


# Flaws of the way to the referee


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
    import ssl

    def opener(address: str, tls: Any = None) -> Callable[[], grpc.aio.Channel]:
        host, _, port = address.rpartition(":")
        shown = ssl.get_server_certificate((host, int(port))).encode()
        options = (*channel._OPTIONS, ("grpc.ssl_target_name_override", "localhost"))
        roots = grpc.ssl_channel_credentials(shown)
        return lambda: grpc.aio.secure_channel(address, roots, options=options)

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


FLAWS: dict[str, Callable[[], Bot]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and name not in ("patch", "plays", "gives_up_on_problems")
} | {
    "dies_of_inbox_full": gives_up_on_problems("INBOX_FULL"),
    "dies_of_draining": gives_up_on_problems("DRAINING"),
    "dies_of_frozen": gives_up_on_problems("MATCH_FROZEN"),
}

if __name__ == "__main__":
    flaw = FLAWS[sys.argv.pop(1)]
    program.run(flaw())
