"""What time it is, and who is woken when.

All timers of all matches are in one heap, and the loop has one timer armed for the earliest of them.
"""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from time import monotonic_ns
from typing import Final, Protocol

_HEARTBEAT_MS: Final = 20
_LAG_FLOOR_MS: Final = 10
# A message that lies in the socket is read by a thread of gRPC, which a busy machine lets wait; then it needs one pass
# of the loop to be noticed, one to be handed to the task that reads, and one for this task to read it.
_READING_MS: Final = 20
_PASSES: Final = 4
_NS_PER_MS: Final = 1_000_000


class Timer:
    """Is one call to come; `at_ms` is when."""

    __slots__ = ("at_ms", "callback")

    def __init__(self, at_ms: int, callback: Callable[[], None]) -> None:
        self.at_ms = at_ms
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Makes sure that the call will not come."""
        self.callback = None


class Clock(Protocol):
    """Measures milliseconds from an origin of its own, never backwards."""

    def now_ms(self) -> int:
        """Returns the time."""

    def lag_ms(self) -> int:
        """Returns for how long the loop has stood still in all, since the origin: delays that no seat caused."""

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Calls back at that time or later, never from within this call."""

    def call_after_arrivals(self, callback: Callable[[], None]) -> None:
        """Calls back once what lies in the sockets by now has been handed over."""


class TimerHeap:
    """Holds timers by time, those of one time in the order of their making."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Timer]] = []
        self._numbers = count()

    def add(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Adds a timer."""
        timer = Timer(at_ms, callback)
        heappush(self._heap, (at_ms, next(self._numbers), timer))
        return timer

    def earliest(self) -> int | None:
        """Returns the time of the first timer that was not canceled."""
        while self._heap and self._heap[0][2].callback is None:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def pop_due(self, now_ms: int) -> Timer | None:
        """Takes out and returns the first timer that is due, or None."""
        earliest = self.earliest()
        if earliest is None or earliest > now_ms:
            return None
        return heappop(self._heap)[2]


class LoopClock:
    """Is the clock of the running event loop.

    While timers wait it wakes at least every 20 ms, and counts each wake-up that comes 10 ms late or more as lag.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timers = TimerHeap()
        self._wake_up: asyncio.TimerHandle | None = None
        self._wake_up_at_ms = 0
        self._lag_ms = 0

    def now_ms(self) -> int:
        """Returns the monotonic time of the system."""
        return monotonic_ns() // _NS_PER_MS

    def lag_ms(self) -> int:
        """Returns the lag counted so far."""
        return self._lag_ms

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Adds a timer."""
        timer = self._timers.add(at_ms, callback)
        if self._wake_up is None or at_ms < self._wake_up_at_ms:
            self._arm()
        return timer

    def call_after_arrivals(self, callback: Callable[[], None]) -> None:
        """Waits 20 ms and a few passes of the loop."""
        self._loop.call_later(_READING_MS / 1000, pass_loop, callback)

    def close(self) -> None:
        """Forgets all timers."""
        if self._wake_up is not None:
            self._wake_up.cancel()
        self._wake_up = None
        self._timers = TimerHeap()

    def _arm(self) -> None:
        if self._wake_up is not None:
            self._wake_up.cancel()
        earliest = self._timers.earliest()
        if earliest is None:
            self._wake_up = None
            return
        now_ms = self.now_ms()
        self._wake_up_at_ms = min(max(earliest, now_ms), now_ms + _HEARTBEAT_MS)
        self._wake_up = self._loop.call_later((self._wake_up_at_ms - now_ms) / 1000, self._wake)

    def _wake(self) -> None:
        self._wake_up = None
        now_ms = self.now_ms()
        late_ms = now_ms - self._wake_up_at_ms
        if late_ms >= _LAG_FLOOR_MS:
            self._lag_ms += late_ms
        while (timer := self._timers.pop_due(now_ms)) is not None:
            if timer.callback is not None:
                self._loop.call_soon(timer.callback)
        self._arm()


class FakeClock:
    """Is a clock for tests: time passes only when it is told to."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self._now_ms = now_ms
        self._lag_ms = 0
        self._timers = TimerHeap()

    def now_ms(self) -> int:
        """Returns the time."""
        return self._now_ms

    def lag_ms(self) -> int:
        """Returns the lag it was told of."""
        return self._lag_ms

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Adds a timer."""
        return self._timers.add(at_ms, callback)

    def call_after_arrivals(self, callback: Callable[[], None]) -> None:
        """Waits a few passes of the loop, in which no time passes."""
        pass_loop(callback)

    def advance(self, ms: int) -> None:
        """Lets time pass and makes the calls that come due, each at its own time."""
        end_ms = self._now_ms + ms
        while (timer := self._timers.pop_due(end_ms)) is not None:
            self._now_ms = max(self._now_ms, timer.at_ms)
            if timer.callback is not None:
                timer.callback()
        self._now_ms = end_ms

    def stall(self, ms: int) -> None:
        """Lets time pass as lag: the loop stands still, and what comes due is called after it."""
        self._now_ms += ms
        self._lag_ms += ms
        self.advance(0)


def pass_loop(callback: Callable[[], None], passes: int = _PASSES) -> None:
    """Calls back after so many passes of the running loop."""
    loop = asyncio.get_running_loop()
    if passes > 1:
        loop.call_soon(pass_loop, callback, passes - 1)
    else:
        loop.call_soon(callback)
