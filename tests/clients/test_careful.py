from collections import Counter
from collections.abc import Sequence

import pytest
from unoduo.v1 import observation_pb2
from unoduo_client import Action, Observation, cards
from unoduo_client.baselines import BASELINES
from unoduo_client.baselines.careful_bot import careful_bot, turns_to_empty
from unoduo_client.baselines.odds import Odds, alternatives, known_draws
from unoduo_client.baselines.random_bot import random_bot

from referee.rules.cards import Deck
from referee.rules.outcome import Termination
from referee.rules.ruleset import VARIANTS, Piles, Ruleset
from referee.rules.state import Phase
from tests.clients import duel
from tests.clients.positions import play
from tests.clients.test_baselines import (
    CATCH,
    CHALLENGE,
    COLOR,
    DRAFT,
    DRAW,
    DRAWN,
    KEEP,
    KEEP_DRAWN,
    LET_PASS,
    REFUSE,
    RESPOND,
    TURN,
    UNO,
    laid,
    named,
)
from tests.clients.test_baselines import observation as bare_observation

WILD_DRAW_FOUR = observation_pb2.PENDING_KIND_WILD_DRAW_FOUR
RED, YELLOW, GREEN, BLUE = 1, 2, 3, 4


def numbers(names: str) -> list[int]:
    return [cards.from_name(name) for name in names.split()]


def observation(
    phase: observation_pb2.Phase.ValueType,
    legal: Sequence[Action],
    hand: str = "",
    pile: str = "R7",
    color: int = RED,
    opponent: int = 5,
) -> Observation:
    message = bare_observation(phase, legal, hand)
    message.view.discard_pile.extend(numbers(pile))  # type: ignore[arg-type]
    message.view.active_color = color  # type: ignore[assignment]
    message.view.opponent_count = opponent
    return message


@pytest.mark.parametrize(
    "ruleset",
    [
        *VARIANTS.values(),
        Ruleset(deck=Deck.CLASSIC_108, piles=Piles.SHUFFLE, hand_size=1),
        Ruleset(deck=Deck.DOUBLE_ZERO_112, hand_size=26),
    ],
    ids=[*VARIANTS, "one card", "most cards"],
)
def test_careful_plays_whole_matches_with_legal_actions(ruleset: Ruleset) -> None:
    phases: Counter[Phase] = Counter()
    for seed in range(3):
        for state in play((careful_bot, random_bot(seed)), seed, ruleset):  # fails on an action that is not legal
            phases[state.phase] += 1
        assert state.outcome is not None
        assert state.outcome.termination is Termination.TARGET
    assert {Phase.DRAFT, Phase.TURN, Phase.DRAWN, Phase.RESPOND} <= set(phases)


def test_careful_depends_on_nothing_but_the_observation() -> None:
    told: list[tuple[bytes, bytes]] = []

    def remembering(observation: Observation) -> Action:
        action = careful_bot(observation)
        told.append((observation.SerializeToString(), action.SerializeToString()))
        return action

    for _ in play((remembering, random_bot(4)), 4):
        pass
    assert len(told) > 100
    for seen, done in reversed(told):
        assert careful_bot(Observation.FromString(seen)).SerializeToString() == done


@pytest.mark.parametrize(
    ("hand", "offered", "expected"),
    [
        ("", "WW", KEEP),
        ("", "WF", KEEP),
        ("", "GS", KEEP),
        ("", "YD", KEEP),
        ("", "BR", KEEP),
        ("", "R5", REFUSE),
        ("G1 G2", "G3", REFUSE),
        ("GR", "G3", KEEP),
    ],
)
def test_careful_keeps_in_the_draft_what_leaves_the_hand_soon(hand: str, offered: str, expected: Action) -> None:
    seen = bare_observation(DRAFT, [KEEP, REFUSE], hand)
    seen.view.own_card = cards.from_name(offered)
    assert careful_bot(seen) == expected


