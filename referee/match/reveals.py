"""When a deal is opened (`PROTOCOL.md`, "The deal")."""

from referee.codec.seals import Reveal, encode_reveal
from referee.store.base import Secrets, Store


def reveal_bytes(secrets: Secrets) -> bytes:
    """Returns what opens the commitment of one match, as it is stored."""
    return encode_reveal(Reveal(secrets.deal_id, secrets.seed, secrets.salt))


async def reveal_deal(store: Store, deal_id: bytes) -> bool:
    """Commits the reveals of a deal's matches once all of them have ended; returns whether they have.

    Until then each of them would tell hidden cards of another. Raises StoreError.
    """
    matches = await store.deal_matches(deal_id)
    if not all(match.ended for match in matches):
        return False
    for match in matches:
        secrets = await store.read_secrets(match.number)
        if secrets is not None and not match.revealed:
            await store.set_revealed(match.number, reveal_bytes(secrets))
    return True
