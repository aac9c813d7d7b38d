"""A session on which every action is sent one to five times, and old ones come again late."""

from collections import defaultdict
from random import Random
from typing import Any

from unoduo.v1 import session_pb2

from tests.server.wire import Item, Session

_MOST_COPIES = 5
_LATE_SHARE = 0.3
_REMEMBERED = 20

Key = tuple[int, int, str]


class DuplicatingSession(Session):
    """Repeats what is sent; `sent` counts the copies of each action by handle, decision and action id."""

    def __init__(self, call: Any, dice: Random) -> None:
        super().__init__(call)
        self.sent: dict[Key, int] = defaultdict(int)
        self.late = 0
        self._dice = dice
        self._old: list[Item] = []

    async def send(self, *items: Item) -> None:
        copies: list[Item] = []
        for item in items:
            number = self._dice.randint(1, _MOST_COPIES) if item.HasField("action") else 1
            copies += [item] * number
            if item.HasField("action"):
                copies += self._late_ones()
                self._old = [*self._old, item][-_REMEMBERED:]
        for item in copies:
            if item.HasField("action"):
                self.sent[key_of(item.handle, item.action)] += 1
        await super().send(*copies)

    def results(self) -> dict[Key, list[session_pb2.ActionResult]]:
        """Returns the answers to each action, in the order in which they came."""
        found: dict[Key, list[session_pb2.ActionResult]] = defaultdict(list)
        for item in self.items:
            if item.HasField("action_result"):
                found[key_of(item.handle, item.action_result)].append(item.action_result)
        return found

    def _late_ones(self) -> list[Item]:
        if not self._old or self._dice.random() > _LATE_SHARE:
            return []
        self.late += 1
        return [self._dice.choice(self._old)]


def key_of(handle: int, said: session_pb2.SubmittedAction | session_pb2.ActionResult) -> Key:
    return handle, said.decision_id, said.action_id
