"""Several matches of one referee, signed, and the index that tells of them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.audit.signatures import SigningKey
from referee.codec.headers import encode_header
from referee.codec.outcomes import outcome_bytes
from referee.codec.seals import IndexCreated, IndexRecord, IndexSealed, encode_index_record
from referee.log.heads import INDEX_ORIGIN, header_head, index_head
from referee.log.index_file import INDEX_FILE_HEAD, index_checkpoint, record_bytes
from referee.log.seal import checkpoint_bytes, result_bytes
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import Log, random_match


def h0_of(log: Log) -> bytes:
    return header_head(encode_header(log.header))


def signed(log: Log, key: SigningKey) -> Log:
    """Returns the log with a seal that names its last head, signed."""
    log = log.resealed()
    assert log.seal is not None
    seal = log.seal
    result = result_bytes(log.header.match_number, h0_of(log), seal.final_head, outcome_bytes(seal.outcome))
    return replace(log, seal=replace(seal, signature=key.sign(result)))


def signed_matches(key: SigningKey, seeds: Iterable[int] = range(3)) -> list[Log]:
    """Returns matches with numbers from 1, each played to its end before the next begins."""
    logs: list[Log] = []
    for number, seed in enumerate(seeds, 1):
        log = random_match(seed, Ruleset(target=1))
        _, before = chain(records_of(logs))
        header = replace(log.header, match_number=number, index_head=before, key_id=key.key_id)
        logs.append(signed(replace(log, header=header), key))
    return logs


def records_of(logs: Sequence[Log]) -> list[IndexRecord]:
    records = []
    for log in logs:
        records.append(IndexRecord(log.header.match_number, IndexCreated(h0_of(log))))
        if log.seal is not None:
            end = IndexSealed(log.seal.final_head, log.seal.outcome)
            records.append(IndexRecord(log.header.match_number, end))
    return records


def chain(records: Iterable[IndexRecord]) -> tuple[bytes, bytes]:
    """Returns records as the file of an index holds them, and the head behind the last."""
    head, written = INDEX_ORIGIN, b""
    for record in records:
        data = encode_index_record(record)
        head = index_head(head, data)
        written += record_bytes(data, head)
    return written, head


def index_file(records: Sequence[IndexRecord], key: SigningKey | None = None) -> bytes:
    written, head = chain(records)
    signature = b"" if key is None else key.sign(checkpoint_bytes(len(records), head))
    return INDEX_FILE_HEAD + written + index_checkpoint(signature)


def index_of(logs: Sequence[Log], key: SigningKey | None = None) -> bytes:
    """Returns the file of the index that tells of these matches."""
    return index_file(records_of(logs), key)
