"""Whatever bytes a file holds, verifying it ends in a report and never in an exception."""

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.entries import decode_entry, encode_entry
from referee.codec.headers import encode_header
from referee.log.file_format import FILE_HEAD, REVEAL_TAG, SEAL_TAG, chained_bytes, section_bytes
from referee.log.heads import header_head
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import random_match, troubled_match

RULES = Ruleset(hand_size=3, target=1, turn_cap=40, round_cap=1)


def damaged(data: bytes, dice: Random) -> bytes:
    """Changes, removes, doubles or inserts a few bytes anywhere."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(changed))
        match dice.randrange(4):
            case 0:
                changed[place] = dice.randrange(256)
            case 1 if len(changed) > 1:
                del changed[place]
            case 2:
                changed.insert(place, changed[place])
            case _:
                changed[place] ^= 1 << dice.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("seed", range(8))
def test_damaged_entry_with_right_heads_is_reported(seed: int) -> None:
    dice = Random(seed)
    log = troubled_match(seed, RULES) if seed % 2 else random_match(seed, RULES)
    for _ in range(60):
        entry = dice.choice(log.entries)
        data = encode_entry(entry).data
        false = damaged(data, dice)
        if false != data:
            report = verify(BytesIO(replace(log, raw={entry.index: false}).resealed().to_bytes()))
            if report.status is Status.OK:
                # Blinds are random and times are measured: others are as good, but the events are the same.
                assert decode_entry(false).events == entry.events
            else:
                assert report.part == "seal" or number(report.part) >= entry.index


def number(part: str | None) -> int:
    assert part is not None
    return int(part.removeprefix("entry "))


@pytest.mark.parametrize("seed", range(4))
def test_damaged_header_with_the_right_head_is_reported(seed: int) -> None:
    dice = Random(seed)
    log = random_match(seed, RULES)
    data = encode_header(log.header)
    for _ in range(100):
        false = damaged(data, dice)
        report = verify(BytesIO(FILE_HEAD + chained_bytes(false, header_head(false))))
        assert report.status is not Status.OK


@pytest.mark.parametrize("seed", range(4))
def test_bytes_by_chance_are_reported(seed: int) -> None:
    dice = Random(seed)
    log = random_match(seed, RULES)
    whole = log.to_bytes()
    for _ in range(100):
        false = damaged(whole, dice)
        assert verify(BytesIO(false)).status is (Status.WRONG if false != whole else Status.OK)
        noise = dice.randbytes(dice.randrange(1, 200))
        assert verify(BytesIO(noise)).status is Status.WRONG
        assert verify(BytesIO(FILE_HEAD + noise)).status is Status.WRONG
        sections = section_bytes(SEAL_TAG, noise) + section_bytes(REVEAL_TAG, noise)
        header = chained_bytes(encode_header(log.header), header_head(encode_header(log.header)))
        assert verify(BytesIO(FILE_HEAD + header + sections)).status is Status.WRONG
