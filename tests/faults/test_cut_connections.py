"""Connections that break at any byte: nothing is missed, nothing comes twice, and the view is what was told."""

import asyncio
from io import BytesIO
from random import Random

from unoduo.v1 import match_pb2, ruleset_pb2
from unoduo.v1 import referee_service_pb2 as pb

from referee.audit.report import Status
from referee.audit.verify import verify
from referee.codec.entries import decode_entry
from referee.log.file_format import EntryPart, read_parts
from referee.rules.ruleset import DUO
from referee.rules.seats import SEATS
from tests.faults.proxy import NO_HARM, Cut, Direction, Harm, Proxy, proxy
from tests.faults.resuming import ResumingBot
from tests.faults.sizes import size
from tests.server.wire import PATIENCE_S, Referee, referee

CUTS = size(suite=50, torture=5_000)
# From before the connection is agreed on to well within the conversation.
LONGEST_LIFE_BYTES = 4_000


async def test_cut_connections_lose_and_repeat_nothing() -> None:
    dice = Random(11)
    between: Proxy

    def harm() -> Harm:
        if between.cuts >= CUTS:
            return NO_HARM
        return Harm(cut=Cut(dice.choice(list(Direction)), dice.randrange(LONGEST_LIFE_BYTES)))

    async with referee() as host, proxy(host.running.address, harm) as between:
        number = 0
        while between.cuts < CUTS:
            number += 1
            async with asyncio.timeout(6 * PATIENCE_S):
                await _play_one(host, between, number)
        assert between.cuts >= CUTS


async def _play_one(host: Referee, between: Proxy, number: int) -> None:
    request = pb.CreateMatchRequest(
        players=[match_pb2.Player(name="Ada"), match_pb2.Player(name="Bob")],
        ruleset=ruleset_pb2.Ruleset(),
        time_control=match_pb2.TimeControl(limit_ms=3_600_000),
        seed=number.to_bytes(32, "big"),
    )
    match = await host.stub.CreateMatch(request)
    bots = [ResumingBot(between.address, match, seat, DUO) for seat in SEATS]
    await asyncio.gather(*[bot.play() for bot in bots])

    data = await host.replay(match.match_id)
    report = verify(BytesIO(data))
    assert report.status is Status.OK
    entries = [part for part in read_parts(BytesIO(data)) if isinstance(part, EntryPart)]
    heads = {decode_entry(part.data).last_sequence: part.head for part in entries}
    for bot in bots:
        assert [event.sequence for event in bot.events] == list(range(1, report.sequence + 1))
        assert bot.wrong_views == []
        assert bot.views > 0
        assert bot.heads.items() <= heads.items()
        assert bot.ended is not None
        assert bot.ended.head == report.final_head
    first, second = ([event.event for event in bot.events] for bot in bots)
    assert first == second
