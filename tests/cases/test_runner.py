from pathlib import Path
from typing import Any

import pytest

from referee.cases import CaseResult, run
from referee.rules.actions import Action
from referee.rules.decide import decide
from referee.rules.events import Event
from referee.rules.seats import Seat
from referee.rules.state import State
from tests.cases.documents import SCHEMA, Document, document, loaded, step

RED_1 = {"play": {"cards": ["CARD_RED_1"]}}
DRAWN = {"event": {"cardsDrawn": {"seat": "SEAT_A", "count": 1, "due": 1, "reason": "DRAW_REASON_TURN"}}}
DRAWN_PRIVATE = {**DRAWN, "privateTo": "SEAT_A", "privateCards": ["CARD_GREEN_1"]}
DRAWN_SEEN = {**DRAWN, "privateCards": ["CARD_GREEN_1"]}
TURN_OF_B = {"event": {"turnStarted": {"seat": "SEAT_B", "color": "COLOR_RED"}}}
KEPT = {"event": {"drawnKept": {"seat": "SEAT_A"}}}

# A bluff that is challenged, and a last round that ends the match.
BLUFF: Document = {
    "position": {
        "handA": ["CARD_WILD_DRAW_FOUR", "CARD_RED_1", "CARD_BLUE_2"],
        "handB": ["CARD_YELLOW_1", "CARD_YELLOW_2"],
        "discardPile": ["CARD_RED_5"],
        "drawPile": ["CARD_GREEN_1"] * 8,
        "turn": "SEAT_A",
    }
}
BLUFF_STEPS = (
    step(
        "A",
        {"play": {"cards": ["CARD_WILD_DRAW_FOUR"], "color": "COLOR_RED"}},
        expect={"pendingTotal": 4, "phase": "PHASE_RESPOND"},
    ),
)
LAST: Document = {
    "ruleset": {"roundCap": 1},
    "position": {
        "handA": ["CARD_RED_1"],
        "handB": ["CARD_YELLOW_3", "CARD_WILD"],
        "discardPile": ["CARD_RED_5"],
        "drawPile": [],
        "turn": "SEAT_A",
    },
}

Situation = tuple[Document, tuple[Document, ...], str, Document]
DRAWING: Situation = ({}, (), "A", {"draw": {}})
CHALLENGING: Situation = (BLUFF, BLUFF_STEPS, "B", {"challenge": {}})
GOING_OUT: Situation = (LAST, (), "A", RED_1)

