"""One browser for all tests of pages, and pages of a match that has something of everything."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from referee.report.html.page import page
from referee.report.story import Observer
from tests.browser.driver import CHROMEDRIVER, CHROMIUM, Browser, browser

MATCH = Path(__file__).parents[1] / "golden" / "fumbling.unoduo"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser; without one on the machine the test is skipped."""
    if CHROMIUM is None or CHROMEDRIVER is None:
        pytest.skip("Chromium or its driver is not installed (Debian: apt-get install chromium chromium-driver)")
    with browser(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[Observer, Path]:
    """The page of the match for each observer."""
    folder = tmp_path_factory.mktemp("pages")
    files = {observer: folder / f"{observer.value}.html" for observer in Observer}
    for observer, file in files.items():
        file.write_text(page(BytesIO(MATCH.read_bytes()), observer), encoding="utf-8")
    return files
