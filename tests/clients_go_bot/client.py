"""The Go client: how it is built."""

from pathlib import Path

from tests.clients_shared.client import ROOT, Client


class GoClient(Client):
    """Describes it."""

    language = toolchain = "Go"
    commands = ("go",)
    source = ROOT / "clients" / "go" / "bot"

    def fetch(self) -> None:
        """Fetches the modules."""
        self.said("go", "mod", "download")

    def build(self, folder: Path) -> tuple[str, ...]:
        """Generates the messages and compiles the starter bot."""
        self.said("go", "generate", "./...")
        starter = folder / "starter"
        self.said("go", "build", "-o", starter, "./cmd/starter")
        return (str(starter),)


GO = GoClient()
