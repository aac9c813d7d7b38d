"""The Java client: how it is built, if it is not up to date."""

from pathlib import Path

from tests.clients_shared.client import ROOT, Client


class JavaClient(Client):
    """Describes it."""

    language = "Java"
    toolchain = "a JDK with Maven"
    commands = ("javac", "mvn")
    source = ROOT / "clients" / "java"
    _jar = source / "target" / "starter.jar"

    def fetch(self) -> None:
        """Fetches the libraries."""
        if not self._is_built():
            self.maven("--quiet", "dependency:resolve")

    def build(self, folder: Path) -> tuple[str, ...]:
        """Compiles the starter bot, where Maven keeps what it has made; returns the command that the README gives."""
        if not self._is_built():
            self.maven("--quiet", "-DskipTests", "package")
        return "java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", str(self._jar)

    def maven(self, *arguments: str) -> str:
        """Returns what Maven says. Raises ToolError if it fails."""
        return self.said("mvn", "--batch-mode", "--no-transfer-progress", *arguments)

    def _is_built(self) -> bool:
        patterns = ("clients/java/pom.xml", "clients/java/src/main/**/*.java", "proto/unoduo/v1/*.proto")
        written = [path for pattern in patterns for path in ROOT.glob(pattern)]
        return self._jar.exists() and all(path.stat().st_mtime < self._jar.stat().st_mtime for path in written)


JAVA = JavaClient()
