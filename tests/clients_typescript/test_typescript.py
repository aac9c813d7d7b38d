"""What the tools of TypeScript say of the client, its own tests included, and that its README quotes it."""

import json
import re

import pytest

from tests.clients_shared.client import PATIENCE_S
from tests.clients_typescript.client import TYPESCRIPT
from tests.docs.markdown import blocks

SOURCE = TYPESCRIPT.source
pytestmark = pytest.mark.timeout(PATIENCE_S)
built = pytest.mark.usefixtures("starter")


@built
def test_typescript_code_is_formatted_and_linted() -> None:
    TYPESCRIPT.said("npm", "run", "--silent", "lint")


@built
def test_typescript_tests_pass() -> None:
    tests = sorted((SOURCE / "dist" / "test").glob("*.test.js"))
    assert len(tests) == len(list((SOURCE / "test").glob("*.test.ts")))
    TYPESCRIPT.said("node", "--test", *tests)


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
    assert not [path for path in TYPESCRIPT.written() if "registry." in path.read_text(encoding="utf-8")]
