"""When a match must be judged although nobody has said anything (`PROTOCOL.md`, "Clocks")."""

from collections.abc import Callable
from functools import partial

from referee.match.clock import Clock, Timer


class Deadline:
    """Watches one span of time, which grows by the lag of the loop within it.

    An expired timer decides nothing: what had arrived by then is read first. So `on_passed` is called a little later,
    and an action that is read before that counts as in time, what it is over being recorded as lag.
    """

    def __init__(self, clock: Clock, on_passed: Callable[[], None]) -> None:
        self._clock = clock
        self._on_passed = on_passed
        self._timer: Timer | None = None
        self._since_ms = 0
        self._lag_before_ms = 0
        self._allowed_ms = 0
        self._running = False
        self._spans = 0

    def start(self, allowed_ms: int) -> None:
        """Starts a span of so many milliseconds, from now; its last millisecond is still in time."""
        self._since_ms = self._clock.now_ms()
        self._lag_before_ms = self._clock.lag_ms()
        self._allowed_ms = allowed_ms
        self._spans += 1
        self._running = True
        # Most often a timer for an earlier time stands already.
        if self._timer is None or self._timer.at_ms > self._since_ms + allowed_ms:
            self._arm()

    def allow(self, allowed_ms: int) -> None:
        """Gives the running span another length, from the moment at which it began."""
        self._allowed_ms = allowed_ms
        self._arm()

    def stop(self) -> None:
        """Ends the span. The timer stays: arming a later one when it fires is cheaper than one for each decision."""
        self._running = False

    def close(self) -> None:
        """Ends the span for good."""
        self.stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def left_ms(self) -> int:
        """Returns what is left of the span."""
        if not self._running:
            return 0
        left_ms = self._due_ms() - self._clock.now_ms()
        return left_ms if left_ms > 0 else 0

    def read(self, stamp_ms: int) -> tuple[int, int]:
        """Returns elapsed time and lag credit of an action that was read at that time, before a ruling was made."""
        elapsed_ms = max(0, stamp_ms - self._since_ms)
        return elapsed_ms, max(self._lag_ms(), elapsed_ms - self._allowed_ms)

    def read_now(self) -> tuple[int, int]:
        """Returns elapsed time and lag credit of a ruling that is made now."""
        return self._clock.now_ms() - self._since_ms, self._lag_ms()

    def check(self) -> bool:
        """Returns whether the span is over, its lag added; while a running one is not, it goes on being watched.

        Lag may be found after the timer has fired, so that a span which seemed to be over has time left again.
        """
        if not self._running:
            return False
        if self._clock.now_ms() > self._due_ms():
            return True
        self._arm()
        return False

    def _lag_ms(self) -> int:
        return self._clock.lag_ms() - self._lag_before_ms

    def _due_ms(self) -> int:
        return self._since_ms + self._allowed_ms + self._lag_ms()

    def _arm(self) -> None:
        at_ms = self._due_ms() + 1
        if self._timer is not None:
            if self._timer.at_ms <= at_ms:
                return
            self._timer.cancel()
        self._timer = self._clock.call_at(at_ms, self._fired)

    def _fired(self) -> None:
        self._timer = None
        if self.check():
            self._clock.call_after_arrivals(partial(self._rule, self._spans))

    def _rule(self, span: int) -> None:
        if self._running and self._spans == span and self.check():
            self._on_passed()
