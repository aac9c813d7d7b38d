"""What the shared tests must know of the client of a language.

A new language has a folder `tests/clients_NAME` with four files; `clients_go_bot` is the shortest to copy:

- `client.py` derives from `Client` and says what to fetch, what to build, and which command is the starter bot;
- `conftest.py` has the fixture `starter`: `return CLIENT.ready(tmp_path_factory.mktemp("name"))`;
- `test_matches.py` is `class TestNameStarter(StarterContract): client = CLIENT` (see `contract.py`), with tests of its
  own for what only this client does;
- `test_NAME.py` has what the tools of the language say: format, lint, unit tests, what the README quotes.

With one more line in `languages.py` it plays against the bots of the other languages and must pass the conformance kit.
"""

import fcntl
import os
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).parents[2]
# Long enough to fetch and compile everything on a busy machine.
PATIENCE_S = 900


class ToolError(Exception):
    """Carries what a tool wrote that has failed."""


class Unavailable(Exception):
    """Says why a client cannot be tested on this machine."""


class Client(ABC):
    """Describes the client of one language; its tools run in its folder `source`."""

    language: ClassVar[str]
    """The language, as a reader of a skipped test knows it."""
    toolchain: ClassVar[str]
    """What must be installed, likewise."""
    commands: ClassVar[tuple[str, ...]] = ()
    """The commands that tell whether it is."""
    source: ClassVar[Path]
    """The folder of the client."""
    program: ClassVar[str] = "starter"
    """What the starter bot calls itself in a line of errors."""
    interrupted: ClassVar[tuple[int, str]] = (1, "starter: interrupted\n")
    """The exit code and the errors of a starter bot that gets SIGINT."""

    @abstractmethod
    def fetch(self) -> None:
        """Fetches the libraries that the client needs. Raises ToolError if they cannot be had."""

    @abstractmethod
    def build(self, folder: Path) -> tuple[str, ...]:
        """Builds the client, with its products in `folder` if that can be; returns the command of the starter bot."""

    def made(self, folder: Path) -> tuple[str, ...]:
        """Returns the command of the starter bot, all made new that is not up to date; one process at a time does that.

        Raises Unavailable if something is missing, ToolError if the client cannot be built.
        """
        if any(shutil.which(command) is None for command in self.commands):
            raise Unavailable(f"{self.toolchain} is not installed, so the {self.language} client was not tested")
        with _alone(self.source):
            try:
                self.fetch()
            except ToolError as error:
                why = f"what it needs cannot be fetched: {error}"
                raise Unavailable(f"the {self.language} client was not tested, for {why}") from error
            return self.build(folder)

    def ready(self, folder: Path) -> tuple[str, ...]:
        """Returns the same, and skips the test with what is missing."""
        try:
            return self.made(folder)
        except Unavailable as unavailable:
            pytest.skip(str(unavailable))

    def said(self, *command: str | Path) -> str:
        """Returns what a tool writes. Raises ToolError if it fails."""
        done = subprocess.run(command, cwd=self.source, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        if done.returncode != 0:
            raise ToolError(done.stdout + done.stderr)
        return done.stdout

    def written(self) -> list[Path]:
        """Returns the files of the client that people wrote."""
        return [self.source / name for name in self.said("git", "ls-files").splitlines()]


@contextmanager
def _alone(source: Path) -> Iterator[None]:
    folder = os.open(source, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
