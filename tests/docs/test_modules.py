"""The house rules that can be counted."""

import re

from tests.docs.markdown import ROOT

MODULES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("referee", "clients/python", "tests")
    for path in (ROOT / folder).glob("**/*.py")
}
LONGEST_MODULE = 400


def test_modules_are_of_a_size_to_be_read() -> None:
    assert len(MODULES) > 100
    assert {name for name, text in MODULES.items() if len(text.splitlines()) > LONGEST_MODULE} == set()


def test_nothing_is_left_to_be_done() -> None:
    word = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    assert {name for name, text in MODULES.items() if word.search(text)} == set()
