"""Bots that are functions of Python, for runs in process."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from unoduo_client.baselines import BASELINES

from referee.arena.failures import SpecificationError

MakeBot = Callable[[bytes | None], Callable[[Any], Any]]
"""Makes the bot of a match from its seed, as `unoduo_client.run` takes it: from an observation to an action."""


def find_function(name: str, folder: Path, key: str) -> MakeBot:
    """Returns what makes a bot: that of a baseline, or `module:function` of a module installed or in a folder.

    Raises SpecificationError, naming the key, if there is none.
    """
    if name in BASELINES:
        baseline = BASELINES[name]
        return lambda seed: baseline(None if seed is None else int.from_bytes(seed))
    module, colon, function = name.partition(":")
    if not colon:
        raise SpecificationError(key, f"must be {', '.join(sorted(BASELINES))} or module:function, not {name!r}")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        make: MakeBot = getattr(import_module(module), function)
    except Exception as error:
        raise SpecificationError(key, f"{name} cannot be had: {type(error).__name__}: {error}") from None
    return make
