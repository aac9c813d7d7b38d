"""Judges replay files: what the log of a match tells, without its reveal."""

from pathlib import Path

from referee.adjudication.inputs import ActionTaken, Expired, NoShow, Start
from referee.audit.replay import replay
from referee.codec.entries import Entry
from referee.rules.events import Event as EngineEvent
from referee.rules.events import MatchEnded
from referee.rules.outcome import Termination
from tests.checker.course import Event
from tests.checker.judge import Judge, Step
from tests.checker.notation import action_in_words, event_in_words, options_in_words, seat_in_words
from tests.checker.position import Disagreement, other

_BY_RULES = (Termination.TARGET.name, Termination.ROUND_CAP.name)


def judge_replay(path: Path) -> Judge:
    """Judges every entry of a file and returns the judge as it is at the end.

    Raises:
        Disagreement: at the first entry that is not what the rules say.
        FileFault: if the file is damaged.
    """
    with path.open("rb") as stream:
        recorded = replay(stream)
        judge = Judge(options_in_words(recorded.header.ruleset))
        for entry in recorded.entries:
            try:
                judge_entry(judge, entry)
            except Disagreement as disagreement:
                disagreement.add_note(f"entry {entry.index} of {path}")
                raise
    return judge


def judge_entry(judge: Judge, entry: Entry) -> None:
    """Judges the tries, the input and the events of one entry; rulings of the referee are taken as they are."""
    for attempt in entry.tries:
        judge.step(Step(attempt.seat.name, action_in_words(attempt.action), [], (None, attempt.clause)))
    events = [event_in_words(event) for event in entry.events if isinstance(event, EngineEvent)]
    seat, kind = seat_in_words(entry.input.seat), entry.input.kind
    if isinstance(kind, ActionTaken):
        judge.step(Step(seat, action_in_words(kind.action), events))
    elif isinstance(kind, Start):
        judge.step(Step(None, None, events))
    elif isinstance(kind, Expired) and not _ended_by_referee(entry):
        # The referee acts for the seat (R13.4).
        judge.step(Step(seat, judge.default(), events))
    elif events:
        losers = [seat.name for seat in kind.seats] if isinstance(kind, NoShow) else [seat] if seat else []
        _judge_end(judge, events, losers)


def _ended_by_referee(entry: Entry) -> bool:
    match entry.events[-1]:
        case EngineEvent(MatchEnded(outcome)):
            return outcome.termination.name not in _BY_RULES
    return False


def _judge_end(judge: Judge, events: list[Event], losers: list[str]) -> None:
    """R12.6: a match that the referee ended scores nothing, and the other seat wins if one lost it."""
    (name, public, _, _) = events[0]
    outcome = public["outcome"]
    assert isinstance(outcome, dict)
    totals = judge.position.totals
    winner = other(losers[0]) if len(losers) == 1 else None
    if (
        (len(events), name) != (1, "match_ended")
        or outcome["termination"] in _BY_RULES
        or outcome["winner"] != winner
        or outcome["totals"] != (totals["A"], totals["B"])
    ):
        raise Disagreement(f"ends with {events}, must be won by {winner} at {totals}")
    judge.position.phase, judge.position.actor = "MATCH_OVER", None
