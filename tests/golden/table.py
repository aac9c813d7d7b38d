"""A simulated match of two baselines, with what can happen to it beside their actions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from unoduo_client.baselines import BASELINES

from referee.adjudication.apply import note_try
from referee.adjudication.clocks import allowed_ms
from referee.adjudication.inputs import ActionTaken, Expired, Input, InputKind, RejectedTry
from referee.adjudication.terms import DealMode, FaultPolicy, Player, TimeControl
from referee.codec.actions import decode_action
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
    Play,
)
from referee.rules.cards import CARDS, COLORS, Symbol
from referee.rules.errors import IllegalAction
from referee.rules.legality import verify
from referee.rules.ruleset import Ruleset
from referee.rules.state import State
from tests.audit.simulated import Simulation
from tests.clients.positions import observation_of

_NO_PLAYS: Sequence[Action] = (
    *CHOOSE_COLOR,
    CATCH,
    CHALLENGE,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
)


@dataclass(frozen=True)
class Setting:
    """Holds what is agreed before a match; `bots` are the baselines of seats A and B."""

    bots: tuple[str, str]
    ruleset: Ruleset
    time_control: TimeControl
    fault_policy: FaultPolicy
    deal_mode: DealMode


class Table:
    """A match in progress; the same name and setting and the same steps make the same match."""

    def __init__(self, name: str, setting: Setting) -> None:
        seed = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        terms = setting.time_control, setting.fault_policy, setting.deal_mode
        self.match = Simulation(seed, setting.ruleset, *terms)
        first, second = setting.bots
        # No term of the match: who plays is not judged.
        self.match.header = replace(self.match.header, players=(Player("Anna", first), Player("Bert", second)))
        self.dice = self.match.dice
        self._bots = BASELINES[first](seed), BASELINES[second](seed)

    @property
    def is_over(self) -> bool:
        return self.match.state.outcome is not None

    def act(self) -> None:
        """Lets the bot answer within the limit of a decision."""
        self._act(self.dice.randrange(self.match.header.time_control.limit_ms))

    def act_late(self) -> None:
        """Lets the bot answer in the last moment that its bank and the margin allow."""
        lag_ms = self.dice.randrange(50)
        self._act(self._allowed_ms() + lag_ms, lag_ms)

    def expire(self) -> None:
        """Lets the time of the open decision run out."""
        self.of_actor(Expired(), self._allowed_ms() + self.dice.randrange(1, 50))

    def try_illegal(self) -> None:
        """Has an action rejected, of a random kind."""
        state, rules, decision = self.match.state, self._rules(), self.match.state.decision
        assert decision is not None
        while True:
            action = self._any_action(rules)
            try:
                verify(rules, decision.seat, action)
            except IllegalAction as refused:
                name = f"t{len(state.tries)}"
                note_try(state, RejectedTry(decision.seat, decision.decision_id, name, action, refused.clause))
                return

    def of_actor(self, kind: InputKind, elapsed_ms: int = 0, lag_credit_ms: int = 0) -> None:
        """Takes an input about the open decision."""
        self.match.take(self.match.of_actor(kind, elapsed_ms, lag_credit_ms))

    def of_match(self, kind: InputKind, elapsed_ms: int = 0) -> None:
        """Takes an input about no seat."""
        decision = self.match.state.decision
        self.match.take(Input(None, decision.decision_id if decision else 0, elapsed_ms, 0, kind))

    def _act(self, elapsed_ms: int, lag_credit_ms: int = 0) -> None:
        rules = self._rules()
        observation = observation_of(rules, self.match.state.sequence)
        action = decode_action(self._bots[rules.actor](observation))
        self.of_actor(ActionTaken(f"a{self.match.state.entries}", action), elapsed_ms, lag_credit_ms)

    def _any_action(self, rules: State) -> Action:
        """Returns an action of any kind, legal or not: no play, a card from anywhere, or cards of the hand."""
        dice, hand = self.dice, rules.hands[rules.actor]
        kind = dice.choice(("no play", "any card", "cards", "reverse and cards"))
        if kind == "no play":
            return dice.choice(_NO_PLAYS)
        cards = [dice.choice(CARDS)] if kind == "any card" else dice.sample(hand, min(len(hand), dice.randrange(4)))
        if kind == "reverse and cards":
            cards = [card for card in hand if card.symbol is Symbol.REVERSE][:1] + cards
        return Play(tuple(cards), dice.choice((None, None, *COLORS)))

    def _rules(self) -> State:
        rules = self.match.state.rules
        assert rules is not None
        return rules

    def _allowed_ms(self) -> int:
        state = self.match.state
        return allowed_ms(state.terms.time_control, state.banks[self._rules().actor])
