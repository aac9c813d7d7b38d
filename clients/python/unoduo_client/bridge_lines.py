"""The lines between the bridge and a bot: one JSON object each, as clients/README.md, "The bridge", describes them."""

import json

from google.protobuf import json_format
from google.protobuf.message import Message
from unoduo.v1 import action_pb2, card_pb2, observation_pb2, seat_pb2, session_pb2

from unoduo_client.seat import SeatSession

PROTOCOL = 1
LONGEST_ANSWER = 64 * 1024
"""Bytes of an answer, its line feed included."""


_LONGEST_REASON = 200


class NoAction(Exception):
    """Reports an answer that is no action; `str()` says why, in a short line."""

    def __init__(self, reason: str) -> None:
        super().__init__(" ".join(reason.split())[:_LONGEST_REASON])


def joined_line(seat: SeatSession, bot_seed: bytes | None) -> bytes:
    """Returns the first line: which seat of which match, and all that is fixed about it."""
    fields: dict[str, object] = {
        "protocol": PROTOCOL,
        "match_id": seat.match_id.hex(),
        "seat": seat_pb2.Seat.Name(seat.seat),
        "header": _fields(seat.header),
    }
    if bot_seed is not None:
        fields["bot_seed"] = bot_seed.hex()
    return _line("joined", fields)


def observation_line(observation: observation_pb2.Observation) -> bytes:
    """Returns what the seat learns; with a decision it asks for an answer."""
    return _line("observation", _fields(observation))


def rejected_line(rejected: session_pb2.Rejected, tries_left: int) -> bytes:
    """Returns that the rules refuse the last answer; `tries_left` counts what was malformed too."""
    return _line("rejected", {**_fields(rejected), "tries_left": tries_left})


def malformed_line(message: str, tries_left: int) -> bytes:
    """Returns that the last answer was no action, so that the referee has not heard of it."""
    return _line("malformed", {"message": message, "tries_left": tries_left})


def stale_line(stale: session_pb2.Stale) -> bytes:
    """Returns that the last answer came too late."""
    return _line("stale", _fields(stale))


def ended_line(ended: session_pb2.Ended) -> bytes:
    """Returns the last line of a match that has ended."""
    return _line("ended", _fields(ended))


def failed_line(message: str) -> bytes:
    """Returns the last line to a bot that is not asked any more although the match may go on."""
    return _line("failed", {"message": message})


def read_answer(line: bytes, decision: observation_pb2.Decision) -> action_pb2.Action | session_pb2.Resign:
    """Returns the action that an answer stands for, or that it gives up.

    An action is said as its JSON, or as its place in `decision.legal`. Raises NoAction.
    """
    try:
        # A number with a fraction, or without bound, fits nowhere: as a text it is refused where it stands.
        answer = json.loads(line, parse_float=str, parse_constant=str)
        # Nor does half a character, as in "\ud800", which no message can hold.
        json.dumps(answer, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise NoAction("it is not JSON") from None
    if not isinstance(answer, dict):
        raise NoAction("it is not a JSON object")
    if answer.keys() == {"legal"}:
        return _legal(answer["legal"], decision)
    if answer == {"resign": {}}:
        return session_pb2.Resign()
    for kind, value in answer.items():
        # Else protobuf would take an empty list or text for an empty message.
        if not isinstance(value, dict):
            raise NoAction(f"behind {kind!r} is no JSON object")
    action = action_pb2.Action()
    try:
        json_format.ParseDict(answer, action, max_recursion_depth=10)
    except json_format.ParseError as error:
        raise NoAction(str(error)) from None
    _check(action)
    return action


def _legal(place: object, decision: observation_pb2.Decision) -> action_pb2.Action:
    count = len(decision.legal)
    if type(place) is not int or not 0 <= place < count:
        raise NoAction(f"legal is a whole number from 0 to {count - 1}")
    return decision.legal[place]


def _check(action: action_pb2.Action) -> None:
    """Raises NoAction for what the referee takes for no action (PROTOCOL.md section 3)."""
    kind = action.WhichOneof("kind")
    if kind is None:
        raise NoAction("an action has a kind, such as draw")
    if any(card == card_pb2.CARD_UNSPECIFIED or card not in card_pb2.Card.values() for card in action.play.cards):
        raise NoAction("play.cards has what is no card")
    color = action.choose_color.color if kind == "choose_color" else action.play.color
    if color not in card_pb2.Color.values() or (kind == "choose_color" and color == card_pb2.COLOR_UNSPECIFIED):
        raise NoAction(f"{kind}.color is no color")


def _fields(message: Message) -> dict[str, object]:
    """Returns a message in protobuf's JSON with the names of the proto files.

    Fields that have their default are there too. A number that the enum does not have stays a number.
    """
    fields: dict[str, object] = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return fields


def _line(kind: str, fields: dict[str, object]) -> bytes:
    return json.dumps({kind: fields}, separators=(",", ":")).encode() + b"\n"
