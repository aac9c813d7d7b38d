"""The TypeScript client, installed and compiled if it is not up to date."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "clients" / "typescript"
STARTER = SOURCE / "dist" / "examples" / "starter.js"
_WRITTEN = (
    "package.json",
    "buf.gen.yaml",
    "tsconfig.json",
    "src/*.ts",
    "test/*.ts",
    "examples/*.ts",
    "proto/**/*.proto",
)


@pytest.fixture(scope="session")
def npm() -> str:
    command = shutil.which("npm")
    if command is None or shutil.which("node") is None:
        pytest.skip("Node is not installed, so the TypeScript client was not tested")
    return command


@pytest.fixture(scope="session")
def starter(npm: str) -> Path:
    """The program of the starter bot; nothing is compiled while another process of the tests may run it."""
    with _alone():
        installed = SOURCE / "node_modules" / ".package-lock.json"
        if _is_older(installed, [SOURCE / "package-lock.json"]):
            done = subprocess.run([npm, "ci"], cwd=SOURCE, capture_output=True, text=True, timeout=110, check=False)
            if done.returncode != 0:
                pytest.skip(
                    f"the TypeScript client was not tested, for npm cannot install what it needs: {done.stderr}"
                )
        written = [path for pattern in _WRITTEN for path in SOURCE.glob(pattern)]
        if _is_older(SOURCE / "dist" / ".built", [installed, *written, *ROOT.glob("proto/unoduo/v1/*.proto")]):
            shutil.rmtree(SOURCE / "dist", ignore_errors=True)
            built = subprocess.run(
                [npm, "run", "--silent", "build"], cwd=SOURCE, capture_output=True, text=True, timeout=110, check=False
            )
            assert built.returncode == 0, built.stdout + built.stderr
            (SOURCE / "dist" / ".built").touch()
    return STARTER


@contextmanager
def _alone() -> Iterator[None]:
    """Lets one process at a time go on."""
    folder = os.open(SOURCE, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _is_older(made: Path, sources: list[Path]) -> bool:
    return not made.exists() or any(source.stat().st_mtime > made.stat().st_mtime for source in sources)
