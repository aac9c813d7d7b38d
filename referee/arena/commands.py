"""How the bot of a player is started."""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from referee.arena.failures import SpecificationError
from referee.arena.specification import Entrant, Specification

TOKEN_VARIABLE: Final = "UNODUO_BOT_TOKEN"
ADDRESS_VARIABLE: Final = "UNODUO_ADDRESS"
# Nothing else of the organiser's environment is a bot's business.
_PASSED_ON: Final = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
# The Python that runs this comes first, so that `python` is one that has the client.
_PATH: Final = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))


def command(player: Entrant, folder: Path, address: str) -> tuple[str, ...]:
    """Returns program and arguments with all that `{address}` and `{folder}` stand for."""
    words = (word.replace("{address}", address).replace("{folder}", str(folder)) for word in player.command)
    program, *arguments = words
    # A path is one in the folder of the tournament's file, a bare name is looked for.
    return (str(folder / program) if os.sep in program else program, *arguments)


def environment(player: Entrant, home: Path, address: str, token: str) -> dict[str, str]:
    """Returns the variables for a bot that has a folder of its own."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    own = {"PATH": _PATH, "HOME": str(home), "TMPDIR": str(home)}
    return passed_on | own | dict(player.environment) | {ADDRESS_VARIABLE: address, TOKEN_VARIABLE: token}


def check_programs(specification: Specification) -> None:
    """Checks that there is a program for each player. Raises SpecificationError."""
    for place, player in enumerate(specification.players):
        program = command(player, specification.folder, "")[0]
        path = dict(player.environment).get("PATH", _PATH)
        if shutil.which(program, path=path) is None:
            key = f"players[{place}].command"
            raise SpecificationError(key, f"{program} is no program that can be run")
