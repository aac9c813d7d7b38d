"""Where the programs of bots keep journals, unless they are told where."""

import os
from itertools import count
from pathlib import Path

from unoduo.v1 import seat_pb2

_OWNER_ONLY = 0o700
_LETTERS = {seat_pb2.SEAT_A: "A", seat_pb2.SEAT_B: "B"}


def default_directory() -> Path:
    """Returns where journals are kept: `unoduo/journals` in XDG_STATE_HOME, by default `~/.local/state`.

    It is made, for its owner alone. Raises OSError if that cannot be done, as for a user without a home.
    """
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    if not os.path.isabs(state):
        raise OSError(f"{state} is no absolute path")
    directory = Path(state, "unoduo", "journals")
    directory.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise OSError(f"{directory} cannot be written")
    return directory


def new_journal(directory: Path, match_id: bytes, seat: seat_pb2.Seat.ValueType) -> Path:
    """Returns a file that is not there yet: a bot that was started again writes another one. Raises OSError."""
    directory.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    name = f"{match_id.hex()}-{_LETTERS[seat]}"
    return next(path for number in count(1) if not (path := directory / f"{name}-{number}.journal").exists())
