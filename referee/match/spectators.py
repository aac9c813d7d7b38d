"""Who watches a match: its public parts, each entry some time after its commit (`PROTOCOL.md`, "A session")."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2

from referee.codec.observations import encode_observation
from referee.match.clock import Clock, Timer
from referee.match.faults import Fault, ProblemReason
from referee.match.feed import Feed
from referee.match.surroundings import Admission

if TYPE_CHECKING:
    from referee.match.teller import Teller


@dataclass(slots=True, eq=False)
class Spectator:
    """Is one who watches: a place in the log up to which it was told, never a queue of what it was not.

    `wake` is called when there may be news, `end` when it can be told nothing more. `has_ended` is true once it was
    told the end.
    """

    wake: Callable[[], None]
    end: Callable[[Fault], None]
    entry: int = 0
    has_ended: bool = False


class Spectators:
    """Tells those who watch one match, each entry some time after its commit.

    With a delay it remembers when each entry was committed (8 bytes an entry), from its making on; what was committed
    before counts as committed then.
    """

    def __init__(self, clock: Clock, feed: Feed, teller: Teller, admission: Admission) -> None:
        self._clock = clock
        self._feed = feed
        self._teller = teller
        self._delay_ms = admission.spectator_delay_ms
        self._max_spectators = admission.max_spectators
        self._watching: list[Spectator] = []
        self._since_ms = clock.now_ms()
        self._committed_ms = array("Q")
        self._timer: Timer | None = None
        if self._delay_ms:
            feed.on_added = self._note_time

    def add(self, spectator: Spectator) -> None:
        """Lets somebody watch. Raises Fault if there are too many."""
        if len(self._watching) >= self._max_spectators:
            raise Fault(ProblemReason.TOO_MANY_CALLS)
        self._watching.append(spectator)

    def remove(self, spectator: Spectator) -> None:
        """Learns that somebody watches no more."""
        self._watching.remove(spectator)

    def wake(self) -> None:
        """Lets all be told what is new."""
        for spectator in self._watching:
            spectator.wake()

    def end(self, fault: Fault) -> None:
        """Ends watching for all."""
        for spectator in self._watching:
            spectator.end(fault)

    async def next_message(self, spectator: Spectator) -> bytes | None:
        """Returns the next message for a spectator, or None if there is none now; it is woken when there may be.

        Raises StoreError.
        """
        visible = self._visible()
        if spectator.entry < visible:
            page = await self._feed.public_page(spectator.entry, visible)
            spectator.entry = page.entry
            # The fields of the message are those of an observation.
            return encode_observation(page.events, page.sequence, page.head, caught_up=page.entry == visible)
        if visible < self._feed.entries:
            self._arm(visible)
        elif self._teller.ended is not None and not spectator.has_ended:
            spectator.has_ended = True
            (item,) = session_pb2.PlayResponse.FromString(self._teller.ended(0)).items
            told = encode_observation(b"", self._feed.sequence, self._feed.head, caught_up=True)
            return told + pb.WatchMatchResponse(ended=item.ended).SerializeToString()
        return None

    def _visible(self) -> int:
        """Returns the index of the last entry that may be told now."""
        if not self._delay_ms:
            return self._feed.entries
        passed_ms = self._clock.now_ms() - self._since_ms - self._delay_ms
        if passed_ms < 0:
            return 0
        return self._feed.entries - len(self._committed_ms) + bisect_right(self._committed_ms, passed_ms)

    def _note_time(self) -> None:
        self._committed_ms.append(self._clock.now_ms() - self._since_ms)

    def _arm(self, visible: int) -> None:
        """Wakes all when the entry after the last visible one may be told."""
        if self._timer is not None:
            return
        place = visible - (self._feed.entries - len(self._committed_ms))
        committed_ms = self._committed_ms[place] if place >= 0 else 0
        self._timer = self._clock.call_at(self._since_ms + committed_ms + self._delay_ms, self._fired)

    def _fired(self) -> None:
        self._timer = None
        self.wake()
