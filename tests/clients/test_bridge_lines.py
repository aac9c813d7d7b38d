import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unoduo.v1 import action_pb2, card_pb2, observation_pb2, outcome_pb2, session_pb2
from unoduo_client import Action, Observation
from unoduo_client import bridge_lines as lines

from tests.clients import scripted as referee

CARDS = st.sampled_from([number for number in card_pb2.Card.values() if number])
COLORS = st.sampled_from([number for number in card_pb2.Color.values() if number])
BARE = ("keep_offered", "refuse_offered", "draw", "keep_drawn", "challenge", "catch", "let_pass")
PLAYS = st.builds(action_pb2.Play, cards=st.lists(CARDS, max_size=10), color=st.none() | COLORS, uno=st.booleans())


def bare(kind: str) -> Action:
    action = Action()
    getattr(action, kind).SetInParent()
    return action


ACTIONS = st.one_of(
    st.sampled_from(BARE).map(bare),
    COLORS.map(lambda color: Action(choose_color=action_pb2.ChooseColor(color=color))),
    PLAYS.map(lambda play: Action(play=play)),
)


def observed(*legal: Action) -> Observation:
    observation = referee.decision()
    del observation.decision.legal[:]
    observation.decision.legal.extend(legal)
    return observation


def told(line: bytes) -> dict[str, Any]:
    """Returns what is in a line, which must be one, of one kind, in ASCII."""
    assert line.isascii()
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    (value,) = json.loads(line).values()
    assert isinstance(value, dict)
    return value


def test_kinds_of_actions_are_all_tried() -> None:
    assert {*BARE, "choose_color", "play"} == {field.name for field in Action.DESCRIPTOR.fields}


@given(st.lists(ACTIONS, min_size=1, max_size=5), st.data())
def test_legal_action_comes_back_as_it_was_told(legal: list[Action], data: st.DataObject) -> None:
    observation = observed(*legal)
    place = data.draw(st.integers(0, len(legal) - 1))
    action = told(lines.observation_line(observation))["decision"]["legal"][place]
    for answer in (action, {"legal": place}):
        said = json.dumps(answer).encode()
        assert lines.read_answer(said, observation.decision) == legal[place]


@given(ACTIONS)
def test_action_may_leave_out_defaults_and_name_numbers(action: Action) -> None:
    kind = action.WhichOneof("kind")
    assert kind is not None
    fields: dict[str, object] = {}
    if kind == "play":
        fields = {"cards": list(action.play.cards)}
        fields |= {"color": action.play.color} if action.play.color else {}
        fields |= {"uno": True} if action.play.uno else {}
    elif kind == "choose_color":
        fields = {"color": action.choose_color.color}
    said = json.dumps({kind: fields}).encode()
    assert lines.read_answer(said, observation_pb2.Decision()) == action


def test_bot_may_give_up() -> None:
    said = lines.read_answer(b'{"resign":{}}\n', referee.decision().decision)
    assert isinstance(said, session_pb2.Resign)


GARBAGE = [
    (b"", "it is not JSON"),
    (b"\n", "it is not JSON"),
    (b"draw\n", "it is not JSON"),
    (b"\xff\xfe\n", "it is not JSON"),
    (b'{"draw":{}} {"draw":{}}\n', "it is not JSON"),
    (b"[" * 60_000, "it is not JSON"),
    (b"1" * 60_000, "it is not JSON"),
    (b"0\n", "it is not a JSON object"),
    (b'["draw"]\n', "it is not a JSON object"),
    (b"{}\n", "an action has a kind, such as draw"),
    (b'{"draw":null}\n', "behind 'draw' is no JSON object"),
    (b'{"draw":""}\n', "behind 'draw' is no JSON object"),
    (b'{"legal":2}\n', "legal is a whole number from 0 to 1"),
    (b'{"legal":-1}\n', "legal is a whole number from 0 to 1"),
    (b'{"legal":true}\n', "legal is a whole number from 0 to 1"),
    (b'{"legal":1.0}\n', "legal is a whole number from 0 to 1"),
    (b'{"legal":"1"}\n', "legal is a whole number from 0 to 1"),
    (b'{"legal":0,"draw":{}}\n', "behind 'legal' is no JSON object"),
    (b'{"resign":true}\n', "behind 'resign' is no JSON object"),
    (b'{"resign":{},"draw":{}}\n', 'no field named "resign"'),
    (b'{"dance":{}}\n', 'no field named "dance"'),
    (b'{"draw":{},"keep_drawn":{}}\n', "oneof"),
    (b'{"play":[]}\n', "behind 'play' is no JSON object"),
    (b'{"' + b"x" * 60_000 + b'":1}', "behind 'xxx"),
    (b'{"play":{"cards":["RED 7"]}}\n', "RED 7"),
    (b'{"play":{"cards":["CARD_UNSPECIFIED"]}}\n', "play.cards has what is no card"),
    (b'{"play":{"cards":[55]}}\n', "play.cards has what is no card"),
    (b'{"play":{"cards":[1e400]}}\n', "1e400"),
    (b'{"play":{"cards":[Infinity]}}\n', "Infinity"),
    (b'{"play":{"cards":[5.5]}}\n', "5.5"),
    (b'{"play":{"cards":["\\ud800"]}}\n', "it is not JSON"),
    (b'{"\\ud800":{}}\n', "it is not JSON"),
    (b'{"play":{"cards":[1],"color":5}}\n', "play.color is no color"),
    (b'{"choose_color":{}}\n', "choose_color.color is no color"),
    (b'{"choose_color":{"color":9}}\n', "choose_color.color is no color"),
]


