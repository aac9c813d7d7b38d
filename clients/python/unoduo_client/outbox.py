"""What a session has to say, gathered into as few messages as possible."""

import asyncio
from collections import deque

from unoduo.v1 import session_pb2

_ITEM_OVERHEAD = 5  # the item's own tag and length in the request


class Outbox:
    """Queues items and hands out requests with everything that is ready, within the limits of the session.

    A message costs far more than an item (PROTOCOL.md section 2). Nothing is ever held back to fill a message.
    """

    def __init__(self, max_items: int = 64, max_bytes: int = 64 * 1024) -> None:
        self.max_items = max_items
        self.max_bytes = max_bytes
        self._items: deque[session_pb2.RequestItem] = deque()
        self._filled = asyncio.Event()

    def put(self, item: session_pb2.RequestItem) -> None:
        """Queues an item.

        Raises ValueError for one that no request can hold: sent, it would end the session of all seats.
        """
        size = item.ByteSize() + _ITEM_OVERHEAD
        if size > self.max_bytes:
            raise ValueError(f"an item of {size} bytes is larger than the {self.max_bytes} bytes of a request")
        self._items.append(item)
        self._filled.set()

    async def next_request(self) -> session_pb2.PlayRequest:
        """Returns the next request; waits while nothing is queued."""
        await self._filled.wait()
        request = session_pb2.PlayRequest()
        room = self.max_bytes
        while self._items and len(request.items) < self.max_items:
            room -= self._items[0].ByteSize() + _ITEM_OVERHEAD
            if room < 0:
                break
            request.items.append(self._items.popleft())
        if not self._items:
            self._filled.clear()
        return request
