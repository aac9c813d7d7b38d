from dataclasses import replace
from pathlib import Path

import pytest

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.inputs import Input, Resignation
from referee.rules.events import Event, MatchEnded
from tests.audit.simulated import Log, Simulation, random_match, troubled_match
from tests.checker.position import Disagreement
from tests.checker.replays import judge_replay

GOLDEN = sorted((Path(__file__).parent.parent / "golden").rglob("*.unoduo"))


def written(log: Log, folder: Path) -> Path:
    path = folder / "replay"
    path.write_bytes(log.to_bytes())
    return path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_log_is_judged_alike(path: Path) -> None:
    judge = judge_replay(path)
    assert judge.position.phase == "MATCH_OVER"


@pytest.mark.parametrize("seed", range(4))
def test_whole_match_is_judged_alike(seed: int, tmp_path: Path) -> None:
    log = random_match(seed)
    judge = judge_replay(written(log, tmp_path))
    assert log.seal is not None
    assert judge.position.phase == "MATCH_OVER"
    assert tuple(judge.position.totals.values()) == log.seal.outcome.totals


@pytest.mark.parametrize("seed", range(6))
def test_refused_tries_and_defaults_are_judged_alike(seed: int, tmp_path: Path) -> None:
    log = troubled_match(seed)
    assert any(entry.tries for entry in log.entries)
    judge_replay(written(log, tmp_path))


def test_try_with_another_clause_is_found(tmp_path: Path) -> None:
    log = troubled_match(0)
    place = next(place for place, entry in enumerate(log.entries) if entry.tries)
    entry = log.entries[place]
    log.entries[place] = replace(entry, tries=(replace(entry.tries[0], clause="R5.4"), *entry.tries[1:]))
    with pytest.raises(Disagreement, match=r"R5\.4"):
        judge_replay(written(log.resealed(), tmp_path))


def resigned() -> Log:
    simulation = Simulation(5)
    simulation.start()
    for _ in range(40):
        simulation.act()
    decision = simulation.state.decision
    assert decision is not None
    resignation = Input(decision.seat, decision.decision_id, 0, 0, Resignation())
    assert adjudicate(simulation.state, resignation)
    simulation.take(resignation)
    return simulation.log()


def test_resignation_ends_a_match_for_the_other_seat(tmp_path: Path) -> None:
    log = resigned()
    judge_replay(written(log, tmp_path))
    last = log.entries[-1]
    ended = last.events[-1]
    assert isinstance(ended, Event)
    assert isinstance(ended.fact, MatchEnded)
    outcome = ended.fact.outcome
    false = Event(MatchEnded(replace(outcome, winner=last.input.seat)))
    log.entries[-1] = replace(last, events=(*last.events[:-1], false))
    with pytest.raises(Disagreement, match="must be won by"):
        judge_replay(written(log.resealed(), tmp_path))


def test_golden_logs_are_where_they_are_looked_for() -> None:
    assert len(GOLDEN) >= 40
