"""How far a running match has come, read from the log that its referee writes."""

from collections.abc import Callable
from dataclasses import dataclass

from referee.adjudication.inputs import ActionTaken
from referee.adjudication.rulings import MatchEvent
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

    async def update(self, store: Store, number: int, show: Callable[["Standing"], None]) -> None:
        """Reads the entries of match `number` that are new; shows itself as each round begins, and at the end."""
        while page := await store.read_entries(number, self.entries, _PAGE_BYTES):
            for stored in page:
                entry = decode_entry(stored.data)
                self.entries = entry.index
                self.actions += isinstance(entry.input.kind, ActionTaken)
                for event in entry.events:
                    self._take(event, show)
        if self.round:
            show(self)

    def _take(self, event: MatchEvent, show: Callable[["Standing"], None]) -> None:
        match event:
            case Event(RoundStarted() as started):
                self.round = started.round
                show(self)
            case Event(RoundEnded() as ended):
                self.totals = ended.totals
