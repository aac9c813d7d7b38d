"""Whole matches played in process from fixed seeds, as replay files; the same bytes for the same arguments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.apply import apply, note_try
from referee.adjudication.inputs import (
    ActionTaken,
    Expired,
    Input,
    InputKind,
    RejectedTry,
    RejectionLimit,
    Resume,
    Start,
)
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.state import MatchState
from referee.adjudication.terms import DealMode, FaultPolicy, Player, TimeControl
from referee.codec.entries import Entry, encode_entry
from referee.codec.headers import Header, encode_header
from referee.codec.seals import Reveal, Seal, encode_reveal, encode_seal
from referee.deal.commitment import commitment
from referee.deal.keys import given_deal_id, shared_deal_id
from referee.deal.streams import SealedShuffler
from referee.log.blinds import blinder
from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.log.heads import INDEX_ORIGIN, entry_head, header_head
from referee.rules.actions import Challenge, Play
from referee.rules.errors import IllegalAction
from referee.rules.legality import legal_actions
from referee.rules.outcome import Outcome
from referee.rules.ruleset import DUO, Ruleset

ENTROPY = (b"entropy of the first contributor", b"of the second")


@dataclass(slots=True)
class Log:
    """A match as a referee holds it; tests change it and write the file anew, heads and all."""

    header: Header
    entries: list[Entry]
    seal: Seal | None
    reveal: Reveal | None
    # Bytes written in the place of those of an entry, by index.
    raw: dict[int, bytes] = field(default_factory=dict)

    def heads(self) -> Iterator[bytes]:
        head = header_head(encode_header(self.header))
        yield head
        for place, data in enumerate(self._data(), 1):
            head = entry_head(head, self.raw.get(place, data))
            yield head

    def to_bytes(self) -> bytes:
        heads = self.heads()
        parts = [FILE_HEAD, chained_bytes(encode_header(self.header), next(heads))]
        for place, (data, head) in enumerate(zip(self._data(), heads, strict=True), 1):
            parts.append(chained_bytes(self.raw.get(place, data), head))
        if self.seal:
            parts.append(section_bytes(SEAL_TAG, encode_seal(self.seal)))
        if self.reveal:
            parts.append(section_bytes(REVEAL_TAG, encode_reveal(self.reveal)))
        return b"".join(parts)

    def resealed(self) -> "Log":
        """Returns the log with a seal that names its last head, as an adversarial referee would write it."""
        assert self.seal is not None
        *_, last = self.heads()
        return replace(self, seal=replace(self.seal, final_head=last))

    def _data(self) -> Iterator[bytes]:
        return (encode_entry(entry).data for entry in self.entries)


class Simulation:
    """A referee without a network: takes inputs, keeps the entries that they cause, and can write the file."""

    def __init__(
        self,
        seed: int,
        ruleset: Ruleset = DUO,
        time_control: TimeControl | None = None,
        fault_policy: FaultPolicy | None = None,
        deal_mode: DealMode = DealMode.FRESH,
        *,
        deal_seed: bytes | None = None,
    ) -> None:
        self.dice = Random(seed)
        random_bytes = self.dice.randbytes
        self.reveal = Reveal(deal_id=random_bytes(16), seed=random_bytes(32), salt=random_bytes(32))
        if deal_mode is not DealMode.FRESH:
            deal_seed = self.reveal.seed if deal_seed is None else deal_seed
            deal_id = given_deal_id if deal_mode is DealMode.GIVEN else shared_deal_id
            self.reveal = replace(self.reveal, deal_id=deal_id(deal_seed), seed=deal_seed)
        match_id = random_bytes(16)
        self._blind = blinder(random_bytes(32))
        self.header = Header(
            match_id=match_id,
            match_number=1,
            index_head=INDEX_ORIGIN,
            commitment=commitment(match_id, self.reveal.salt, self.reveal.deal_id, self.reveal.seed),
            deal_mode=deal_mode,
            ruleset=ruleset,
            time_control=time_control or TimeControl(),
            fault_policy=fault_policy or FaultPolicy(),
            players=(Player("Anna", "random"), Player("Bert", "random")),
            created="2026-01-01T00:00:00Z",
        )
        self.state = MatchState(self.header.terms, self.shuffler_for)
        self.entries: list[Entry] = []

    def shuffler_for(self, entropy_1: bytes, entropy_2: bytes) -> SealedShuffler:
        return SealedShuffler(self.reveal.seed, self.reveal.deal_id, entropy_1, entropy_2)

    def take(self, input: Input) -> Entry:
        """Takes one input; its entry holds the tries noted before."""
        state = self.state
        events = adjudicate(state, input)
        index = state.entries + 1
        entry = Entry(index, self._blind(index), input, state.unlogged_tries, state.sequence + 1, tuple(events))
        apply(state, input, events)
        self.entries.append(entry)
        return entry

    def start(self) -> Entry:
        """Starts the match, with entropy where the deal takes it."""
        entropy = ENTROPY if self.header.deal_mode is DealMode.FRESH else (b"", b"")
        return self.take(Input(None, 0, 0, 0, Start(*entropy)))

    def of_actor(self, kind: InputKind, elapsed_ms: int = 0, lag_credit_ms: int = 0) -> Input:
        """Returns an input about the open decision."""
        decision = self.state.decision
        assert decision is not None
        return Input(decision.seat, decision.decision_id, elapsed_ms, lag_credit_ms, kind)

    def act(self) -> Entry:
        """Takes a random legal action after a random time within the limit."""
        rules = self.state.rules
        assert rules is not None
        action = self.dice.choice(legal_actions(rules))
        elapsed_ms = self.dice.randrange(self.header.time_control.limit_ms)
        return self.take(self.of_actor(ActionTaken(f"a{self.state.entries}", action), elapsed_ms))

    def try_illegal(self) -> None:
        """Sends an action that the rules refuse: a play of nothing, which no phase knows."""
        decision, rules = self.state.decision, self.state.rules
        assert decision is not None
        assert rules is not None
        action = Play(()) if self.dice.random() < 0.5 else Challenge()
        if action in legal_actions(rules):
            action = Play(())
        try:
            adjudicate(self.state, self.of_actor(ActionTaken("try", action)))
        except IllegalAction as refused:
            action_id = f"try {len(self.state.tries)}"
            attempt = RejectedTry(decision.seat, decision.decision_id, action_id, action, refused.clause)
            note_try(self.state, attempt)
        else:
            raise AssertionError("an action meant to be illegal was not")

    def log(self) -> Log:
        """Returns the log so far, sealed and revealed if the match is over."""
        log = Log(self.header, list(self.entries), None, None)
        outcome: Outcome | None = self.state.outcome
        if outcome is None:
            return log
        return replace(log, seal=Seal(bytes(32), outcome), reveal=self.reveal).resealed()


def play(simulation: Simulation, each: Callable[[Simulation], object] = Simulation.act) -> Log:
    """Plays a match from its start to its end; `each` gives one step."""
    simulation.start()
    while simulation.state.outcome is None:
        each(simulation)
    return simulation.log()


def random_match(seed: int, ruleset: Ruleset = DUO) -> Log:
    """Returns a match of two bots that choose evenly among all legal actions."""
    return play(Simulation(seed, ruleset))


def troubled_match(seed: int, ruleset: Ruleset = DUO) -> Log:
    """Returns a match with banks, rejected tries, time-outs and resumptions; it may end by any of them."""
    control = TimeControl(limit_ms=1000, bank_ms=3000, increment_ms=20, margin_ms=50)
    policy = FaultPolicy(max_strikes=8, rejection_limit=2)
    simulation = Simulation(seed, ruleset, control, policy)
    return play(simulation, _troubled_step)


def _troubled_step(simulation: Simulation) -> None:
    state, dice = simulation.state, simulation.dice
    assert state.decision is not None
    chance = dice.random()
    if chance < 0.05:
        simulation.try_illegal()
        if state.tries_exceeded:
            simulation.take(simulation.of_actor(RejectionLimit(), dice.randrange(1000)))
    elif chance < 0.07:
        simulation.take(simulation.of_actor(Expired(), 1051 + state.banks[state.decision.seat] + 7, 7))
    elif chance < 0.08:
        simulation.take(Input(None, state.decision.decision_id, 0, 0, Resume(dice.choice(list(ResumeReason)))))
    else:
        simulation.act()
