"""How much a referee takes and gives (`PROTOCOL.md`, "Limits"): each is an option of `unoduo serve`."""

from dataclasses import dataclass, field
from typing import Any


def _limit(default: float, text: str, smallest: int = 1) -> Any:
    return field(default=default, metadata={"text": text, "smallest": smallest})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Holds the limits of a referee; the metadata of each field says what it is for and how small it may be."""

    max_open_matches: int = _limit(10_000, "matches that are not over; `CreateMatch` of a further one is refused")
    max_sessions: int = _limit(1_000, "open `Play` calls")
    max_seats: int = _limit(1_024, "seats that a session holds")
    max_calls_a_seat: int = _limit(8, "`Act` calls that wait for one seat", smallest=0)
    max_spectators: int = _limit(100, "open `WatchMatch` calls for one match", smallest=0)
    max_items: int = _limit(64, "items of a request")
    max_request_bytes: int = _limit(64 * 1024, "bytes of a request")
    max_response_bytes: int = _limit(32 * 1024, "bytes of a response of a session")
    max_items_per_s: int = _limit(50_000, "items that a session is read in a second; reading pauses beyond it")
    max_malformed: int = _limit(100, "malformed items in a row; one more ends the session")
    max_ended_handles: int = _limit(1_024, "handles of a session that are remembered after their end")
    max_waiting_bytes: int = _limit(64 * 1024, "bytes of answers that wait to be sent; reading pauses beyond it")
    write_patience_s: float = _limit(10.0, "seconds after which a client that does not read is cut off")
    act_patience_s: float = _limit(10.0, "seconds within which what an `Act` call says is answered or turned away")
    spectator_delay_ms: int = _limit(0, "milliseconds by which spectators are told later", smallest=0)
    keepalive_time_ms: int = _limit(30_000, "milliseconds of silence after which a client is asked for a sign of life")
    keepalive_timeout_ms: int = _limit(10_000, "milliseconds that it has for it before its connection is closed")
    drain_grace_ms: int = _limit(1_000, "milliseconds that calls have to end when the referee goes down", smallest=0)
