"""What a match waits for before it starts, or goes on after a restart (`PROTOCOL.md`, "The deal", "Clocks")."""

from referee.adjudication.inputs import NoShow, Resume, Start
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.terms import TimeControl
from referee.match import answers
from referee.match.seating import Seating
from referee.match.seats import Attachment
from referee.rules.seats import SEATS, Seat
from referee.store.base import Store


class Gathering:
    """Knows who is ready and who is still to come.

    `readies` is the entropy of seats A and B, None for one that has given none. `started` says whether the match has
    started, `interrupted` whether it then stands still because the referee was started anew.
    """

    def __init__(self, store: Store, number: int, times: TimeControl, seating: Seating) -> None:
        self._store = store
        self._number = number
        self._times = times
        self._seating = seating
        self.readies: list[bytes | None] = [None, None]
        self.started = False
        self.interrupted = False

    async def make_ready(self, seat: Seat, entropy: bytes) -> None:
        """Stores the entropy of a seat; if it has given some before, that counts. Raises StoreError."""
        self.readies[seat] = await self._store.put_ready(self._number, seat, entropy)

    def accept(self, attachment: Attachment, h0: bytes) -> None:
        """Tells a seat that it is ready, and which entropy of it counts."""
        attachment.put(answers.ready_accepted(attachment.handle, h0, self.readies[attachment.seat] or b""))

    def grace_ms(self, *, is_asleep: bool) -> int:
        """Returns for how long the match waits at most, in milliseconds."""
        times = self._times
        if is_asleep:
            # Which of them is the right one the log will say.
            return min(times.startup_grace_ms, times.reconnect_grace_ms)
        return times.reconnect_grace_ms if self.interrupted else times.startup_grace_ms

    def due(self, *, is_over: bool) -> Start | Resume | NoShow | None:
        """Returns the ruling with which the match leaves where it waits, None if it must go on waiting.

        `is_over` says whether the grace is.
        """
        if self.interrupted:
            is_there = all(self._seating.is_there(seat) for seat in SEATS)
            return Resume(ResumeReason.RESTART) if is_there or is_over else None
        if self.started:
            return None
        never_joined = self._seating.never_joined()
        if not is_over and (never_joined or None in self.readies):
            return None
        # A seat that was ready before a restart had joined.
        if absent := tuple(seat for seat in never_joined if self.readies[seat] is None):
            return NoShow(absent)
        entropy_1, entropy_2 = (entropy or b"" for entropy in self.readies)
        return Start(entropy_1, entropy_2)
