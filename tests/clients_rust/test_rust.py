"""What the Rust tools say of the client, its own tests included, and that its README quotes it."""

import re
import tomllib

import pytest

from tests.clients_rust.conftest import PATIENCE_S, SOURCE, said
from tests.docs.markdown import blocks

pytestmark = pytest.mark.timeout(PATIENCE_S)


def test_rust_client_is_formatted(cargo: str) -> None:
    said(cargo, "fmt", "--check")


@pytest.mark.slow  # the linter compiles everything anew first
def test_rust_client_is_linted(cargo: str) -> None:
    said(cargo, "clippy", "--locked", "--quiet", "--all-targets", "--", "--deny", "warnings")


def test_rust_client_passes_its_own_tests(cargo: str) -> None:
    passed = re.findall(r"^test result: ok\. (\d+) passed; 0 failed; 0 ignored", said(cargo, "test", "--locked"), re.M)
    assert sum(map(int, passed)) > 0


def test_readme_quotes_the_examples() -> None:
    readme = (SOURCE / "README.md").read_text(encoding="utf-8")
    examples = ("src/bin/starter.rs", "examples/many.rs")
    assert blocks(readme, "rust") == [(SOURCE / name).read_text(encoding="utf-8") for name in examples]


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    manifest = tomllib.loads((SOURCE / "Cargo.toml").read_text(encoding="utf-8"))
    lock = tomllib.loads((SOURCE / "Cargo.lock").read_text(encoding="utf-8"))
    pinned = {package["name"] for package in lock["package"]}
    required = {name for kind in ("", "dev-", "build-") for name in manifest[f"{kind}dependencies"]}
    assert required
    assert required <= pinned
    written = set(said("git", "ls-files").splitlines()) - {"Cargo.lock"}
    assert not [name for name in written if ".".join(("crates", "io")) in (SOURCE / name).read_text(encoding="utf-8")]
