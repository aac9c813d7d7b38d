"""The handles of a session, which may go on for ever."""

from typing import Any

import pytest

from referee.match.faults import Fault, ProblemReason
from referee.match.seats import Attachment, Hold
from referee.rules.seats import Seat
from referee.server.handles import Place
from referee.server.limits import Limits
from referee.server.outbox import Outbox

_PLACE = Place(b"match", Seat.A, by_token=True)


def _joined(outbox: Outbox, handle: int, grant: bytes = b"digest") -> Attachment:
    match: Any = None
    attachment = Attachment(match, Seat.A, outbox, handle, hold=Hold.HELD, grant=grant)
    outbox.handles.add(attachment, _PLACE)
    return attachment


def _reason(outbox: Outbox, handle: int) -> ProblemReason:
    with pytest.raises(Fault) as refused:
        outbox.handles.seat(handle)
    return refused.value.reason


async def test_handles_that_have_not_ended_are_counted() -> None:
    outbox = Outbox(Limits())
    held = [_joined(outbox, handle) for handle in (1, 2, 3)]
    assert (len(outbox.handles), [*outbox.handles]) == (3, held)
    held[0].end(Hold.ENDED)
    held[1].end(Hold.DETACHED)
    assert (len(outbox.handles), [*outbox.handles]) == (1, held[2:])


async def test_place_is_held_until_the_last_handle_for_it_has_ended() -> None:
    outbox = Outbox(Limits())
    first, second = _joined(outbox, 1), _joined(outbox, 2, grant=b"")
    assert outbox.handles.holds(_PLACE)
    for other in (_PLACE._replace(seat=Seat.B), _PLACE._replace(by_token=False), _PLACE._replace(match_id=b"other")):
        assert not outbox.handles.holds(other)
    first.end(Hold.ENDED)
    assert outbox.handles.holds(_PLACE)
    second.end(Hold.DETACHED)
    assert not outbox.handles.holds(_PLACE)


async def test_ended_handle_leads_to_its_match_and_a_detached_one_nowhere() -> None:
    outbox = Outbox(Limits())
    ended, detached = _joined(outbox, 1), _joined(outbox, 2)
    ended.end(Hold.ENDED)
    detached.end(Hold.DETACHED)
    assert outbox.handles.seat(1) is ended
    assert _reason(outbox, 2) is ProblemReason.HANDLE_ENDED
    assert _reason(outbox, 3) is ProblemReason.HANDLE_UNKNOWN
    assert 1 in outbox.handles
    assert 2 in outbox.handles
    assert 3 not in outbox.handles


async def test_oldest_ended_handles_are_forgotten_and_never_one_that_is_held() -> None:
    outbox = Outbox(Limits(max_ended_handles=10))
    held = _joined(outbox, 1)
    for handle in range(2, 1_000):
        _joined(outbox, handle).end(Hold.ENDED if handle % 2 else Hold.DETACHED)
    assert outbox.handles.seat(1) is held
    assert [handle for handle in range(1_000) if handle in outbox.handles] == [1, *range(990, 1_000)]
    assert _reason(outbox, 989) is ProblemReason.HANDLE_UNKNOWN


async def test_news_of_a_handle_that_has_ended_is_no_news() -> None:
    outbox = Outbox(Limits())
    _joined(outbox, 1).end(Hold.DETACHED)
    outbox.wake(1)
    outbox.put(1, b"detached")
    assert await outbox.next_message() == b"detached"
