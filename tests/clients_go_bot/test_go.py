"""What the Go tools say of the client, its own tests included, and that its README quotes it."""

import re

import pytest

from tests.clients_go_bot.client import GO
from tests.clients_shared.client import PATIENCE_S
from tests.docs.markdown import blocks

pytestmark = pytest.mark.timeout(PATIENCE_S)
built = pytest.mark.usefixtures("starter")


@built
def test_go_client_is_formatted() -> None:
    assert GO.said("gofmt", "-l", ".") == ""


@built
def test_go_client_is_vetted() -> None:
    GO.said("go", "vet", "./...")


@built
@pytest.mark.slow  # the linter is compiled first
def test_go_client_is_linted() -> None:
    GO.said("go", "tool", "staticcheck", "./...")


@built
def test_go_client_passes_its_own_tests() -> None:
    # Go remembers what passed, and does not see that a vector has changed.
    assert "\nok " in "\n" + GO.said("go", "test", "-count=1", "./...")


def test_readme_quotes_the_starter() -> None:
    readme = (GO.source / "README.md").read_text(encoding="utf-8")
    assert blocks(readme, "go")[0] == (GO.source / "cmd" / "starter" / "main.go").read_text(encoding="utf-8")


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    required = re.findall(r"^\t(\S+) v", (GO.source / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = (GO.source / "go.sum").read_text(encoding="utf-8")
    assert required
    assert all(f"{name} v" in pinned for name in required)
    assert not [path for path in GO.written() if "proxy." in path.read_text(encoding="utf-8")]


def test_generated_code_is_not_committed() -> None:
    assert not [path for path in GO.written() if path.name.endswith(".pb.go")]
