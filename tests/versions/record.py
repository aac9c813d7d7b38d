"""Records what client and referee of this version say to each other: `make record`, before a version is released."""

import asyncio
import sys
from importlib.metadata import version

from unoduo.v1 import match_pb2, ruleset_pb2, seat_pb2, session_pb2
from unoduo_client import Action, Observation, Organiser, connect, play_by_polling, play_many
from unoduo_client.baselines import BASELINES
from unoduo_client.play import Bot

from referee.server.runtime import serve
from referee.store.memory import MemoryStore
from tests.versions.between import Between, between
from tests.versions.recording import FOLDER, Recording, present_descriptors

# The same seed gives the same cards in every match, so what was legal once is legal again.
_SEED = bytes(range(32))
_RULESET = ruleset_pb2.Ruleset(target=1, hand_size=4)
_CONTROL = match_pb2.TimeControl(limit_ms=60_000, startup_grace_ms=60_000)
_CUT_AT = 3


async def record() -> Recording:
    """Plays a match with a refused action and a cut, and asks for all that can be asked about it."""
    async with serve(MemoryStore()) as running, between(running.address) as network:
        async with Organiser(network.address) as organiser:
            match = await organiser.create_match(["Ann", "Bob"], ruleset=_RULESET, time_control=_CONTROL, seed=_SEED)
            async with connect(network.address) as session:
                seats = [
                    await session.join(match.match_id, seat, token=token)
                    for seat, token in zip((seat_pb2.SEAT_A, seat_pb2.SEAT_B), match.seat_tokens, strict=True)
                ]
                bots = _eventful(network), BASELINES["greedy"](None)
                first, second = await play_many(zip(seats, bots, strict=True))
                if first != second or isinstance(first, Exception):
                    raise RuntimeError(f"the match was not played to its end: {first}, {second}")
            await organiser.get_match(match.match_id)
            await organiser.fetch_replay(match.match_id)
            greedy = BASELINES["greedy"](None)
            await play_by_polling(network.address, match.match_id, seat_pb2.SEAT_B, match.seat_tokens[1], greedy)
        return Recording(version("unoduo-referee"), network.calls, present_descriptors())


def _eventful(network: Between) -> Bot:
    """Returns a bot that first does what it may not, and later loses its connection while it thinks."""
    greedy = BASELINES["greedy"](None)
    asked = 0

    async def bot(observation: Observation) -> Action:
        nonlocal asked
        asked += 1
        if asked == 1:
            illegal = Action()
            illegal.catch.SetInParent()
            return illegal
        if asked == _CUT_AT:
            await network.cut()
            while _caught_up(network) < 2:  # noqa: ASYNC110 - what goes by has no event
                await asyncio.sleep(0.01)
        return greedy(observation)

    return bot


def _caught_up(network: Between) -> int:
    """Returns how often a seat was told on the newest connection that it knows all."""
    told = [data for side, data in network.calls[-1].messages if side == "referee"]
    items = [item for data in told for item in session_pb2.PlayResponse.FromString(data).items]
    return sum(item.observation.caught_up for item in items)


if __name__ == "__main__":
    recorded = asyncio.run(record())
    try:
        recorded.save(FOLDER)
    except FileExistsError as exists:
        sys.exit(f"record: {exists.filename} is there already; only that of a version nobody has may be made again")
    print(f"recorded {recorded.version}: {len(recorded.calls)} calls")
