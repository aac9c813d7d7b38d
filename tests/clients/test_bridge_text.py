"""What clients/README.md says about the bridge is so."""

import json
import re
from pathlib import Path

import pytest
from google.protobuf import json_format
from unoduo.v1 import action_pb2, observation_pb2, session_pb2
from unoduo_client import bridge_lines as lines
from unoduo_client.bridge_child import GRACE_S

from tests.cli.command import ROOT
from tests.docs.markdown import blocks

EXAMPLES = ROOT / "clients" / "bridge"
TEXT = (
    (ROOT / "clients" / "README.md").read_text(encoding="utf-8").partition("## The bridge\n")[2].partition("\n## ")[0]
)
KINDS: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", TEXT, re.MULTILINE))


@pytest.mark.parametrize("example", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_example_is_quoted_as_it_is(example: Path) -> None:
    assert example.read_text(encoding="utf-8") in blocks(TEXT, "sh")


def test_kinds_of_lines_are_those_that_there_are() -> None:
    made = {name.removesuffix("_line") for name in vars(lines) if name.endswith("_line") and not name.startswith("_")}
    assert set(KINDS) == made


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("rejected", lines.rejected_line(session_pb2.Rejected(), 1)),
        ("malformed", lines.malformed_line("", 1)),
        ("stale", lines.stale_line(session_pb2.Stale())),
        ("failed", lines.failed_line("")),
    ],
)
def test_fields_of_short_lines_are_listed(kind: str, line: bytes) -> None:
    assert set(re.findall(r"`(\w+)`", KINDS[kind])) == json.loads(line)[kind].keys()


def test_observation_is_shown_as_it_comes() -> None:
    (shown,) = map(json.loads, blocks(TEXT, "json"))
    observation = json_format.ParseDict(shown["observation"], observation_pb2.Observation())
    assert json.loads(lines.observation_line(observation)) == shown


def test_answers_that_are_shown_are_actions_and_giving_up() -> None:
    (shown,) = blocks(TEXT, "text")
    decision = observation_pb2.Decision()
    for _ in range(4):
        decision.legal.add().draw.SetInParent()
    *actions, last = [lines.read_answer(answer.encode(), decision) for answer in shown.splitlines()]
    assert len(actions) == 6
    assert all(isinstance(action, action_pb2.Action) and action.WhichOneof("kind") for action in actions)
    assert isinstance(last, session_pb2.Resign)


def test_numbers_are_those_of_the_program() -> None:
    assert f"at most {lines.LONGEST_ANSWER:,} bytes" in TEXT
    assert f"`protocol`, which is {lines.PROTOCOL};" in TEXT
    assert (GRACE_S, TEXT.count("two seconds")) == (2, 2)
