"""What a later version of the protocol may say is skipped, and kept in journals."""

from pathlib import Path

import pytest
from unoduo.v1 import card_pb2, observation_pb2, seat_pb2, session_pb2
from unoduo_client import Action, Observation, connect, observation_from_json, play_seat

from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer, scripted
from tests.clients.test_journal import records

LATER = b"\xfa\x3e\x05later"  # field 1007
LARGEST = 4_294_967_295
POSITION = """{"sequence": 4294967295, "later": {"a": [1]},
    "events": [{"sequence": 5, "event": {"cardsBurnt": {"count": 2}}, "privateCards": ["CARD_PURPLE_5", "CARD_RED_5"]}],
    "view": {"phase": "PHASE_AUCTION", "round": 2, "hand": [99]},
    "decision": {"decisionId": 4294967295, "legal": [{"bid": {}}, {"draw": {}}]}}"""


def later_decision() -> Observation:
    """Returns a decision in which everything is unknown that can be, as it comes over the wire."""
    observation = referee.decision(LARGEST)
    observation.events.add(sequence=LARGEST, private_cards=[99]).event.MergeFromString(LATER)
    observation.view.phase = observation.view.pending_kind = 99  # type: ignore[assignment]
    observation.view.hand.extend([99, card_pb2.CARD_RED_0])  # type: ignore[list-item]
    observation.decision.phase = 99  # type: ignore[assignment]
    observation.decision.legal.add().MergeFromString(LATER)
    observation.MergeFromString(LATER)
    return observation


async def test_kinds_and_numbers_are_skipped_in_bytes_and_an_unknown_action_can_be_said(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        unknown = session_pb2.ResponseItem(handle=handle)
        unknown.MergeFromString(LATER)
        await peer.send(unknown, referee.observed(handle, later_decision()))
        said = await peer.expect("action")
        assert (said.action.decision_id, said.action.action.SerializeToString()) == (LARGEST, LATER)
        # A verdict that is none of those known.
        await peer.send(referee.result(said), referee.ended(handle))
        await peer.wait_for_the_end()

    seen = []

    def bot(observation: Observation) -> Action:
        seen.append(observation)
        return observation.decision.legal[2]

    path = tmp_path / "a.journal"
    async with scripted(script) as address, connect(address) as session:
        await play_seat(await session.join(MATCH_ID, seat_pb2.SEAT_A, journal=path), bot)
    assert seen == [later_decision()]
    assert seen[0].events[0].event.WhichOneof("kind") is None
    kept = [record.observation for record in records(path) if record.HasField("observation")]
    assert [observation.SerializeToString() for observation in kept] == [later_decision().SerializeToString()]


def test_kinds_and_names_are_skipped_in_json() -> None:
    observation = observation_from_json(POSITION)
    (burnt,) = observation.events
    assert burnt.event.WhichOneof("kind") is None
    assert burnt.private_cards == [card_pb2.CARD_RED_5]
    assert observation.view.phase == observation_pb2.PHASE_UNSPECIFIED
    assert (observation.view.round, [*map(int, observation.view.hand)]) == (2, [99])
    assert (observation.sequence, observation.decision.decision_id) == (LARGEST, LARGEST)
    assert [action.WhichOneof("kind") for action in observation.decision.legal] == [None, "draw"]


@pytest.mark.parametrize("text", ['{"sequence": "many"}', "", "{} {}", "[]"])
def test_what_is_no_observation_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        observation_from_json(text)
