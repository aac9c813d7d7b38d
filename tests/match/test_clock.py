"""Clocks alone."""

import asyncio
import time

from referee.match.clock import FakeClock, LoopClock
from referee.match.deadline import Deadline
from tests.match.table import settle


async def test_loop_clock_calls_back_in_order_and_not_early() -> None:
    clock = LoopClock()
    start = clock.now_ms()
    called: list[tuple[int, int]] = []
    done = asyncio.Event()

    def note(number: int) -> None:
        called.append((number, clock.now_ms() - start))
        if len(called) == 3:
            done.set()

    clock.call_at(start + 60, lambda: note(3))
    clock.call_at(start + 5, lambda: note(1))
    clock.call_at(start + 30, lambda: note(2))
    clock.call_at(start + 10, lambda: note(9)).cancel()
    async with asyncio.timeout(5):
        await done.wait()
    assert [number for number, _ in called] == [1, 2, 3]
    assert all(late >= due for (_, late), due in zip(called, (5, 30, 60), strict=True))
    clock.close()


async def test_loop_clock_counts_a_loop_that_stands_still_as_lag() -> None:
    clock = LoopClock()
    clock.call_at(clock.now_ms() + 10_000, lambda: None)
    await asyncio.sleep(0.05)
    before = clock.lag_ms()
    time.sleep(0.2)  # noqa: ASYNC251 - the loop must stand still
    await asyncio.sleep(0.05)
    assert 150 <= clock.lag_ms() - before <= 2_000
    clock.close()


async def test_loop_clock_without_timers_has_nothing_armed() -> None:
    clock = LoopClock()
    called = asyncio.Event()
    clock.call_at(clock.now_ms() + 1, called.set)
    async with asyncio.timeout(5):
        await called.wait()
    assert clock._wake_up is None


async def test_loop_clock_that_is_closed_calls_nobody() -> None:
    clock = LoopClock()
    called: list[int] = []
    clock.call_at(clock.now_ms() + 1, lambda: called.append(1))
    clock.close()
    await asyncio.sleep(0.03)
    assert called == []


def test_fake_clock_calls_each_timer_at_its_own_time() -> None:
    clock = FakeClock(0)
    called: list[int] = []
    clock.call_at(10, lambda: called.append(clock.now_ms()))

    def call_again() -> None:
        clock.call_at(7, lambda: called.append(clock.now_ms()))

    clock.call_at(5, call_again)
    clock.advance(9)
    assert called == [7]
    clock.advance(100)
    assert called == [7, 10]
    assert clock.now_ms() == 109


async def test_deadline_keeps_one_timer_for_many_spans() -> None:
    clock = FakeClock(0)
    passed: list[int] = []
    deadline = Deadline(clock, lambda: passed.append(clock.now_ms()))
    for _ in range(100):
        deadline.start(1_000)
        clock.advance(5)
    assert len(clock._timers._heap) == 1
    clock.advance(994)
    await settle()
    assert passed == []
    clock.advance(2)
    await settle()
    assert passed == [1_496]


async def test_deadline_that_is_moved_forward_is_not_missed() -> None:
    clock = FakeClock(0)
    passed: list[int] = []
    deadline = Deadline(clock, lambda: passed.append(clock.now_ms()))
    deadline.start(1_000)
    deadline.start(10)
    clock.advance(11)
    await settle()
    assert passed == [11]


async def test_deadline_that_ends_while_it_is_checked_is_not_told() -> None:
    clock = FakeClock(0)
    passed: list[int] = []
    deadline = Deadline(clock, lambda: passed.append(clock.now_ms()))
    deadline.start(10)
    clock.advance(11)
    deadline.start(10)
    await settle()
    assert passed == []
    assert deadline.left_ms() == 10
