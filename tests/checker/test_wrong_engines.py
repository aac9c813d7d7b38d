"""The checker can fail: engines that are wrong in one thing, and histories changed in one place, are found."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from random import Random
from typing import Any

import pytest

from referee.rules import matching
from referee.rules.actions import DRAW, Action
from referee.rules.cards import Card, Color, Symbol
from referee.rules.legality import legal_actions
from referee.rules.outcome import Outcome
from referee.rules.ruleset import Ruleset
from referee.rules.scoring import match_outcome
from referee.rules.seats import Seat
from referee.rules.state import State
from tests.checker import soak as checker_soak
from tests.checker.judge import Step, judge
from tests.checker.matches import history
from tests.checker.notation import options_in_words
from tests.checker.position import Disagreement
from tests.properties.worlds import random_match

# An engine that is wrong is found long before.
ACTIONS = 60_000


def reverse_skips(seat: Seat, last: Card) -> Seat:
    return seat if last.symbol in (Symbol.SKIP, Symbol.REVERSE) else seat.other


def lone_reverse_passes_on(ruleset: Ruleset, cards: tuple[Card, ...]) -> Color | None:
    return cards[-1].color if cards[-1].symbol is Symbol.REVERSE else None


def volley_never_grows(last: Card, volley: int) -> int:
    return {Symbol.DRAW_TWO: 2, Symbol.WILD_DRAW_FOUR: 4}.get(last.symbol, 0)


def official_points(hand: Iterable[Card]) -> int:
    return sum(50 if card.color is None else card.points for card in hand)


def higher_total_wins(ruleset: Ruleset, round: int, totals: tuple[int, int]) -> Outcome | None:
    outcome = match_outcome(ruleset, round, totals)
    return outcome and replace(outcome, winner=outcome.winner.other if outcome.winner is not None else None)


def second_wild_draw_four_is_an_alternative(option: Any, shown: tuple[Card, ...], top: Card, color: Color) -> bool:
    return matching.is_guilty(option, shown, top, color) or Card.WILD_DRAW_FOUR in shown


def symbols_never_match(top: Card, color: Color) -> frozenset[Card]:
    return frozenset(card for card in Card if card.color in (None, color))


def newest_discard_first(state: State, discard: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(reversed(discard))


def without_the_last(state: State) -> list[Action]:
    return legal_actions(state)[:-1] or legal_actions(state)


def always_draws(state: State) -> Action:
    return DRAW


WRONG: list[tuple[Callable[..., object], list[str]]] = [
    (reverse_skips, ["decide.seat_after_play", "evolve.seat_after_play"]),
    (lone_reverse_passes_on, ["decide.color_passed_on", "evolve.color_passed_on"]),
    (volley_never_grows, ["decide.cards_due", "evolve.cards_due"]),
    (official_points, ["decide.hand_points"]),
    (higher_total_wins, ["decide.match_outcome"]),
    (second_wild_draw_four_is_an_alternative, ["decide.is_guilty"]),
    (symbols_never_match, ["legality.playable_cards"]),
    (newest_discard_first, ["piles.recycled_cards", "evolve.recycled_cards"]),
    (newest_discard_first, ["decide.opening_block", "evolve.opening_block"]),
]


@pytest.mark.parametrize(("wrong", "places"), WRONG, ids=lambda value: getattr(value, "__name__", None))
def test_engine_that_is_wrong_is_found(
    wrong: Callable[..., object], places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in places:
        monkeypatch.setattr(f"referee.rules.{place}", wrong)
    with pytest.raises(Disagreement):
        checker_soak.soak(ACTIONS)


@pytest.mark.parametrize(("name", "wrong"), [("legal_actions", without_the_last), ("default_action", always_draws)])
def test_wrong_question_is_found(name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"tests.checker.matches.{name}", wrong)
    with pytest.raises(Disagreement):
        checker_soak.soak(ACTIONS)


def judge_by_another(option: str) -> None:
    """Judges matches by a ruleset in which one option is another one than the engine plays by."""
    for seed in range(200):
        match = random_match(seed)
        options = options_in_words(match.state.ruleset)
        value = getattr(match.state.ruleset, option)
        if isinstance(value, Enum):
            options[option] = next(member.name for member in type(value) if member is not value)
        else:
            options[option] = value * 2
        judge(options, history(match, Random(seed)), match.shuffler.size)


@pytest.mark.parametrize("option", Ruleset.__dataclass_fields__)
def test_option_that_the_engine_ignores_is_found(option: str) -> None:
    with pytest.raises(Disagreement):
        judge_by_another(option)


def changed(value: object) -> object:
    """Returns another value of the kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return {"A": "B", "B": "A"}.get(value, "?")
        case tuple():
            return (*value, "?")
        case dict():
            return {**value, "winner": "A" if value["winner"] == "B" else "B"}
        case _:
            return "A"


def changed_steps(steps: list[Step]) -> Iterator[tuple[str, int, Step]]:
    """Yields what is changed, the place and the changed step: every part of every step once."""
    for place, step in enumerate(steps):
        for number, (name, public, private_to, cards) in enumerate(step.events):
            # The cut is what the history says, as far as the first drafter fits.
            others = [
                (field, (name, {**public, field: changed(value)}, private_to, cards))
                for field, value in public.items()
                if name != "cut"
            ]
            others += [("private_to", (name, public, changed(private_to), cards))]  # type: ignore[list-item]
            others += [("private_cards", (name, public, private_to, (*cards, "RED_0")))]
            for field, event in others:
                events = [*step.events[:number], event, *step.events[number + 1 :]]
                yield f"{name} {field}", place, replace(step, events=events)
            yield "left out", place, replace(step, events=step.events[:number] + step.events[number + 1 :])
            yield "told twice", place, replace(step, events=step.events[: number + 1] + step.events[number:])
        if step.refused:
            reason, clause = step.refused
            yield "reason", place, replace(step, refused=("?", clause))
            yield "clause", place, replace(step, refused=(reason, "R1.1"))
            yield "not refused", place, replace(step, refused=None)
        elif step.action:
            yield "refused", place, replace(step, refused=("EMPTY_PLAY", "R5.5"), events=[])
            yield "seat", place, replace(step, seat=changed(step.seat))  # type: ignore[arg-type]
        if step.question:
            asked = step.question
            yield "phase", place, replace(step, question=replace(asked, phase="?"))
            yield "actor", place, replace(step, question=replace(asked, actor=changed(asked.actor)))  # type: ignore[arg-type]
            yield "default", place, replace(step, question=replace(asked, default=("?",)))
            yield "legal", place, replace(step, question=replace(asked, legal=[*asked.legal, ("?",)]))
            if asked.legal:
                yield "fewer legal", place, replace(step, question=replace(asked, legal=asked.legal[1:]))
                yield (
                    "listed twice",
                    place,
                    replace(step, question=replace(asked, legal=[*asked.legal, asked.legal[0]])),
                )


def test_history_changed_in_one_place_is_found_there() -> None:
    dice, seen = Random(1), set()
    for seed in range(30):
        match = random_match(seed)
        options, size = options_in_words(match.state.ruleset), match.shuffler.size
        steps = list(history(match, Random(seed)))
        for what, place, step in changed_steps(steps):
            # What was changed often is changed again now and then.
            if what in seen and dice.random() > 0.002:
                continue
            seen.add(what)
            with pytest.raises(Disagreement) as found:
                judge(options, [*steps[:place], step, *steps[place + 1 :]], size)
            assert found.value.__notes__[0].startswith(f"step {place}:"), what
    assert len(seen) > 60, sorted(seen)
