"""A store that was put back to where it was: its index cannot tell if no match began or ended since."""

import shutil
from pathlib import Path

from unoduo.v1 import match_pb2

from referee.store.sqlite import SqliteStore
from tests.server.wire import join_item, referee


async def test_seat_that_knows_more_than_the_store_is_told_so_when_it_resumes(tmp_path: Path) -> None:
    live, kept = tmp_path / "store", tmp_path / "kept"
    async with referee(SqliteStore(live)) as host:
        match = await host.create()
        session = host.session()
        for seat in (1, 2):
            await session.ready(await session.join(match, seat), match)
        before = await session.until("observation", 1)
    shutil.copytree(live, kept)
    async with referee(SqliteStore(live)) as host:
        session = host.session()
        await session.join(match, 1)
        await session.join(match, 2)
        after = await session.until("observation", 1)
        while after.sequence <= before.sequence:
            after = await session.until("observation", 1)
    shutil.rmtree(live)
    shutil.copytree(kept, live)
    async with referee(SqliteStore(live)) as host:
        session = host.session()
        late = {"after_sequence": after.sequence, "head": after.head}
        await session.send(join_item(1, match, 1, **late))
        assert await session.problem(1) == (15, "FORKED", "join.after_sequence")
        await session.send(join_item(2, match, 1, after_sequence=before.sequence, head=before.head))
        joined = await session.until("joined", 2)
        assert joined.lifecycle == match_pb2.LIFECYCLE_FROZEN
