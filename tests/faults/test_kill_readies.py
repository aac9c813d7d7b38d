"""The entropy of a seat that was acknowledged is that of the deal, whatever happened in between."""

import asyncio
from pathlib import Path
from random import Random

from unoduo.v1.ruleset_pb2 import Ruleset
from unoduo_client.organiser import Organiser

from tests.faults.journal import MatchJournal
from tests.faults.journal_check import compare_replay
from tests.faults.kill_players import PlayedSeat, Player, Whereabouts
from tests.faults.launcher import serving

PATIENCE_S = 60
SHORT = Ruleset(target=1, turn_cap=20)


async def test_ready_outlives_a_kill_before_the_other_seat_is_there(tmp_path: Path) -> None:
    for first in range(2):
        store, whereabouts, over = tmp_path / f"store-{first}", Whereabouts(), asyncio.Semaphore(0)
        player = Player(whereabouts, lambda _, over=over: over.release())  # type: ignore[misc]
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
            playing = group.create_task(player.play())
            async with serving(store) as process, Organiser(process.address) as organiser:
                created = await organiser.create_match(["Ada", "Bob"], ruleset=SHORT)
                journal = MatchJournal(created)
                seats = [PlayedSeat(created, seat, Random(first)) for seat in journal.seats]
                player.take(seats[first])
                whereabouts.moved(process.address)
                while await process.lives_for(0.01) and seats[first].waits:
                    pass
                whereabouts.gone()
            async with serving(store) as process, Organiser(process.address) as organiser:
                whereabouts.moved(process.address)
                player.take(seats[1 - first])
                for _ in seats:
                    await over.acquire()
                assert compare_replay(journal, await organiser.fetch_replay(journal.match_id)) == []
                assert all(len(seat.entropy or b"") == 32 for seat in journal.seats)
            playing.cancel()
