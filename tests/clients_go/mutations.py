"""Random edits of replay files, each as somebody might make it who wants to be believed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from random import Random
from types import MappingProxyType

from google.protobuf.message import Message
from unoduo.v1 import log_pb2

from referee.log.file_format import (
    FILE_HEAD,
    REVEAL_TAG,
    SEAL_TAG,
    EntryPart,
    HeaderPart,
    SealPart,
    chained_bytes,
    read_parts,
    section_bytes,
)
from referee.log.heads import entry_head, header_head


@dataclass(frozen=True)
class Pieces:
    """Holds the messages of a replay file; writing it makes all heads and digests right."""

    header: bytes
    entries: tuple[bytes, ...]
    seal: bytes
    reveal: bytes

    def to_bytes(self) -> bytes:
        head = header_head(self.header)
        written = [FILE_HEAD, chained_bytes(self.header, head)]
        for entry in self.entries:
            head = entry_head(head, entry)
            written.append(chained_bytes(entry, head))
        for tag, data in ((SEAL_TAG, self.seal), (REVEAL_TAG, self.reveal)):
            if data:
                written.append(section_bytes(tag, data))
        return b"".join(written)

    def resealed(self) -> "Pieces":
        """Returns the same with a seal that names its last head."""
        head = header_head(self.header)
        for entry in self.entries:
            head = entry_head(head, entry)
        seal = log_pb2.Seal.FromString(self.seal)
        seal.final_head = head
        return replace(self, seal=seal.SerializeToString(deterministic=True))


def pieces_of(file: bytes) -> Pieces:
    header, entries, seal, reveal = b"", [], b"", b""
    for part in read_parts(BytesIO(file)):
        if isinstance(part, HeaderPart):
            header = part.data
        elif isinstance(part, EntryPart):
            entries.append(part.data)
        elif isinstance(part, SealPart):
            seal = part.data
        else:
            reveal = part.data
    return Pieces(header, tuple(entries), seal, reveal)


Mutation = Callable[[Random, bytes], bytes]


def bit_flipped(dice: Random, file: bytes) -> bytes:
    return _flipped(dice, file)


def cut_short(dice: Random, file: bytes) -> bytes:
    return file[: dice.randrange(len(file))]


def ended_after_a_part(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    kept = dice.randrange(len(pieces.entries) + 3)
    if kept > len(pieces.entries):
        return replace(pieces, reveal=b"").to_bytes()
    return replace(pieces, entries=pieces.entries[:kept], seal=b"", reveal=b"").to_bytes()


def bytes_added(dice: Random, file: bytes) -> bytes:
    return file + dice.randbytes(dice.randrange(1, 50))


def entries_swapped(dice: Random, file: bytes) -> bytes:
    """Swaps two neighbours with the heads that they had."""
    chained = _chained_entries(file)
    if len(chained) < 2:
        return bit_flipped(dice, file)
    place = dice.randrange(len(chained) - 1)
    first, second = chained[place : place + 2]
    return file.replace(first + second, second + first)


def entry_removed(dice: Random, file: bytes) -> bytes:
    return file.replace(dice.choice(_chained_entries(file)), b"")


def entries_swapped_and_chained(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    entries = list(pieces.entries)
    one, other = dice.randrange(len(entries)), dice.randrange(len(entries))
    entries[one], entries[other] = entries[other], entries[one]
    return replace(pieces, entries=tuple(entries)).resealed().to_bytes()


def entry_removed_and_chained(dice: Random, file: bytes) -> bytes:
    """Removes an entry and numbers those after it on."""
    pieces = pieces_of(file)
    entries = list(pieces.entries)
    del entries[dice.randrange(len(entries))]
    return replace(pieces, entries=_numbered(entries)).resealed().to_bytes()


def entry_repeated_and_chained(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    place = dice.randrange(len(pieces.entries))
    entries = (*pieces.entries[: place + 1], *pieces.entries[place:])
    return replace(pieces, entries=entries).resealed().to_bytes()


def entry_inserted_and_chained(dice: Random, file: bytes) -> bytes:
    """Puts a copy of an entry somewhere else and numbers those after it on."""
    pieces = pieces_of(file)
    entries = list(pieces.entries)
    entries.insert(dice.randrange(len(entries) + 1), dice.choice(entries))
    return replace(pieces, entries=_numbered(entries)).resealed().to_bytes()


def entry_edited_and_chained(dice: Random, file: bytes) -> bytes:
    """Edits the bytes of an entry and makes all heads and the seal right again."""
    pieces = pieces_of(file)
    entries = list(pieces.entries)
    place = dice.randrange(len(entries))
    entries[place] = _edited(dice, entries[place])
    return replace(pieces, entries=tuple(entries)).resealed().to_bytes()


def message_edited_and_chained(dice: Random, file: bytes) -> bytes:
    """Changes a number, a card or some bytes anywhere in an entry and writes it as a referee would."""
    pieces = pieces_of(file)
    entries = list(pieces.entries)
    place = dice.randrange(len(entries))
    entries[place] = _with_a_field_changed(dice, log_pb2.Entry, entries[place])
    return replace(pieces, entries=tuple(entries)).resealed().to_bytes()


def header_edited(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    return replace(pieces, header=_edited(dice, pieces.header)).resealed().to_bytes()


def header_changed(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    header = _with_a_field_changed(dice, log_pb2.Header, pieces.header)
    return replace(pieces, header=header).resealed().to_bytes()


def seal_edited(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    as_bytes = dice.random() < 0.5
    seal = _edited(dice, pieces.seal) if as_bytes else _with_a_field_changed(dice, log_pb2.Seal, pieces.seal)
    return replace(pieces, seal=seal).to_bytes()


def reveal_edited(dice: Random, file: bytes) -> bytes:
    pieces = pieces_of(file)
    return replace(pieces, reveal=_edited(dice, pieces.reveal)).to_bytes()


def seed_exchanged(dice: Random, file: bytes) -> bytes:
    return _with_seed(dice, file, commit=False)


def seed_exchanged_and_committed(dice: Random, file: bytes) -> bytes:
    """Exchanges the seed for one that the header commits to, so that only the cards can tell."""
    return _with_seed(dice, file, commit=True)


MUTATIONS = MappingProxyType(
    {
        mutation.__name__: mutation
        for mutation in (
            bit_flipped,
            cut_short,
            ended_after_a_part,
            bytes_added,
            entries_swapped,
            entry_removed,
            entries_swapped_and_chained,
            entry_removed_and_chained,
            entry_repeated_and_chained,
            entry_inserted_and_chained,
            entry_edited_and_chained,
            message_edited_and_chained,
            header_edited,
            header_changed,
            seal_edited,
            reveal_edited,
            seed_exchanged,
            seed_exchanged_and_committed,
        )
    }
)


def _with_seed(dice: Random, file: bytes, *, commit: bool) -> bytes:
    pieces = pieces_of(file)
    reveal = log_pb2.Reveal.FromString(pieces.reveal)
    header = log_pb2.Header.FromString(pieces.header)
    reveal.seed = dice.randbytes(32)
    if commit:
        parts = b"unoduo/v1/commit\0", header.match_id, reveal.salt, reveal.deal_id, reveal.seed
        header.commitment = sha256(b"".join(parts)).digest()
    written = header.SerializeToString(deterministic=True), reveal.SerializeToString(deterministic=True)
    return replace(pieces, header=written[0], reveal=written[1]).resealed().to_bytes()


def _numbered(entries: Sequence[bytes]) -> tuple[bytes, ...]:
    """Returns the entries with indexes and sequence numbers that follow on."""
    numbered, sequence = [], 0
    for index, data in enumerate(entries, 1):
        entry = log_pb2.Entry.FromString(data)
        entry.index = index
        for event in entry.events:
            sequence += 1
            event.sequence = sequence
        numbered.append(entry.SerializeToString(deterministic=True))
    return tuple(numbered)


def _chained_entries(file: bytes) -> Sequence[bytes]:
    return [chained_bytes(part.data, part.head) for part in read_parts(BytesIO(file)) if isinstance(part, EntryPart)]


def _flipped(dice: Random, data: bytes) -> bytes:
    flipped = bytearray(data)
    flipped[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(flipped)


def _edited(dice: Random, data: bytes) -> bytes:
    """Returns other bytes: a bit flipped, a byte put in, taken out or set, or a field that nobody knows."""
    while True:
        place = dice.randrange(len(data))
        byte = bytes((dice.choice((0, 1, 2, 8, 127, 128, dice.randrange(256))),))
        edits = (
            _flipped(dice, data),
            data[:place] + byte + data[place:],
            data[:place] + data[place + 1 :],
            data[:place] + byte + data[place + 1 :],
            data + b"\xf8\x07\x01",
            data + data[:2],
        )
        edited = dice.choice(edits)
        if edited not in (data, b""):
            return edited


def _with_a_field_changed(dice: Random, kind: type[Message], data: bytes) -> bytes:
    """Returns a message of another content, as a referee would write it."""
    while True:
        message = kind.FromString(data)
        _change_a_field(dice, message)
        changed = message.SerializeToString(deterministic=True)
        if changed not in (data, b""):
            return changed


def _change_a_field(dice: Random, message: Message) -> None:
    """Sets a field of a message, or of one below it, to another value."""
    fields = message.ListFields()
    if not fields:
        return
    descriptor, value = dice.choice(fields)
    name = descriptor.name
    if descriptor.message_type is not None:
        _change_a_field(dice, dice.choice(value) if descriptor.is_repeated else value)
    elif descriptor.is_repeated:
        value[dice.randrange(len(value))] = dice.randrange(60)
    elif isinstance(value, bytes):
        setattr(message, name, dice.choice((b"", value[:-1], value + b"\0", _flipped(dice, value))))
    elif isinstance(value, str):
        setattr(message, name, dice.choice(("", value + "!", "\u200b", " ", "x" * 65)))
    elif isinstance(value, bool):
        setattr(message, name, not value)
    else:
        setattr(message, name, dice.choice((0, 1, 2, 3, value + 1, value - 1 if value else 9, 2**31 - 1)))
