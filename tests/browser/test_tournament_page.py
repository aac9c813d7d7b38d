"""The page of a tournament in a browser: it loads, asks for nothing, fits every screen, and its links open."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from referee.report.html.page import page as viewer
from referee.report.story import Observer
from referee.report.tournament.page import page
from tests.browser.conftest import MATCH
from tests.browser.driver import Browser
from tests.browser.faint import FAINT
from tests.report.accounts import HOSTILE, account, asked
from tests.report.simulated import distinctions, simulated, with_faults

SIX = ("Anna", "Bert", "Carl", "Dora", "Emil", "Finn")
ELOS = (120, 60, 20, -20, -60, -120)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages of tournaments of every kind by their names."""
    folder = tmp_path_factory.mktemp("reports")
    six = asked(*SIX, pairs=40)
    duel = asked("Anna", "Bert", sprt={"elo1": 50, "most_pairs": 60})
    hostile = asked(*HOSTILE, "W" * 64, pairs=2)
    many = asked(*(f"player {number}" for number in range(38)), pairs=1)
    won = asked("Anna", "Bert", pairs=1)
    accounts = {
        "six": account(six, with_faults(simulated(six, ELOS)), "on honour", distinctions()),
        "duel": account(duel, simulated(duel, (30, 0))),
        "hostile": account(hostile, simulated(hostile, ELOS), notable=distinctions((HOSTILE[0], "W" * 64))),
        "many": account(many, simulated(many, [10 * number for number in range(38)])),
        "nothing": account(six, ()),
        "unrated": account(won, simulated(won, (5000, 0))),
    }
    files = {name: folder / f"{name}.html" for name in accounts}
    for name, told in accounts.items():
        files[name].write_text(page(told), encoding="utf-8")
    (folder / "matches").mkdir()
    for pair in (1, 2, 3):
        match = viewer(BytesIO(MATCH.read_bytes()), Observer.AUDITOR)
        (folder / "matches" / f"pair-000{pair}-first.html").write_text(match, encoding="utf-8")
    return files


@pytest.fixture(autouse=True)
def silent(chromium: Browser, reports: dict[str, Path]) -> Iterator[None]:
    """Opens a page; at the end nothing was complained of and nothing but a page was asked for."""
    chromium.resize(1200, 900)
    chromium.open(reports["six"])
    yield
    assert chromium.log("browser") == []
    assert [url for url in chromium.requests() if not url.startswith(("file:", "data:,"))] == []


NAMES = ("six", "duel", "hostile", "many", "nothing", "unrated")


@pytest.mark.parametrize("name", NAMES)
def test_page_asks_for_itself_alone(chromium: Browser, reports: dict[str, Path], name: str) -> None:
    chromium.open(reports[name])
    assert chromium.requests() == [reports[name].as_uri()]
    assert chromium.run("return document.title").endswith(" - UNO Duo")
    assert chromium.run("return getComputedStyle(document.querySelector('section')).borderRadius") == "12px"


@pytest.mark.parametrize("width", [320, 390, 768, 1200])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wider_than_the_screen(chromium: Browser, reports: dict[str, Path], name: str, width: int) -> None:
    chromium.resize(width, 800)
    chromium.open(reports[name])
    assert chromium.run("return [document.documentElement.scrollWidth, innerWidth]") == [width, width]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["six", "duel"])
def test_texts_stand_out_by_light_and_in_the_dark(
    chromium: Browser, reports: dict[str, Path], name: str, dark: bool
) -> None:
    chromium.resize(1200, 900, dark=dark)
    chromium.open(reports[name])
    assert chromium.run(FAINT) == []


def test_links_open_the_viewers_of_matches(chromium: Browser, reports: dict[str, Path]) -> None:
    for place in (1, 2, 3):
        chromium.open(reports["six"])
        chromium.click(f"#notable-matches ~ ul li:nth-child({place}) a")
        assert chromium.run("return document.title") == "Anna against Bert - UNO Duo"
        assert chromium.run("return location.pathname").endswith(f"/matches/pair-000{place}-first.html")


def test_names_are_texts(chromium: Browser, reports: dict[str, Path]) -> None:
    chromium.open(reports["hostile"])
    names = (
        "return [...document.querySelectorAll('[aria-label=Standings] tbody th bdi')].map((each) => each.textContent)"
    )
    assert set(chromium.run(names)) == {*HOSTILE, "W" * 64}
    assert chromium.run("return document.querySelectorAll('script, b').length") == 0


def test_tables_are_scrolled_by_keys(chromium: Browser, reports: dict[str, Path]) -> None:
    chromium.resize(390, 800)
    chromium.open(reports["many"])
    region = "document.querySelector('[aria-label=Crosstable]')"
    chromium.run(f"{region}.focus()")
    assert chromium.run(f"return document.activeElement === {region}") is True
    chromium.press("Right")
    moved = f"return new Promise((done) => setInterval(() => {region}.scrollLeft > 0 && done(true), 5))"
    assert chromium.run(moved) is True
    # The names stay where they are.
    place = f"return {region}.querySelector('tbody th').getBoundingClientRect().left"
    assert chromium.run(place) == chromium.run(f"return {region}.getBoundingClientRect().left")


def test_everything_is_reached_by_the_tabulator(chromium: Browser) -> None:
    reached = []
    for _ in range(12):
        chromium.press("\ue004")
        reached.append(chromium.run("const at = document.activeElement; return at.ariaLabel ?? at.tagName"))
    assert {"Standings", "Crosstable", "Pairings", "Mirrored pairs", "Faults", "A", "SUMMARY"} <= set(reached)


def test_focus_is_seen(chromium: Browser) -> None:
    chromium.press("\ue004")
    outline = "const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]"
    assert chromium.run(outline) == ["solid", "3px"]


def test_screen_reader_finds_landmarks_headings_and_charts_in_words(
    chromium: Browser, reports: dict[str, Path]
) -> None:
    chromium.open(reports["duel"])
    nodes = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in chromium.accessibility()]
    roles = {role for role, _ in nodes}
    assert {"main", "banner", "contentinfo", "region", "heading", "table", "columnheader", "rowheader"} <= roles
    assert [name for role, name in nodes if role in ("region", "image", "link") and not name.strip()] == []
    images = [name for role, name in nodes if role == "image"]
    assert any(name.startswith("Score of each player over 60 pairs, in the end: Anna ") for name in images)
    assert any(name.startswith("Log-likelihood ratio of the test over 60 pairs. Is the first") for name in images)
    headings = {name for role, name in nodes if role == "heading"}
    assert {"Standings", "Ratings", "Progress", "Test", "Crosstable", "Pairings", "Mirrored pairs"} <= headings


def test_ratings_are_drawn_to_scale(chromium: Browser) -> None:
    drawn = """
      const axis = [...document.querySelectorAll(".axis text")].map((text) => {
        const box = text.getBoundingClientRect();
        return [Number(text.textContent.replace("\u2212", "-")), box.left + box.width / 2];
      });
      const [[low, left], [high, right]] = [axis[0], axis.at(-1)];
      return [...document.querySelectorAll(".ratings li")].map((line) => {
        const box = line.querySelector("circle").getBoundingClientRect();
        const told = Number(line.querySelector(".elo").textContent.split(" ")[0].replace("\u2212", "-"));
        return [told, low + ((high - low) * (box.left + box.width / 2 - left)) / (right - left)];
      })"""
    pairs = chromium.run(drawn)
    assert len(pairs) == 6
    for told, seen in pairs:
        assert seen == pytest.approx(told, abs=2)
