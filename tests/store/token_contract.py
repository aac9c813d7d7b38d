"""What every store must do with the digests of tokens."""

from dataclasses import replace

import pytest

from referee.store.base import Store
from referee.store.errors import UnknownMatch, WrongBot
from tests.store.contract import bot_row, create, digests, match_row, seal


class TokenContract:
    @pytest.mark.parametrize("place", range(3))
    async def test_replaced_digest_is_the_only_one_that_changes(self, store: Store, place: int) -> None:
        await create(store, 1)
        await create(store, 2)
        await store.replace_token_digest(1, place, bytes(32))
        seat_a, seat_b, spectators = (bytes(32) if at == place else known for at, known in enumerate(digests(1)))
        changed = replace(match_row(1), token_digests=(seat_a, seat_b, spectators))
        assert await store.read_match(1) == changed
        assert await store.find_match(match_row(1).match_id) == changed
        assert await store.read_match(2) == match_row(2)

    async def test_digest_of_a_sealed_match_can_be_replaced(self, store: Store) -> None:
        await create(store, 1)
        await seal(store, 1)
        await store.replace_token_digest(1, 0, bytes(32))
        row = await store.read_match(1)
        assert row is not None
        assert row.ended
        assert row.token_digests == (bytes(32), *digests(1)[1:])

    async def test_digest_of_an_unknown_match_is_refused(self, store: Store) -> None:
        with pytest.raises(UnknownMatch):
            await store.replace_token_digest(1, 0, bytes(32))

    async def test_bots_are_known_by_number_with_their_last_digest(self, store: Store) -> None:
        assert await store.bots() == []
        for number in (1, 2, 3):
            await store.put_bot(bot_row(number))
        await store.put_bot(bot_row(2, token=2))
        assert await store.bots() == [bot_row(1), bot_row(2, token=2), bot_row(3)]

    @pytest.mark.parametrize("number", [0, 1, 3])
    async def test_new_bot_with_another_number_than_the_next_is_refused(self, store: Store, number: int) -> None:
        await store.put_bot(bot_row(1))
        with pytest.raises(WrongBot):
            await store.put_bot(replace(bot_row(2), number=number))
        assert await store.bots() == [bot_row(1)]

    async def test_known_bot_keeps_its_number(self, store: Store) -> None:
        await store.put_bot(bot_row(1))
        with pytest.raises(WrongBot):
            await store.put_bot(replace(bot_row(1), number=2))
        assert await store.bots() == [bot_row(1)]