# For each field of `expect`: a situation, a value that holds after its action, values that do not.
FIELDS: dict[str, tuple[Situation, Any, list[Any]]] = {
    "phase": (DRAWING, "PHASE_DRAWN", ["PHASE_TURN"]),
    "actor": (DRAWING, "SEAT_A", ["SEAT_B"]),
    "handA": (
        DRAWING,
        ["CARD_GREEN_1", "CARD_BLUE_2", "CARD_BLUE_3", "CARD_RED_1"],
        [
            ["CARD_RED_1", "CARD_BLUE_2", "CARD_BLUE_3"],
            ["CARD_GREEN_2", "CARD_BLUE_2", "CARD_BLUE_3", "CARD_RED_1"],
        ],
    ),
    "handB": (DRAWING, ["CARD_YELLOW_1", "CARD_YELLOW_2"], [["CARD_YELLOW_1", "CARD_YELLOW_1"], []]),
    "handCounts": (DRAWING, [4, 2], [[2, 4], [4, 3]]),
    "activeColor": (DRAWING, "COLOR_RED", ["COLOR_BLUE"]),
    "freeColor": (DRAWING, None, ["COLOR_RED"]),
    "pendingTotal": (DRAWING, 0, [2]),
    "discardCount": (DRAWING, 1, [0]),
    "drawCount": (DRAWING, 1, [2]),
    "topCard": (DRAWING, "CARD_RED_5", ["CARD_RED_4"]),
    "drawPile": (DRAWING, ["CARD_GREEN_2"], [["CARD_GREEN_1"], []]),
    "round": (DRAWING, 1, [2]),
    "firstDrafter": (DRAWING, "SEAT_B", ["SEAT_A"]),
    "totals": (GOING_OUT, [0, 18], [[18, 0]]),
    "points": (GOING_OUT, [0, 18], [[0, 17]]),
    "roundEnd": (
        GOING_OUT,
        {"reason": "ROUND_END_REASON_OUT", "winner": "SEAT_A"},
        [
            {"reason": "ROUND_END_REASON_OUT", "winner": "SEAT_B"},
            {"reason": "ROUND_END_REASON_OUT", "winner": None},
            {"reason": "ROUND_END_REASON_BLOCKED", "winner": "SEAT_A"},
        ],
    ),
    "matchEnd": (
        GOING_OUT,
        {"termination": "TERMINATION_ROUND_CAP", "winner": "SEAT_A"},
        [
            {"termination": "TERMINATION_TARGET", "winner": "SEAT_A"},
            {"termination": "TERMINATION_ROUND_CAP", "winner": None},
        ],
    ),
    "challenge": (
        CHALLENGING,
        {"guilty": True, "shown": ["CARD_BLUE_2", "CARD_RED_1"]},
        [{"guilty": False}, {"guilty": True, "shown": ["CARD_RED_1"]}],
    ),
    "legal": (
        GOING_OUT,
        [],
        [[{"draw": {}}]],
    ),
    "defaultAction": (DRAWING, {"keepDrawn": {}}, [{"draw": {}}]),
    "viewA": (DRAWING, {"ownCard": "CARD_GREEN_1", "drawCount": 1}, [{"ownCard": None}, {"drawCount": 2}]),
    "viewB": (DRAWING, {"ownCard": None, "opponentCount": 4}, [{"ownCard": "CARD_GREEN_1"}, {"opponentCount": 3}]),
    "events": (
        DRAWING,
        [DRAWN_PRIVATE],
        [
            [],
            [DRAWN],
            [DRAWN_PRIVATE, TURN_OF_B],
            [{**DRAWN_PRIVATE, "privateTo": "SEAT_B"}],
            [{**DRAWN_PRIVATE, "privateCards": ["CARD_GREEN_2"]}],
        ],
    ),
    "observedA": (
        DRAWING,
        [DRAWN_SEEN],
        [[], [DRAWN], [{**DRAWN, "privateCards": ["CARD_GREEN_2"]}], [DRAWN_SEEN, KEPT]],
    ),
    "observedB": (DRAWING, [DRAWN], [[], [DRAWN_SEEN], [KEPT]]),
    "observedBySpectators": (DRAWING, [DRAWN], [[], [KEPT], [DRAWN, DRAWN]]),
    "includes": (DRAWING, [DRAWN_PRIVATE], [[KEPT], [DRAWN], [DRAWN_PRIVATE, DRAWN_PRIVATE]]),
    "without": (DRAWING, ["recycled", "turnStarted"], [["recycled", "cardsDrawn"]]),
}

WRONG = [(field, wrong) for field, (_, _, values) in FIELDS.items() for wrong in values]


def outcome(folder: Path, field: str, value: Any) -> CaseResult:
    start, before, seat, action = FIELDS[field][0]
    return run(loaded(folder, document(*before, step(seat, action, expect={field: value}), **start)))


def test_every_field_of_expect_is_proved_here() -> None:
    assert set(FIELDS) == set(SCHEMA["$defs"]["expect"]["properties"])


@pytest.mark.parametrize("field", FIELDS)
def test_right_expectation_passes(tmp_path: Path, field: str) -> None:
    assert outcome(tmp_path, field, FIELDS[field][1]) == CaseResult("test/case", True)


@pytest.mark.parametrize(("field", "wrong"), WRONG)
def test_wrong_expectation_fails_at_its_step_naming_the_field(tmp_path: Path, field: str, wrong: Any) -> None:
    result = outcome(tmp_path, field, wrong)
    assert (result.ok, result.step) == (False, len(FIELDS[field][0][1]) + 1)
    assert result.message.startswith(f"{field}: expected ")


@pytest.mark.parametrize("field", ["points", "roundEnd", "matchEnd", "challenge"])
def test_expected_event_that_did_not_happen_fails(tmp_path: Path, field: str) -> None:
    content = document(step("A", {"draw": {}}, expect={field: FIELDS[field][1]}))
    result = run(loaded(tmp_path, content))
    assert not result.ok
    assert "found none" in result.message


def test_message_names_cards_and_seats_as_case_files_do(tmp_path: Path) -> None:
    content = document(step("A", RED_1, expect={"actor": "SEAT_A", "handCounts": [1, 2]}))
    assert run(loaded(tmp_path, content)).message == (
        "actor: expected SEAT_A, found SEAT_B; handCounts: expected [1, 2], found [2, 2]"
    )


def test_legal_actions_are_compared_in_any_order_but_each_once(tmp_path: Path) -> None:
    legal = [{"play": {"cards": ["CARD_GREEN_1"]}}, {"keepDrawn": {}}]
    start = {"position": {**document()["position"], "discardPile": ["CARD_GREEN_5"]}}
    for expected, ok in (
        (legal, True),
        (legal[::-1], True),
        (legal[:1], False),
        ([*legal, {"keepDrawn": {}}], False),
        ([legal[0], legal[0]], False),
    ):
        content = document(step("A", {"draw": {}}, expect={"legal": expected}), **start)
        assert run(loaded(tmp_path, content)).ok is ok


