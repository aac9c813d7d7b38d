"""What must hold at every step of every match, whatever the ruleset and the bots (I1 to I25 of the list below).

Conservation: I1 the cards of the deck are all there, once; I2 counts after the draft; I3 no empty pile or hand while
somebody decides; I4 a draw yields what there is; I5 hands change by draft, draw and play alone; I6 with TURN_OVER the
draw and the discard pile are one queue.
Order: I7 one actor with a legal action, a refused action changes nothing; I8 a pending draw belongs to RESPOND or UNO;
I9 the UNO window follows a play to one card without a call; I10 color in force; I11 free color; I12 who has the next
turn; I13 volleys grow by two; I14 after a draw the drawn card begins the play; I15 roles by the number of the round.
Visibility: I16 a view is what a listener knows; I18 the shown hand is that of the play.  Termination: I19 the turn
cap; I21 empty draws.  Score: I22 winner; I23 points; I24 a blocked round; I25 the end of the match.
I17, I20, I26 and I27 compare several matches and have tests of their own.
"""

from collections import Counter
from itertools import pairwise, zip_longest
from random import Random
from typing import Protocol

from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    Action,
    Catch,
    Challenge,
    Draw,
    KeepDrawn,
    LetPass,
    Play,
)
from referee.rules.cards import CARDS, COLORS, Card, Symbol, deck_cards
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    Challenged,
    Cut,
    DraftDone,
    DraftOffered,
    DrawReason,
    Event,
    MatchEnded,
    Recycled,
    RoundEnded,
    RoundEndReason,
    RoundStarted,
    StarterTurned,
)
from referee.rules.legality import can, legal_actions
from referee.rules.observe import observe, observe_public, view
from referee.rules.ruleset import Piles, Wd4GuiltyNext
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase, State
from tests.properties.listener import Listener
from tests.properties.oracle import accepts, fits
from tests.rules.given import snapshot

_PLAIN_KINDS: tuple[Action, ...] = (
    KEEP_OFFERED, REFUSE_OFFERED, CHOOSE_COLOR[2], DRAW, KEEP_DRAWN, CHALLENGE, CATCH, LET_PASS,
)  # fmt: skip
_PRIVATE_FACTS = (DraftOffered, DraftDone, CardsDrawn, Challenged)


