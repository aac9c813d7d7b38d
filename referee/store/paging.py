"""How a long log is read: page by page."""

from collections.abc import Iterable

from referee.store.base import StoredEntry


def page(entries: Iterable[StoredEntry], max_bytes: int) -> list[StoredEntry]:
    """Returns the first of some entries whose data fit into `max_bytes` together, but at least one if there is one."""
    taken: list[StoredEntry] = []
    size = 0
    for entry in entries:
        size += len(entry.data)
        if taken and size > max_bytes:
            break
        taken.append(entry)
    return taken
