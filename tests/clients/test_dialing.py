"""Dialing a referee that is there and does not do what it should."""

import grpc
import pytest
from unoduo_client.channel import opener
from unoduo_client.dialing import Dialer
from unoduo_client.errors import SessionLost

from tests.clients.scripted import Peer, in_turn, scripted


async def silent(peer: Peer) -> None:
    await peer.expect("hello")
    await peer.wait_for_the_end()


async def greeting(peer: Peer) -> None:
    await peer.greet()
    await peer.wait_for_the_end()


def dialer(address: str, answer_s: float) -> Dialer:
    return Dialer(address, opener(address), "token", "test", lambda assigned: None, answer_s=answer_s)


async def test_dialing_gives_up_a_referee_that_does_not_answer() -> None:
    async with scripted(silent) as address:
        with pytest.raises(SessionLost, match=r"the referee at 127\.0\.0\.1:[0-9]+ does not answer") as lost:
            await dialer(address, 0.1).dial()
    assert lost.value.may_pass


async def test_dialing_tries_again_behind_a_connection_without_an_answer() -> None:
    lost = SessionLost(grpc.StatusCode.UNAVAILABLE, "", "", "gone", may_pass=True)
    async with scripted(in_turn(silent, greeting, repeat=True)) as address:
        connection = await dialer(address, 1.0).dial_again(lost, 60.0, float("inf"))
        await connection.close()
