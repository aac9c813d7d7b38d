"""Up to where a seat was told, over all its connections."""

from unoduo.v1 import observation_pb2, session_pb2


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

    def resume(self, join: session_pb2.Join) -> None:
        """Lets a join ask for what comes behind the last event told."""
        if self.sequence or self.from_start:
            join.after_sequence = self.sequence
            join.head = self._head

    def take(self, observation: observation_pb2.Observation) -> bool:
        """Takes off events that were told before, and returns whether anything new is left, which then counts as told.

        At the same sequence only the view behind a page of history is new.
        """
        if observation.sequence < self.sequence or (observation.sequence == self.sequence and self._caught_up):
            return False
        events = observation.events
        while events and events[0].sequence <= self.sequence:
            del events[0]
        self.sequence = observation.sequence
        self._head = observation.head
        self._caught_up = observation.caught_up
        return True
