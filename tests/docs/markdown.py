"""Reads the parts of a document that a machine can hold it to."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def blocks(text: str, language: str) -> list[str]:
    """Returns the fenced blocks of a language, in order."""
    return [body for found, body in _FENCE.findall(text) if found == language]


def commands(text: str) -> Iterator[str]:
    """Yields the lines of all shell blocks, in order."""
    for block in blocks(text, "sh"):
        yield from block.splitlines()


def local_links(text: str) -> list[str]:
    """Returns the targets of links to files of this repository, without what follows `#`."""
    prose = _FENCE.sub("", text)
    targets = (target.partition("#")[0] for target in _LINK.findall(prose) if "://" not in target)
    return [target for target in targets if target]
