"""Figures of a match and of players, counted from replays."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from referee.adjudication.clocks import used_ms
from referee.adjudication.inputs import ActionTaken, Expired
from referee.adjudication.rulings import Ruling, TimedOut
from referee.audit.replay import Replay
from referee.codec.entries import Entry
from referee.codec.headers import Header
from referee.report.moments import Moment, MomentKind, moments
from referee.report.names import counted, outcome_text, printable
from referee.report.objects import Json, outcome_object
from referee.rules.events import (
    CardsDrawn,
    CardsPlayed,
    DrawReason,
    Event,
    Fact,
    MatchEnded,
    Recycled,
    RoundEnded,
    TurnStarted,
    UnoWindowClosed,
)
from referee.rules.outcome import Outcome


@dataclass(slots=True)
class PlayerStats:
    """Counts what one player did, in one match or in several.

    `turn_draws` are the draws in the own turn, `cards_drawn` all cards drawn after the draft; `longest_dump` is in
    cards; `caught` counts the UNO calls that were missed and caught, `missed` those that were let pass. Times are in
    milliseconds, without the delay of the referee; `longest_ms` is the longest decision.
    """

    matches: int = 0
    matches_won: int = 0
    rounds_won: int = 0
    points: int = 0
    actions: int = 0
    plays: int = 0
    cards_played: int = 0
    turn_draws: int = 0
    cards_drawn: int = 0
    challenges_won: int = 0
    challenges_lost: int = 0
    catches: int = 0
    caught: int = 0
    missed: int = 0
    dumps: int = 0
    longest_dump: int = 0
    volleys_opened: int = 0
    refused_tries: int = 0
    time_outs: int = 0
    time_ms: int = 0
    longest_ms: int = 0

    def add(self, other: "PlayerStats") -> None:
        """Adds the figures of other matches; the longest stays the longest."""
        for name in (item.name for item in fields(self)):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, max(mine, theirs) if name.startswith("longest_") else mine + theirs)


@dataclass(slots=True)
class MatchStats:
    """Counts what happened in one match; `players` is indexed by seat, `longest_volley` is in Draw Twos."""

    header: Header
    players: tuple[PlayerStats, PlayerStats]
    rounds: int = 0
    turns: int = 0
    events: int = 0
    recycles: int = 0
    volleys: int = 0
    longest_volley: int = 0
    outcome: Outcome | None = None


def match_stats(match: Replay) -> MatchStats:
    """Returns the figures of a match. Raises FileFault for a part that is damaged."""
    stats = MatchStats(match.header, (PlayerStats(matches=1), PlayerStats(matches=1)))
    for moment in moments(_counted_facts(stats, match)):
        _count_moment(stats, moment)
    return stats


def total_stats(matches: Iterable[MatchStats]) -> dict[str, PlayerStats]:
    """Returns the figures of each player over all matches, by name, in the order in which they come up."""
    totals: dict[str, PlayerStats] = {}
    for match in matches:
        for player, stats in zip(match.header.players, match.players, strict=True):
            totals.setdefault(player.name, PlayerStats()).add(stats)
    return totals


def stats_lines(stats: MatchStats) -> list[str]:
    """Returns the figures of a match as lines: who played and how it ended, the match, then a table of both seats."""
    player_a, player_b = (printable(player.name) for player in stats.header.players)
    outcome = "not over" if stats.outcome is None else outcome_text(stats.outcome)
    volleys = counted(stats.volleys, "volley")
    longest = f" (the longest of {stats.longest_volley} Draw Twos)" if stats.volleys else ""
    return [
        f"match {stats.header.match_number}, {player_a} (A) against {player_b} (B): {outcome}",
        f"{counted(stats.rounds, 'round')}, {counted(stats.turns, 'turn')}, {counted(stats.events, 'event')}, "
        f"{volleys}{longest}, {counted(stats.recycles, 'recycle')}",
        *table({f"{player_a} (A)": stats.players[0], f"{player_b} (B)": stats.players[1]}),
    ]


def table(columns: dict[str, PlayerStats]) -> list[str]:
    """Returns a table with a column a player and a line a figure."""
    widths = [max(len(printable(name)), 9) for name in columns]
    lines = [
        "  ".join([" " * 16, *(printable(name).rjust(width) for name, width in zip(columns, widths, strict=True))])
    ]
    for item in fields(PlayerStats):
        label = item.name.replace("_ms", " (ms)").replace("_", " ")
        cells = (
            str(getattr(stats, item.name)).rjust(width) for stats, width in zip(columns.values(), widths, strict=True)
        )
        lines.append("  ".join([label.ljust(16), *cells]))
    return lines


def stats_object(file: str, stats: MatchStats) -> Json:
    """Returns the figures of a match, those of the seats under `A` and `B`."""
    return {
        "file": file,
        "number": stats.header.match_number,
        "match_id": stats.header.match_id.hex(),
        "players": [player.name for player in stats.header.players],
        "rounds": stats.rounds,
        "turns": stats.turns,
        "events": stats.events,
        "recycles": stats.recycles,
        "volleys": stats.volleys,
        "longest_volley": stats.longest_volley,
        "outcome": outcome_object(stats.outcome) if stats.outcome else None,
        "seats": {"A": player_object(stats.players[0]), "B": player_object(stats.players[1])},
    }


def player_object(stats: PlayerStats) -> Json:
    """Returns the figures of a player by their names."""
    return {item.name: getattr(stats, item.name) for item in fields(stats)}


def _counted_facts(stats: MatchStats, match: Replay) -> Iterator[Fact | Ruling]:
    """Yields the facts of all events after counting them."""
    for entry in match.entries:
        _count_input(stats, entry)
        stats.events += len(entry.events)
        for event in entry.events:
            fact = event.fact if isinstance(event, Event) else event
            _count_fact(stats, fact)
            yield fact


def _count_input(stats: MatchStats, entry: Entry) -> None:
    for attempt in entry.tries:
        stats.players[attempt.seat].refused_tries += 1
    cause = entry.input
    if cause.seat is None or not isinstance(cause.kind, ActionTaken | Expired):
        return
    player = stats.players[cause.seat]
    player.actions += isinstance(cause.kind, ActionTaken)
    used = used_ms(cause.elapsed_ms, cause.lag_credit_ms)
    player.time_ms += used
    player.longest_ms = max(player.longest_ms, used)


def _count_fact(stats: MatchStats, fact: Fact | Ruling) -> None:
    match fact:
        case TimedOut():
            stats.players[fact.seat].time_outs += 1
        case TurnStarted():
            stats.turns += 1
        case Recycled():
            stats.recycles += 1
        case CardsPlayed():
            stats.players[fact.seat].plays += 1
            stats.players[fact.seat].cards_played += len(fact.cards)
        case CardsDrawn():
            stats.players[fact.seat].cards_drawn += fact.count
            stats.players[fact.seat].turn_draws += fact.reason is DrawReason.TURN
        case UnoWindowClosed():
            missed = stats.players[fact.seat.other]
            missed.caught += fact.caught
            missed.missed += not fact.caught
        case RoundEnded():
            stats.rounds += 1
            if fact.winner is not None:
                stats.players[fact.winner].rounds_won += 1
        case MatchEnded():
            stats.outcome = fact.outcome
            for player, points in zip(stats.players, fact.outcome.totals, strict=True):
                player.points = points
            if fact.outcome.winner is not None:
                stats.players[fact.outcome.winner].matches_won += 1
        case _:
            pass


def _count_moment(stats: MatchStats, moment: Moment) -> None:
    player = stats.players[moment.seat]
    match moment.kind:
        case MomentKind.CHALLENGE:
            player.challenges_won += moment.won
            player.challenges_lost += not moment.won
        case MomentKind.CATCH:
            player.catches += 1
        case MomentKind.DUMP:
            player.dumps += 1
            player.longest_dump = max(player.longest_dump, moment.size)
        case MomentKind.VOLLEY:
            player.volleys_opened += 1
            stats.volleys += 1
            stats.longest_volley = max(stats.longest_volley, moment.size)
