"""One world, played as its steps say, while curious observers ask for everything that they can ask for."""

from random import Random

from unoduo.v1 import action_pb2, match_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.actions import encode_action
from referee.codec.settings import encode_ruleset
from referee.deal.commitment import DEAL_ID_SIZE
from referee.log.heads import header_head
from referee.rules.actions import CATCH, CHALLENGE, DRAW, KEEP_DRAWN, KEEP_OFFERED, LET_PASS, Action, Play
from referee.rules.cards import Card
from referee.rules.seats import SEATS, Seat
from tests.leaks.plans import Plan
from tests.leaks.players import Item, Player, Someone
from tests.leaks.transcript import Transcript
from tests.leaks.wires import ORGANISER, Wire
from tests.leaks.worlds import Pair, Step

LIMIT_MS = 10_000
ABSENCE_MS = 5_000
BOT = "eve"
_REJECTION_LIMIT = 100
_OTHERS: tuple[Action, ...] = (CATCH, CHALLENGE, DRAW, KEEP_DRAWN, KEEP_OFFERED, LET_PASS)


class Course:
    """Plays one world of a pair. `is_played`, `stands` and `is_over` say where the match is."""

    def __init__(self, wire: Wire, pair: Pair, plan: Plan, world: int) -> None:
        self.wire = wire
        self.pair = pair
        self.plan = plan
        self.random = Random(f"course {pair.seed}")
        self.transcript = Transcript()
        self.is_played = self.stands = self.is_over = False
        self.sequence = 0
        self.closed: list[int] = []
        self.deal_id = bytes(DEAL_ID_SIZE)
        self.observer = pair.observer
        self._salt = Random(f"{pair.seed} {world}")
        self._organiser = Someone("organiser", wire, ORGANISER, None)

    async def prepare(self, seed: bytes) -> None:
        """Makes the match, with another one of a given seed that is never played, or with a deal that stays open."""
        ask, is_bot = self._organiser.ask, self.plan.by == "bot" and self.observer is not None
        bot_token = ""
        if is_bot:
            told = await ask("RevokeToken", pb.RevokeTokenRequest(bot=BOT).SerializeToString())
            bot_token = pb.RevokeTokenResponse.FromString(told.messages[0]).new_token
        request = pb.CreateMatchRequest(
            ruleset=encode_ruleset(self.pair.ruleset),
            time_control=match_pb2.TimeControl(
                limit_ms=LIMIT_MS, startup_grace_ms=3_600_000, reconnect_grace_ms=3_600_000
            ),
            fault_policy=match_pb2.FaultPolicy(
                rejection_limit=_REJECTION_LIMIT, forfeit_after_absence_ms=0 if self.plan.acts else ABSENCE_MS
            ),
            players=[
                match_pb2.Player(name=name, bot=BOT if is_bot and self.observer is seat else "")
                for name, seat in zip(("Ada", "Bob"), SEATS, strict=True)
            ],
        )
        if self.plan.deal == "given":
            request.seed = seed
        elif self.plan.deal == "shared":
            told = await ask("CreateDeal", pb.CreateDealRequest(seed=seed).SerializeToString())
            request.deal_id = self.deal_id = pb.CreateDealResponse.FromString(told.messages[0]).deal_id
        told = await ask("CreateMatch", request.SerializeToString())
        match = pb.CreateMatchResponse.FromString(told.messages[0])
        self.match_id, self.h0 = match.match_id, header_head(match.header)
        self.entropy = b"observer" if self.plan.is_fresh else b""
        if self.plan.deal == "given":
            await ask("CreateMatch", request.SerializeToString())
        self.players = [self._player(seat, match.seat_tokens[seat], bot_token) for seat in SEATS]
        self.spectator = Someone("spectator", self.wire, match.spectator_token, self.transcript)
        self.nobody = Someone("nobody", self.wire, "", self.transcript)

    @property
    def me(self) -> Player | None:
        """Returns the seat that observes."""
        return self.players[self.observer] if self.observer is not None else None

    @property
    def observers(self) -> list[Someone]:
        """Returns all who observe."""
        mine = [self.me.who] if self.me is not None else []
        return [*mine, self.spectator, self.nobody]

    @property
    def rival(self) -> Player:
        """Returns a seat that is told of each entry, and does not observe."""
        return self.players[self.observer.other if self.observer is not None else Seat.B]

    def _player(self, seat: Seat, seat_token: str, bot_token: str) -> Player:
        if seat is not self.observer:
            who = Someone(seat.name, self.wire, seat_token, None)
            return Player(self, seat, who, "", None)
        by_field = self.plan.by == "field"
        token = {"token": seat_token, "field": "", "bot": bot_token}[self.plan.by]
        who = Someone("seat", self.wire, token, self.transcript)
        return Player(self, seat, who, seat_token if by_field else "", self.plan)

    async def gather(self) -> None:
        """Lets both seats join, and somebody watch."""
        await self._watch()
        for player in self.players:
            await (player.act() if player.acts else player.join())

    async def start(self) -> None:
        """Lets both seats be ready: the match starts."""
        for player in self.players:
            if player.stream is None:
                await player.act(ready=player.ready_item().ready)
            else:
                await player.ready(player.stream)
        await self._told(self.pair.first_seat)
        self.is_played = True

    async def _watch(self) -> None:
        self.watch = self.spectator.open("WatchMatch", self.watch_request())
        await self.watch.until_told(lambda: bool(self.watch.messages))

    def watch_request(self, resume: tuple[int, bytes] = (0, b"")) -> bytes:
        """Returns what asks to watch the match."""
        request = pb.WatchMatchRequest(match_id=self.match_id, after_sequence=resume[0], head=resume[1])
        return request.SerializeToString()

    async def take(self, step: Step) -> None:
        """Takes one step, and lets all be told who are."""
        player = self.players[step.seat]
        decision_id, legal = await player.decision()
        self.wire.clock.advance(self.random.randrange(LIMIT_MS // 4))
        random = self.random if player is self.me else self._salt
        for _ in range(self.random.randrange(3) if self.random.random() < 0.5 else 0):
            result = await player.submit(_illegal(legal, random), decision_id)
            assert result.HasField("rejected"), result
        if step.expires:
            self.wire.clock.advance(LIMIT_MS + 1)
        else:
            result = await player.submit(step.action, decision_id)
            assert result.HasField("accepted"), result
        await self._told(step.next_seat)
        self.closed.append(decision_id)
        self.is_over = step.next_seat is None

    async def blink(self) -> None:
        """Lets the rival lose its connection and come back."""
        await self.rival.vanish()
        await self.rival.join()

    async def restart(self) -> None:
        """Lets the referee crash; the match stands."""
        for player in self.players:
            player.stream = None
        await self.wire.restart()
        self.stands = True
        await self._watch()

    async def come_back(self) -> None:
        """Lets both seats come back after a restart: the match goes on."""
        before = self.sequence
        # Whoever only makes calls comes last: it is there for no longer than its call.
        for player in (self.rival, self.players[self.rival.seat.other]):
            await (player.act() if player.acts else player.join())
        rival = self.rival.stream
        assert rival is not None
        await rival.until(lambda: rival.sequence > before)
        self.stands = False
        await self._told(self._asked)

    async def finish(self) -> None:
        """Ends the match, as planned, in a way that tells no card."""
        if self.is_over:
            return
        end, me, rival = self.plan.end, self.me or self.players[Seat.A], self.rival
        if end == "void":
            request = pb.VoidMatchRequest(match_id=self.match_id, reason="called off")
            await self._organiser.ask("VoidMatch", request.SerializeToString())
        elif end == "rival is away":
            await rival.vanish()
            self.wire.clock.advance(ABSENCE_MS + 1)
        elif end == "rival is refused" and self._asked is rival.seat:
            decision_id, legal = await rival.decision()
            for _ in range(_REJECTION_LIMIT):
                await rival.submit(_illegal(legal, self._salt), decision_id)
            # The clause of the last one is public: it must not be about a card.
            await rival.submit(next(action for action in _OTHERS if not _is_listed(action, legal)), decision_id)
        elif end == "resign" and me.stream is None:
            await me.act(resign=session_pb2.Resign())
        else:
            stream = (me if end == "resign" else rival).stream
            assert stream is not None
            await stream.send(Item(handle=1, resign=session_pb2.Resign()))
        self.is_over = True
        await self._told(None)

    async def close(self) -> None:
        """Notes all that was told."""
        for who in (*self.observers, *(player.who for player in self.players if player is not self.me)):
            await who.close()

    async def _told(self, next_seat: Seat | None) -> None:
        """Waits until everybody is told of the entry after which this seat is asked."""
        self._asked = next_seat
        stream, before = self.rival.stream, self.sequence
        if stream is not None:
            await stream.until(lambda: stream.has_ended or stream.sequence > before)
            self.sequence = stream.sequence
        for player in self.players:
            await player.hear(next_seat)
        if not self.plan.is_fresh:
            return
        watch = self.watch
        if next_seat is None:
            self.wire.clock.advance(self.plan.delay_ms)
            await watch.until(lambda: watch.has_ended)
        elif not self.plan.delay_ms:
            await watch.until(lambda: watch.sequence >= self.sequence)


def _illegal(legal: list[action_pb2.Action], random: Random) -> Action:
    """Returns an action that the rules refuse: one of one card, or without, that is not listed."""
    while True:
        action = random.choice((*_OTHERS, *(Play((card,), None) for card in random.sample([*Card], 3))))
        if not _is_listed(action, legal):
            return action


def _is_listed(action: Action, legal: list[action_pb2.Action]) -> bool:
    return encode_action(action) in legal
