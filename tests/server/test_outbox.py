"""The order and the size of what a session sends."""

import asyncio
from collections.abc import Iterable
from typing import Any

from referee.match.seats import Attachment, Hold
from referee.rules.seats import Seat
from referee.server.handles import Place
from referee.server.limits import Limits
from referee.server.outbox import Outbox


class _Match:
    """A match that has a list of items for its one seat, the first of which may be pages of history."""

    def __init__(self, outbox: Outbox, handle: int, items: Iterable[bytes], pages: int = 0) -> None:
        self.items = list(items)
        self.pages = pages
        actor: Any = self
        self.attachment = Attachment(actor, Seat.A, outbox, handle, hold=Hold.HELD)
        outbox.handles.add(self.attachment, Place(bytes([handle]), Seat.A, by_token=True))
        if self.items:
            outbox.wake(handle)

    def is_behind(self, attachment: Attachment) -> bool:
        return self.pages > 0

    def next_item(self, attachment: Attachment) -> bytes | None:
        if not self.items:
            return None
        self.pages -= 1
        item = self.items.pop(0)
        if self.items:
            attachment.wake()
        return item


def _outbox(room: int = 1_000) -> Outbox:
    return Outbox(Limits(max_response_bytes=room, max_waiting_bytes=10))


async def test_seats_take_turns() -> None:
    outbox = _outbox()
    for handle, name in enumerate((b"a", b"b", b"c"), 1):
        _Match(outbox, handle, (name + digit for digit in (b"1", b"2", b"3")))
    assert await outbox.next_message() == b"a1b1c1a2b2c2a3b3c3"


async def test_answers_come_before_news() -> None:
    outbox = _outbox()
    _Match(outbox, 1, [b"news"])
    outbox.put(1, b"answer,")
    assert await outbox.next_message() == b"answer,news"


async def test_history_comes_behind_what_others_are_due() -> None:
    outbox = _outbox()
    _Match(outbox, 1, [b"page1,", b"page2,", b"present,"], pages=2)
    _Match(outbox, 2, [b"decision,", b"more,"])
    assert await outbox.next_message() == b"decision,more,page1,page2,present,"


async def test_message_is_never_larger_than_it_may_be() -> None:
    outbox = _outbox(room=10)
    _Match(outbox, 1, [b"aaaa", b"bbbb", b"cccc"])
    _Match(outbox, 2, [b"dddd"])
    outbox.put(1, b"eeee")
    messages = [await outbox.next_message() for _ in range(3)]
    assert messages == [b"eeeeaaaa", b"ddddbbbb", b"cccc"]


async def test_answers_alone_fill_messages_in_their_order() -> None:
    outbox = _outbox(room=10)
    _Match(outbox, 1, [b"n"])
    for digit in b"12345":
        outbox.put(1, bytes([digit]) * 4)
    messages = [await outbox.next_message() for _ in range(3)]
    assert messages == [b"11112222", b"33334444", b"5555n"]


async def test_answer_that_comes_later_does_not_overtake_an_item_that_did_not_fit() -> None:
    outbox = _outbox(room=10)
    _Match(outbox, 1, [b"aaaaaaaa"])
    _Match(outbox, 2, [b"bbbbbbbb"])
    assert await outbox.next_message() == b"aaaaaaaa"
    outbox.put(2, b"c")
    assert await outbox.next_message() == b"bbbbbbbbc"


async def test_reading_waits_while_too_much_waits_to_be_written() -> None:
    outbox = _outbox()
    outbox.put(1, b"x" * 11)
    waiting = asyncio.create_task(outbox.wait_for_room())
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await outbox.next_message()
    await asyncio.wait_for(waiting, 5)


async def test_half_closed_session_ends_with_its_last_handle() -> None:
    outbox = _outbox()
    match = _Match(outbox, 1, [b"news"])
    outbox.half_close()
    assert await outbox.next_message() == b"news"
    waiting = asyncio.create_task(outbox.next_message())
    await asyncio.sleep(0.01)
    assert not waiting.done()
    match.attachment.end(Hold.DETACHED)
    outbox.put(1, b"detached")
    assert await asyncio.wait_for(waiting, 5) == b"detached"
    assert await outbox.next_message() is None


async def test_finished_session_sends_its_answers_and_nothing_more() -> None:
    outbox = _outbox(room=10)
    _Match(outbox, 1, [b"news"])
    outbox.put(1, b"answer1")
    outbox.put(1, b"answer2")
    outbox.finish()
    assert [await outbox.next_message() for _ in range(3)] == [b"answer1", b"answer2", None]


async def test_news_under_a_number_that_is_taken_again_is_told() -> None:
    outbox = _outbox()
    former = _Match(outbox, 1, [b"old"])
    former.items.clear()
    former.attachment.end(Hold.DETACHED)
    _Match(outbox, 1, [b"new"])
    assert await outbox.next_message() == b"new"
