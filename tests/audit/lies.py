"""What a referee may tell a seat that is not so: each edits the journal that an honest referee would have left."""

from unoduo.v1.session_pb2 import STALE_REASON_EXPIRED

from tests.audit.journaled import Record, place_of, record


def false_event(records: list[Record]) -> None:
    events = (event.event for record in records for event in record.observation.events)
    next(event for event in events if event.HasField("cards_played")).cards_played.left += 1


def kept_event(records: list[Record]) -> None:
    del records[place_of(records, "observation", 20)].observation.events[0]


def false_view(records: list[Record]) -> None:
    records[place_of(records, "observation", 20)].observation.view.opponent_count += 1


def false_decision(records: list[Record]) -> None:
    observations = (record.observation for record in records)
    del next(shown.decision for shown in observations if len(shown.decision.legal) > 1).legal[0]


def forked(records: list[Record]) -> None:
    records[place_of(records, "observation", 20)].observation.head = bytes(32)


def action_not_sent(records: list[Record]) -> None:
    place = place_of(records, "action", 3)
    del records[place : place + 2]


def resignation_not_sent(records: list[Record]) -> None:
    del records[place_of(records, "resign")]


def accepted_and_lost(records: list[Record]) -> None:
    place = place_of(records, "action", 3)
    added = [Record(), Record()]
    added[0].CopyFrom(records[place])
    added[1].CopyFrom(records[place + 1])
    added[0].action.action_id = added[1].action_result.action_id = "lost"
    records[place:place] = added


def refused_and_not_logged(records: list[Record]) -> None:
    place = place_of(records, "action", 3)
    added = [Record(), Record()]
    added[0].CopyFrom(records[place])
    added[1].CopyFrom(records[place + 1])
    added[0].action.action_id = added[1].action_result.action_id = "refused"
    added[1].action_result.rejected.clause = "R5.6"
    records[place:place] = added


def turned_away(records: list[Record]) -> None:
    """Answers an action as too late, then shows that nothing has happened, and takes another one."""
    place = place_of(records, "action", 3)
    names = {"decision_id": records[place].action.decision_id, "action_id": "late"}
    sent, answered, shown = (
        Record(),
        record(action_result={**names, "stale": {"reason": STALE_REASON_EXPIRED}}),
        Record(),
    )
    sent.CopyFrom(records[place])
    sent.action.action_id = "late"
    shown.CopyFrom(records[place - 1])
    del shown.observation.events[:]
    records[place:place] = [sent, answered, shown]


def other_end(records: list[Record]) -> None:
    records[-1].ended.outcome.total_a += 1
