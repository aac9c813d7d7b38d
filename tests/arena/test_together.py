"""Work that is done together, and work that is not left halfway."""

import asyncio

import pytest

from referee.arena.together import cancel_all, to_its_end, together


class Works:
    """Counts work that ends, however it does; each takes a moment for its end."""

    def __init__(self) -> None:
        self.began = self.ended = 0

    async def work(self, seconds: float, result: int) -> int:
        self.began += 1
        try:
            await asyncio.sleep(seconds)
            if result < 0:
                raise ValueError(str(result))
            return result
        finally:
            await asyncio.sleep(0.01)
            self.ended += 1


async def test_results_come_in_the_order_of_the_works() -> None:
    works = Works()
    assert await together(works.work(seconds, place) for place, seconds in enumerate((0.02, 0, 0.01))) == [0, 1, 2]


async def test_first_failure_ends_the_others_and_is_told() -> None:
    works = Works()
    with pytest.raises(ValueError, match="-1"):
        await together([works.work(600, 0), works.work(0, -1), works.work(600, 2)])
    assert works.began == works.ended == 3


async def test_cancelled_works_end_before_their_cancellation_is_told() -> None:
    works = Works()
    both = asyncio.create_task(together([works.work(600, 0), works.work(600, 1)]))
    await asyncio.sleep(0.01)
    both.cancel()
    with pytest.raises(asyncio.CancelledError):
        await both
    assert works.began == works.ended == 2


async def test_nothing_is_cancelled_twice() -> None:
    works = Works()
    outer = asyncio.create_task(together([together([works.work(600, 0)]), works.work(0.02, -1)]))
    with pytest.raises(ValueError, match="-1"):
        await outer
    # A second cancellation would have cut the end of the inner one short.
    assert works.ended == 2


async def test_ended_tasks_may_be_cancelled() -> None:
    works = Works()
    tasks = [asyncio.create_task(works.work(0, -1)), asyncio.create_task(works.work(600, 1))]
    await asyncio.sleep(0.05)
    await cancel_all(tasks)
    await cancel_all([])
    assert works.ended == 2


async def test_work_that_must_end_ends_before_its_cancellation_is_told() -> None:
    works = Works()
    assert await to_its_end(works.work(0, 5)) == 5
    task = asyncio.create_task(to_its_end(works.work(0.05, 1)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert works.ended == 2
