"""Up to where a seat was told, over all its connections."""

from unoduo.v1 import observation_pb2


class Cursor:
    """Keeps every event and every view from being told twice, and says where the referee shall go on.

    `sequence` is the last event that was told, 0 if none was. `from_start` is true if there was none yet when the seat
    was taken for the first time.
    """

    def __init__(self) -> None:
        self.sequence = 0
        self.from_start = False
        self._head = b""
        self._caught_up = False
        self._has_decision = False

    @property
    def position(self) -> tuple[int, bytes] | None:
        """Returns the last event that was told and the head there, None if there is nothing to resume behind."""
        return (self.sequence, self._head) if self.sequence or self.from_start else None

    def take(self, observation: observation_pb2.Observation) -> bool:
        """Takes off events that were told before, and returns whether anything new is left, which then counts as told.

        At the same sequence only the view behind a page of history is new, or a decision where none was.
        """
        has_decision = observation.HasField("decision")
        if observation.sequence < self.sequence:
            return False
        if observation.sequence == self.sequence and self._caught_up and has_decision <= self._has_decision:
            return False
        events = observation.events
        while events and events[0].sequence <= self.sequence:
            del events[0]
        self.sequence = observation.sequence
        self._head = observation.head
        self._caught_up = observation.caught_up
        self._has_decision = has_decision
        return True