@pytest.mark.parametrize(("answer", "why"), GARBAGE, ids=lambda value: repr(value)[:40])
def test_garbage_is_no_action(answer: bytes, why: str) -> None:
    with pytest.raises(lines.NoAction) as caught:
        lines.read_answer(answer, referee.decision().decision)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 200


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(["cards"]), inner),
)
KINDS = st.sampled_from([field.name for field in Action.DESCRIPTOR.fields] + ["legal"])


@given(st.dictionaries(KINDS, NESTED, max_size=2))
@example({"play": {"cards": {"a": 1}}})
@example({"draw": "x"})
def test_any_json_is_an_action_or_no_action(answer: dict[str, object]) -> None:
    try:
        action = lines.read_answer(json.dumps(answer).encode(), referee.decision().decision)
    except lines.NoAction:
        return
    assert isinstance(action, Action)
    assert action.WhichOneof("kind") is not None


def test_what_a_newer_referee_knows_alone_leaves_the_rest_readable() -> None:
    newer = observation_pb2.Observation(sequence=7)
    newer.view.phase = 99  # type: ignore[assignment]
    newer.view.hand.extend([99, card_pb2.CARD_RED_0])  # type: ignore[list-item]
    newer.events.add(sequence=7).event.MergeFromString(b"\xfa\x3e\x00")  # an event of kind 1007
    legal = newer.decision.legal.add()
    legal.MergeFromString(b"\xfa\x3e\x00")
    fields = told(lines.observation_line(newer))
    assert fields["view"]["phase"] == 99
    assert fields["view"]["hand"] == [99, "CARD_RED_0"]
    assert fields["events"] == [{"sequence": 7, "event": {}, "private_cards": []}]
    assert lines.read_answer(b'{"legal":0}', newer.decision).SerializeToString() == legal.SerializeToString()
    ended = session_pb2.Ended(outcome=outcome_pb2.Outcome(termination=42))  # type: ignore[arg-type]
    assert told(lines.ended_line(ended))["outcome"]["termination"] == 42
    assert told(lines.rejected_line(session_pb2.Rejected(reason=77), 1))["reason"] == 77  # type: ignore[arg-type]


def test_defaults_are_told() -> None:
    fields = told(lines.observation_line(referee.decision()))
    assert fields["view"]["opponent_count"] == 0
    assert fields["view"]["hand"] == []
    assert fields["view"]["active_color"] == "COLOR_UNSPECIFIED"
    assert fields["decision"]["legal"][1] == {"draw": {}}


def test_names_with_any_character_stay_in_one_line() -> None:
    message = "a\nb\u2028\x85\udcff"
    assert told(lines.failed_line(message)) == {"message": message}


@pytest.mark.parametrize("part", ["cards", "events", "actions", "heads"])
def test_line_of_the_largest_response_is_below_a_mebibyte(part: str) -> None:
    largest = observation_pb2.Observation()
    while largest.ByteSize() < 32 * 1024 - 200:
        if part == "cards":
            largest.view.hand.extend([card_pb2.CARD_YELLOW_DRAW_TWO] * 100)
        elif part == "events":
            largest.events.add(sequence=9).event.drawn_kept.SetInParent()
        elif part == "actions":
            largest.decision.legal.add().play.SetInParent()
        else:
            largest.head += bytes(100)
    assert 32 * 1024 < len(lines.observation_line(largest)) < 1024 * 1024
