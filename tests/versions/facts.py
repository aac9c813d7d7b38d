"""What is compared of two sessions, and what stands for what in them.

Ids, tokens, heads and times are others in each match: what is `OPAQUE` stands for what the recording has in its place,
and what is in `PASSING` is not compared at all. All else must be as recorded.
"""

import hashlib
from typing import Any

from google.protobuf.message import Message

from tests.versions.recording import Recording

OPAQUE = frozenset(
    {
        "match_id",
        "header",
        "head",
        "h0",
        "seat_token",
        "seat_tokens",
        "spectator_token",
        "page_token",
        "next_page_token",
    }
)
PASSING = frozenset(
    {"client", "server", "message", "time_left_ms", "signature", "data", "clock", "opponent_clock"}
    | {"index_head", "key_id", "commitment", "created", "max_items", "max_seats", "max_message_bytes"}
)
Plain = dict[str, Any]


def plain(message: Any) -> Plain:
    """Returns the fields that are set and are to be compared, also those of what is in them."""
    return {
        field.name: [_plain(each) for each in value] if field.is_repeated else _plain(value)
        for field, value in message.ListFields()
        if field.name not in OPAQUE | PASSING
    }


def _plain(value: Any) -> Any:
    return plain(value) if isinstance(value, Message) else value


def header_head(header: bytes) -> bytes:
    """Returns h0 (PROTOCOL.md section 9)."""
    return hashlib.sha256(b"\0" + header).digest()


class Names:
    """Knows what opaque values of a recording are called in the match that is played now."""

    def __init__(self) -> None:
        self._now: dict[bytes | str, bytes | str] = {}

    def learn(self, recorded: Any, now: Any) -> None:
        """Learns from two messages that say the same."""
        for field, value in recorded.ListFields():
            other = getattr(now, field.name)
            if field.name in OPAQUE:
                values, others = ([*value], [*other]) if field.is_repeated else ([value], [other])
                self._now.update(zip(values, others, strict=True))
                if field.name == "header":
                    self._now[header_head(value)] = header_head(other)
            elif field.message_type is not None and not field.is_repeated:
                self.learn(value, other)

    def translate(self, recorded: Any) -> None:
        """Puts the values of now into a message, also in what is in it."""
        for field, value in recorded.ListFields():
            if field.name in OPAQUE and not field.is_repeated:
                setattr(recorded, field.name, self.of(value))
            elif field.message_type is not None:
                for part in value if field.is_repeated else [value]:
                    self.translate(part)

    def of(self, value: Any) -> Any:
        """Returns what is called so in the recording."""
        return self._now.get(value, value)


def facts_of(recording: Recording, item: Any) -> list[tuple[str, Plain]]:
    """Returns what an item of a referee tells, whatever it is told together with; nothing for what is not known.

    The header of a match is a fact, as far as that version reads it.
    """
    kind = item.WhichOneof("kind")
    if kind is None:
        return []
    said = getattr(item, kind)
    if kind == "joined":
        return [(kind, plain(said)), ("header", plain(recording.read("Header", said.header)))]
    if kind != "observation":
        return [(kind, plain(said))]
    facts = [("event", plain(event)) for event in said.events if event.event.WhichOneof("kind") is not None]
    if said.HasField("decision"):
        facts.append(("decision", {**plain(said.decision), "view": plain(said.view)}))
    return facts
