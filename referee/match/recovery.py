"""Brings to an end the matches that cannot be played on (`PROTOCOL.md`, "Faults")."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from referee.adjudication.adjudicate import adjudicate
from referee.adjudication.inputs import Input, Void
from referee.codec.headers import decode_header
from referee.match.clock import Timer
from referee.match.event_log import EventLog
from referee.match.feed import Feed
from referee.match.rebuild import Rebuilt, rebuild
from referee.match.reveals import seal_match
from referee.match.surroundings import Surroundings
from referee.rules.outcome import Outcome, Termination
from referee.store.base import MatchRow
from referee.store.errors import StoreError

_LOGGER: Final = logging.getLogger(__name__)
_FIRST_DELAY_MS: Final = 1_000
_LONGEST_DELAY_MS: Final = 60_000


class Recovery:
    """Ends matches of which only the log is left.

    What was given up is made anew from its log and declared void as soon as the store takes that; until then it stands
    where it is. Tries follow each other after a second, and then twice as long each time, up to a minute.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._lock = asyncio.Lock()
        self._waiting: dict[int, tuple[MatchRow, str]] = {}
        self._timer: Timer | None = None
        self._delay_ms = _FIRST_DELAY_MS
        self._task: asyncio.Task[None] | None = None

    def add(self, row: MatchRow, reason: str) -> None:
        """Declares a match void as soon as that can be done; nobody else may add to its log any more."""
        self._waiting[row.number] = row, reason
        if self._timer is None and self._task is None:
            self._delay_ms = _FIRST_DELAY_MS
            self._arm()

    async def end(self, row: MatchRow, termination: Termination, reason: str) -> Outcome:
        """Ends a match at once: by what its log says if that has an end already, else by declaring it void.

        Returns how it ended. Raises StoreError, and whatever shows that its log cannot be read.
        """
        async with self._lock:
            store, header = self._surroundings.store, decode_header(row.header)
            rebuilt = await rebuild(store, row, header)
            feed = Feed(store, row.number, row.h0)
            feed.fill(rebuilt.ends, rebuilt.head)
            outcome = rebuilt.state.outcome
            if outcome is None:
                outcome = await self._void(row.number, rebuilt, feed, Void(termination, reason))
            await seal_match(self._surroundings, row, header, rebuilt.secrets, feed.head, outcome)
            self._waiting.pop(row.number, None)
            return outcome

    async def end_all(self, rows: Iterable[MatchRow], reason: str) -> None:
        """Ends matches at once, as a failure of the referee; one that cannot be made anew stays. Raises StoreError."""
        for row in rows:
            try:
                await self.end(row, Termination.VOID_REFEREE, reason)
            except StoreError:
                raise
            except Exception:
                _cannot_be_read(row)

    async def close(self) -> None:
        """Tries no more: the next process begins where this one ends."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            # What it has given to the store is stored whole or not at all.
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _void(self, number: int, rebuilt: Rebuilt, feed: Feed, void: Void) -> Outcome:
        state = rebuilt.state
        decision_id = state.decision.decision_id if state.decision is not None else 0
        # No clock runs on a match that nobody can play.
        ruling = Input(None, decision_id, 0, 0, void)
        stored: asyncio.Future[int | StoreError] = asyncio.get_running_loop().create_future()

        def appended(result: int | StoreError) -> None:
            # Whoever asked for it may have gone.
            if not stored.done():
                stored.set_result(result)

        log = EventLog(self._surroundings.store, number, rebuilt.secrets.blind_key, feed)
        log.append(state, ruling, adjudicate(state, ruling), appended)
        result = await stored
        if isinstance(result, StoreError):
            raise result
        assert state.outcome is not None
        return state.outcome

    def _arm(self) -> None:
        clock = self._surroundings.clock
        self._timer = clock.call_at(clock.now_ms() + self._delay_ms, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._task = asyncio.get_running_loop().create_task(self._try_all())

    async def _try_all(self) -> None:
        for row, reason in [*self._waiting.values()]:
            try:
                await self.end(row, Termination.VOID_REFEREE, reason)
            except StoreError as error:
                _LOGGER.warning("match %d cannot be declared void yet: %s", row.number, error)
            except Exception:
                # It stays as it is for the next process, which may be another program.
                _cannot_be_read(row)
                self._waiting.pop(row.number, None)
        self._task = None
        if self._waiting:
            self._delay_ms = min(2 * self._delay_ms, _LONGEST_DELAY_MS)
            self._arm()


def _cannot_be_read(row: MatchRow) -> None:
    _LOGGER.exception("match %d cannot be made anew from its log", row.number)
