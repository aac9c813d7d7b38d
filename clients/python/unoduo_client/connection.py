"""One stream to the referee, with a route for each handle; lost, it is not mended but replaced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import grpc.aio
from unoduo.v1 import referee_service_pb2_grpc, session_pb2

from unoduo_client.channel import credentials
from unoduo_client.errors import ProblemError, SessionLost
from unoduo_client.outbox import Outbox
from unoduo_client.status import session_lost

PROTOCOL = 1

_STEADY_S = 10.0

Route = Callable[[session_pb2.ResponseItem], bool]

_log = logging.getLogger(__name__)


class Connection:
    """Carries items of any number of handles over one `Play` call.

    `lost` is done when the stream has ended and says why. `on_assigned` learns of each seat assigned to the caller.
    """

    def __init__(
        self,
        address: str,
        channel: grpc.aio.Channel,
        token: str | None,
        on_assigned: Callable[[session_pb2.Assigned], None],
    ) -> None:
        loop = asyncio.get_running_loop()
        self.lost: asyncio.Future[SessionLost] = loop.create_future()
        self._address = address
        self._channel = channel
        self._on_assigned = on_assigned
        self._outbox = Outbox()
        self._routes: dict[int, Route] = {}
        self._last_handle = 0
        self._was_fruitful = False
        self._opened_at = loop.time()
        self._greeting: asyncio.Future[session_pb2.SessionInfo | SessionLost] = loop.create_future()
        self._ending = SessionLost(grpc.StatusCode.UNKNOWN, "", "", "the session has ended", may_pass=True)
        self._call = referee_service_pb2_grpc.RefereeServiceStub(channel).Play(metadata=credentials(token))
        self._call.add_done_callback(self._end)
        self._tasks = (asyncio.create_task(self._read()), asyncio.create_task(self._write()))

    async def greet(self, client: str) -> None:
        """Introduces the client, and observes from then on the limits of the session. Raises SessionLost."""
        self.put(session_pb2.RequestItem(hello=session_pb2.Hello(client=client, protocol=PROTOCOL)))
        info = await self._greeting
        if isinstance(info, SessionLost):
            raise info
        self._outbox.max_items = info.max_items or self._outbox.max_items
        self._outbox.max_bytes = info.max_message_bytes or self._outbox.max_bytes

    def open(self, route: Route) -> int:
        """Returns a new handle; what comes under it is given to the route, which says whether it was anything new."""
        self._last_handle += 1
        self._routes[self._last_handle] = route
        return self._last_handle

    def drop(self, handle: int) -> None:
        """Forgets a handle: what still comes under it is nobody's."""
        self._routes.pop(handle, None)

    def put(self, item: session_pb2.RequestItem) -> None:
        """Sends an item as soon as possible. Raises ValueError if it is too large for any request."""
        self._outbox.put(item)

    def was_fruitful(self) -> bool:
        """Returns whether it was worth having: it brought something new or held for a while."""
        return self._was_fruitful or asyncio.get_running_loop().time() - self._opened_at > _STEADY_S

    async def close(self) -> None:
        """Ends the stream if it has not ended yet; nothing comes of it any more."""
        self._routes.clear()
        for task in self._tasks:
            task.cancel()
        self._call.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for item in response.items:
                    self._route(item)
        except grpc.aio.AioRpcError:
            pass  # `_end` has the status
        except Exception as error:  # whatever it is, nobody may wait for ever
            self._ending = SessionLost(grpc.StatusCode.INTERNAL, "", "", f"the client failed: {error!r}")
            self._ending.__cause__ = error
        finally:
            self.lost.set_result(self._ending)
            if not self._greeting.done():
                self._greeting.set_result(self._ending)

    def _end(self, call: grpc.aio.StreamStreamCall[session_pb2.PlayRequest, session_pb2.PlayResponse]) -> None:
        self._ending = session_lost(call, self._address)

    async def _write(self) -> None:
        while True:
            request = await self._outbox.next_request()
            try:
                await self._call.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                return  # the stream has ended; the reader learns why

    def _route(self, item: session_pb2.ResponseItem) -> None:
        if item.handle == 0:
            self._hear(item)
        elif (route := self._routes.get(item.handle)) is not None and route(item):
            self._was_fruitful = True

    def _hear(self, item: session_pb2.ResponseItem) -> None:
        """Takes an item about the session itself."""
        kind = item.WhichOneof("kind")
        if kind == "assigned":
            self._on_assigned(item.assigned)
        elif kind == "session_info" and not self._greeting.done():
            self._greeting.set_result(item.session_info)
        elif kind == "problem" and not self._greeting.done():
            problem = ProblemError(item.problem)
            self._greeting.set_result(
                SessionLost(problem.code, problem.reason, problem.field, problem.message, may_pass=problem.may_pass)
            )
        elif kind == "problem":
            _log.warning("the referee reports a problem with the session: %s", ProblemError(item.problem))
