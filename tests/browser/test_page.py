"""The page of a match in a browser: it loads, steps, jumps and switches, by keys and pointer, and asks for nothing."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from referee.audit.replay import replay
from referee.report.html.page import page
from referee.report.story import Observer, tell
from tests.browser.conftest import MATCH
from tests.browser.driver import Browser
from tests.browser.faint import FAINT

GOLDEN = MATCH.parent
EVENT = "return document.querySelector('#event .text').textContent"


@pytest.fixture(autouse=True)
def silent(chromium: Browser, pages: dict[Observer, Path]) -> Iterator[None]:
    """Opens the full page; at the end nothing was complained of and nothing but a page was asked for."""
    chromium.resize(1200, 900)
    chromium.open(pages[Observer.AUDITOR])
    yield
    assert chromium.log("browser") == []
    assert [url for url in chromium.requests() if not url.startswith(("file:", "data:,"))] == []


def _lines(observer: Observer) -> list[str]:
    with MATCH.open("rb") as stream:
        return [line.sentence.text for entry in replay(stream).entries for line in tell(entry, observer)]


def _place(chromium: Browser) -> int:
    return int(chromium.run("return document.getElementById('place').value"))


def _choose(chromium: Browser, view: int) -> None:
    chromium.run(
        f"const view = document.getElementById('view'); view.value = '{view}'; view.dispatchEvent(new Event('change'))"
    )


def test_page_asks_for_itself_alone(chromium: Browser, pages: dict[Observer, Path]) -> None:
    assert chromium.requests() == [pages[Observer.AUDITOR].as_uri()]
    assert chromium.run("return document.title") == "Anna against Bert - UNO Duo"
    assert chromium.run("return document.querySelector('.verdict').textContent").strip().startswith("verified: ")


def test_network_is_denied_by_the_page_itself(chromium: Browser) -> None:
    script = "return fetch('http://127.0.0.1:9/').then(() => 'asked', (error) => 'denied')"
    assert chromium.run(script) == "denied"
    complaints = [complaint["message"] for complaint in chromium.log("browser")]
    assert any("Content Security Policy" in complaint for complaint in complaints)


def test_every_step_is_told_as_in_the_terminal(chromium: Browser) -> None:
    script = "const told = []; for (let i = 0; i < steps.length; i++) { show(i); told.push(%s); } return told"
    assert chromium.run(script % EVENT.removeprefix("return ")) == _lines(Observer.AUDITOR)


def test_keys_step_through_the_match(chromium: Browser) -> None:
    lines = _lines(Observer.AUDITOR)
    assert (_place(chromium), chromium.run(EVENT)) == (0, lines[0])
    chromium.press("Right")
    chromium.press("Right")
    assert (_place(chromium), chromium.run(EVENT)) == (2, lines[2])
    chromium.press("Left")
    assert _place(chromium) == 1
    chromium.press("End")
    assert (_place(chromium), chromium.run(EVENT)) == (len(lines) - 1, lines[-1])
    chromium.press("Right")
    assert _place(chromium) == len(lines) - 1
    chromium.press("Home")
    assert _place(chromium) == 0


def test_buttons_step_through_the_match(chromium: Browser) -> None:
    places = []
    for button in ("next", "next", "previous", "last", "first"):
        chromium.click(f"#{button}")
        places.append(_place(chromium))
    assert places == [1, 2, 1, len(_lines(Observer.AUDITOR)) - 1, 0]


def test_moments_are_jumped_to_by_keys_and_buttons(chromium: Browser) -> None:
    moments: list[dict[str, Any]] = chromium.run("return view.moments")
    assert {moment["kind"] for moment in moments} == {"challenge", "catch", "dump", "volley"}
    places = sorted({moment["step"] for moment in moments})
    for place in places:
        chromium.press("Shift", "Right")
        assert _place(chromium) == place
    chromium.press("Shift", "Left")
    assert _place(chromium) == places[-2]
    chromium.click("#earlier")
    assert _place(chromium) == places[-3]
    chromium.click("#later")
    assert _place(chromium) == places[-2]
    for kind in ("challenge", "catch", "dump", "volley"):
        chromium.click(f".moment[data-kind={kind}]")
        assert _place(chromium) == next(moment["step"] for moment in moments if moment["kind"] == kind)


def test_round_and_line_are_jumped_to(chromium: Browser) -> None:
    chromium.click("#rounds > li:nth-child(2) .round")
    assert chromium.run(EVENT).startswith("round 2 begins")
    assert chromium.run("return document.getElementById('log-title').textContent") == "Events of round 2"
    before = _place(chromium)
    chromium.click("#log li:nth-child(3) button")
    assert _place(chromium) == before + 2
    assert chromium.run("return document.querySelectorAll('#log [aria-current]').length") == 1


def test_view_is_switched_at_the_same_event(chromium: Browser) -> None:
    chromium.click(".moment")
    shown = chromium.run("return steps[place].sequence")
    for observer in Observer:
        index = chromium.run(f"return match.views.findIndex((view) => view.observer === '{observer.value}')")
        _choose(chromium, index)
        assert chromium.run("return steps[place].sequence") == shown
        assert chromium.run("return steps.map((step) => step.text)") == _lines(observer)


@pytest.mark.parametrize(
    ("observer", "open_hands"), [(Observer.SEAT_A, "A"), (Observer.SEAT_B, "B"), (Observer.SPECTATOR, "")]
)
def test_page_for_one_draws_other_hands_face_down(
    chromium: Browser, pages: dict[Observer, Path], observer: Observer, open_hands: str
) -> None:
    chromium.open(pages[observer])
    chromium.run("show(steps.findIndex((step) => step.text.includes(' to play on ')))")
    hands = chromium.run(
        """return Object.fromEntries([...document.querySelectorAll(".seat")].map((seat) => [
             seat.querySelector(".name").textContent.at(-2),
             [...seat.querySelectorAll(".hand use")].map((use) => use.getAttribute("href"))]))"""
    )
    for seat in "AB":
        assert hands[seat]
        assert all((card == "#card-0") is (seat not in open_hands) for card in hands[seat])
    assert chromium.run("return document.getElementById('view').disabled") is True
    nearest = chromium.run("return document.querySelector('#near .name').textContent")
    assert nearest.endswith("(B)" if observer is Observer.SEAT_B else "(A)")


def test_play_goes_on_until_it_is_paused(chromium: Browser) -> None:
    chromium.run("document.getElementById('pace').add(new Option('at once', '1', true, true))")
    chromium.press(" ")
    assert chromium.run("return document.getElementById('play').ariaLabel") == "Pause"
    assert chromium.run("return document.getElementById('event').getAttribute('aria-live')") == "off"
    chromium.run("return new Promise((done) => setInterval(() => place > 3 && done(true), 5))")
    chromium.press(" ")
    assert chromium.run("return timer") is None
    assert chromium.run("return document.getElementById('event').getAttribute('aria-live')") == "polite"


def test_play_ends_with_the_match(chromium: Browser) -> None:
    chromium.run("document.getElementById('pace').add(new Option('at once', '1', true, true)); show(steps.length - 3)")
    chromium.click("#play")
    chromium.run("return new Promise((done) => setInterval(() => timer === null && done(true), 5))")
    assert _place(chromium) == len(_lines(Observer.AUDITOR)) - 1


def test_address_names_an_event(chromium: Browser, pages: dict[Observer, Path]) -> None:
    chromium.open(pages[Observer.AUDITOR], 17)
    assert chromium.run("return steps[place].sequence") == 17


@pytest.mark.parametrize("width", [320, 390, 768, 1200])
def test_nothing_is_wider_than_the_screen(chromium: Browser, pages: dict[Observer, Path], width: int) -> None:
    chromium.resize(width, 800)
    chromium.open(pages[Observer.AUDITOR])
    widest = """
      let most = 0;
      for (let i = 0; i < steps.length; i += 7) {
        show(i);
        most = Math.max(most, document.documentElement.scrollWidth);
      }
      return [most, innerWidth]"""
    assert chromium.run(widest) == [width, width]


def test_cards_of_the_largest_hand_stay_on_the_table(chromium: Browser) -> None:
    chromium.resize(320, 800)
    beyond = """
      const step = steps.reduce((most, step, i) => (step.hands[0].length > steps[most].hands[0].length ? i : most), 0);
      show(step);
      const table = document.getElementById("table").getBoundingClientRect();
      const right = [...document.querySelectorAll("#near .hand li")].map((card) => card.getBoundingClientRect().right);
      return [right.length, Math.max(...right) <= table.right]"""
    count, inside = chromium.run(beyond)
    assert count > 10
    assert inside is True


def test_screen_reader_finds_landmarks_names_and_the_current_event(chromium: Browser) -> None:
    chromium.click(".moment[data-kind=catch]")
    nodes = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in chromium.accessibility()]
    roles = {role for role, _ in nodes}
    assert {"main", "banner", "navigation", "contentinfo", "region", "heading"} <= roles
    named = ("button", "slider", "combobox", "image", "region", "navigation")
    unnamed = [role for role, name in nodes if role in named and not name.strip()]
    assert unnamed == []
    names = {name for _, name in nodes}
    assert {"Play", "Next event", "Event before", "Next moment", "Event", "View", "Table", "Rounds", "Score"} <= names
    assert any(name.startswith("Points of Anna and Bert after each round. round 1: ") for name in names)
    live = chromium.run("return [...document.querySelectorAll('[aria-live]')].map((each) => [each.id, each.ariaLive])")
    assert live == [["event", "polite"]]


@pytest.mark.parametrize("dark", [False, True])
def test_texts_stand_out_by_light_and_in_the_dark(chromium: Browser, dark: bool) -> None:
    chromium.resize(1200, 900, dark=dark)
    chromium.click(".moment")
    assert chromium.run(FAINT) == []


def test_focus_is_seen(chromium: Browser) -> None:
    chromium.run("document.getElementById('place').focus()")
    chromium.press("\ue004")
    outline = "const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]"
    assert chromium.run(outline) == ["solid", "3px"]


def test_motion_is_drawn_only_for_those_who_want_it(chromium: Browser) -> None:
    chromium.run("show(steps.findIndex((step) => step.laid))")
    laid = "return getComputedStyle(document.querySelector('.fresh')).animationName"
    assert chromium.run(laid) == "none"
    chromium.resize(1200, 900, motion=True)
    assert chromium.run(laid) == "lay"


@pytest.mark.parametrize("name", ["no-show-a", "void-at-once", "absent-a", "largest-hand", "hand-of-one"])
def test_unusual_matches_are_shown_to_their_end(chromium: Browser, tmp_path: Path, name: str) -> None:
    file = tmp_path / "match.html"
    file.write_text(page(BytesIO((GOLDEN / f"{name}.unoduo").read_bytes()), Observer.AUDITOR), encoding="utf-8")
    chromium.open(file)
    chromium.press("End")
    assert chromium.run(EVENT).startswith("the match is over: ")
    assert chromium.run("return place === steps.length - 1") is True
