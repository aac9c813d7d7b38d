"""What the Rust tools say of the client, its own tests included, and that its README quotes it."""

import re
import tomllib

import pytest

from tests.clients_rust.client import RUST
from tests.clients_shared.client import PATIENCE_S
from tests.docs.markdown import blocks

pytestmark = pytest.mark.timeout(PATIENCE_S)
built = pytest.mark.usefixtures("starter")


@built
def test_rust_client_is_formatted() -> None:
    RUST.said("cargo", "fmt", "--check")


@built
@pytest.mark.slow  # the linter compiles everything anew first
def test_rust_client_is_linted() -> None:
    RUST.said("cargo", "clippy", "--locked", "--quiet", "--all-targets", "--", "--deny", "warnings")


@built
def test_rust_client_passes_its_own_tests() -> None:
    told = RUST.said("cargo", "test", "--locked")
    passed = re.findall(r"^test result: ok\. (\d+) passed; 0 failed; 0 ignored", told, re.MULTILINE)
    assert sum(map(int, passed)) > 0


def test_readme_quotes_the_examples() -> None:
    readme = (RUST.source / "README.md").read_text(encoding="utf-8")
    examples = ("src/bin/starter.rs", "examples/many.rs")
    assert blocks(readme, "rust") == [(RUST.source / name).read_text(encoding="utf-8") for name in examples]


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    manifest = tomllib.loads((RUST.source / "Cargo.toml").read_text(encoding="utf-8"))
    lock = tomllib.loads((RUST.source / "Cargo.lock").read_text(encoding="utf-8"))
    pinned = {package["name"] for package in lock["package"]}
    required = {name for kind in ("", "dev-", "build-") for name in manifest[f"{kind}dependencies"]}
    assert required
    assert required <= pinned
    written = [path for path in RUST.written() if path.name != "Cargo.lock"]
    assert not [path for path in written if ".".join(("crates", "io")) in path.read_text(encoding="utf-8")]
