"""The matches of a tournament by their replays, as far as a report tells of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from google.protobuf.message import DecodeError
from unoduo.v1 import log_pb2

from referee.adjudication.terms import Terms
from referee.arena.folder import replay_name
from referee.codec.headers import decode_header
from referee.codec.seals import decode_reveal, decode_seal
from referee.contest.pairing import Half
from referee.contest.results import PairResult, half_result
from referee.log.byte_streams import Source
from referee.log.file_format import EntryPart, FileFault, HeaderPart, RevealPart, SealPart, read_parts
from referee.rules.outcome import Outcome
from referee.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Match:
    """Holds a match that is over: half of an attempt at a pair.

    `names` are those of seats A and B. `events` counts all events; `behind` is by how many points the winner was behind
    after its worst round, 0 if it never was or there is no winner. `deal_id` is that of the opened deal.
    """

    pair: int
    attempt: int
    half: Half
    match_id: bytes
    names: tuple[str, str]
    terms: Terms
    outcome: Outcome
    events: int
    behind: int
    deal_id: bytes

    @property
    def file(self) -> str:
        """The name of its replay."""
        return replay_name(self.pair, self.attempt, self.half)

    @property
    def difference(self) -> int:
        """By how many points the seats are apart in the end."""
        points_a, points_b = self.outcome.totals
        return abs(points_a - points_b)


def read_match(stream: Source, pair: int, attempt: int, half: Half) -> Match:
    """Returns what a replay tells, without judging it.

    Raises:
        FileFault: for a part that is damaged.
        Malformed: for one that is not in its form.
        ValueError: if the match is not over, or its deal is secret.
    """
    header = seal = reveal = None
    events = 0
    totals: list[tuple[int, int]] = []
    for part in read_parts(stream):
        if isinstance(part, EntryPart):
            count, ends = _round_totals(part)
            events += count
            totals += ends
        elif isinstance(part, HeaderPart):
            header = decode_header(part.data)
        elif isinstance(part, SealPart):
            seal = decode_seal(part.data)
        elif isinstance(part, RevealPart):
            reveal = decode_reveal(part.data)
    if header is None or seal is None or reveal is None:
        raise ValueError("the match is not over, or its deal is not opened")
    player_a, player_b = header.players
    return Match(
        pair,
        attempt,
        half,
        header.match_id,
        (player_a.name, player_b.name),
        header.terms,
        seal.outcome,
        events,
        _behind(seal.outcome.winner, totals),
        reveal.deal_id,
    )


class Distinction(Enum):
    """Names what a match can stand out by."""

    LONGEST = "longest"
    CLOSEST = "closest"
    SWING = "biggest swing"


def counted_matches(results: Iterable[PairResult]) -> list[tuple[int, int, Half]]:
    """Returns pair, attempt and half of each match that counts, in the order of the schedule."""
    return [(result.pair.number, result.attempt, half) for result in results for half in Half]


def notable(matches: Iterable[Match]) -> dict[Distinction, Match]:
    """Returns the matches that stand out, of those given; the earlier one of equals.

    The longest has the most events. The closest, of those that ended by the rules, has the smallest difference of
    points, and of these the most rounds. The biggest swing is that in which the winner was behind by the most points.
    """
    found: dict[Distinction, Match] = {}
    ranked = sorted(matches, key=lambda match: (match.pair, match.attempt, match.half))
    played_out = [match for match in ranked if _ended_by_rules(match)]
    if ranked:
        found[Distinction.LONGEST] = max(ranked, key=lambda match: match.events)
    if played_out:
        found[Distinction.CLOSEST] = min(played_out, key=lambda match: (match.difference, -match.outcome.rounds))
        swing = max(played_out, key=lambda match: match.behind)
        if swing.behind:
            found[Distinction.SWING] = swing
    return found


def _ended_by_rules(match: Match) -> bool:
    result = half_result(match.outcome, match.half)
    return result is not None and result.played_out


def _behind(winner: Seat | None, totals: Iterable[tuple[int, int]]) -> int:
    """Returns by how many points the winner was behind at worst; points are penalties (RULES.md R11)."""
    if winner is None:
        return 0
    return max([0, *(points[winner] - points[winner.other] for points in totals)])


def _round_totals(part: EntryPart) -> tuple[int, list[tuple[int, int]]]:
    """Returns how many events an entry has, and the points of both seats after each round that ends in it.

    Of thousands of matches nothing else is needed, and to decode all of it takes six times as long.
    """
    try:
        told = log_pb2.Entry.FromString(part.data).events
    except DecodeError as error:
        raise FileFault(f"entry {part.index}", str(error)) from None
    ends = [recorded.event.round_ended for recorded in told if recorded.event.HasField("round_ended")]
    return len(told), [(end.total_a, end.total_b) for end in ends]
