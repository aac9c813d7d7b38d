"""Judges recorded histories, step by step, by the tables beside this file; knows nothing of the engine."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from tests.checker import cards as c
from tests.checker.course import Event, begin, take, told_cards
from tests.checker.decisions import DEFAULTS, Refusal, legal, refusal
from tests.checker.position import Action, Disagreement, Position, Words


@dataclass(slots=True)
class Question:
    """What a history says about the decision that is open: phase, actor, legal actions, default."""

    phase: str
    actor: str | None
    legal: list[Action]
    default: Action | None


@dataclass(slots=True)
class Step:
    """One step of a history: the begin (no seat), an action taken, or a refused one with its reason and clause.

    A log tells the clause of a refusal alone, so the reason may be None; a step without a question leaves it open.
    """

    seat: str | None
    action: Action | None
    events: list[Event]
    refused: tuple[str | None, str] | None = None
    question: Question | None = None


class Judge:
    """Follows one match; every method raises Disagreement where the history is not what the rules say."""

    def __init__(self, options: Words, deck_size: int | None = None) -> None:
        self.position = Position(options, deck_size or len(c.deck(str(options["deck"]))))

    def copied(self) -> "Judge":
        """Returns a judge that follows another course from here on."""
        judge = copy(self)
        judge.position = self.position.copied()
        return judge

    def step(self, step: Step) -> None:
        """Judges the next step."""
        if step.refused is not None:
            self._refused(step, step.refused)
        elif step.action is None:
            self._begun(step.events)
        else:
            self._taken(step)
        if step.question is not None:
            self._asked(step.question)

    def refusal(self, seat: str, action: Action) -> Refusal | None:
        """Returns reason and clause if the action is refused now, else None."""
        return refusal(self.position, seat, action)

    def default(self) -> Action:
        """Returns the default of the open decision."""
        return DEFAULTS[self.position.phase]

    def _begun(self, events: list[Event]) -> None:
        if self.position.phase != "NOT_BEGUN" or not events or events[0][0] != "cut":
            raise Disagreement(f"the match begins once, with a cut, not with {events}")
        self._compare(events, list(begin(self.position, events[0][1], told_cards(events))))

    def _taken(self, step: Step) -> None:
        assert step.seat is not None
        assert step.action is not None
        refused = self.refusal(step.seat, step.action)
        if refused:
            raise Disagreement(f"{step.action} of {step.seat} was taken, must be refused: {refused}")
        self._compare(step.events, list(take(self.position, step.action, told_cards(step.events))))

    def _refused(self, step: Step, refused: tuple[str | None, str]) -> None:
        assert step.seat is not None
        assert step.action is not None
        due = self.refusal(step.seat, step.action)
        reason, clause = refused
        if due is None or due[1] != clause or reason not in (None, due[0]) or step.events:
            raise Disagreement(f"{step.action} of {step.seat} was refused with {refused}, must be {due}")

    def _compare(self, told: list[Event], due: list[Event]) -> None:
        if told != due:
            pairs = zip([*told, None], [*due, None], strict=False)
            first = next((pair for pair in pairs if pair[0] != pair[1]), None)
            raise Disagreement(f"the history tells {first and first[0]}, must be {first and first[1]}")

    def _asked(self, question: Question) -> None:
        at = self.position
        if (question.phase, question.actor) != (at.phase, at.actor):
            raise Disagreement(f"asks {question.actor} in {question.phase}, must ask {at.actor} in {at.phase}")
        due = legal(at)
        if len(question.legal) != len(due) or set(question.legal) != set(due):
            surplus, missing = set(question.legal) - set(due), set(due) - set(question.legal)
            raise Disagreement(f"lists {surplus or 'an action twice'}, leaves out {missing or 'nothing'}")
        if question.default != DEFAULTS.get(at.phase):
            raise Disagreement(f"default is {question.default}, must be {DEFAULTS.get(at.phase)}")


def judge(options: Words, steps: Iterable[Step], deck_size: int | None = None) -> Judge:
    """Judges a history and returns its judge as it is after the last step."""
    follower = Judge(options, deck_size)
    for place, step in enumerate(steps):
        try:
            follower.step(step)
        except Disagreement as disagreement:
            disagreement.add_note(f"step {place}: {step.action} of {step.seat}")
            raise
    return follower
