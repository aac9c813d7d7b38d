"""Bots of different languages against each other."""

import asyncio
import re
import signal
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import combinations, cycle, islice
from pathlib import Path

import pytest
from unoduo.v1 import outcome_pb2
from unoduo_client import Organiser

from tests.cli.serving import served
from tests.clients_shared.client import PATIENCE_S, Client, Unavailable
from tests.clients_shared.languages import CLIENTS
from tests.clients_shared.starting import RESULT, Starter, check_faultless, create, ended, started
from tests.faults.sizes import size

pytestmark = pytest.mark.timeout(PATIENCE_S)

Pair = tuple[Client, Client]


@pytest.fixture(scope="module")
def starters(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Client, Starter]:
    """The starter bots of the languages that this machine has."""
    starters, missing = {}, []
    for client in CLIENTS:
        try:
            starters[client] = client.made(tmp_path_factory.mktemp("starter"))
        except Unavailable as unavailable:
            missing.append(str(unavailable))
    if len(starters) < 2:
        pytest.skip("; ".join(missing))
    return starters


def pairings(clients: Sequence[Client], count: int) -> list[Pair]:
    """Returns so many pairs in turn; every second time round they have exchanged seats."""
    pairs = list(combinations(clients, 2))
    return list(islice(cycle(pairs + [(second, first) for first, second in pairs]), count))


async def told(process: Process, count: int) -> list[str]:
    """Returns the results that a bot writes, and interrupts it."""
    assert process.stdout is not None
    lines = [(await process.stdout.readline()).decode() for _ in range(count)]
    process.send_signal(signal.SIGINT)
    return lines


def check(replay: bytes, journals: Sequence[Path]) -> None:
    """Checks that a replay is right by both journals, which tell all of it, and that no action was refused or late."""
    report = check_faultless(replay, journals)
    assert not [text for text in report.not_proven if "seat" in text], report


async def test_bots_of_different_languages_play_each_other(
    starters: Mapping[Client, Starter], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    pairs = pairings(list(starters), size(10, 500))
    count = Counter(client for pair in pairs for client in pair)
    with served() as referee:
        async with Organiser(referee.address) as organiser, AsyncExitStack() as running:
            tokens = {client: await organiser.revoke_bot_token(client.language) for client in count}
            matches = [await create(organiser, (first.language, second.language)) for first, second in pairs]
            bots: dict[Client, Process] = {}
            for client in count:
                arguments = ("--assigned", "--journal", tmp_path / client.language)
                run = started(starters[client], referee.address, *arguments, token=tokens[client])
                bots[client] = await running.enter_async_context(run)
            lines = await asyncio.gather(*(told(bot, count[client]) for client, bot in bots.items()))
            assert all(re.fullmatch(RESULT, line) for of_one in lines for line in of_one), lines
            for client, bot in bots.items():
                code, errors = client.interrupted
                assert await ended(bot) == (code, "", errors), client.language
            for (first, second), match in zip(pairs, matches, strict=True):
                outcome = (await organiser.get_match(match.match_id)).outcome
                assert outcome.termination == outcome_pb2.TERMINATION_TARGET
                name = match.match_id.hex()
                journals = [
                    tmp_path / first.language / f"{name}-A-1.journal",
                    tmp_path / second.language / f"{name}-B-1.journal",
                ]
                await asyncio.to_thread(check, await organiser.fetch_replay(match.match_id), journals)
    languages = ", ".join(sorted(client.language for client in count))
    record_property(
        "matches between languages", f"{len(matches)} of {languages}: no error, all verify with both journals"
    )
