"""The writes that a store queues: each knows its match and whom to tell."""

from asyncio import AbstractEventLoop, Future
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.store.base import BotRow, Done, IndexRecord, MatchRow, Secrets
from referee.store.errors import StoreError


@dataclass(slots=True)
class Append:
    """Adds an entry."""

    number: int
    index: int
    head: bytes
    data: bytes
    done: Done


@dataclass(slots=True)
class Create:
    """Adds a match."""

    number: int
    row: MatchRow
    secrets: Secrets
    record: IndexRecord
    done: Done


@dataclass(slots=True)
class PutReady:
    """Gives a seat its entropy; `counts` is what counts once the write is done."""

    number: int
    seat: int
    entropy: bytes
    done: Done
    counts: bytes = b""


@dataclass(slots=True)
class Seal:
    """Ends a match, and makes public what opens matches of its deal, by their numbers."""

    number: int
    seal: bytes
    reveals: Mapping[int, bytes]
    record: IndexRecord
    done: Done


@dataclass(slots=True)
class ReplaceTokenDigest:
    """Puts another digest in the place of one of a match."""

    number: int
    place: int
    digest: bytes
    done: Done


@dataclass(slots=True)
class PutDeal:
    """Makes a deal that matches share; it concerns no match yet, so its number is 0."""

    deal_id: bytes
    seed: bytes
    done: Done
    number: int = 0


@dataclass(slots=True)
class CloseDeal:
    """Lets a deal take no more matches, and makes public what opens matches of it; its number is 0."""

    deal_id: bytes
    reveals: Mapping[int, bytes]
    done: Done
    number: int = 0


@dataclass(slots=True)
class PutBot:
    """Makes a bot known or gives it another token; it concerns no match, so its number is 0."""

    row: BotRow
    done: Done
    number: int = 0


@dataclass(slots=True)
class SettleRestore:
    """Takes the index of a backup for the true one; it concerns no match, so its number is 0."""

    done: Done
    number: int = 0


Write = Append | Create | PutReady | Seal | ReplaceTokenDigest | PutDeal | CloseDeal | PutBot | SettleRestore
Told = tuple[Write, StoreError | None]


def promise(loop: AbstractEventLoop) -> tuple[Future[None], Done]:
    """Returns a future and the callback that settles it; a caller that was cancelled meanwhile misses nothing."""
    future: Future[None] = loop.create_future()

    def done(error: StoreError | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    return future, done


def tell(loop: AbstractEventLoop, told: Iterable[Told]) -> None:
    """Calls the `done` of each write in order; one that raises is reported to the loop and stops no other."""
    for write, error in told:
        try:
            write.done(error)
        except Exception as exception:
            loop.call_exception_handler({"message": "a store callback raised", "exception": exception})
