"""How far a running match has come, read from the log that its referee writes."""

from dataclasses import dataclass

from referee.adjudication.inputs import ActionTaken
from referee.codec.entries import decode_entry
from referee.rules.events import Event, RoundEnded, RoundStarted
from referee.store.base import Store

_PAGE_BYTES = 1 << 16


@dataclass(slots=True)
class Standing:
    """Holds where a match stands: rounds begun, points of seats A and B, accepted actions, and how far this is read."""

    round: int = 0
    totals: tuple[int, int] = (0, 0)
    actions: int = 0
    entries: int = 0

    async def update(self, store: Store, number: int) -> None:
        """Reads the entries of match `number` that are new."""
        while page := await store.read_entries(number, self.entries, _PAGE_BYTES):
            for stored in page:
                self.entries = stored.index
                self._take(stored.data)

    def _take(self, data: bytes) -> None:
        entry = decode_entry(data)
        self.actions += isinstance(entry.input.kind, ActionTaken)
        for event in entry.events:
            match event:
                case Event(RoundStarted() as started):
                    self.round = started.round
                case Event(RoundEnded() as ended):
                    self.totals = ended.totals
