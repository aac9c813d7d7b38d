"""What the tools of TypeScript say of the client, its own tests included, and that its README quotes it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients_typescript.conftest import SOURCE
from tests.docs.markdown import blocks


def said(*command: str) -> str:
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("starter")
def test_typescript_code_is_formatted_and_linted(npm: str) -> None:
    said(npm, "run", "--silent", "lint")


@pytest.mark.usefixtures("starter")
def test_typescript_tests_pass() -> None:
    tests = sorted(map(str, (SOURCE / "dist" / "test").glob("*.test.js")))
    assert len(tests) == len(list((SOURCE / "test").glob("*.test.ts")))
    said(shutil.which("node") or "node", "--test", *tests)


def test_readme_quotes_the_examples() -> None:
    readme = (SOURCE / "README.md").read_text(encoding="utf-8")
    examples = [(SOURCE / "examples" / name).read_text(encoding="utf-8") for name in ("starter.ts", "many.ts")]
    assert blocks(readme, "ts") == examples


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    package = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    pinned = package["dependencies"] | package["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in pinned.values())
    lock = json.loads((SOURCE / "package-lock.json").read_text(encoding="utf-8"))
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in pinned} == pinned
    assert all(not _names_registry(path) for path in _tracked())


def _tracked() -> list[Path]:
    return [SOURCE / name for name in said("git", "ls-files").splitlines()]


def _names_registry(path: Path) -> bool:
    return "registry." in path.read_text(encoding="utf-8")
