"""How a session holds a seat: a place in the log up to which it was told, never a queue of what it was not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

from referee.adjudication.state import Lifecycle
from referee.rules.seats import Seat

if TYPE_CHECKING:
    from referee.match.inbox import SeatPost


class SeatPort(Protocol):
    """Is what a match knows of a session. No method ever waits, raises, or calls back into the match."""

    def put(self, handle: int, item: bytes) -> None:
        """Takes an item to be sent, behind all that were put before."""

    def wake(self, handle: int) -> None:
        """Learns that `next_item` may have something for this handle, until it is asked again."""

    def ended(self, handle: int) -> None:
        """Learns that nothing but answers comes for this handle any more."""


class Match(Protocol):
    """Is what a session knows of a match, be it live or in the store alone."""

    @property
    def lifecycle(self) -> Lifecycle:
        """Returns where the match stands, as far as it is committed."""

    def post(self, post: SeatPost) -> None:
        """Takes what a seat says; the answer is put to its port, now or later."""

    def lose(self, attachment: Attachment) -> None:
        """Learns that the session behind an attachment is gone."""

    def revoke(self, attachment: Attachment) -> None:
        """Takes the seat from an attachment, because the token by which it was granted holds no more."""

    def is_behind(self, attachment: Attachment) -> bool:
        """Returns whether the next item of an attachment is a page of history."""

    def is_answering(self, attachment: Attachment) -> bool:
        """Returns whether something that an attachment said is to be answered yet."""

    def next_item(self, attachment: Attachment) -> bytes | None:
        """Returns the next item that is due to an attachment, or None."""


class Delivery(Enum):
    """Tells when observations are due to a seat."""

    EVERY_ENTRY = 1
    ON_DECISION = 2


@dataclass(frozen=True, slots=True)
class Resume:
    """Holds the last event that a client knows, and the head there; sequence 0 asks for everything, with any head."""

    sequence: int
    head: bytes


FROM_START: Final = Resume(0, b"")


class Hold(Enum):
    """Tells how a session and a seat stand to each other.

    DETACHED and ENDED were told to the session; LOST means that the session itself is gone.
    """

    JOINING = 1
    HELD = 2
    DETACHED = 3
    ENDED = 4
    LOST = 5


@dataclass(slots=True, eq=False)
class Attachment:
    """Is a seat as held, or once held, by a session under a handle.

    If it is `visiting`, it comes beside whoever holds the seat and takes nothing over: that is how `Act` calls.
    Without `resume` no history is told. `entry` and `sequence` are the last ones told. `fresh` is true while the seat
    must be shown its view: after joining, and after history. `page` is a page of history that waits to be sent,
    `paging` is true while one is read, and `behind` from then on until the seat was told that it has caught up.
    `join_number` counts the joins of the seat. `grant` is the digest of the token by which it was granted, empty until
    then.
    """

    match: Match
    seat: Seat
    port: SeatPort
    handle: int
    delivery: Delivery = Delivery.EVERY_ENTRY
    resume: Resume | None = None
    hold: Hold = Hold.JOINING
    join_number: int = 0
    entry: int = 0
    sequence: int = 0
    fresh: bool = True
    page: bytes | None = None
    paging: bool = False
    behind: bool = False
    visiting: bool = False
    grant: bytes = b""

    def put(self, item: bytes) -> None:
        """Sends an item that answers something."""
        self.port.put(self.handle, item)

    def wake(self) -> None:
        """Lets the session ask for the next item."""
        self.port.wake(self.handle)

    def end(self, hold: Hold) -> None:
        """Ends delivery, as the session is about to be told: DETACHED or ENDED."""
        self.hold = hold
        self.port.ended(self.handle)
