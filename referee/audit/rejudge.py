"""Judges a match again, entry by entry, from its header and its revealed deal."""

from functools import partial

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
from referee.codec.entries import Entry
from referee.codec.headers import Header
from referee.codec.seals import Reveal
from referee.deal.streams import SealedShuffler
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
        state = self._state
        self._check_tries(part, entry)
        self._check_entropy(part, entry.input)
        try:
            events = adjudicate(state, entry.input)
        except RulingRefused as refused:
            raise Wrong(Fault(part, refused.check, refused.message)) from None
        except IllegalAction as illegal:
            raise Wrong(Fault(part, Check.ILLEGAL_ACTION, illegal.message, illegal.clause)) from None
        _compare(part, entry, events)
        apply(state, entry.input, events)

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
