"""Two worlds that differ only in what a seat cannot know give it the same bytes."""

from dataclasses import replace

import pytest

from referee.match import rebuild
from referee.rules.actions import DRAW, KEEP_DRAWN, KEEP_OFFERED, Action
from referee.rules.cards import Card, Color, deck_cards
from referee.rules.shuffling import FixedShuffler
from referee.rules.state import Phase
from tests.match.table import ORDER, Sitter, Table, settle

PHASE_ACTIONS: dict[int, Action] = {
    Phase.DRAFT.value: KEEP_OFFERED,
    Phase.TURN.value: DRAW,
    Phase.DRAWN.value: KEEP_DRAWN,
}
# A drafts first. Of each pick the first card is kept and the second one discarded, so A keeps places 0, 4, 8 ... and B
# 2, 6, 10 ...; place 28 is turned up; then B draws 29, 31 ... and A 30, 32 ...; place 60 is not reached.


def _deck() -> list[Card]:
    deck = list(deck_cards(ORDER.ruleset.deck))
    number_card = next(place for place, card in enumerate(deck) if card.color is Color.GREEN and card.points == 5)
    deck[28], deck[number_card] = deck[number_card], deck[28]
    return deck


async def _told(monkeypatch: pytest.MonkeyPatch, deck: list[Card], actions: int) -> list[bytes]:
    """Returns what seat A is told in a world with this deck, but for heads and header, which hide behind blinds."""
    shuffler = FixedShuffler((Card.WILD, Card.RED_0), tuple(deck))
    monkeypatch.setattr(rebuild, "SealedShuffler", lambda *secrets_and_entropy: shuffler)
    table = Table()
    await table.open()
    _, a, b = await table.started(replace(ORDER, ruleset=replace(ORDER.ruleset, target=200)))
    for _ in range(actions):
        one = next(sitter for sitter in (a, b) if sitter.decision is not None)
        assert one.decision is not None
        one.act(PHASE_ACTIONS[one.decision.phase])
        table.clock.advance(7)
        await settle()
    await table.close()
    return _masked(a)


def _masked(sitter: Sitter) -> list[bytes]:
    masked = []
    for item in sitter.port.items:
        if item.HasField("observation"):
            item.observation.head = b""
        elif item.HasField("joined"):
            item.joined.header = b""
        masked.append(item.SerializeToString(deterministic=True))
    return masked


def _swapped(deck: list[Card], one: int, other: int) -> list[Card]:
    assert deck[one] is not deck[other]
    world = list(deck)
    world[one], world[other] = world[other], world[one]
    return world


@pytest.mark.parametrize(("one", "other"), [(2, 6), (2, 29), (10, 31), (6, 60)])
async def test_cards_hidden_from_a_seat_change_nothing_that_it_is_told(
    monkeypatch: pytest.MonkeyPatch, one: int, other: int
) -> None:
    deck = _deck()
    assert await _told(monkeypatch, deck, 24) == await _told(monkeypatch, _swapped(deck, one, other), 24)


@pytest.mark.parametrize(("one", "other"), [(0, 2), (1, 60), (28, 61), (2, 30)])
async def test_cards_that_a_seat_sees_change_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch, one: int, other: int
) -> None:
    deck = _deck()
    assert await _told(monkeypatch, deck, 24) != await _told(monkeypatch, _swapped(deck, one, other), 24)
