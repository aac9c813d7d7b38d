"""The Python client, which needs no building."""

import sys
from pathlib import Path

from tests.clients_shared.client import ROOT, Client


class PythonClient(Client):
    """Describes it."""

    language = toolchain = "Python"
    source = ROOT / "clients" / "python"
    program = "first_bot.py"
    interrupted = (130, "")

    def fetch(self) -> None:
        """Fetches nothing."""

    def build(self, folder: Path) -> tuple[str, ...]:
        """Returns the first bot as it is."""
        return sys.executable, str(self.source / "examples" / self.program)


PYTHON = PythonClient()