class Dealing(Protocol):
    """What deals the rounds: `size` cards each, all of the deck if it is None."""

    size: int | None

    def deck(self, round: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Returns the cards of a round, next card out first."""


class Watcher:
    """Follows one match: `before` each step's events are applied and `after`."""

    def __init__(self, state: State, dealing: Dealing) -> None:
        self._state = state
        self._ruleset = state.ruleset
        self._deck = deck_cards(self._ruleset.deck)
        self._dealing = dealing
        self._listeners = [Listener(seat, self._ruleset, dealing.size) for seat in SEATS]
        self._cut_winner = Seat.A
        self._last_play: CardsPlayed | None = None
        self._shown: tuple[Card, ...] = ()
        self._queue: list[Card] | None = None
        self._counts = [0, 0]
        self._totals = (0, 0)
        self._expected_turn: Seat | None = None
        self._empty_draw = False

    def take_up(self) -> None:
        """Follows a match from the middle of its first round: what a watcher would know is read off the state."""
        state = self._state
        self._cut_winner, self._totals = state.first_drafter, state.totals
        self._counts = [len(hand) for hand in state.hands]
        self._queue = [*state.draw[::-1], *state.discard] if state.phase is not Phase.DRAFT else None
        for listener in self._listeners:
            listener.view = view(state, listener.view.seat)
        if state.phase is Phase.UNO:
            self._last_play = CardsPlayed(state.actor.other, (state.discard[-1],), state.color or COLORS[0], 1, False)
        if state.pending and state.pending.evidence:
            self._shown = state.pending.evidence.shown

    def before(self, seat: Seat | None, action: Action | None, events: list[Event]) -> None:
        """Checks a step against the state it was decided in."""
        state = self._state
        if seat is not None and action is not None:
            assert seat is state.actor
            self._expected_turn = self._turn_after(state, seat, action, events)
            self._empty_draw = False
        for event, following in zip_longest(events, events[1:]):
            self._check_event(state, event, following)
            for listener in self._listeners:
                listener.hear(observe(event, listener.view.seat))
            assert observe_public(event).private_cards == ()

    def after(self) -> None:
        """Checks the state at rest after the events were applied."""
        state = self._state
        self._check_conservation(state)
        if state.phase is not Phase.MATCH_OVER:
            self._check_decision(state)
        assert [len(hand) for hand in state.hands] == self._counts, "I5"
        if self._queue is not None and self._ruleset.piles is Piles.TURN_OVER:
            assert state.draw[::-1] + state.discard == self._queue, "I6"
        assert state.turns <= self._ruleset.turn_cap, "I19"
        assert state.stall in (0, 1), "I21"
        assert state.stall == 0 or self._empty_draw, "I21"
        for listener in self._listeners:
            assert listener.view == view(state, listener.view.seat), "I16"

    def _check_conservation(self, state: State) -> None:
        deck = sorted(self._dealing.deck(state.round, self._deck))
        offered = [state.seen] if state.phase is Phase.DRAFT and state.seen else []
        assert sorted([*state.draw, *state.discard, *state.hands[0], *state.hands[1], *offered]) == deck, "I1"
        for hand in state.hands:
            assert hand == sorted(hand)
        if state.phase is not Phase.DRAFT:
            assert state.discard, "I3"
            assert state.phase is Phase.MATCH_OVER or all(state.hands), "I3"

    def _check_decision(self, state: State) -> None:
        phase, pending, top = state.phase, state.pending, state.discard[-1] if state.discard else None
        assert legal_actions(state), "I7"
        drawing = top is not None and top.symbol in (Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR)
        assert (pending is not None) == (phase is Phase.RESPOND or (phase is Phase.UNO and drawing)), "I8"
        if pending is not None:
            assert pending.by is not state.actor, "I8"
            assert pending.total % 2 == 0, "I13"
            assert pending.total == 4 or pending.symbol is Symbol.DRAW_TWO, "I13"
            assert (pending.evidence is not None) == (pending.symbol is Symbol.WILD_DRAW_FOUR)
        if phase is Phase.UNO:
            play = self._last_play
            assert play is not None, "I9"
            assert (play.seat, play.left, play.uno) == (state.actor.other, 1, False), "I9"
            assert len(state.hands[play.seat]) == 1, "I9"
        if phase in (Phase.DRAFT, Phase.COLOR):
            assert state.color is None, "I10"
        else:
            assert top is not None
            assert state.color is not None, "I10"
            assert top.color in (None, state.color), "I10"
        if state.free_color is not None:
            assert top is not None, "I11"
            assert top.symbol is Symbol.REVERSE, "I11"
            assert phase in (Phase.TURN, Phase.UNO), "I11"
            assert state.free_color is state.color, "I11"
        if phase is Phase.DRAWN:
            assert state.seen in state.hands[state.actor], "I14"
        if phase is Phase.TURN and self._expected_turn is not None:
            assert state.actor is self._expected_turn, "I12"
        odd = state.round % 2 == 1
        assert state.first_drafter is (self._cut_winner if odd else self._cut_winner.other), "I15"

    def _check_event(self, state: State, event: Event, following: Event | None) -> None:
        fact = event.fact
        match fact:
            case Cut(card_a, card_b):
                self._cut_winner = Seat.B if card_b.points > card_a.points else Seat.A
            case RoundStarted():
                assert state.round == 0 or not self._is_over(self._totals, state.round), "I25"
                self._counts, self._queue, self._expected_turn = [0, 0], None, None
            case DraftDone(seat, _, _):
                self._counts[seat] += 1
            case StarterTurned(card, draw_count):
                self._check_starter(state, card, draw_count)
            case CardsPlayed() as played:
                self._check_play(state, played)
            case CardsDrawn() as drawn:
                self._check_draw(drawn, event.private_cards)
            case Recycled() as recycled:
                assert following is not None
                self._check_recycling(state, recycled, following)
            case Challenged(seat, _):
                assert event.private_cards == self._shown, "I18"
                assert event.private_to is seat, "I18"
            case RoundEnded() as ended:
                self._check_round_end(ended)
            case MatchEnded(outcome):
                assert self._is_over(self._totals, state.round), "I25"
                a, b = self._totals
                assert outcome.winner is (None if a == b else Seat.A if a < b else Seat.B), "I25"
                assert (outcome.totals, outcome.rounds) == (self._totals, state.round)
            case _:
                pass
        assert (event.private_to is not None) == isinstance(fact, _PRIVATE_FACTS), "I16"
        assert event.private_to is not None or not event.private_cards, "I16"

    def _check_starter(self, state: State, card: Card, draw_count: int) -> None:
        size = self._ruleset.hand_size
        assert self._counts == [size, size], "I2"
        deck = self._dealing.deck(state.round, self._deck)
        assert draw_count + 1 == len(deck) - 2 * size, "I2"
        assert card == deck[4 * size], "I2"
        self._queue = [*deck[4 * size + 1 :], *self._listeners[0].view.discard, card]

    def _check_play(self, state: State, played: CardsPlayed) -> None:
        self._counts[played.seat] -= len(played.cards)
        assert self._counts[played.seat] == played.left, "I5"
        assert played.uno is False or played.left == 1, "I9"
        if state.pending is not None:
            assert [card.symbol for card in played.cards] == [Symbol.DRAW_TWO], "I13"
        if state.phase is Phase.DRAWN:
            assert played.cards[0] is state.seen, "I14"
        self._last_play = played
        hand = Counter(state.hands[played.seat])
        hand.subtract(played.cards)
        self._shown = tuple(sorted(hand.elements()))
        assert self._queue is not None
        self._queue.extend(played.cards)

    def _check_draw(self, drawn: CardsDrawn, cards: tuple[Card, ...]) -> None:
        assert self._queue is not None
        # The whole queue but the top card can be drawn.
        assert drawn.count == min(drawn.due, len(self._queue) - 1) == len(cards), "I4"
        self._counts[drawn.seat] += drawn.count
        if self._ruleset.piles is Piles.TURN_OVER:
            assert tuple(self._queue[: drawn.count]) == cards, "I6"
        del self._queue[: drawn.count]
        if drawn.reason is DrawReason.TURN and not drawn.count:
            self._empty_draw = True

    def _check_recycling(self, state: State, recycled: Recycled, draw: Event) -> None:
        """Checks that the pile was recycled by a draw that it could not meet otherwise (RULES.md R10.2)."""
        assert self._queue is not None
        assert isinstance(draw.fact, CardsDrawn)
        assert len(state.draw) < draw.fact.due, "I4"
        assert recycled.draw_count == len(self._queue) - len(state.draw) - 1 > 0, "I4"

    def _check_round_end(self, ended: RoundEnded) -> None:
        assert [len(hand) for hand in ended.hands] == self._counts, "I5"
        assert ended.points == tuple(sum(card.points for card in hand) for hand in ended.hands), "I23"
        assert ended.totals == (self._totals[0] + ended.points[0], self._totals[1] + ended.points[1]), "I23"
        self._totals = ended.totals
        if ended.reason is RoundEndReason.OUT:
            assert ended.winner is not None, "I22"
            assert ended.hands[ended.winner] == (), "I22"
        else:
            assert ended.winner is None, "I22"
            assert all(ended.hands), "I22"
        if ended.reason is RoundEndReason.BLOCKED:
            assert self._queue is not None
            (top,) = self._queue
            whole = sum(card.points for card in self._dealing.deck(self._state.round, self._deck))
            assert sum(ended.points) + top.points == whole, "I24"

    def _is_over(self, totals: tuple[int, int], round: int) -> bool:
        return (max(totals) >= self._ruleset.target and totals[0] != totals[1]) or round == self._ruleset.round_cap

    def _turn_after(self, state: State, seat: Seat, action: Action, events: list[Event]) -> Seat | None:
        """Returns who must have the turn if a turn follows at once, told once more from the phase table."""
        match action:
            case Play():
                return seat if action.cards[-1].symbol is Symbol.SKIP else seat.other
            case KeepDrawn():
                return seat.other
            case Draw():
                return seat.other
            case Challenge():
                (fact,) = [event.fact for event in events if isinstance(event.fact, Challenged)]
                challenger = self._ruleset.wd4_guilty_next is Wd4GuiltyNext.CHALLENGER
                return seat if fact.guilty and challenger else seat.other
            case Catch() | LetPass():
                assert self._last_play is not None
                return seat.other if self._last_play.cards[-1].symbol is Symbol.SKIP else seat
        return None


def probe(state: State, random: Random) -> int:
    """Compares judge, list and a second judge on many actions, legal or not; returns how many.

    No refused action may change the state (I7).
    """
    before = snapshot(state)
    legal = legal_actions(state)
    probes: list[tuple[Seat, Action]] = [(seat, action) for seat in SEATS for action in _PLAIN_KINDS]
    probes += [(state.actor, action) for action in legal]
    probes += [(state.actor, play) for play in _single_plays()]
    probes += [(random.choice(SEATS), play) for play in _random_plays(state, random)]
    listed = [_canonical(state, action) for action in legal]
    assert len({repr(action) for action in legal}) == len(legal)
    for seat, action in probes:
        accepted = can(state, seat, action)
        assert accepted == accepts(state, seat, action), action
        if accepted:
            assert _canonical(state, action) in listed, action
    for action in legal:
        assert can(state, state.actor, action), action
        assert not isinstance(action, Play) or len(action.cards) == 1 or _ascends(state, action), action
    assert snapshot(state) == before, "I7"
    return len(probes)


def _single_plays() -> list[Play]:
    return [Play((card,), named, uno) for card in CARDS for named, uno in ((None, False), (COLORS[card % 4], True))]


def _random_plays(state: State, random: Random) -> list[Play]:
    plays = [Play(())]
    hand = state.hands[state.actor]
    for _ in range(10):
        color = random.choice((*COLORS, state.color))
        chosen = [card for card in hand if card.color is color] or list(hand)
        random.shuffle(chosen)
        if random.random() < 0.5:
            chosen.sort(key=lambda card: card.symbol is not Symbol.REVERSE)
        if random.random() < 0.3:
            chosen = chosen[: random.randrange(len(chosen) + 1)]
        if random.random() < 0.2:
            chosen.insert(random.randrange(len(chosen) + 1), random.choice(CARDS))
        named = random.choice((None, None, None, *COLORS))
        plays.append(Play(tuple(chosen), named, random.random() < 0.5))
    return plays


def _canonical(state: State, action: Action) -> object:
    """Returns what actions with the same effect have in common (RULES.md R13.5)."""
    if not isinstance(action, Play):
        return repr(action)
    leaves_one = len(state.hands[state.actor]) - len(action.cards) == 1
    return (sorted(action.cards), action.cards[-1], action.color, action.uno and leaves_one)


def _ascends(state: State, dump: Play) -> bool:
    """Returns whether the cards of a listed dump before its last ascend, after the Reverse that it needs."""
    body = list(dump.cards[:-1])
    if dump.cards[0].color is not state.free_color:
        assert body[0].symbol is Symbol.REVERSE
        assert fits(state, body[0])
        body = body[1:]
    return all(first <= second for first, second in pairwise(body))
