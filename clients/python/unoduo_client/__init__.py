"""Client library for bots that play at an UNO Duo referee.

A bot is one function from an `Observation` to an `Action`; `run(bot)` is its whole main program. For more than one
match: `connect`, `Session.join`, `play_seat`, `play_many`. `Organiser` creates matches and fetches replays.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unoduo.v1.action_pb2 import Action
    from unoduo.v1.observation_pb2 import Observation
    from unoduo.v1.session_pb2 import Ended

    from unoduo_client.act import play_by_polling
    from unoduo_client.channel import TLS
    from unoduo_client.errors import (
        BotError,
        ClientError,
        EntropyMissing,
        ForkedError,
        JournalError,
        MatchOver,
        ProblemError,
        RefereeError,
        SeatDetached,
        SessionLost,
    )
    from unoduo_client.organiser import Organiser
    from unoduo_client.play import Bot, play_many, play_seat
    from unoduo_client.positions import observation_from_json
    from unoduo_client.program import run, run_each
    from unoduo_client.seat import SeatSession
    from unoduo_client.session import Session, connect
    from unoduo_client.spectating import watch

__all__ = [
    "TLS",
    "Action",
    "Bot",
    "BotError",
    "ClientError",
    "Ended",
    "EntropyMissing",
    "ForkedError",
    "JournalError",
    "MatchOver",
    "Observation",
    "Organiser",
    "ProblemError",
    "RefereeError",
    "SeatDetached",
    "SeatSession",
    "Session",
    "SessionLost",
    "connect",
    "observation_from_json",
    "play_by_polling",
    "play_many",
    "play_seat",
    "run",
    "run_each",
    "watch",
]

_MODULES = {
    "unoduo.v1.action_pb2": ("Action",),
    "unoduo.v1.observation_pb2": ("Observation",),
    "unoduo.v1.session_pb2": ("Ended",),
    "unoduo_client.act": ("play_by_polling",),
    "unoduo_client.channel": ("TLS",),
    "unoduo_client.errors": (
        "BotError",
        "ClientError",
        "EntropyMissing",
        "ForkedError",
        "JournalError",
        "MatchOver",
        "ProblemError",
        "RefereeError",
        "SeatDetached",
        "SessionLost",
    ),
    "unoduo_client.organiser": ("Organiser",),
    "unoduo_client.play": ("Bot", "play_many", "play_seat"),
    "unoduo_client.positions": ("observation_from_json",),
    "unoduo_client.program": ("run", "run_each"),
    "unoduo_client.seat": ("SeatSession",),
    "unoduo_client.session": ("Session", "connect"),
    "unoduo_client.spectating": ("watch",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:  # a type checker shall know the names above and no others

    def __getattr__(name: str) -> object:
        """Returns a public name, imported when it is first asked for.

        So `run` can still quiet the gRPC core, which reads its settings when it is imported.
        """
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOME[name]), name)
