"""`python -m tests.browser.screenshot`: takes the picture of the README anew, of a golden match."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.report.html.page import page
from referee.report.story import Observer
from tests.browser.driver import browser

PICTURE = Path(__file__).parent / "match.webp"
_MATCH = Path(__file__).parents[1] / "golden" / "duo-careful-greedy.unoduo"
# The third Draw Two of a volley.
_EVENT = 582


def main() -> None:
    """Opens the page at a volley and writes the picture."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "match.html"
        file.write_text(page(BytesIO(_MATCH.read_bytes()), Observer.AUDITOR), encoding="utf-8")
        with browser(folder) as chromium:
            chromium.resize(1080, 1080)
            chromium.open(file, _EVENT)
            PICTURE.write_bytes(chromium.picture("webp"))


if __name__ == "__main__":
    main()
