"""Each recorded version with what there is today, both ways (PROTOCOL.md, "Versions")."""

import io
from collections.abc import Callable
from pathlib import Path

import grpc.aio
import pytest
from google.protobuf import descriptor_pb2
from unoduo.v1 import card_pb2, referee_service_pb2, seat_pb2, session_pb2
from unoduo_client import Action, Ended, Observation, Organiser, connect, play_by_polling, play_many
from unoduo_client.baselines import BASELINES
from unoduo_client.play import Bot

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.versions.old_client import OldClient
from tests.versions.old_referee import old_referee
from tests.versions.recording import FOLDER, Call, Recording, Side, is_known, load

RECORDINGS = sorted(FOLDER.glob("*.json"))
each_version = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)


def as_then(recording: Recording) -> dict[int, dict[int, list[Action]]]:
    """Returns what each seat did for each decision: several actions if some were refused."""
    seats: dict[int, dict[int, dict[str, Action]]] = {}
    for call in recording.calls:
        handles: dict[int, int] = {}
        for side, data in call.messages if call.method == "Play" else []:
            if side == "client":
                for item in session_pb2.PlayRequest.FromString(data).items:
                    if item.HasField("join"):
                        handles[item.handle] = item.join.seat
                    elif item.HasField("action"):
                        tries = seats.setdefault(handles[item.handle], {}).setdefault(item.action.decision_id, {})
                        tries[item.action.action_id] = item.action.action
    return {
        seat: {decision: [*tries.values()] for decision, tries in decisions.items()}
        for seat, decisions in seats.items()
    }


def playing(actions: dict[int, list[Action]]) -> Bot:
    """Returns a bot that does what was done then."""
    left = {decision: [*tries] for decision, tries in actions.items()}

    def bot(observation: Observation) -> Action:
        return left[observation.decision.decision_id].pop(0)

    return bot


async def perform(recording: Recording, address: str) -> None:
    """Does with the client of today what the recorded client did."""
    requests = {
        call.method: getattr(referee_service_pb2, f"{call.method}Request").FromString(call.of("client"))
        for call in recording.calls
        if call.method != "Play"
    }
    asked: referee_service_pb2.CreateMatchRequest = requests["CreateMatch"]
    bots = as_then(recording)
    async with Organiser(address) as organiser:
        match = await organiser.create_match(
            [player.name for player in asked.players],
            ruleset=asked.ruleset,
            time_control=asked.time_control,
            seed=asked.seed,
        )
        async with connect(address) as session:
            seats = [
                await session.join(match.match_id, seat, token=token)
                for seat, token in zip((seat_pb2.SEAT_A, seat_pb2.SEAT_B), match.seat_tokens, strict=True)
            ]
            first, second = await play_many((seat, playing(bots[seat.seat])) for seat in seats)
        assert isinstance(first, Ended)
        assert first == second
        told = await organiser.get_match(match.match_id)
        assert told.outcome == first.outcome
        report = verify(io.BytesIO(await organiser.fetch_replay(match.match_id)))
        assert report.status is Status.OK, report
        seat = requests["Act"].seat
        polled = await play_by_polling(
            address, match.match_id, seat, match.seat_tokens[seat - 1], BASELINES["greedy"](None)
        )
        assert polled.outcome == first.outcome


def test_there_are_recordings() -> None:
    assert RECORDINGS
    assert {path.stem for path in FOLDER.glob("*.binpb")} == {path.stem for path in RECORDINGS}


@each_version
async def test_client_of_today_plays_with_the_referee_of(path: Path) -> None:
    recording = load(path)
    async with old_referee(recording) as address:
        await perform(recording, address)


@each_version
async def test_referee_of_today_serves_the_client_of(path: Path) -> None:
    async with serve(MemoryStore()) as running, grpc.aio.insecure_channel(running.address) as channel:
        client = OldClient(load(path), channel)
        await client.run()
    replay = b"".join(response.data for method, response in client.responses if method == "GetReplay")
    report = verify(io.BytesIO(replay))
    assert report.status is Status.OK, report


@each_version
def test_messages_of_today_have_all_that_was_said(path: Path) -> None:
    for call in load(path).calls:
        for side, data in call.messages:
            name = f"{call.method}{'Request' if side == 'client' else 'Response'}"
            module = session_pb2 if call.method == "Play" else referee_service_pb2
            message = getattr(module, name).FromString(data)
            assert is_known(message), (name, message)


def changed(
    recording: Recording, change: Callable[[session_pb2.PlayRequest, session_pb2.PlayResponse], None]
) -> Recording:
    """Returns a recording in which something else was said or told in sessions."""

    def edited(side: Side, data: bytes) -> bytes:
        request, response = session_pb2.PlayRequest(), session_pb2.PlayResponse()
        message = request if side == "client" else response
        message.ParseFromString(data)
        change(request, response)
        return message.SerializeToString()

    calls = [
        Call(call.method, call.token, [(side, edited(side, data)) for side, data in call.messages])
        if call.method == "Play"
        else call
        for call in recording.calls
    ]
    return Recording(recording.version, calls, recording.descriptors)


def older(recording: Recording) -> Recording:
    """Returns what a version would have recorded that does not know some fields and an event yet."""
    unknown = {"View": "known_tail", "Event": "turn_started", "Ended": "replay_available", "Join": "delivery"}
    files = descriptor_pb2.FileDescriptorSet.FromString(recording.descriptors)
    for message in (message for file in files.file for message in file.message_type):
        for field in [field for field in message.field if field.name == unknown.get(message.name)]:
            message.field.remove(field)
            del unknown[message.name]
    assert not unknown
    return Recording(recording.version, recording.calls, files.SerializeToString())


@each_version
async def test_what_a_version_does_not_know_yet_changes_nothing_for_it(path: Path) -> None:
    recording = older(load(path))
    async with old_referee(recording) as address:
        await perform(recording, address)
    async with serve(MemoryStore()) as running, grpc.aio.insecure_channel(running.address) as channel:
        await OldClient(recording, channel).run()


async def test_client_that_does_something_else_is_noticed() -> None:
    def change(request: session_pb2.PlayRequest, response: session_pb2.PlayResponse) -> None:
        for item in request.items:
            if item.HasField("join"):
                item.join.delivery = session_pb2.DELIVERY_ON_DECISION

    recording = changed(load(RECORDINGS[0]), change)
    with pytest.raises(AssertionError, match="it said"):
        async with old_referee(recording) as address:
            await perform(recording, address)


async def test_referee_that_tells_something_else_is_noticed() -> None:
    def change(request: session_pb2.PlayRequest, response: session_pb2.PlayResponse) -> None:
        for item in response.items:
            for event in item.observation.events:
                if event.event.HasField("turn_started"):
                    event.event.turn_started.color = card_pb2.COLOR_RED

    recording = changed(load(RECORDINGS[0]), change)
    async with serve(MemoryStore()) as running, grpc.aio.insecure_channel(running.address) as channel:
        with pytest.raises(AssertionError, match="turn_started"):
            await OldClient(recording, channel).run()
