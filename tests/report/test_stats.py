"""Figures of matches, against a second count by other means."""

from collections import Counter
from io import BytesIO

import pytest

from referee.adjudication.inputs import ActionTaken, Expired
from referee.adjudication.rulings import TimedOut
from referee.audit.replay import replay
from referee.report.names import counted
from referee.report.stats import MatchStats, PlayerStats, match_stats, stats_lines, total_stats
from referee.rules.actions import CATCH, Challenge, Play
from referee.rules.events import CardsDrawn, DrawReason, Event, RoundEnded, TurnStarted
from referee.rules.ruleset import Ruleset
from referee.rules.seats import SEATS
from tests.audit.simulated import Log, troubled_match


@pytest.fixture(scope="module")
def log() -> Log:
    return troubled_match(6, Ruleset(target=150))


@pytest.fixture(scope="module")
def stats(log: Log) -> MatchStats:
    return match_stats(replay(BytesIO(log.to_bytes())))


def test_figures_of_the_seats_are_those_of_their_actions(log: Log, stats: MatchStats) -> None:
    for seat in SEATS:
        player = stats.players[seat]
        inputs = [entry.input for entry in log.entries if entry.input.seat is seat]
        actions = [cause.kind.action for cause in inputs if isinstance(cause.kind, ActionTaken)]
        timed = [cause for cause in inputs if isinstance(cause.kind, ActionTaken | Expired)]
        plays = [action for action in actions if isinstance(action, Play)]
        assert player.actions == len(actions)
        assert player.time_ms == sum(cause.elapsed_ms - cause.lag_credit_ms for cause in timed)
        assert player.longest_ms == max(cause.elapsed_ms - cause.lag_credit_ms for cause in timed)
        assert player.plays == len(plays)
        assert player.cards_played == sum(len(play.cards) for play in plays)
        assert player.dumps == sum(len(play.cards) > 1 for play in plays)
        assert player.longest_dump == max(len(play.cards) for play in plays)
        assert player.challenges_won + player.challenges_lost == sum(isinstance(each, Challenge) for each in actions)
        assert player.catches == actions.count(CATCH) == stats.players[seat.other].caught
        assert player.refused_tries == sum(each.seat is seat for entry in log.entries for each in entry.tries)
        assert min(player.dumps, player.refused_tries, player.challenges_won + player.challenges_lost) > 0


def test_figures_of_the_match_are_those_of_its_events(log: Log, stats: MatchStats) -> None:
    events = [event.fact if isinstance(event, Event) else event for entry in log.entries for event in entry.events]
    kinds = Counter(map(type, events))
    assert stats.events == len(events)
    assert (stats.rounds, stats.turns) == (kinds[RoundEnded], kinds[TurnStarted])
    assert sum(player.time_outs for player in stats.players) == kinds[TimedOut] > 0
    drawn = [event for event in events if isinstance(event, CardsDrawn)]
    for seat in SEATS:
        mine = [event for event in drawn if event.seat is seat]
        assert stats.players[seat].cards_drawn == sum(event.count for event in mine)
        assert stats.players[seat].turn_draws == sum(event.reason is DrawReason.TURN for event in mine)
    scored = [event for event in events if isinstance(event, RoundEnded)]
    assert [player.rounds_won for player in stats.players] == [
        sum(event.winner is seat for event in scored) for seat in SEATS
    ]
    assert log.seal is not None
    assert stats.outcome == log.seal.outcome
    assert tuple(player.points for player in stats.players) == log.seal.outcome.totals


def test_totals_add_up_by_player_and_keep_the_longest(stats: MatchStats) -> None:
    totals = total_stats([stats, stats])
    assert list(totals) == ["Anna", "Bert"]
    assert totals["Anna"].matches == 2
    assert totals["Anna"].plays == 2 * stats.players[0].plays
    assert totals["Anna"].longest_ms == stats.players[0].longest_ms


def test_lines_are_a_table_with_a_column_a_seat(stats: MatchStats) -> None:
    head, match, names, *figures = stats_lines(stats)
    assert head.startswith("match 1, Anna (A) against Bert (B): ")
    assert match.startswith(f"{counted(stats.rounds, 'round')}, {stats.turns} turns, ")
    assert names.split() == ["Anna", "(A)", "Bert", "(B)"]
    assert len({len(line) for line in (names, *figures)}) == 1
    plays = next(line for line in figures if line.startswith("plays "))
    assert plays.split()[1:] == [str(player.plays) for player in stats.players]
    assert len(figures) == len(PlayerStats.__dataclass_fields__)
