"""A seat's own part in the deal, and the check that the referee used it (PROTOCOL.md section 8)."""

from __future__ import annotations

import hashlib
import hmac

from unoduo.v1 import match_pb2, observation_pb2, seat_pb2, session_pb2

from unoduo_client.errors import EntropyMissing

_DOMAIN = b"unoduo/v1/client-entropy\0"


def header_head(header: bytes) -> bytes:
    """Returns h0, the head of a header as received, 32 bytes (PROTOCOL.md section 9)."""
    return hashlib.sha256(b"\x00" + header).digest()


def client_entropy(secret: bytes, h0: bytes) -> bytes:
    """Returns the 32 bytes that a seat gives to its deal: the same whenever it is asked, no two headers alike."""
    return hmac.digest(secret, _DOMAIN + h0, "sha256")


class DealGuard:
    """Refuses a fresh deal in which the entropy of this seat is not as it was sent.

    Shared and given deals take no entropy and are let pass. So is a match that had begun before the seat joined: its
    deal was shown to an earlier session.
    """

    def __init__(self, joined: session_pb2.Joined, deal_mode: match_pb2.DealMode.ValueType) -> None:
        self.wants_entropy = deal_mode == match_pb2.DEAL_MODE_FRESH
        self.sent = b""
        self._seat = joined.seat
        self._open = self.wants_entropy and joined.lifecycle == match_pb2.LIFECYCLE_CREATED

    def check(self, observation: observation_pb2.Observation) -> None:
        """Raises EntropyMissing if the deal is sealed without the entropy, or play begins without a sealed deal."""
        if not self._open:
            return
        for observed in observation.events:
            if observed.event.HasField("deal_sealed"):
                deal = observed.event.deal_sealed
                sealed = deal.entropy_1 if self._seat == seat_pb2.SEAT_A else deal.entropy_2
                if sealed != self.sent:
                    raise EntropyMissing(self.sent, sealed)
                self._open = False
                return
        if observation.HasField("decision"):
            raise EntropyMissing(self.sent, None)
