"""The Rust client: how it is built."""

import json
from pathlib import Path

from tests.clients_shared.client import ROOT, Client


class RustClient(Client):
    """Describes it."""

    language = toolchain = "Rust"
    commands = ("cargo",)
    source = ROOT / "clients" / "rust"

    def fetch(self) -> None:
        """Fetches the crates."""
        self.said("cargo", "fetch", "--locked", "--quiet")

    def build(self, folder: Path) -> tuple[str, ...]:
        """Compiles the starter bot, where Cargo keeps what it has made."""
        messages = self.said("cargo", "build", "--locked", "--quiet", "--message-format", "json").splitlines()
        made = [message.get("executable") for message in map(json.loads, messages)]
        return (next(program for program in made if program is not None),)


RUST = RustClient()
