"""How a match is sealed, and when its deal is opened (`PROTOCOL.md`, "The deal")."""

from referee.adjudication.terms import DealMode
from referee.codec.seals import Reveal, Seal, encode_reveal
from referee.match.referee_index import RefereeIndex
from referee.store.base import Secrets, Store


async def seal_match(
    store: Store, index: RefereeIndex, number: int, seal: Seal, deal_mode: DealMode, secrets: Secrets
) -> bool:
    """Commits the end of a match, and the reveal of its deal if no other match can be of it or all of them have ended.

    Returns whether it is revealed. Raises StoreError.
    """
    is_own_deal = deal_mode is DealMode.FRESH
    await index.seal(number, seal, _reveal_bytes(secrets) if is_own_deal else None)
    return is_own_deal or await _reveal_deal(store, secrets.deal_id)


def _reveal_bytes(secrets: Secrets) -> bytes:
    """Returns what opens the commitment of one match, as it is stored."""
    return encode_reveal(Reveal(secrets.deal_id, secrets.seed, secrets.salt))


async def _reveal_deal(store: Store, deal_id: bytes) -> bool:
    """Commits the reveals of a deal's matches once all of them have ended; returns whether they have.

    Until then each of them would tell hidden cards of another. Raises StoreError.
    """
    matches = await store.deal_matches(deal_id)
    if not all(match.ended for match in matches):
        return False
    for match in matches:
        secrets = await store.read_secrets(match.number)
        if secrets is not None and not match.revealed:
            await store.set_revealed(match.number, _reveal_bytes(secrets))
    return True
