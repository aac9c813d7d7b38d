import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from unoduo.v1 import card_pb2, observation_pb2, seat_pb2
from unoduo_client import Action, Observation, cards
from unoduo_client.baselines import BASELINES
from unoduo_client.baselines.greedy_bot import greedy_bot
from unoduo_client.baselines.random_bot import random_bot

from referee.rules.outcome import Termination
from referee.rules.seats import Seat
from referee.rules.state import Phase
from tests.clients import scripted as referee
from tests.clients.positions import play

ROOT = Path(__file__).parents[2]
UNKNOWN = 77


@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random"), ("greedy", "greedy")])
def test_baselines_play_whole_matches_with_legal_actions(names: tuple[str, str]) -> None:
    phases: Counter[Phase] = Counter()
    for seed in range(3):
        first, second = (BASELINES[name](seed) for name in names)
        for state in play((first, second), seed):  # fails on an action that is not legal
            phases[state.phase] += 1
        assert state.outcome is not None
        assert state.outcome.termination is Termination.TARGET
    assert phases[Phase.MATCH_OVER] == 3
    assert {Phase.DRAFT, Phase.TURN, Phase.DRAWN, Phase.RESPOND} <= set(phases)


def test_greedy_wins_most_matches_against_random() -> None:
    winners: Counter[Seat | None] = Counter()
    for seed in range(10):
        *_, state = play((greedy_bot, random_bot(seed)), seed)
        assert state.outcome is not None
        winners[state.outcome.winner] += 1
    assert winners[Seat.A] >= 8


def observation(phase: observation_pb2.Phase.ValueType, legal: Sequence[Action], hand: str = "") -> Observation:
    message = Observation()
    message.view.seat = seat_pb2.SEAT_A
    message.view.hand.extend(cards.from_name(name) for name in hand.split())
    message.decision.phase = phase
    message.decision.legal.extend(legal)
    return message


def action(kind: str) -> Action:
    message = Action()
    getattr(message, kind).SetInParent()
    return message


def laid(names: str, color: int = 0, uno: bool = False) -> Action:
    message = Action()
    message.play.cards.extend(cards.from_name(name) for name in names.split())
    message.play.color = observation_pb2.View(active_color=color).active_color  # type: ignore[arg-type]
    message.play.uno = uno
    return message


def named(color: int) -> Action:
    message = Action()
    message.choose_color.color = color  # type: ignore[assignment]
    return message


KEEP, REFUSE, DRAW, CHALLENGE = (action(kind) for kind in ("keep_offered", "refuse_offered", "draw", "challenge"))
CATCH, LET_PASS, KEEP_DRAWN = (action(kind) for kind in ("catch", "let_pass", "keep_drawn"))
DRAFT, COLOR, TURN = observation_pb2.PHASE_DRAFT, observation_pb2.PHASE_COLOR, observation_pb2.PHASE_TURN
DRAWN, RESPOND, UNO = observation_pb2.PHASE_DRAWN, observation_pb2.PHASE_RESPOND, observation_pb2.PHASE_UNO


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        ("R0", KEEP),
        ("G4", KEEP),
        ("G5", REFUSE),
        ("B9", REFUSE),
        ("YS", KEEP),
        ("BD", KEEP),
        ("WW", KEEP),
        ("WF", KEEP),
    ],
)
def test_greedy_keeps_low_numbers_and_action_cards_in_the_draft(offered: str, expected: Action) -> None:
    seen = observation(DRAFT, [KEEP, REFUSE])
    seen.view.own_card = cards.from_name(offered)
    assert greedy_bot(seen) == expected


def test_greedy_names_the_color_that_it_holds_most_of() -> None:
    assert greedy_bot(observation(COLOR, [named(color) for color in (1, 2, 3, 4)], "R1 G1 G2 Y3 WW WF WW")) == named(3)


