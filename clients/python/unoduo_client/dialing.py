"""Connections to one referee, got with patience."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import grpc.aio
from unoduo.v1 import session_pb2

from unoduo_client.backoff import Backoff
from unoduo_client.connection import Connection
from unoduo_client.errors import SessionLost


@dataclass
class Dialer:
    """Opens connections, one after the other, and greets the referee on each.

    One that has not answered within `answer_s` seconds is given up: its transport may be alive while it is stuck.
    """

    address: str
    open_channel: Callable[[], grpc.aio.Channel]
    token: str | None = field(repr=False)
    client: str
    on_assigned: Callable[[session_pb2.Assigned], None]
    backoff: Backoff = field(default_factory=Backoff)
    answer_s: float = 20.0

    async def dial(self) -> Connection:
        """Returns a connection on which the referee has answered. Raises SessionLost."""
        connection = Connection(self.address, self.open_channel(), self.token, self.on_assigned)
        try:
            async with asyncio.timeout(self.answer_s):
                await connection.greet(self.client)
        except TimeoutError:
            await connection.close()
            message = f"the referee at {self.address} does not answer"
            raise SessionLost(grpc.StatusCode.DEADLINE_EXCEEDED, "", "", message, may_pass=True) from None
        except BaseException:
            await connection.close()
            raise
        return connection

    async def dial_again(self, lost: SessionLost, patience: float, deadline: float) -> Connection:
        """Returns a connection in place of one that was lost, or never came about.

        Tries until `deadline`, a time of the loop by which `patience` seconds will have been lost. Raises SessionLost
        then, or at once for what does not pass.
        """
        loop = asyncio.get_running_loop()
        while lost.may_pass and loop.time() < deadline:
            try:
                async with asyncio.timeout_at(deadline):
                    await asyncio.sleep(self.backoff.next_delay())
                    return await self.dial()
            except TimeoutError:
                break
            except SessionLost as error:
                lost = error
        if lost.may_pass and patience > 0:
            message = f"no session with the referee for {patience:g} seconds: {lost.message}"
            raise SessionLost(lost.code, lost.reason, lost.field, message, may_pass=True)
        raise lost
