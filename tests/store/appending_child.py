"""A process that appends to two matches for ever and prints each index once it is acknowledged; it is killed."""

import asyncio
import sys
from pathlib import Path

from referee.store.errors import StoreError
from referee.store.sqlite import SqliteStore
from tests.store.contract import create, entry


async def main(directory: Path) -> None:
    store = SqliteStore(directory)
    await store.open()
    for number in (1, 2):
        await create(store, number)

    def append(number: int, index: int) -> None:
        def done(error: StoreError | None) -> None:
            print(number, index, error or "ok", flush=True)
            append(number, index + 1)

        item = entry(index)
        store.append(number, index, item.head, item.data, done)

    append(1, 1)
    append(2, 1)
    await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
