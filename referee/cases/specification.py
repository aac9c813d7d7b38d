"""Where the rules and their cases are: inside an installed package, or beside it in a working copy."""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[1]


class NoSpecification(Exception):
    """Reports an installation without the rules."""


def specification() -> Path:
    """Returns the folder that holds `RULES.md` and `vectors/rules`.

    A wheel has a copy of both in `referee/_spec`; in a working copy they are where they are written, in `proto`.

    Raises:
        NoSpecification: if there is neither.
    """
    for folder in (_PACKAGE / "_spec", _PACKAGE.parent / "proto"):
        if (folder / "RULES.md").is_file():
            return folder
    raise NoSpecification("the rules were not installed with this program")
