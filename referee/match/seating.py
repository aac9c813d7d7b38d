"""Who holds the seats of one match, and for how long nobody has."""

from collections.abc import Callable
from functools import partial
from typing import Final

from unoduo.v1 import session_pb2 as pb

from referee.codec.observations import encode_presence
from referee.match import answers
from referee.match.clock import Clock
from referee.match.deadline import Deadline
from referee.match.faults import Fault, ProblemReason
from referee.match.refusals import later
from referee.match.seats import Attachment, Hold
from referee.match.spectators import Spectators
from referee.rules.seats import SEATS, Seat

_PRESENT: Final = encode_presence(True, None)


class Seating:
    """Gives each seat to its newest join, and lets up to `max_visits` calls of `Act` come beside it.

    A seat is there while anybody holds or visits it. Who only watches is no seat, but is told with them.
    While the match is played `on_absent` is told when a seat has been without a holder for `forfeit_after_ms`, unless
    that is 0.
    """

    def __init__(
        self,
        clock: Clock,
        forfeit_after_ms: int,
        on_absent: Callable[[Seat], None],
        max_visits: int,
        spectators: Spectators,
    ) -> None:
        self._holders: list[Attachment | None] = [None, None]
        self._visitors: tuple[list[Attachment], list[Attachment]] = ([], [])
        self._max_visits = max_visits
        self._spectators = spectators
        self._joins = [0, 0]
        self._came = [False, False]
        self._forfeit_after_ms = forfeit_after_ms
        self._absences = [Deadline(clock, partial(on_absent, seat)) for seat in SEATS] if forfeit_after_ms else []
        self._playing = False

    def take(self, attachment: Attachment) -> None:
        """Gives the seat to an attachment and tells the one that had it, or takes it in as a visitor.

        Raises Fault TOO_MANY_CALLS if the seat has as many visitors as it may.
        """
        seat = attachment.seat
        if attachment.visiting:
            if len(self._visitors[seat]) >= self._max_visits:
                raise Fault(ProblemReason.TOO_MANY_CALLS)
            self._visitors[seat].append(attachment)
        else:
            holder = self._holders[seat]
            if holder is not None and holder.hold is Hold.HELD:
                self.release(holder, pb.DETACH_REASON_REPLACED)
            self._joins[seat] += 1
            self._holders[seat] = attachment
        self._came[seat] = True
        attachment.hold = Hold.HELD
        attachment.join_number = self._joins[seat]
        self._watch(seat)

    def leave(self, attachment: Attachment) -> None:
        """Takes the seat from an attachment that wants to be told nothing more. Raises Fault if it is told already."""
        if attachment.hold is Hold.ENDED:
            raise Fault(ProblemReason.HANDLE_ENDED)
        if attachment.hold is Hold.HELD:
            self.release(attachment, pb.DETACH_REASON_LEFT)

    def release(self, attachment: Attachment, reason: pb.DetachReason.ValueType) -> None:
        """Takes the seat from an attachment that holds or visits it, and tells it why."""
        attachment.end(Hold.DETACHED)
        self._free(attachment)
        attachment.put(answers.detached(attachment.handle, reason, attachment.join_number))

    def close(self) -> None:
        """Tells everybody who has not been told the end that there is nothing more: the match is given up."""
        for seat in SEATS:
            for attachment in (self._holders[seat], *self._visitors[seat]):
                if attachment is not None and attachment.hold is Hold.HELD:
                    self.release(attachment, pb.DETACH_REASON_MATCH_FROZEN)
        self._spectators.end(later(ProblemReason.MATCH_FROZEN))

    def lose(self, attachment: Attachment) -> None:
        """Takes the seat from an attachment to which nothing can be told any more; what it has said still counts."""
        attachment.hold = Hold.LOST
        self._free(attachment)

    def wake(self, asked: Seat) -> None:
        """Lets both seats be told what is new, the one that is not asked first, and then those who watch.

        Else a quick answer could reach the other seat before the question did.
        """
        for seat in (asked.other, asked):
            holder = self._holders[seat]
            if holder is not None:
                holder.wake()
            for visitor in self._visitors[seat]:
                visitor.wake()
        self._spectators.wake()

    def never_joined(self) -> tuple[Seat, ...]:
        """Returns the seats that nobody ever took or visited, ascending."""
        return tuple(seat for seat in SEATS if not self._came[seat])

    def is_there(self, seat: Seat) -> bool:
        """Returns whether anybody holds or visits a seat."""
        return self._holders[seat] is not None or bool(self._visitors[seat])

    def presence(self, seat: Seat) -> bytes:
        """Returns whether a seat is there, and if not, when it loses the match for that, as a message Presence."""
        if self.is_there(seat):
            return _PRESENT
        watched = self._playing and self._absences
        return encode_presence(False, self._absences[seat].left_ms() if watched else None)

    def watch(self) -> None:
        """Begins to count absences, anew: the match is being played, or goes on after it stood still."""
        self._playing = True
        for seat in SEATS:
            self._watch(seat)

    def stop_watching(self) -> None:
        """Counts absences no more."""
        self._playing = False
        for absence in self._absences:
            absence.close()

    def absence_ms(self, seat: Seat) -> int:
        """Returns for how long a seat has been away if that is too long, else 0."""
        if not self._absences or not self._absences[seat].check():
            return 0
        elapsed_ms, lag_credit_ms = self._absences[seat].read_now()
        return elapsed_ms - lag_credit_ms

    def _free(self, attachment: Attachment) -> None:
        seat = attachment.seat
        if self._holders[seat] is attachment:
            self._holders[seat] = None
        elif attachment in self._visitors[seat]:
            self._visitors[seat].remove(attachment)
        else:
            return
        self._watch(seat)

    def _watch(self, seat: Seat) -> None:
        if not self._absences or not self._playing:
            return
        if self.is_there(seat):
            self._absences[seat].stop()
        else:
            self._absences[seat].start(self._forfeit_after_ms)
