"""What an adversarial referee does to a log: each function returns the false log and the part that is false.

Heads, sequence numbers and the seal are made right again where a referee would, so that only judgement finds it.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from io import BytesIO
from typing import Any, TypeVar

from referee.adjudication.inputs import ActionTaken, Expired, InputKind, RejectedTry
from referee.adjudication.rulings import MatchEvent, TimedOut
from referee.adjudication.state import MatchState
from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.entries import Entry
from referee.rules.events import CardsDrawn, Challenged, Event, Fact
from referee.rules.outcome import Termination
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import Log, Simulation, random_match, troubled_match

Tampered = tuple[Log, str]
Tampering = Callable[[Log], Tampered]
T = TypeVar("T")


@cache
def honest() -> Log:
    """Returns a short match of random bots with a challenge in it."""
    logs = (random_match(seed, Ruleset(target=1)) for seed in range(100))
    return next(log for log in logs if any(is_fact(Challenged)(event) for event in events_of(log)))


@cache
def troubled() -> Log:
    """Returns a match with rejected tries and time-outs that a seat loses by its strikes."""
    return next(
        log
        for log in map(troubled_match, range(100))
        if termination(log) is Termination.TIMEOUT
        and any(entry.tries for entry in log.entries)
        and any(map(default_was_taken, events_of(log)))
    )


@cache
def rejected() -> Log:
    """Returns a match that a seat loses by its rejected tries."""
    return next(log for log in map(troubled_match, range(100)) if termination(log) is Termination.ILLEGAL_ACTION)


def termination(log: Log) -> Termination:
    assert log.seal
    return log.seal.outcome.termination


def events_of(log: Log) -> list[MatchEvent]:
    return [event for entry in log.entries for event in entry.events]


def is_fact(kind: type[Fact]) -> Callable[[MatchEvent], bool]:
    return lambda event: isinstance(event, Event) and isinstance(event.fact, kind)


def drew_cards(event: MatchEvent) -> bool:
    return isinstance(event, Event) and isinstance(event.fact, CardsDrawn) and bool(event.private_cards)


def default_was_taken(event: MatchEvent) -> bool:
    return isinstance(event, TimedOut) and event.default_taken


def took_action(entry: Entry) -> bool:
    return entry.index > 30 and isinstance(entry.input.kind, ActionTaken)


def timed_out(entry: Entry) -> bool:
    return isinstance(entry.input.kind, Expired)


def caused_several(entry: Entry) -> bool:
    return took_action(entry) and len(entry.events) > 1


def changed(value: T, **changes: Any) -> T:
    """Returns a copy of a dataclass with other fields; each must differ, or a test would prove nothing."""
    other: T = replace(value, **changes)  # type: ignore[type-var]
    assert all(getattr(other, name) != getattr(value, name) for name in changes)
    assert {field.name for field in fields(other)} >= changes.keys()  # type: ignore[arg-type]
    return other


def event_changed(wanted: Callable[[MatchEvent], bool], change: Callable[[Any], MatchEvent]) -> Tampering:
    """Changes the first event wanted."""

    def tampering(log: Log) -> Tampered:
        entry = first(log, lambda entry: any(map(wanted, entry.events)))
        place = next(place for place, event in enumerate(entry.events) if wanted(event))
        events = list(entry.events)
        events[place] = change(events[place])
        return entry_replaced(log, changed(entry, events=tuple(events)))

    return tampering


def fact_changed(kind: type[Fact], change: Callable[[Any], Fact]) -> Tampering:
    """Changes the fact of the first event of a kind, not its private part."""
    return event_changed(is_fact(kind), lambda event: changed(event, fact=change(event.fact)))


def entry_changed(wanted: Callable[[Entry], bool], change: Callable[[Entry], Entry]) -> Tampering:
    """Changes the first entry wanted, and numbers what follows on."""

    def tampering(log: Log) -> Tampered:
        false, part = entry_replaced(log, change(first(log, wanted)))
        return renumbered(false), part

    return tampering


def input_changed(wanted: Callable[[Entry], bool], change: Callable[[Entry], dict[str, Any]]) -> Tampering:
    """Changes fields of the input of the first entry wanted, its events as they were."""
    return entry_changed(wanted, lambda entry: changed(entry, input=changed(entry.input, **change(entry))))


def kind_changed(wanted: Callable[[Entry], bool], kind: InputKind) -> Tampering:
    return input_changed(wanted, lambda _: {"kind": kind})


def try_changed(change: Callable[[RejectedTry], RejectedTry]) -> Tampering:
    """Changes the first rejected try."""
    return entry_changed(
        lambda entry: bool(entry.tries),
        lambda entry: changed(entry, tries=(change(entry.tries[0]), *entry.tries[1:])),
    )


def first(log: Log, wanted: Callable[[Entry], bool]) -> Entry:
    return next(entry for entry in log.entries if wanted(entry))


def entry_replaced(log: Log, entry: Entry) -> Tampered:
    entries = list(log.entries)
    entries[entry.index - 1] = entry
    return replace(log, entries=entries), f"entry {entry.index}"


def renumbered(log: Log) -> Log:
    """Returns the log with indexes and sequence numbers that follow on."""
    entries: list[Entry] = []
    sequence = 1
    for index, entry in enumerate(log.entries, 1):
        entries.append(replace(entry, index=index, first_sequence=sequence))
        sequence += len(entry.events)
    return replace(log, entries=entries)


def state_before(log: Log, entry: Entry) -> MatchState:
    """Returns the state in which the input of an entry of an honest log was judged."""
    assert log.reveal
    simulation = Simulation(0, log.header.ruleset)
    simulation.reveal = log.reveal
    for earlier in log.entries[: entry.index - 1]:
        simulation.take(earlier.input)
    return simulation.state


def assert_found(log: Log, tampering: Tampering, check: str, clause: str | None) -> None:
    """Checks that the false log is reported in its part, for its reason; `test_verify` proves the honest ones."""
    false, part = tampering(log)
    report = verify(BytesIO(false.resealed().to_bytes()))
    assert (report.status, report.part, report.check, report.clause) == (Status.WRONG, part, check, clause)
    assert report.message
