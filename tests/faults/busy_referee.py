"""A referee in memory whose loop is kept busy nine tenths of the time; it says where it serves."""

import asyncio
import os
import sys
import time

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from referee.server.runtime import serve
from referee.store.memory import MemoryStore

_BUSY_S = 0.009
_FREE_S = 0.001


async def _keep_busy() -> None:
    while True:
        end = time.monotonic() + _BUSY_S
        while time.monotonic() < end:
            pass
        await asyncio.sleep(_FREE_S)


async def main() -> None:
    """Serves until the input ends."""
    async with serve(MemoryStore()) as running:
        print(running.address, flush=True)
        busy = asyncio.create_task(_keep_busy())
        await asyncio.to_thread(sys.stdin.read)
        busy.cancel()


if __name__ == "__main__":
    asyncio.run(main())
