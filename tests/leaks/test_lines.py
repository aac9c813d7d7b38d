"""What the referee writes for its operator has no card and no token in it, however much it is told to write."""

import logging
from typing import Any, NoReturn

import pytest

from referee.match import teller
from referee.rules.cards import Card
from referee.rules.seats import Seat
from referee.server.limits import Limits
from tests.leaks import wires
from tests.leaks.comparison import Draws, play
from tests.leaks.plans import Plan
from tests.leaks.wires import ORGANISER, SocketWire
from tests.leaks.worlds import Pair, pairs


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Gathers the tokens of all calls, and lets everything be written that anybody wants to write."""
    tokens: set[str] = set()
    metadata_of = wires.metadata_of

    def gather(token: str) -> Any:
        tokens.add(token)
        return metadata_of(token)

    monkeypatch.setattr(wires, "metadata_of", gather)
    return tokens


async def _play(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    plan = Plan.of(pair.seed).lasting()
    wire = SocketWire(Draws(0, plan.is_fresh), Limits(), monkeypatch)
    await wire.start()
    world = await play(pair, 0, plan, wire, monkeypatch)
    return [piece for pieces in world.transcript.channels.values() for piece in pieces]


def _is_silent(caplog: pytest.LogCaptureFixture, tokens: set[str]) -> bool:
    lines = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    return not any(secret in lines for secret in (*filter(None, tokens), *(card.name for card in Card)))


async def test_lines_of_matches_have_no_card_and_no_token(
    caplog: pytest.LogCaptureFixture, sent: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[bytes] = []
    for observer in (Seat.A, Seat.B):
        for pair in pairs(60_000, 4, observer):
            told += await _play(pair, monkeypatch)
    assert ORGANISER in sent
    assert len(sent) > 8
    assert _is_silent(caplog, sent)
    # Nobody is told a token of a call either, in whatever text.
    assert not any(token.encode() in piece for token in filter(None, sent) for piece in told)
    assert not any(card.name.encode() in piece for card in Card for piece in told)


async def test_lines_about_a_bug_have_no_card_and_no_token(
    caplog: pytest.LogCaptureFixture, sent: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)

    def fail(*state: object) -> NoReturn:
        raise RuntimeError("a bug")

    (pair,) = pairs(70_000, 1, Seat.A)
    monkeypatch.setattr(teller, "view", fail)
    with pytest.raises((AssertionError, TimeoutError)):
        await _play(pair, monkeypatch)
    assert "a bug" in caplog.text
    assert _is_silent(caplog, sent)


def test_reading_lines_notices_cards_and_tokens(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("a").debug("nothing")
    assert _is_silent(caplog, {"token-1"})
    logging.getLogger("a").debug("held %s", [Card.RED_5])
    assert not _is_silent(caplog, {"token-1"})
    caplog.clear()
    logging.getLogger("a").info("called with %r", {"t": "token-1"})
    assert not _is_silent(caplog, {"token-1"})
