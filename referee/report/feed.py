"""What spectators of a match are told, a line an event."""

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.json_format import MessageToDict
from unoduo.v1 import observation_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.events import decode_event
from referee.codec.headers import decode_header
from referee.codec.outcomes import decode_outcome
from referee.report.names import outcome_text
from referee.report.objects import Json, header_object, outcome_object
from referee.report.story import introduction
from referee.report.text import Sentence, describe
from referee.rules.events import Event


@dataclass(frozen=True, slots=True)
class FeedLine:
    """Holds one line for people, and the same as an object for JSON."""

    text: str
    json: Json


def feed_lines(told: pb.WatchMatchResponse) -> Iterator[FeedLine]:
    """Yields what a message says, as everybody saw it: first what was agreed, then the events, at last the result.

    Raises Malformed for an event that this program does not know.
    """
    if told.header:
        header = decode_header(told.header)
        yield FeedLine("\n".join(introduction(header)), header_object(header))
    for observed in told.events:
        yield _event_line(observed)
    if told.HasField("ended"):
        outcome = decode_outcome(told.ended.outcome, "ended.outcome")
        yield FeedLine(f"result: {outcome_text(outcome)}", {"outcome": outcome_object(outcome)})


def _event_line(observed: observation_pb2.ObservedEvent) -> FeedLine:
    sentence = _sentence(observed)
    return FeedLine(
        f"{observed.sequence:>6}  {sentence.clause:<6}  {sentence.text}",
        {
            "sequence": observed.sequence,
            "text": sentence.text,
            "clause": sentence.clause or None,
            "event": MessageToDict(observed.event, preserving_proto_field_name=True),
        },
    )


def _sentence(observed: observation_pb2.ObservedEvent) -> Sentence:
    event = decode_event(observed.event, (), None, "events")
    return describe(event.fact if isinstance(event, Event) else event, ())
