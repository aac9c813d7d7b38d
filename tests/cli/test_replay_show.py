"""`unoduo replay show`: what each observer is told of a match."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest

from referee.audit.replay import replay
from tests.cli.command import unoduo


def _events(text: str) -> list[tuple[int, str]]:
    """Returns sequence and sentence of each line that tells an event."""
    matches = (re.fullmatch(r" *(\d+)  (?:R\d+\.\d+)? +(.*)", line) for line in text.splitlines())
    return [(int(found[1]), found[2]) for found in matches if found]


def test_whole_match_is_told_in_order(replay_file: Path, replay_bytes: bytes) -> None:
    ended = unoduo("replay", "show", replay_file)
    assert (ended.code, ended.err) == (0, "")
    count = sum(len(entry.events) for entry in replay(BytesIO(replay_bytes)).entries)
    events = _events(ended.out)
    assert [sequence for sequence, _ in events] == list(range(1, count + 1))
    assert ended.out.splitlines()[1] == "Anna (A) against Bert (B)"
    assert events[-1][1].startswith("the match is over: ")


@pytest.mark.parametrize(("seat", "other"), [("A", "B"), ("B", "A")])
def test_seat_sees_its_own_cards_only(replay_file: Path, seat: str, other: str) -> None:
    ended = unoduo("replay", "show", "--seat", seat, replay_file)
    text = "\n".join(sentence for _, sentence in _events(ended.out))
    assert re.search(rf"^{seat} is offered (Red|Yellow|Green|Blue|Wild)", text, re.MULTILINE)
    assert re.search(rf"^{other} is offered a card$", text, re.MULTILINE)
    assert not re.search(rf"^{other} is offered (?!a card$)", text, re.MULTILINE)
    assert not re.search(rf"^{other} draws .*: ", text, re.MULTILINE)
    assert not re.search(rf"- +R\d+\.\d+ +{other} wants to", ended.out)


def test_spectator_sees_no_private_card_and_no_refused_try(replay_file: Path) -> None:
    ended = unoduo("replay", "show", "--spectator", replay_file)
    text = "\n".join(sentence for _, sentence in _events(ended.out))
    assert not re.search(r"is offered (?!a card)", text)
    assert not re.search(r"draws .*: ", text)
    assert " wants to " not in ended.out
    assert " wants to " in unoduo("replay", "show", replay_file).out


def test_json_is_an_object_for_each_line(replay_file: Path) -> None:
    ended = unoduo("replay", "show", "--json", replay_file)
    header, *lines = map(json.loads, ended.out.splitlines())
    assert header["players"] == ["Anna", "Bert"]
    events = [line for line in lines if line["sequence"] is not None]
    assert [line["sequence"] for line in events] == list(range(1, len(events) + 1))
    assert events[-1]["event"]["match_ended"]["outcome"]["termination"] == "TERMINATION_TARGET"
    assert any(line["private_cards"] for line in events)
    spectator = unoduo("replay", "show", "--json", "--spectator", replay_file).out
    assert not any(json.loads(line).get("private_cards") for line in spectator.splitlines())


def test_damaged_part_is_named_after_what_stands_before_it(replay_file: Path) -> None:
    data = bytearray(replay_file.read_bytes())
    data[len(data) // 2] ^= 1
    replay_file.write_bytes(data)
    ended = unoduo("replay", "show", replay_file)
    assert ended.code == 1
    assert re.fullmatch(rf"{replay_file}: entry \d+: .*", ended.complaint())
    assert len(_events(ended.out)) > 10


def test_foreign_file_is_named(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"\x00" * 100)
    ended = unoduo("replay", "show", foreign)
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint() == f"{foreign}: file head: this is no replay file"