REJECTED = {"play": {"cards": ["CARD_BLUE_2"]}}
MALFORMED: Document = {"chooseColor": {}}
RIGHT = {"rejected": {"reason": "CARD_DOES_NOT_MATCH", "clause": "R5.2"}}
OTHER_REASON = {"rejected": {"reason": "WRONG_PHASE", "clause": "R5.2"}}
OTHER_CLAUSE = {"rejected": {"reason": "CARD_DOES_NOT_MATCH", "clause": "R5.3"}}
RIGHT_FIELD = {"malformed": {"field": "choose_color.color"}}
OTHER_FIELD = {"malformed": {"field": "play.color"}}
ACCEPTED = {"expect": {"round": 1}}


@pytest.mark.parametrize(
    ("action", "leads_to", "ok"),
    [
        (REJECTED, RIGHT, True),
        (REJECTED, OTHER_REASON, False),
        (REJECTED, OTHER_CLAUSE, False),
        (REJECTED, RIGHT_FIELD, False),
        (REJECTED, ACCEPTED, False),
        (MALFORMED, RIGHT_FIELD, True),
        (MALFORMED, OTHER_FIELD, False),
        (MALFORMED, RIGHT, False),
        (MALFORMED, ACCEPTED, False),
        (RED_1, ACCEPTED, True),
        (RED_1, RIGHT, False),
        (RED_1, RIGHT_FIELD, False),
    ],
)
def test_step_must_lead_to_what_it_says(tmp_path: Path, action: Document, leads_to: Document, ok: bool) -> None:
    result = run(loaded(tmp_path, document(step("A", action, **leads_to))))
    assert result.ok is ok
    assert ok or result.message.startswith("expected ")


def test_refused_step_leaves_the_state_for_the_next_one(tmp_path: Path) -> None:
    content = document(step("A", REJECTED, **RIGHT), step("A", MALFORMED, **RIGHT_FIELD), step("A", RED_1, **ACCEPTED))
    assert run(loaded(tmp_path, content)).ok


@pytest.mark.parametrize(("action", "leads_to"), [(REJECTED, RIGHT), (RED_1, ACCEPTED)])
def test_judging_that_touches_the_state_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: Document, leads_to: Document
) -> None:
    def touching(state: State, seat: Seat, action: Action) -> list[Event]:
        state.draw.reverse()
        return decide(state, seat, action)

    monkeypatch.setattr("referee.cases.runner.decide", touching)
    result = run(loaded(tmp_path, document(step("A", action, **leads_to))))
    assert (result.ok, result.message) == (False, "judging the action changed the state")


@pytest.mark.parametrize("seat", ["SEAT_A", "SEAT_B"])
@pytest.mark.parametrize("size", range(1, 9))
def test_full_deal_has_its_cut_winner_and_a_number_as_starter(tmp_path: Path, seat: str, size: int) -> None:
    keep: Document = {"keepOffered": {}}
    drafter, other = seat[-1], "B" if seat == "SEAT_A" else "A"
    picks = [step(drafter if pick % 2 == 0 else other, keep, expect={"round": 1}) for pick in range(2 * size)]
    # Any other starter gives the turn to the drafter, a free color, cards or a color to choose.
    picks[-1]["expect"] = {
        "phase": "PHASE_TURN",
        "actor": f"SEAT_{other}",
        "freeColor": None,
        "handCounts": [size, size],
        "firstDrafter": seat,
    }
    content = {**document(*picks, deal={"cutWinner": seat}), "ruleset": {"handSize": size}}
    assert run(loaded(tmp_path, content)) == CaseResult("test/case", True)


def test_deck_too_short_for_its_draft_fails_at_the_start(tmp_path: Path) -> None:
    content = document(step("A", {"keepOffered": {}}, expect={"round": 1}), deck=["CARD_RED_1"] * 6)
    result = run(loaded(tmp_path, content))
    assert (result.ok, result.step) == (False, 0)
    assert "the deck does not hold the draft" in result.message


DECK = ["CARD_RED_1", "CARD_YELLOW_0", "CARD_RED_2", "CARD_YELLOW_1", "CARD_RED_5", "CARD_BLUE_6"]
SMALL = {"handSize": 1}


def begun(**leads_to: Any) -> Document:
    content = {**document(deck=DECK), "ruleset": SMALL, "begin": leads_to}
    del content["steps"]
    return content