@pytest.mark.parametrize(
    ("hand", "legal", "expected"),
    [
        ("RR R1 R2 G3 WW", [laid("RR"), laid("R1"), laid("RR R1 R2"), DRAW], laid("RR R1 R2")),
        ("RR R1 RS G3 G4", [laid("RR"), laid("RR RS R1"), laid("RR R1 RS"), DRAW], laid("RR R1 RS")),
        ("R1 GR G3 G4 G5 R7", [laid("R1"), laid("R7"), DRAW], laid("R7")),
        ("RR RR R1 G3 G4", [laid("RR"), laid("RR R1 RR"), laid("RR RR R1"), DRAW], laid("RR RR R1")),
        ("RR R1 RD", [laid("R1"), laid("RR RD R1"), laid("RR R1 RD"), DRAW], laid("RR R1 RD")),
        ("R1 RS G3 G4", [laid("R1"), laid("RS"), DRAW], laid("RS")),
        ("R1 G3", [laid("R1"), laid("R1", uno=True), DRAW], laid("R1", uno=True)),
        ("WW B1 B2 B3 G4", [*(laid("WW", color) for color in (RED, YELLOW, GREEN, BLUE)), DRAW], laid("WW", BLUE)),
        ("R1 WF G3 G4 G5 G6", [laid("R1"), laid("WF", GREEN), DRAW], laid("R1")),
        ("B1 WF G3 G4 G5 G6", [laid("WF", GREEN), DRAW], laid("WF", GREEN)),
    ],
    ids=[
        "dump",
        "dump onto a skip",
        "dump onto a number",
        "out on a draw two",
        "points",
        "skip",
        "uno",
        "wild",
        "no needless bluff",
        "honest wild draw four",
    ],
)
def test_careful_plays_what_brings_it_out_first(hand: str, legal: list[Action], expected: Action) -> None:
    assert careful_bot(observation(TURN, legal, hand)) == expected


def test_careful_holds_a_reverse_for_a_larger_dump_until_the_opponent_is_near_out() -> None:
    legal = [laid("R1"), laid("RR"), DRAW]
    assert careful_bot(observation(TURN, legal, "R1 RR G3 G4 G5", opponent=9)) == laid("R1")
    assert careful_bot(observation(TURN, legal, "R1 RR G3 G4 G5", opponent=1)) == laid("RR")


def test_careful_says_uno_even_if_all_seems_lost() -> None:
    legal = [laid("R9"), laid("R9", uno=True)]
    assert careful_bot(observation(TURN, legal, "R9 WF", opponent=1)) == legal[1]


def test_careful_names_a_color_that_it_holds() -> None:
    legal = [named(color) for color in (RED, YELLOW, GREEN, BLUE)]
    assert careful_bot(observation(COLOR, legal, "B1 B2", "R1 R2 WW", 0)) == named(BLUE)


def test_careful_names_a_color_that_the_opponent_is_likely_to_lack() -> None:
    legal = [named(color) for color in (RED, YELLOW, GREEN, BLUE)]
    greens = "G1 G1 G2 G2 G3 G3 G4 G4 G5 G5 G6 G6 G7 G7 WW"
    assert careful_bot(observation(COLOR, legal, "R1 Y1 G9 B1", greens, 0)) == named(GREEN)


def test_careful_knows_what_it_draws_from_the_known_tail() -> None:
    legal = [laid("R1", uno=True), DRAW]
    seen = observation(TURN, legal, "R1 WW", opponent=2)
    assert careful_bot(seen) == legal[0]
    volley = observation(RESPOND, [laid("GD", uno=True), DRAW], "GD R1", "RD", opponent=8)
    volley.view.pending_kind = observation_pb2.PENDING_KIND_DRAW_TWO
    volley.view.pending_total = 2
    volley.view.draw_count = 20
    assert careful_bot(volley) == laid("GD", uno=True)
    volley.view.draw_count = 2
    volley.view.known_tail.extend(numbers("WF WF"))  # type: ignore[arg-type]
    assert careful_bot(volley) == DRAW


def test_careful_plays_or_keeps_the_drawn_card() -> None:
    assert careful_bot(observation(DRAWN, [laid("R0"), KEEP_DRAWN], "R0 G1 G2")) == laid("R0")
    assert careful_bot(observation(DRAWN, [KEEP_DRAWN], "Y0 G1 G2")) == KEEP_DRAWN


def test_careful_catches_a_missing_uno() -> None:
    assert careful_bot(observation(UNO, [CATCH, LET_PASS])) == CATCH


