"""Where a match stands, as its referee tells it to an organiser."""

from unoduo.v1 import match_pb2

from referee.codec.outcomes import decode_outcome
from referee.report.names import outcome_text, printable
from referee.report.objects import Json, outcome_object
from referee.rules.outcome import Outcome


def summary_text(match: match_pb2.MatchSummary) -> str:
    """Returns number, id, players and standing in one line."""
    names = " against ".join(printable(player.name) for player in match.players)
    outcome = _outcome(match)
    standing = f"{_lifecycle(match).lower()}, {match.sequence} events" if outcome is None else outcome_text(outcome)
    return f"{match.number:>6}  {match.match_id.hex()}  {names}: {standing}"


def summary_object(match: match_pb2.MatchSummary) -> Json:
    """Returns the same, and what else is known, as an object for JSON."""
    outcome = _outcome(match)
    return {
        "number": match.number,
        "match_id": match.match_id.hex(),
        "players": [player.name for player in match.players],
        "lifecycle": _lifecycle(match),
        "sequence": match.sequence,
        "outcome": None if outcome is None else outcome_object(outcome),
        "created": match.created,
        "replay_available": match.replay_available,
    }


def _outcome(match: match_pb2.MatchSummary) -> Outcome | None:
    return decode_outcome(match.outcome, "match.outcome") if match.HasField("outcome") else None


def _lifecycle(match: match_pb2.MatchSummary) -> str:
    return match_pb2.Lifecycle.Name(match.lifecycle).removeprefix("LIFECYCLE_")
