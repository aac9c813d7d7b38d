"""What clients were told of a match, kept outside the referee: the evidence that nothing was lost or told twice.

Nothing here knows the referee. A journal that is told something that cannot be says so in `findings`; what can only be
seen beside the log is found by `journal_check`.
"""

from dataclasses import dataclass, field

from unoduo.v1 import observation_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Holds an action that was acknowledged, and the first and last event that it is said to have caused."""

    action: bytes
    first_sequence: int
    sequence: int


@dataclass
class SeatJournal:
    """Keeps what one seat was told, whatever number of sessions it took.

    `events` are serialised, the first one has sequence number 1; `heads` are by sequence number; `accepted` is by
    decision id and action id, and so are those `refused`; `entropy` is what was acknowledged.
    """

    number: int
    seat: seat_pb2.Seat.ValueType
    events: list[bytes] = field(default_factory=list)
    heads: dict[int, bytes] = field(default_factory=dict)
    accepted: dict[Key, Acknowledged] = field(default_factory=dict)
    refused: dict[Key, session_pb2.ActionResult] = field(default_factory=dict)
    entropy: bytes | None = None
    ended: session_pb2.Ended | None = None
    findings: list[str] = field(default_factory=list)

    @property
    def sequence(self) -> int:
        """Returns the number of the last event that was told."""
        return len(self.events)

    @property
    def head(self) -> bytes:
        """Returns the head that was told with the last event, empty before the first."""
        return self.heads.get(self.sequence, b"")

    def find(self, text: str) -> None:
        """Notes something that must not happen."""
        self.findings.append(f"match {self.number}, seat {self.seat}: {text}")

    def observe(self, observation: observation_pb2.Observation) -> None:
        """Takes what was observed: the next events, and the head behind them."""
        for event in observation.events:
            if event.sequence <= self.sequence:
                self.find(f"event {event.sequence} was told twice")
            elif event.sequence > self.sequence + 1:
                self.find(f"after event {self.sequence} came event {event.sequence}")
            else:
                self.events.append(event.SerializeToString(deterministic=True))
        if observation.sequence != self.sequence:
            self.find(f"an observation with events up to {self.sequence} calls itself as of {observation.sequence}")
        elif self.heads.setdefault(self.sequence, observation.head) != observation.head:
            self.find(f"two heads were told at event {self.sequence}")

    def acknowledge(self, key: Key, action: bytes, accepted: session_pb2.Accepted) -> None:
        """Takes the answer to an action that was taken; the same answer may come again, another may not."""
        answer = Acknowledged(action, accepted.first_sequence, accepted.sequence)
        if self.accepted.setdefault(key, answer) != answer:
            self.find(f"action {key[1]} of decision {key[0]} was answered in two ways")

    def refuse(self, key: Key, result: session_pb2.ActionResult) -> None:
        """Takes the answer to an action that was not taken."""
        self.refused[key] = result
        if key in self.accepted:
            self.find(f"action {key[1]} of decision {key[0]} was acknowledged and is refused")

    def end(self, ended: session_pb2.Ended) -> None:
        """Takes the end of the match; the same end may be told again."""
        if ended.sequence != self.sequence:
            self.find(f"the end was told after event {self.sequence}, with {ended.sequence} events")
        if self.ended is not None and self.ended.outcome != ended.outcome:
            self.find("two outcomes were told")
        self.ended = ended


class MatchJournal:
    """Keeps what was told of one match: by the answer to its creation, and to each seat."""

    def __init__(self, created: pb.CreateMatchResponse) -> None:
        self.created = created
        self.match_id = created.match_id
        self.number = created.number
        self.header = created.header
        self.seats = (SeatJournal(created.number, seat_pb2.SEAT_A), SeatJournal(created.number, seat_pb2.SEAT_B))

    @property
    def findings(self) -> list[str]:
        """Returns all that was told and cannot be."""
        return [finding for seat in self.seats for finding in seat.findings]

    @property
    def actions(self) -> int:
        """Returns how many actions were acknowledged."""
        return sum(len(seat.accepted) for seat in self.seats)
