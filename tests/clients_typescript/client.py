"""The TypeScript client: how it is installed and compiled, if it is not up to date."""

import shutil
from pathlib import Path

from tests.clients_shared.client import ROOT, Client


class TypeScriptClient(Client):
    """Describes it."""

    language = "TypeScript"
    toolchain = "Node"
    commands = ("node", "npm")
    source = ROOT / "clients" / "typescript"
    _installed = source / "node_modules" / ".package-lock.json"
    _written = (
        "package.json",
        "buf.gen.yaml",
        "tsconfig.json",
        "src/*.ts",
        "test/*.ts",
        "examples/*.ts",
        "proto/**/*.proto",
    )

    def fetch(self) -> None:
        """Installs the packages."""
        if _is_older(self._installed, [self.source / "package-lock.json"]):
            self.said("npm", "ci")

    def build(self, folder: Path) -> tuple[str, ...]:
        """Compiles to JavaScript, beside the sources."""
        written = [path for pattern in self._written for path in self.source.glob(pattern)]
        built = self.source / "dist" / ".built"
        if _is_older(built, [self._installed, *written, *ROOT.glob("proto/unoduo/v1/*.proto")]):
            shutil.rmtree(self.source / "dist", ignore_errors=True)
            self.said("npm", "run", "--silent", "build")
            built.touch()
        return "node", str(self.source / "dist" / "examples" / "starter.js")


def _is_older(made: Path, sources: list[Path]) -> bool:
    return not made.exists() or any(source.stat().st_mtime > made.stat().st_mtime for source in sources)


TYPESCRIPT = TypeScriptClient()
