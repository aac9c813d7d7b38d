"""The limits of a session (`PROTOCOL.md`, "A session")."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Holds how much a session takes and gives.

    `max_items` and `max_request_bytes` are for one request, `max_response_bytes` for one response. The last
    `max_ended_handles` that have ended are remembered. `max_malformed` items in a row end the session.
    `max_waiting_bytes` of answers may wait to be written before reading pauses, and a session whose write is blocked
    is over within `write_patience_s`.
    """

    max_items: int = 64
    max_request_bytes: int = 64 * 1024
    max_response_bytes: int = 32 * 1024
    max_seats: int = 1_024
    max_ended_handles: int = 1_024
    max_malformed: int = 100
    max_waiting_bytes: int = 64 * 1024
    write_patience_s: float = 10.0
