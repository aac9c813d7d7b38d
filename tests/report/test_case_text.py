import json
from pathlib import Path

import pytest

from referee.cases import load
from referee.report.case_text import case_lines

CASES = Path(__file__).parents[2] / "proto" / "vectors" / "rules"
FILES = sorted(CASES.glob("*/*.json"))


def lines(name: str) -> list[str]:
    return [*case_lines(load(CASES / f"{name}.json"))]


def test_position_is_told_before_its_numbered_steps() -> None:
    assert lines("turn/number-matches-across-colors")[:4] == [
        "A holds Blue 5, Green 1; B holds Yellow 1, Yellow 2",
        "discard pile, oldest first: Red 5; draw pile: Green 2",
        "turn of A",
        "1. A: play Green 1 - refused, CARD_DOES_NOT_MATCH (R5.2)",
    ]


def test_events_and_legal_actions_are_a_line_each() -> None:
    told = lines("opening/draw-two-starter-in-an-even-round")
    assert told[0] == "rules: handSize 1"
    assert told[2].startswith("deck of round 2: Green 1, Yellow 0, ")
    place = told.index("   events:")
    assert told[place - 1] == (
        "   phase PHASE_TURN; actor SEAT_B; handA Blue 1, Blue 6, Blue 7; handB Green 1; pendingTotal 0"
    )
    assert told[place + 1 : place + 5] == [
        "     A keeps Blue 1; Yellow 1 is discarded [private to A]",
        "     the starter is Red Draw Two, 6 cards to draw",
        "     A draws 2 cards for the starter: Blue 6, Blue 7 [private to A]",
        "     B to play on red",
    ]
    assert "     choose yellow" in lines("decisions/legal-in-color")


def test_observers_are_told_what_they_see() -> None:
    told = lines("visibility/what-each-side-sees-of-draws-and-challenges")
    place = told.index("   observedA:")
    assert told[place : place + 6] == [
        "   observedA:",
        "     A draws 1 card in its turn: Wild Draw Four",
        "   observedB:",
        "     A draws 1 card in its turn",
        "   observedBySpectators:",
        "     A draws 1 card in its turn",
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cards/deck-classic", "deck CLASSIC_108: 108 cards, 740 points"),
        ("draft/whole-draft-of-a-full-deal", "any full deal in which B wins the cut and the starter is a number"),
        ("seats/cut-action-beats-number", "cut: Blue 9, Red Skip"),
        ("seats/cut-action-beats-number", "the match begins"),
        (
            "draft/discards-are-shuffled-as-a-block",
            "draft discards as shuffled: Yellow 2, Yellow 0, Yellow 3, Yellow 1",
        ),
        ("piles/recycled-twice-and-shuffled", "recycle 2 as shuffled: Red 1, Red 5"),
        ("match/target-of-the-option", "turn of A; totals 49 and 19"),
        ("skip-reverse/dump-with-a-wild", "turn of A; free color red"),
        ("turn/wilds-of-both-kinds-on-each-other", "turn of A; color blue"),
        ("decisions/malformed-actions", '4. A: {"play": {"cards": ["CARD_UNSPECIFIED"]}} - malformed, play.cards[0]'),
        ("rulesets/defaults", "{}: all defaults"),
        ("rulesets/numbers", '{"target": 1000001}: target is refused'),
        (
            "rulesets/variants",
            "official-leaning: piles PILES_SHUFFLE, wd4Alternative WD4_ALTERNATIVE_COLOR, "
            "dumpFinalReverse DUMP_FINAL_REVERSE_INERT",
        ),
    ],
)
def test_each_form_of_a_case_has_its_words(name: str, line: str) -> None:
    assert line in lines(name)


def test_points_of_faces_are_told_in_one_line() -> None:
    assert lines("cards/points-of-each-face")[0].endswith(", Wild 15, Wild Draw Four 20")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_step_of_each_case_is_told(file: Path) -> None:
    told = [*case_lines(load(file))]
    steps = json.loads(file.read_text(encoding="utf-8")).get("steps", [])
    for number, step in enumerate(steps, 1):
        assert any(line.startswith(f"{number}. {step['seat'][-1]}: ") for line in told)
    assert told
