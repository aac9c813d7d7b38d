"""Judges a match again, entry by entry, from its header and its revealed deal."""

from functools import partial

from unoduo.v1 import log_pb2 as pb

from referee.adjudication.adjudicate import adjudicate, verify_try
from referee.adjudication.apply import apply, note_try
from referee.adjudication.errors import Check as RulingCheck
from referee.adjudication.errors import RulingRefused
from referee.adjudication.inputs import Input, Start
from referee.adjudication.rulings import MatchEvent, Ruling
from referee.adjudication.state import MatchState
from referee.adjudication.terms import DealMode
from referee.audit.differences import difference
from referee.audit.report import Check, Fault
from referee.codec.entries import Entry, encode_entry
from referee.codec.errors import Malformed
from referee.codec.headers import Header
from referee.codec.inputs import decode_input
from referee.codec.seals import Reveal
from referee.codec.strict import parse
from referee.deal.streams import SealedShuffler
from referee.log.blinds import BLIND_SIZE
from referee.rules.errors import IllegalAction
from referee.rules.events import Event, Fact, MatchEnded
from referee.rules.outcome import Termination

_ORDER_OF_EVENTS = "R13.6"
_VISIBILITY = "R14.2"
_ENDS_BY_RULES = (Termination.TARGET, Termination.ROUND_CAP)


class Wrong(Exception):
    """Carries the first thing that is wrong to the report."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class Judge:
    """Judges the entries of one match in their order, with the state that they lead to."""

    def __init__(self, header: Header, reveal: Reveal) -> None:
        self._state = MatchState(header.terms, partial(SealedShuffler, reveal.seed, reveal.deal_id))
        self._deal_mode = header.deal_mode

    def judge(self, part: str, entry: Entry) -> None:
        """Judges the next entry: its tries, its input and the events that it must have caused.

        Raises:
            Wrong: if a referee that keeps to the rules would not have written it.
        """
        self._check_tries(part, entry)
        events = self._due(part, entry.input)
        _compare(part, entry, events)
        apply(self._state, entry.input, events)

    def follow(self, data: bytes) -> Entry | None:
        """Returns the next entry, judged right, if its bytes are those that a referee would have stored.

        Otherwise it returns None and has judged nothing: `judge` says what is wrong, if anything; an entry with tries
        is left to it too. Nearly all entries are right, and making one costs half of taking one apart.
        """
        state = self._state
        try:
            message = parse(pb.Entry, data, "entry")
            input = decode_input(message.input, "entry.input")
            if len(message.blind) != BLIND_SIZE:
                return None
            events = self._due("entry", input)
        except (Malformed, Wrong):
            return None
        entry = Entry(state.entries + 1, message.blind, input, (), state.sequence + 1, tuple(events))
        if encode_entry(entry).data != data:
            return None
        apply(state, input, events)
        return entry

    def _due(self, part: str, input: Input) -> list[MatchEvent]:
        """Returns the events that an input must cause. Raises Wrong if it is none that could be taken."""
        self._check_entropy(part, input)
        try:
            return adjudicate(self._state, input)
        except RulingRefused as refused:
            raise Wrong(Fault(part, refused.check, refused.message)) from None
        except IllegalAction as illegal:
            raise Wrong(Fault(part, Check.ILLEGAL_ACTION, illegal.message, illegal.clause)) from None

    def _check_tries(self, part: str, entry: Entry) -> None:
        for attempt in entry.tries:
            try:
                verify_try(self._state, attempt)
            except RulingRefused as refused:
                raise Wrong(Fault(part, refused.check, refused.message)) from None
            note_try(self._state, attempt)

    def _check_entropy(self, part: str, input: Input) -> None:
        kind = input.kind
        if isinstance(kind, Start) and self._deal_mode is not DealMode.FRESH and (kind.entropy_1 or kind.entropy_2):
            message = f"a deal that is {self._deal_mode.name} takes no entropy at the start"
            raise Wrong(Fault(part, RulingCheck.ENTROPY, message))


def _compare(part: str, entry: Entry, events: list[MatchEvent]) -> None:
    for place, found in enumerate(entry.events[: len(events)]):
        due, sequence = events[place], entry.first_sequence + place
        if found == due:
            continue
        if _public(found) == _public(due):
            message = f"event {sequence}: its private part is {_private(found)}, must be {_private(due)}"
            raise Wrong(Fault(part, Check.PRIVATE_PART, message, _VISIBILITY))
        message = difference(f"event {sequence}", _public(found), _public(due))
        raise Wrong(Fault(part, Check.EVENTS, message, _clause(due)))
    if len(entry.events) != len(events):
        message = f"it holds {len(entry.events)} events, its input causes {len(events)}"
        raise Wrong(Fault(part, Check.EVENTS, message, _clause(events[-1])))


def _clause(due: MatchEvent) -> str | None:
    """Returns the clause that asks for an event; None if the referee does, which is no matter of the rules."""
    if not isinstance(due, Event):
        return None
    fact = due.fact
    by_referee = isinstance(fact, MatchEnded) and fact.outcome.termination not in _ENDS_BY_RULES
    return None if by_referee else _ORDER_OF_EVENTS


def _public(event: MatchEvent) -> Fact | Ruling:
    return event.fact if isinstance(event, Event) else event


def _private(event: MatchEvent) -> str:
    if not isinstance(event, Event) or event.private_to is None:
        return "none"
    return f"{', '.join(card.name for card in event.private_cards) or 'no cards'} to seat {event.private_to.name}"
