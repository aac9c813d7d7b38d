"""Two worlds that an observer cannot tell apart by what it may see give it the same bytes over every call."""

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import pytest

from referee.codec.events import EncodedEvent
from referee.codec.observations import observed_events
from referee.match import event_log, feed, registry, teller
from referee.match.summaries import live_summary
from referee.rules.legality import legal_actions
from referee.rules.observe import view
from referee.rules.seats import Seat
from referee.rules.state import State
from referee.server.servicer import SERVICE
from tests.faults.sizes import size
from tests.leaks.comparison import compare
from tests.leaks.probes import PROBES
from tests.leaks.transcript import Transcript
from tests.leaks.worlds import pairs

_OBSERVERS = (Seat.A, Seat.B, None)
_SLICES = 10

Told = Callable[[Sequence[EncodedEvent]], tuple[bytes, bytes, bytes]]


def test_every_call_is_asked() -> None:
    assert list(PROBES) == [method.name for method in SERVICE.methods]


@pytest.mark.parametrize("slice", range(_SLICES))
@pytest.mark.parametrize("observer", _OBSERVERS)
async def test_worlds_that_differ_in_hidden_cards_are_told_alike(
    observer: Seat | None, slice: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = size(4, 400)
    differing = 0
    for pair in pairs(slice * count * 2, count, observer):
        here, there = await compare(pair, monkeypatch)
        assert here.channels == there.channels, pair.seed
        assert here.size > 1_000
        differing += pair.hands_differ
    assert differing > count / 4


# What a careless change could do. Each must be seen, or the comparison above is worth nothing.


def _seats_exchanged(honest: Told) -> Told:
    def leak(events: Sequence[EncodedEvent]) -> tuple[bytes, bytes, bytes]:
        told_a, told_b, told_watchers = honest(events)
        return told_b, told_a, told_watchers

    return leak


def _watchers_as_seats(honest: Told) -> Told:
    def leak(events: Sequence[EncodedEvent]) -> tuple[bytes, bytes, bytes]:
        told_a, told_b, _ = honest(events)
        return told_a, told_b, max(told_a, told_b, key=len)

    return leak


def _rivals_hand(honest: Callable[..., Any]) -> Callable[..., Any]:
    def leak(state: State, seat: Seat) -> Any:
        told = honest(state, seat)
        told.hand = tuple(state.hands[seat.other])
        return told

    return leak


def _next_card(honest: Callable[..., Any]) -> Callable[..., Any]:
    def leak(state: State, seat: Seat) -> Any:
        told = honest(state, seat)
        told.known_tail = tuple(state.draw[-1:])
        return told

    return leak


def _list_by_rivals_hand(honest: Callable[..., Any]) -> Callable[..., Any]:
    def leak(state: State) -> Any:
        hidden = [card for hand in state.hands for card in hand]
        return sorted(honest(state), key=lambda action: crc32(f"{action} {hidden}".encode()))

    return leak


def _summary_by_hands(honest: Callable[..., Any]) -> Callable[..., Any]:
    def leak(actor: Any, row: Any) -> Any:
        summary, rules = honest(actor, row), actor._live().state.rules
        if rules is not None:
            summary.sequence += crc32(str(rules.hands).encode()) % 1_000
        return summary

    return leak


_SEAT = {"seat Play", "seat Act"}
_WATCHER = {"spectator WatchMatch"}
# Where it is, what it becomes, who must notice, and on which channels.
_LEAKS: dict[str, tuple[Any, str, Any, Seat | None, set[str]]] = {
    "private cards in entries": (event_log, "observed_events", _seats_exchanged(observed_events), Seat.A, _SEAT),
    "private cards in history": (feed, "observed_events", _seats_exchanged(observed_events), Seat.B, _SEAT),
    "entries for watchers": (event_log, "observed_events", _watchers_as_seats(observed_events), None, _WATCHER),
    "history for watchers": (feed, "observed_events", _watchers_as_seats(observed_events), None, _WATCHER),
    "hand of the rival in a view": (teller, "view", _rivals_hand(view), Seat.A, _SEAT),
    "next card in a view": (teller, "view", _next_card(view), Seat.B, _SEAT),
    "order of the legal list": (teller, "legal_actions", _list_by_rivals_hand(legal_actions), Seat.A, _SEAT),
    "number in a summary": (registry, "live_summary", _summary_by_hands(live_summary), None, {"spectator GetMatch"}),
}


async def _differs(observer: Seat | None, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Returns the names of the channels on which some pair of worlds is told differently."""
    channels: set[str] = set()
    for pair in pairs(0, 12, observer):
        here, there = await compare(pair, monkeypatch)
        channels |= different_channels(here, there)
    return channels


def different_channels(here: Transcript, there: Transcript) -> set[str]:
    names = {*here.channels, *there.channels}
    return {" ".join(name.split()[:2]) for name in names if here.channels[name] != there.channels[name]}


@pytest.mark.parametrize("leak", _LEAKS)
async def test_leak_is_seen(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, careless, observer, channels = _LEAKS[leak]
    monkeypatch.setattr(place, name, careless)
    assert await _differs(observer, monkeypatch) >= channels