@pytest.mark.parametrize(
    ("pile", "opponent", "expected"),
    [
        ("R7 WF", 1, DRAW),
        ("R7 WF", 2, CHALLENGE),
        ("R7 WF", 9, CHALLENGE),
        ("R1 R1 R2 R2 R3 R3 R4 R4 R5 R5 R6 R6 R8 R8 R9 R9 RS RS RD RD RR RR WW WW WW WW WW WW WW R7 WF", 4, DRAW),
        ("WW WF", 1, DRAW),
        ("WW WF", 3, CHALLENGE),
        ("WF", 3, CHALLENGE),
    ],
)
def test_careful_challenges_by_the_odds(pile: str, opponent: int, expected: Action) -> None:
    seen = observation(RESPOND, [DRAW, CHALLENGE], "G1 G2", pile, BLUE, opponent)
    seen.view.pending_kind = WILD_DRAW_FOUR
    assert careful_bot(seen) == expected


@pytest.mark.parametrize(
    ("fewer", "more"),
    [("R1 RS", "R1 R2"), ("RR R1 R2 R3", "RR R1 G2 G3"), ("RR R1 RS", "RR R1 R2"), ("R1 R2", "R1 G2"), ("WF", "WW")],
)
def test_turns_to_empty_orders_hands_by_how_soon_they_are_gone(fewer: str, more: str) -> None:
    assert turns_to_empty(numbers(fewer)) < turns_to_empty(numbers(more))


def test_odds_count_the_cards_not_seen() -> None:
    view = observation_pb2.View()
    wild_draw_four = numbers("WF")
    assert Odds(view).holds(1, wild_draw_four) == pytest.approx(4 / 112)
    assert Odds(view).holds(2, wild_draw_four) == pytest.approx(1 - (108 / 112) ** 2)
    assert Odds(view).holds(0, wild_draw_four) == 0
    view.hand.extend(numbers("WF"))  # type: ignore[arg-type]
    view.discard_pile.extend(numbers("WF R1"))  # type: ignore[arg-type]
    view.known_tail.extend(numbers("WF"))  # type: ignore[arg-type]
    assert Odds(view).holds(1, wild_draw_four) == pytest.approx(1 / 108)
    view.hand.extend(numbers("WF WF"))  # type: ignore[arg-type]
    assert Odds(view).holds(3, wild_draw_four) == 0


@pytest.mark.parametrize(
    ("top", "color", "expected"),
    [("R7", RED, "R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 RS RR RD Y7 G7 B7 WW"), ("WW", BLUE, None), ("WF", BLUE, None)],
)
def test_alternatives_are_the_faces_that_matched(top: str, color: int, expected: str | None) -> None:
    expected = expected or "B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 BS BR BD WW"
    assert alternatives(numbers(top)[0], color) == set(numbers(expected))


@pytest.mark.parametrize(
    ("draw_count", "count", "known", "unknown"),
    [(5, 1, "", 1), (5, 3, "", 3), (5, 4, "R1", 3), (2, 2, "R1 R2", 0), (2, 1, "R1", 0), (2, 4, "R1 R2", 0)],
)
def test_known_draws_come_after_the_unknown_ones(draw_count: int, count: int, known: str, unknown: int) -> None:
    view = observation_pb2.View(draw_count=draw_count, known_tail=numbers("R1 R2"))  # type: ignore[arg-type]
    assert known_draws(view, count) == (numbers(known), unknown)


def test_careful_beats_greedy() -> None:
    assert duel.duel("careful", "greedy", 60).wins >= 39


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1, 2])
def test_careful_beats_greedy_in_four_of_five_matches(seed: int) -> None:
    assert duel.duel("careful", "greedy", 500, seed).wins >= 400


def test_duel_gives_nobody_luck() -> None:
    assert duel.duel("greedy", "greedy", 20) == duel.Score(10, 0, 10)


def test_duel_refuses_an_odd_number_of_matches() -> None:
    with pytest.raises(ValueError, match="even"):
        duel.duel("greedy", "random", 3)


def test_duel_states_its_interval() -> None:
    assert duel.Score(80, 5, 15).interval() == pytest.approx((0.7112, 0.8666), abs=1e-4)
    assert duel.Score(0, 0, 10).interval() == pytest.approx((0, 0.2775), abs=1e-4)


def test_registry_knows_careful() -> None:
    assert BASELINES["careful"](None) is careful_bot
