"""A match at a certain moment, in which one seat is about to do something wrong."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import count

from unoduo.v1 import session_pb2

from referee.adjudication.terms import FaultPolicy, TimeControl
from referee.codec.entries import Entry
from referee.match.actor import MatchActor
from referee.rules.actions import Action, Play
from referee.rules.events import Event
from referee.rules.seats import Seat
from referee.rules.state import Phase
from referee.store.memory import MemoryStore

RULINGS = ("DealSealed", "TimedOut", "Forfeited", "Resigned", "Resumed", "Voided", "MatchEnded")
# A play of nothing: no phase knows it.
ILLEGAL = Play(())


@dataclass(frozen=True)
class Moment:
    """Tells when it happens: before the start, or in a phase, to the seat that is asked or to the other one."""

    phase: Phase | None
    is_asked: bool = False

    def __str__(self) -> str:
        return (
            "before" if self.phase is None else f"{self.phase.name.lower()}-{'asked' if self.is_asked else 'waiting'}"
        )


@dataclass(frozen=True)
class Question:
    """Holds the open decision."""

    decision_id: int
    seat: Seat
    legal: tuple[Action, ...]
    tries_left: int

    @property
    def quiet(self) -> Action:
        """Returns an answer that plays no card, if there is one, so that it does not end the round."""
        return next((action for action in self.legal if not isinstance(action, Play)), self.legal[0])


class Scene(ABC):
    """Is a match on a referee; `culprit` is the seat at fault, `rival` the other one.

    What a method returns is what the seat was told for it: `ACCEPTED`, `REJECTED`, the reason for which an action is
    stale, the reason of a problem, or of a detachment.
    """

    def __init__(self, store: MemoryStore, culprit: Seat, control: TimeControl, policy: FaultPolicy) -> None:
        self.store = store
        self.culprit = culprit
        self.rival = culprit.other
        self.control = control
        self.policy = policy
        self._numbers = count(1)

    @abstractmethod
    async def join(self, seat: Seat) -> str:
        """Takes the seat, and returns what its holder before was told for it, if there was one."""

    @abstractmethod
    async def ready(self, seat: Seat) -> None:
        """Declares the seat ready."""

    @abstractmethod
    async def vanish(self, seat: Seat) -> None:
        """Drops the connection of the seat."""

    @abstractmethod
    async def resign(self, seat: Seat) -> None:
        """Sends that the seat gives up."""

    @abstractmethod
    async def submit(self, seat: Seat, decision_id: int, action_id: str, action: Action) -> None:
        """Sends an action, and does not await the answer."""

    @abstractmethod
    async def send(self, seat: Seat, decision_id: int, action_id: str, action: Action, copies: int = 1) -> list[str]:
        """Sends an action so many times at once, and returns the answers."""

    @abstractmethod
    async def pass_ms(self, ms: int) -> None:
        """Lets time pass."""

    @abstractmethod
    async def ruled(self, entries_before: int) -> None:
        """Waits until there are more entries than that."""

    @abstractmethod
    async def void(self) -> None:
        """Calls the match off, as its organiser."""

    @abstractmethod
    async def restart(self) -> None:
        """Ends the referee and starts it again with what is stored; nobody is connected then."""

    @abstractmethod
    def actor(self) -> MatchActor:
        """Returns the match as the referee has it."""

    @abstractmethod
    async def question(self) -> Question:
        """Returns the open decision, as its seat was told of it."""

    @abstractmethod
    async def entries(self) -> list[Entry]:
        """Returns the log so far."""

    @abstractmethod
    async def finish(self) -> bytes:
        """Goes on with the match and leads it to an end, if it is not over, and returns its replay."""

    @abstractmethod
    def told(self, seat: Seat) -> list[str]:
        """Returns all that a seat was told beside news and accepted actions."""

    async def pass_until_ruled(self, ms: int) -> None:
        """Lets time pass, after which the referee is to rule, and awaits that it has."""
        before = len(await self.entries())
        await self.pass_ms(ms)
        await self.ruled(before)

    async def act(
        self, seat: Seat, action: Action, *, decision_id: int | None = None, action_id: str = "", copies: int = 1
    ) -> list[str]:
        """Sends an action, by default for the open decision and under an id of its own."""
        if decision_id is None:
            decision_id = (await self.question()).decision_id
        return await self.send(seat, decision_id, action_id or f"x{next(self._numbers)}", action, copies)


def rulings_of(entries: list[Entry]) -> list[tuple[str, object]]:
    """Returns the names and contents of the events by which the referee ruled."""
    events = [event for entry in entries for event in entry.events]
    facts = [event.fact if isinstance(event, Event) else event for event in events]
    return [(type(fact).__name__, fact) for fact in facts if type(fact).__name__ in RULINGS]


def name_of(item: session_pb2.ResponseItem) -> str:
    """Returns what an item says to an action or a seat, empty if it is news."""
    kind = item.WhichOneof("kind")
    if kind == "problem":
        return item.problem.reason
    if kind == "detached":
        return _bare(session_pb2.DetachReason.Name(item.detached.reason), "DETACH_REASON_")
    if kind != "action_result":
        return ""
    verdict = str(item.action_result.WhichOneof("verdict"))
    if verdict == "stale":
        return _bare(session_pb2.StaleReason.Name(item.action_result.stale.reason), "STALE_REASON_")
    return verdict.upper()


def _bare(name: str, prefix: str) -> str:
    return name.removeprefix(prefix)
