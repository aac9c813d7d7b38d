"""The log of one live match: one append in flight, and nothing told before it is done (`PROTOCOL.md`, "The log")."""

from collections.abc import Callable, Sequence

from referee.adjudication.apply import apply
from referee.adjudication.inputs import Input
from referee.adjudication.rulings import MatchEvent
from referee.adjudication.state import MatchState
from referee.codec.entries import Entry, encode_entry
from referee.codec.observations import observed_events
from referee.log.blinds import blinder
from referee.log.heads import entry_head
from referee.match.feed import Feed, RecentEntry
from referee.store.base import Store
from referee.store.errors import StoreError

# Gets the first sequence number of the entry, or the error for which it is not stored.
Appended = Callable[[int | StoreError], None]


class EventLog:
    """Appends the entries of one match and hands them to its feed once they are stored."""

    def __init__(self, store: Store, number: int, blind_key: bytes, feed: Feed) -> None:
        self._store = store
        self._number = number
        self._blind = blinder(blind_key)
        self._feed = feed
        self.appending = False

    def append(self, state: MatchState, cause: Input, events: Sequence[MatchEvent], appended: Appended) -> None:
        """Appends an input with the events it causes, and applies them to the state while they are being stored."""
        index, first_sequence = state.entries + 1, state.sequence + 1
        entry = Entry(index, self._blind(index), cause, state.unlogged_tries, first_sequence, tuple(events))
        encoded = encode_entry(entry)
        head = entry_head(self._feed.head, encoded.data)
        # Not only when it is stored: nobody learns of a bug there, and the match would stand still for ever.
        recent = RecentEntry(entry.last_sequence, head, observed_events(encoded.events))

        def done(error: StoreError | None) -> None:
            self.appending = False
            if error is None:
                self._feed.add(recent)
            appended(first_sequence if error is None else error)

        self.appending = True
        self._store.append(self._number, index, head, encoded.data, done)
        apply(state, cause, events)
