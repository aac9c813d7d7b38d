"""`python -m tests.browser.screenshot`: takes the pictures of the README anew."""

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.report.html.page import page
from referee.report.story import Observer
from referee.report.tournament.page import page as tournament_page
from tests.browser.driver import Browser, browser
from tests.report.accounts import account, asked
from tests.report.simulated import simulated, with_faults

_FOLDER = Path(__file__).parent
_MATCH = _FOLDER.parent / "golden" / "duo-careful-greedy.unoduo"
# The third Draw Two of a volley.
_EVENT = 582
_STRENGTHS = {"Anna": 80, "Bert": 45, "Carl": 10, "Dora": -15, "Emil": -40, "Finn": -80}


def main() -> None:
    """Opens both pages and writes their pictures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with browser(folder) as chromium:
            _take_match(chromium, folder)
            _take_tournament(chromium, folder)


def _take_match(chromium: Browser, folder: Path) -> None:
    file = folder / "match.html"
    file.write_text(page(BytesIO(_MATCH.read_bytes()), Observer.AUDITOR), encoding="utf-8")
    chromium.resize(1080, 1080)
    chromium.open(file, _EVENT)
    (_FOLDER / "match.webp").write_bytes(chromium.picture("webp"))


def _take_tournament(chromium: Browser, folder: Path) -> None:
    cup = asked(*_STRENGTHS, pairs=100)
    file = folder / "report.html"
    told = account(cup, with_faults(simulated(cup, [*_STRENGTHS.values()])))
    file.write_text(tournament_page(told), encoding="utf-8")
    chromium.resize(1080, 1180)
    chromium.open(file)
    (_FOLDER / "tournament.webp").write_bytes(chromium.picture("webp"))


if __name__ == "__main__":
    main()
