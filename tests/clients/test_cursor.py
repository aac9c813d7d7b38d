from unoduo.v1 import observation_pb2
from unoduo_client.cursor import Cursor

from tests.clients import scripted as referee
from tests.clients.resuming import news, page

HEAD = bytes(32)


def view(sequence: int) -> observation_pb2.Observation:
    """Returns a view without a decision."""
    observation = referee.decision(sequence)
    observation.ClearField("decision")
    return observation


def test_cursor_has_no_position_before_anything_was_told() -> None:
    cursor = Cursor()
    assert cursor.position is None
    cursor.from_start = True
    assert cursor.position == (0, b"")
    assert cursor.take(news(5, 1))
    assert cursor.position == (5, HEAD)


def test_cursor_takes_a_view_behind_a_page_of_history_once() -> None:
    cursor = Cursor()
    assert cursor.take(page(5, 1))
    assert cursor.take(view(5))
    assert not cursor.take(view(5))
    assert not cursor.take(page(5, 1))


def test_cursor_takes_a_decision_where_none_was_once() -> None:
    cursor = Cursor()
    assert cursor.take(view(5))
    assert cursor.take(referee.decision(5))
    assert not cursor.take(referee.decision(5))
    assert not cursor.take(view(5))


def test_cursor_takes_off_what_was_told_before() -> None:
    cursor = Cursor()
    assert cursor.take(news(5, 1))
    assert not cursor.take(news(4, 1))
    later = news(7, 1)
    assert cursor.take(later)
    assert [event.sequence for event in later.events] == [6, 7]
