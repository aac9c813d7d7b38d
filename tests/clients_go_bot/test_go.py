"""What the Go tools say of the client, its own tests included, and that its README quotes it."""

import re

import pytest

from tests.clients_go_bot.conftest import PATIENCE_S, SOURCE, said
from tests.docs.markdown import blocks

pytestmark = pytest.mark.timeout(PATIENCE_S)


def test_go_client_is_formatted(go: str) -> None:
    assert said(f"{go}fmt", "-l", ".") == ""


def test_go_client_is_vetted(go: str) -> None:
    said(go, "vet", "./...")


@pytest.mark.slow  # the linter is compiled first
def test_go_client_is_linted(go: str) -> None:
    said(go, "tool", "staticcheck", "./...")


def test_go_client_passes_its_own_tests(go: str) -> None:
    # Go remembers what passed, and does not see that a vector has changed.
    assert "\nok " in "\n" + said(go, "test", "-count=1", "./...")


def test_readme_quotes_the_starter() -> None:
    readme = (SOURCE / "README.md").read_text(encoding="utf-8")
    assert blocks(readme, "go")[0] == (SOURCE / "cmd" / "starter" / "main.go").read_text(encoding="utf-8")


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    required = re.findall(r"^\t(\S+) v", (SOURCE / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = (SOURCE / "go.sum").read_text(encoding="utf-8")
    assert required
    assert all(f"{name} v" in pinned for name in required)
    written = said("git", "ls-files").splitlines()
    assert not [name for name in written if "proxy." in (SOURCE / name).read_text(encoding="utf-8")]


def test_generated_code_is_not_committed() -> None:
    assert not [name for name in said("git", "ls-files").splitlines() if name.endswith(".pb.go")]
