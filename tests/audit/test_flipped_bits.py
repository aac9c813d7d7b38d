"""One flipped bit anywhere in a replay file is reported with the part that it is in."""

from io import BytesIO

import pytest

from referee.adjudication.inputs import Input, Void
from referee.audit.report import Check, Status
from referee.audit.verify import verify
from referee.log.file_format import FILE_HEAD, EntryPart, HeaderPart, SealPart, read_parts
from referee.log.heads import HEAD_SIZE
from referee.rules.outcome import Termination
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import Log, Simulation, random_match

# What a part has beside its bytes: length and head, or tag, length and digest.
CHAINED = 4 + HEAD_SIZE
SECTION = 1 + 4 + HEAD_SIZE


def unplayed() -> Log:
    """Returns the smallest log there is: a match that was called off."""
    simulation = Simulation(1)
    simulation.take(Input(None, 0, 0, 0, Void(Termination.VOID_ORGANISER, "rain")))
    return simulation.log()


def played() -> Log:
    """Returns a short match of some dozen entries."""
    log = random_match(2, Ruleset(hand_size=3, target=1, turn_cap=20, round_cap=1))
    assert 20 < len(log.entries) < 60
    return log


def part_of_each_byte(data: bytes) -> list[str]:
    """Returns the name of the part that each byte of the file is in."""
    names = ["file head"] * len(FILE_HEAD)
    for part in read_parts(BytesIO(data)):
        if isinstance(part, HeaderPart):
            names += ["header"] * (CHAINED + len(part.data))
        elif isinstance(part, EntryPart):
            names += [f"entry {part.index}"] * (CHAINED + len(part.data))
        else:
            names += ["seal" if isinstance(part, SealPart) else "reveal"] * (SECTION + len(part.data))
    assert len(names) == len(data)
    return names


def flipped(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes((data[place] ^ 1 << bit,)) + data[place + 1 :]


def found_at(data: bytes) -> str | None:
    report = verify(BytesIO(data))
    assert report.status is Status.WRONG
    assert report.check == Check.FILE
    assert report.message
    return report.part


def test_each_flipped_bit_of_a_small_file_is_reported_in_its_part() -> None:
    data = unplayed().to_bytes()
    parts = part_of_each_byte(data)
    assert set(parts) == {"file head", "header", "entry 1", "seal", "reveal"}
    for place, part in enumerate(parts):
        for bit in range(8):
            assert found_at(flipped(data, place, bit)) == part, (place, bit)


@pytest.mark.parametrize("turn", range(2))
def test_flipped_bit_in_each_byte_of_a_played_match_is_reported_in_its_part(turn: int) -> None:
    data = played().to_bytes()
    for place, part in enumerate(part_of_each_byte(data)):
        # Another bit in each byte; both turns together touch two of each.
        assert found_at(flipped(data, place, (place + 4 * turn) % 8)) == part, place


def test_each_flipped_bit_of_the_lengths_and_tags_of_a_played_match_is_reported_in_its_part() -> None:
    data = played().to_bytes()
    parts = part_of_each_byte(data)
    starts = [place for place in range(1, len(parts)) if parts[place] != parts[place - 1]]
    assert len(starts) == len(set(parts)) - 1
    for start in starts:
        for place in range(start, start + 5):
            for bit in range(8):
                assert found_at(flipped(data, place, bit)) == parts[place], (place, bit)