@pytest.mark.parametrize(
    ("legal", "expected"),
    [
        ([laid("R3"), laid("R9"), laid("RS"), DRAW], laid("RS")),
        ([laid("RS"), laid("WF", 1), laid("WW", 1), DRAW], laid("WF", 1)),
        ([laid("WF", 1), laid("RR R9 R1"), laid("RR R1 R9"), DRAW], laid("RR R9 R1")),
        ([laid("R3"), laid("R3", uno=True), DRAW], laid("R3", uno=True)),
        ([laid("WW", color) for color in (1, 2, 3, 4)], laid("WW", 4)),
        ([DRAW], DRAW),
    ],
    ids=["most points", "wild draw four", "dump", "uno", "color of a wild", "draw"],
)
def test_greedy_plays_what_gets_rid_of_most(legal: list[Action], expected: Action) -> None:
    assert greedy_bot(observation(TURN, legal, "B1 B2 R3")) == expected


def test_greedy_plays_the_drawn_card_if_it_can() -> None:
    assert greedy_bot(observation(DRAWN, [laid("R0"), KEEP_DRAWN])) == laid("R0")
    assert greedy_bot(observation(DRAWN, [KEEP_DRAWN])) == KEEP_DRAWN


def test_greedy_answers_a_draw_two_if_it_can() -> None:
    seen = observation(RESPOND, [laid("GD"), DRAW])
    seen.view.pending_kind = observation_pb2.PENDING_KIND_DRAW_TWO
    assert greedy_bot(seen) == laid("GD")


@pytest.mark.parametrize(("held", "expected"), [(1, DRAW), (2, CHALLENGE), (9, CHALLENGE)])
def test_greedy_challenges_a_seat_with_two_cards_or_more(held: int, expected: Action) -> None:
    seen = observation(RESPOND, [DRAW, CHALLENGE])
    seen.view.pending_kind = observation_pb2.PENDING_KIND_WILD_DRAW_FOUR
    seen.view.opponent_count = held
    assert greedy_bot(seen) == expected


def test_greedy_catches_a_missing_uno() -> None:
    assert greedy_bot(observation(UNO, [CATCH, LET_PASS])) == CATCH


def choices(seed: int | None, decisions: range = range(400)) -> list[int]:
    """Returns which of three legal actions the random bot takes in each decision."""
    bot, legal = random_bot(seed), [named(color) for color in (1, 2, 3)]
    seen = observation(COLOR, legal)
    taken = []
    for seen.decision.decision_id in decisions:
        taken.append(legal.index(bot(seen)))
    return taken


def test_random_takes_every_legal_action_equally_often() -> None:
    counts = Counter(choices(7, range(6000)))
    assert all(1850 < counts[choice] < 2150 for choice in range(3))


def test_random_repeats_its_choices_for_the_same_seed_only() -> None:
    assert choices(7) == choices(7)
    assert choices(7) != choices(8)
    assert choices(None) != choices(None)


def test_random_does_not_depend_on_the_hash_seed() -> None:
    code = "from tests.clients.test_baselines import choices; print(choices(7))"
    for hash_seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=ROOT, check=True
        )
        assert run.stdout.strip() == str(choices(7))


@pytest.mark.parametrize("name", ["careful", "greedy", "random"])
def test_baselines_bear_what_only_a_later_version_knows(name: str) -> None:
    newer = referee.decision()
    newer.view.hand.extend([card_pb2.CARD_RED_0, UNKNOWN])  # type: ignore[list-item]
    newer.view.discard_pile.append(UNKNOWN)  # type: ignore[arg-type]
    newer.view.own_card = UNKNOWN  # type: ignore[assignment]
    newer.view.active_color = UNKNOWN  # type: ignore[assignment]
    newer.decision.legal.add().MergeFromString(b"\xfa\x3e\x00")  # of kind 1007
    newer.decision.legal.add().play.cards.append(UNKNOWN)  # type: ignore[arg-type]
    for phase in (UNKNOWN, observation_pb2.PHASE_TURN):
        newer.decision.phase = phase  # type: ignore[assignment]
        assert BASELINES[name](7)(newer) in newer.decision.legal
    del newer.decision.legal[:2]
    assert BASELINES[name](7)(newer) in newer.decision.legal
    newer.decision.phase = observation_pb2.PHASE_DRAFT
    newer.decision.legal.add().keep_offered.SetInParent()
    assert BASELINES[name](7)(newer) in newer.decision.legal
