"""What the Java tools say of the client, its own tests included, and that its README quotes it."""

import re
from xml.etree import ElementTree

import pytest

from tests.clients_java.client import JAVA
from tests.clients_shared.client import PATIENCE_S
from tests.docs.markdown import blocks

pytestmark = pytest.mark.timeout(PATIENCE_S)
built = pytest.mark.usefixtures("starter")
EXAMPLES = JAVA.source / "src" / "main" / "java" / "unoduo" / "examples"


@built
def test_java_client_is_formatted() -> None:
    JAVA.maven("--quiet", "spotless:check")


@built
@pytest.mark.slow  # the linter compiles everything anew
def test_java_client_is_linted() -> None:
    JAVA.maven("--quiet", "--activate-profiles", "lint", "clean", "test-compile")


@built
def test_java_client_passes_its_own_tests() -> None:
    told = JAVA.maven("test")
    passed = re.search(r"^\[INFO\] Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0$", told, re.MULTILINE)
    assert passed is not None, told
    assert int(passed[1]) > 0


def test_readme_quotes_the_examples() -> None:
    readme = (JAVA.source / "README.md").read_text(encoding="utf-8")
    examples = [(EXAMPLES / name).read_text(encoding="utf-8") for name in ("Starter.java", "Many.java")]
    assert blocks(readme, "java") == examples


def test_readme_gives_the_command_of_the_tests(starter: tuple[str, ...]) -> None:
    readme = (JAVA.source / "README.md").read_text(encoding="utf-8")
    assert " ".join(starter).replace(f"{JAVA.source}/", "") in readme


def test_dependencies_are_pinned_and_no_registry_is_named() -> None:
    root = ElementTree.parse(JAVA.source / "pom.xml").getroot()
    space = {"": root.tag.removesuffix("project").strip("{}")}
    properties = {
        f"${{{item.tag.partition('}')[2]}}}": item.text or "" for item in root.findall("properties/*", namespaces=space)
    }
    needed = [
        item
        for kind in ("dependencies/dependency", ".//extension", "build//plugin", ".//path")
        for item in root.findall(kind, namespaces=space)
    ]
    versions = [item.findtext("version", "", namespaces=space) for item in needed]
    assert versions
    assert all(re.fullmatch(r"\d+(\.\d+)+", properties.get(version, version)) for version in versions), versions
    assert not [path for path in JAVA.written() if ".".join(("maven", "org")) in path.read_text(encoding="utf-8")]
