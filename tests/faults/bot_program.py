"""A bot in a process of its own that kills itself at a certain time; no part of the referee.

Arguments: address, match id in hexadecimal, seat number, seat token, and when it dies: `start` (after it has joined),
`turn` (when it is asked for the third time), `end` (when it hears of the end) or `never`.
"""

import hashlib
import os
import queue
import signal
import sys
from typing import Any

import grpc
from unoduo.v1 import referee_service_pb2_grpc as service
from unoduo.v1 import session_pb2

_HANDLE = 1
_LAST_QUESTION = 3


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Plays until the match has ended, the seat is taken by another, or the time to die has come."""
    address, match_id, seat, token, when = sys.argv[1:]
    requests: queue.SimpleQueue[session_pb2.PlayRequest | None] = queue.SimpleQueue()

    def say(**kind: Any) -> None:
        requests.put(session_pb2.PlayRequest(items=[session_pb2.RequestItem(handle=_HANDLE, **kind)]))

    join = session_pb2.Join(match_id=bytes.fromhex(match_id), seat_token=token)
    join.seat = int(seat)  # type: ignore[assignment]
    say(join=join)
    asked = 0
    with grpc.insecure_channel(address) as channel:
        stub: Any = service.RefereeServiceStub(channel)
        for response in stub.Play(iter(requests.get, None)):
            for item in response.items:
                if item.HasField("joined"):
                    if when == "start":
                        _die()
                    say(ready=session_pb2.Ready(h0=hashlib.sha256(b"\0" + item.joined.header).digest()))
                elif item.HasField("ended") or item.HasField("detached"):
                    if when == "end":
                        _die()
                    requests.put(None)
                    return
                elif item.observation.HasField("decision"):
                    asked += 1
                    if when == "turn" and asked == _LAST_QUESTION:
                        _die()
                    decision = item.observation.decision
                    action = decision.legal[0]
                    say(
                        action=session_pb2.SubmittedAction(
                            decision_id=decision.decision_id, action_id="a", action=action
                        )
                    )


if __name__ == "__main__":
    main()
