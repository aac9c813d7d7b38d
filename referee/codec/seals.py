"""What stands outside the chain of a log: seal, reveal, and the referee's index (log.proto)."""

from dataclasses import dataclass
from typing import Final, assert_never

from unoduo.v1 import log_pb2 as pb

from referee.codec.errors import Malformed
from referee.codec.outcomes import decode_outcome, encode_outcome
from referee.codec.strict import parse, require_same, require_size
from referee.rules.outcome import Outcome

_HEAD_SIZE: Final = 32
_SIGNATURE_SIZE: Final = 64
_DEAL_ID_SIZE: Final = 16
_SEED_SIZE: Final = 32
_SALT_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Seal:
    """Closes a log: the head of its last entry (32 bytes), the outcome, the signature (64 bytes, or none)."""

    final_head: bytes
    outcome: Outcome
    signature: bytes = b""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Opens the commitment to the deal: its id (16 bytes), its seed and the salt of the match (32 bytes each)."""

    deal_id: bytes
    seed: bytes
    salt: bytes


@dataclass(frozen=True, slots=True)
class IndexCreated:
    """Records that a match was created, by the head of its header (32 bytes)."""

    h0: bytes


@dataclass(frozen=True, slots=True)
class IndexSealed:
    """Records that a match was sealed, by the head of its last entry (32 bytes) and its outcome."""

    final_head: bytes
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class IndexVoid:
    """Records that a match was declared void."""


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """Holds one record of the referee's index: the number of a match and what happened to it."""

    match_number: int
    kind: IndexCreated | IndexSealed | IndexVoid


def encode_seal(seal: Seal) -> bytes:
    """Returns the bytes of a seal."""
    message = pb.Seal(final_head=seal.final_head, outcome=encode_outcome(seal.outcome), signature=seal.signature)
    return message.SerializeToString(deterministic=True)


def decode_seal(data: bytes) -> Seal:
    """Returns the seal that stored bytes hold.

    Raises:
        Malformed: naming the field, as in `seal.outcome.termination`; strict as for an entry.
    """
    message = parse(pb.Seal, data, "seal")
    seal = Seal(
        require_size(message.final_head, (_HEAD_SIZE,), "seal.final_head"),
        decode_outcome(message.outcome, "seal.outcome"),
        require_size(message.signature, (0, _SIGNATURE_SIZE), "seal.signature"),
    )
    require_same(data, encode_seal(seal), "seal")
    return seal


def encode_reveal(reveal: Reveal) -> bytes:
    """Returns the bytes of a reveal."""
    message = pb.Reveal(deal_id=reveal.deal_id, seed=reveal.seed, salt=reveal.salt)
    return message.SerializeToString(deterministic=True)


def decode_reveal(data: bytes) -> Reveal:
    """Returns the reveal that stored bytes hold.

    Raises:
        Malformed: naming the field, as in `reveal.seed`; strict as for an entry.
    """
    message = parse(pb.Reveal, data, "reveal")
    reveal = Reveal(
        require_size(message.deal_id, (_DEAL_ID_SIZE,), "reveal.deal_id"),
        require_size(message.seed, (_SEED_SIZE,), "reveal.seed"),
        require_size(message.salt, (_SALT_SIZE,), "reveal.salt"),
    )
    require_same(data, encode_reveal(reveal), "reveal")
    return reveal


def encode_index_record(record: IndexRecord) -> bytes:
    """Returns the bytes of an index record as they are stored and hashed."""
    message = pb.IndexRecord(match_number=record.match_number)
    kind = record.kind
    if isinstance(kind, IndexCreated):
        message.created.h0 = kind.h0
    elif isinstance(kind, IndexSealed):
        message.sealed.final_head = kind.final_head
        message.sealed.outcome.CopyFrom(encode_outcome(kind.outcome))
    elif isinstance(kind, IndexVoid):
        message.voided.SetInParent()
    else:
        assert_never(kind)
    return message.SerializeToString(deterministic=True)


def decode_index_record(data: bytes) -> IndexRecord:
    """Returns the index record that stored bytes hold.

    Raises:
        Malformed: naming the field, as in `index_record.created.h0`; strict as for an entry.
    """
    message = parse(pb.IndexRecord, data, "index_record")
    record = IndexRecord(message.match_number, _decode_index_kind(message))
    require_same(data, encode_index_record(record), "index_record")
    return record


def _decode_index_kind(message: pb.IndexRecord) -> IndexCreated | IndexSealed | IndexVoid:
    match message.WhichOneof("kind"):
        case "created":
            return IndexCreated(require_size(message.created.h0, (_HEAD_SIZE,), "index_record.created.h0"))
        case "sealed":
            final_head = require_size(message.sealed.final_head, (_HEAD_SIZE,), "index_record.sealed.final_head")
            return IndexSealed(final_head, decode_outcome(message.sealed.outcome, "index_record.sealed.outcome"))
        case "voided":
            return IndexVoid()
        case _:
            raise Malformed("index_record.kind", "is missing or unknown")
