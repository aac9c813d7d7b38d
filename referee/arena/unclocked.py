"""A match of two functions without sockets and clocks: the same judge and the same log as at a referee.

What a bot is shown is what it would be shown by `DELIVERY_ON_DECISION`, but for times.
"""

import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from unoduo.v1.action_pb2 import Action as ActionMessage
from unoduo.v1.observation_pb2 import Observation

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.apply import apply, note_try
from referee.adjudication.clocks import allowed_ms
from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    InputKind,
    RejectedTry,
    RejectionLimit,
    Start,
)
from referee.adjudication.state import Decision, MatchState
from referee.codec.actions import decode_action
from referee.codec.entries import Entry, encode_entry
from referee.codec.errors import Malformed
from referee.codec.headers import Header, encode_header
from referee.codec.observations import (
    encode_clock,
    encode_decision,
    encode_observation,
    encode_presence,
    encode_view,
    observed_events,
)
from referee.codec.seals import Reveal, Seal, encode_reveal, encode_seal
from referee.deal.streams import SealedShuffler
from referee.log.blinds import blinder
from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.log.heads import entry_head, header_head
from referee.rules.actions import Action
from referee.rules.errors import IllegalAction
from referee.rules.legality import legal_actions
from referee.rules.observe import view
from referee.rules.outcome import Outcome
from referee.rules.seats import SEATS

Bot = Callable[[Any], Any]

_PRESENT: Final = encode_presence(True, None)


class BotFailed(Exception):
    """Tells that a bot raised or gave no action."""


def play_unclocked(header: Header, reveal: Reveal, blind_key: bytes, bots: Sequence[Bot]) -> tuple[Outcome, bytes]:
    """Plays a match of the bots in seats A and B, and returns its outcome and its replay file.

    No time passes. A bot that raises or gives no action is from then on one that is not there: it loses by its absence,
    or its time runs out at each decision, as the fault policy says. Bots that wait for something wait for ever.
    """
    match = _Match(header, reveal, blind_key)
    match.take(Input(None, 0, 0, 0, Start(b"", b"")))
    # Of the start both are told at once; only who is asked is shown what follows.
    first = match.state.decision
    assert first is not None
    match.untold[first.seat.other] = b""
    has_failed = [False, False]
    while (decision := match.state.decision) is not None:
        seat = decision.seat
        if not has_failed[seat]:
            try:
                _ask(match, decision, bots[seat])
                continue
            except BotFailed:
                has_failed[seat] = True
        match.miss(decision)
    assert match.state.outcome is not None
    return match.state.outcome, match.replay(match.state.outcome)


def _ask(match: "_Match", decision: Decision, bot: Bot) -> None:
    """Asks a bot until its action is taken or too many were refused. Raises BotFailed."""
    observation = match.observation(decision)
    while match.state.decision is decision:
        try:
            message = bot(observation)
        except (Exception, SystemExit) as error:
            traceback.print_exception(error)
            raise BotFailed from error
        if not isinstance(message, ActionMessage):
            raise BotFailed
        try:
            action = decode_action(message)
        except Malformed as malformed:
            raise BotFailed from malformed
        match.submit(decision, action)
        observation.decision.tries_left = match.state.tries_left


class _Match:
    """Holds a match in progress; `untold` has for each seat the events that it has not been shown yet."""

    def __init__(self, header: Header, reveal: Reveal, blind_key: bytes) -> None:
        self.state = MatchState(header.terms, partial(SealedShuffler, reveal.seed, reveal.deal_id))
        self.untold = [b"", b""]
        self._reveal = reveal
        self._blind = blinder(blind_key)
        data = encode_header(header)
        self._head = header_head(data)
        self._parts = [FILE_HEAD, chained_bytes(data, self._head)]
        self._limit_ms = header.time_control.limit_ms

    def take(self, input: Input) -> None:
        """Takes one input into the log."""
        state = self.state
        events = adjudicate(state, input)
        index = state.entries + 1
        entry = Entry(index, self._blind(index), input, state.unlogged_tries, state.sequence + 1, tuple(events))
        encoded = encode_entry(entry)
        self._head = entry_head(self._head, encoded.data)
        self._parts.append(chained_bytes(encoded.data, self._head))
        told = observed_events(encoded.events)
        for seat in SEATS:
            self.untold[seat] += told[seat]
        apply(state, input, events)

    def observation(self, decision: Decision) -> Observation:
        """Returns what the seat that is asked is shown."""
        state, seat = self.state, decision.seat
        assert state.rules is not None
        events, self.untold[seat] = self.untold[seat], b""
        legal = legal_actions(state.rules)
        data = encode_observation(
            events,
            state.sequence,
            self._head,
            caught_up=True,
            view=encode_view(view(state.rules, seat)),
            decision=encode_decision(decision.decision_id, decision.phase, self._limit_ms, state.tries_left, legal),
            clock=encode_clock(state.banks[seat], self._limit_ms),
            opponent_clock=encode_clock(state.banks[seat.other], None),
            opponent_presence=_PRESENT,
        )
        return Observation.FromString(data)

    def submit(self, decision: Decision, action: Action) -> None:
        """Takes an action, or counts it as refused."""
        action_id = str(len(self.state.tries) + 1)
        try:
            self.take(_about(decision, ActionTaken(action_id, action)))
        except IllegalAction as refused:
            attempt = RejectedTry(decision.seat, decision.decision_id, action_id, action, refused.clause)
            note_try(self.state, attempt)
            if self.state.tries_exceeded:
                self.take(_about(decision, RejectionLimit()))

    def miss(self, decision: Decision) -> None:
        """Rules about a seat whose bot is not there."""
        terms = self.state.terms
        absence_ms = terms.fault_policy.forfeit_after_absence_ms
        if absence_ms:
            self.take(_about(decision, Absence(absence_ms)))
        else:
            too_late_ms = allowed_ms(terms.time_control, self.state.banks[decision.seat]) + 1
            self.take(_about(decision, Expired(), too_late_ms))

    def replay(self, outcome: Outcome) -> bytes:
        """Returns the replay file of the match, which is over."""
        seal = section_bytes(SEAL_TAG, encode_seal(Seal(self._head, outcome)))
        return b"".join((*self._parts, seal, section_bytes(REVEAL_TAG, encode_reveal(self._reveal))))


def _about(decision: Decision, kind: InputKind, elapsed_ms: int = 0) -> Input:
    return Input(decision.seat, decision.decision_id, elapsed_ms, 0, kind)
