"""Work that is done together or not at all."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Returns what all of them return, in their order; the first that raises cancels the others, and is what is raised.

    When this returns or raises, all of them have ended.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        # Unlike `gather` this leaves it to `cancel_all` to cancel them, once: a second time would disturb their ends.
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        return [task.result() for task in tasks]
    finally:
        await cancel_all(tasks)


async def cancel_all(tasks: Iterable["asyncio.Task[T]"]) -> None:
    """Cancels tasks and waits until they have ended; what they raise then is nobody's concern any more."""
    ending = [*tasks]
    for task in ending:
        task.cancel()
    if ending:
        await asyncio.wait(ending)
    for task in ending:
        if not task.cancelled():
            task.exception()


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Returns what work returns; a cancellation waits until it has ended."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        raise