@pytest.mark.parametrize(("draw_count", "ok"), [(5, True), (6, False)])
def test_beginning_is_compared_as_step_zero(tmp_path: Path, draw_count: int, ok: bool) -> None:
    result = run(loaded(tmp_path, begun(drawCount=draw_count)))
    assert (result.ok, result.step) == (ok, 0)
    assert ok or result.message == "drawCount: expected 6, found 5"


KEEP_BOTH = [
    step("A", {"keepOffered": {}}, expect={"round": 1}),
    step("B", {"keepOffered": {}}, expect={"drawPile": ["CARD_BLUE_6", "CARD_YELLOW_1", "CARD_YELLOW_0"]}),
]
BLOCK = ["CARD_YELLOW_1", "CARD_YELLOW_0"]


@pytest.mark.parametrize(
    ("shuffles", "step_number", "message"),
    [
        ({"openingBlock": BLOCK}, 0, ""),
        ({"openingBlock": BLOCK[::-1]}, 2, "drawPile: expected"),
        ({"openingBlock": BLOCK[:1]}, 2, "the draft discards: other cards are shuffled"),
        ({"cut": ["CARD_RED_9", "CARD_RED_1"]}, 2, "the draft discards of round 1 are shuffled, and no order is given"),
        ({"cut": ["CARD_RED_1", "CARD_RED_9"], "openingBlock": BLOCK}, 1, "expected accepted, found rejected"),
    ],
)
def test_given_order_takes_the_place_of_a_shuffle(
    tmp_path: Path, shuffles: Document, step_number: int, message: str
) -> None:
    content = {
        **document(*KEEP_BOTH, deck=DECK),
        "ruleset": {**SMALL, "piles": "PILES_SHUFFLE"},
        "shuffles": shuffles,
    }
    result = run(loaded(tmp_path, content))
    assert (result.ok, result.step) == (not message, step_number)
    assert result.message.startswith(message)


@pytest.mark.parametrize(
    ("recycles", "message"),
    [
        ([["CARD_RED_4", "CARD_RED_3"]], ""),
        ([["CARD_RED_3", "CARD_RED_4"]], "handA: expected"),
        ([["CARD_RED_4", "CARD_RED_5"]], "recycle 1 of round 1: other cards are shuffled"),
        ([], "recycle 1 of round 1 is shuffled, and no order is given"),
    ],
)
def test_given_order_takes_the_place_of_a_recycle(tmp_path: Path, recycles: list[list[str]], message: str) -> None:
    start = {**LAST["position"], "discardPile": ["CARD_RED_3", "CARD_RED_4", "CARD_RED_5"]}
    drawn = step("A", {"draw": {}}, expect={"handA": ["CARD_RED_1", "CARD_RED_4"]})
    content = {
        **document(drawn, position=start),
        "ruleset": {"piles": "PILES_SHUFFLE"},
        "shuffles": {"recycles": recycles},
    }
    result = run(loaded(tmp_path, content))
    assert (result.ok, result.step) == (not message, 1 if message else 0)
    assert result.message.startswith(message)


@pytest.mark.parametrize("later_decks", [[["CARD_RED_9", *DECK]], [DECK, DECK]])
def test_later_round_is_dealt_from_its_own_deck(tmp_path: Path, later_decks: list[list[str]]) -> None:
    out = step("A", RED_1, expect={"round": 2, "drawPile": later_decks[0][1:]})
    content = {**document(out, position=LAST["position"]), "shuffles": {"laterDecks": later_decks}}
    assert run(loaded(tmp_path, content)).ok


def test_round_without_a_given_deck_fails(tmp_path: Path) -> None:
    steps = [
        step("A", RED_1, expect={"round": 2}),
        step("A", {"keepOffered": {}}, expect={"round": 2}),
        step("B", {"keepOffered": {}}, expect={"round": 2}),
        step("B", {"play": {"cards": ["CARD_RED_2"]}}, expect={"round": 3}),
    ]
    content = {
        **document(*steps, position=LAST["position"]),
        "ruleset": SMALL,
        "shuffles": {"laterDecks": [DECK]},
    }
    result = run(loaded(tmp_path, content))
    assert (result.ok, result.step) == (False, 4)
    assert result.message == "the deck of round 3 is shuffled, and no order is given"


def test_hand_size_too_large_for_a_further_round_fails_at_the_start(tmp_path: Path) -> None:
    content = {**document(step("A", RED_1, **ACCEPTED)), "ruleset": {"handSize": 28}}
    result = run(loaded(tmp_path, content))
    assert (result.ok, result.step) == (False, 0)
