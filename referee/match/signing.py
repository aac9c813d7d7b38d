"""How a match is signed for: by whoever holds the key of the referee, if anybody does (`PROTOCOL.md`, "The log")."""

from typing import Protocol

from referee.codec.headers import Header
from referee.codec.outcomes import outcome_bytes
from referee.codec.seals import Seal
from referee.log.seal import checkpoint_bytes, result_bytes
from referee.rules.outcome import Outcome


class Signer(Protocol):
    """Signs what the referee says; no match and no index ever holds the key."""

    @property
    def key_id(self) -> bytes:
        """Returns what headers name the key by, 16 bytes."""
        ...

    def sign(self, data: bytes, /) -> bytes:
        """Returns the signature of data, 64 bytes."""
        ...


def signed_seal(signer: Signer | None, header: Header, h0: bytes, final_head: bytes, outcome: Outcome) -> Seal:
    """Returns the seal of a match, signed if its header names the key of the signer.

    A match that was made under another key, or none, stays unsigned: a verifier takes no signature but that key's.
    """
    if signer is None or header.key_id != signer.key_id:
        return Seal(final_head, outcome)
    signed = result_bytes(header.match_number, h0, final_head, outcome_bytes(outcome))
    return Seal(final_head, outcome, signer.sign(signed))


def signed_checkpoint(signer: Signer | None, records: int, head: bytes) -> bytes:
    """Returns the signature of the index as of its first records, empty without a signer."""
    return b"" if signer is None else signer.sign(checkpoint_bytes(records, head))
