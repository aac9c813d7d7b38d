"""Reports as objects for JSON: stable names in snake_case, bytes as hex digits, what is not there as null."""

from collections.abc import Mapping

from google.protobuf.json_format import MessageToDict
from unoduo.v1 import event_pb2

from referee.audit.report import Report
from referee.codec.events import event_bytes
from referee.codec.headers import Header
from referee.report.story import Line, ruleset_text
from referee.rules.outcome import Outcome

Json = None | bool | int | str | list["Json"] | Mapping[str, "Json"]


def report_object(file: str, report: Report) -> Json:
    """Returns the verdict on a file, all of the report."""
    return {
        "file": file,
        "status": report.status.value,
        "part": report.part,
        "check": report.check,
        "clause": report.clause,
        "message": report.message,
        "not_proven": list(report.not_proven),
        "judged": report.judged,
        "number": report.number,
        "match_id": _hex(report.match_id),
        "players": [player.name for player in report.players] if report.players else None,
        "h0": _hex(report.h0),
        "entries": report.entries,
        "actions": report.actions,
        "sequence": report.sequence,
        "final_head": _hex(report.final_head),
        "outcome": outcome_object(report.outcome) if report.outcome else None,
        "master_commitment": _hex(report.master_commitment),
    }


def outcome_object(outcome: Outcome) -> Json:
    """Returns an outcome; the winner is null if there is none."""
    return {
        "winner": outcome.winner.name if outcome.winner is not None else None,
        "termination": outcome.termination.name,
        "totals": list(outcome.totals),
        "rounds": outcome.rounds,
        "faulted": [seat.name for seat in outcome.faulted],
    }


def header_object(header: Header) -> Json:
    """Returns what identifies a match."""
    return {
        "number": header.match_number,
        "match_id": header.match_id.hex(),
        "players": [player.name for player in header.players],
        "created": header.created,
        "rules_revision": header.rules_revision,
        "ruleset": ruleset_text(header.ruleset),
        "deal_mode": header.deal_mode.name,
        "limit_ms": header.time_control.limit_ms,
    }


def line_object(line: Line) -> Json:
    """Returns one line of a story; that of a try has neither sequence nor event."""
    told: dict[str, Json] = {
        "sequence": line.sequence,
        "entry": line.entry,
        "text": line.sentence.text,
        "clause": line.sentence.clause or None,
    }
    if line.event is not None:
        message = event_pb2.Event.FromString(event_bytes(line.event))
        told["event"] = MessageToDict(message, preserving_proto_field_name=True)
        told["private_cards"] = [card.name for card in line.private_cards]
    return told


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()
