"""What the documents quote and link to is there, as quoted."""

import re
from pathlib import Path

import pytest

from referee.cli.failures import ExitCode
from tests.docs.markdown import ROOT, blocks, local_links

DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "proto/**/*.md", "referee/**/*.md", "clients/**/*.md", "tests/**/*.md")
    for path in ROOT.glob(pattern)
    if "node_modules" not in path.parts  # documents of others
)
FIRST_BOT = ROOT / "clients" / "python" / "examples" / "first_bot.py"


def test_all_documents_are_looked_at() -> None:
    names = {str(path.relative_to(ROOT)) for path in DOCUMENTS}
    assert names >= {"README.md", "proto/RULES.md", "proto/PROTOCOL.md", "referee/README.md", "tests/README.md"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(document: Path) -> None:
    for target in local_links(document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", ["README.md", "clients/python/README.md"])
def test_quoted_first_bot_is_the_file(document: str) -> None:
    quoted = blocks((ROOT / document).read_text(encoding="utf-8"), "python")
    assert FIRST_BOT.read_text(encoding="utf-8") in quoted


def test_first_bot_is_as_short_as_promised() -> None:
    assert len(FIRST_BOT.read_text(encoding="utf-8").splitlines()) <= 20


def test_exit_codes_of_the_readme_are_those_of_the_program() -> None:
    rows = [line.split("|")[1] for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if "|" in line]
    codes = {int(code) for row in rows for code in row.split(",") if code.strip().isdecimal()}
    assert codes == set(ExitCode)


def test_modules_named_by_the_guide_to_the_inside_exist() -> None:
    text = (ROOT / "referee" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)+\w+\.py)`", text)
    assert len(named) > 20
    for module in named:
        assert (ROOT / "referee" / module).is_file(), module


def test_every_folder_of_tests_is_described() -> None:
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}
    assert folders
    for folder in folders:
        assert f"`{folder}`" in text, folder
