"""How a match is sealed, and when its deal is opened (`PROTOCOL.md`, "The deal")."""

from functools import partial

from referee.adjudication.terms import DealMode
from referee.codec.headers import Header
from referee.codec.seals import Reveal, Seal, encode_reveal
from referee.match.signing import signed_seal
from referee.match.surroundings import Surroundings
from referee.rules.outcome import Outcome
from referee.store.base import MatchRow, Secrets, Store


async def seal_match(
    surroundings: Surroundings, row: MatchRow, header: Header, secrets: Secrets, final_head: bytes, outcome: Outcome
) -> tuple[Seal, bool]:
    """Commits the end of a match, and with it the reveal of its deal, unless that must stay secret.

    Returns its seal and whether it is revealed. Raises StoreError.
    """
    seal = signed_seal(surroundings.signer, header, row.h0, final_head, outcome)
    reveals = partial(_reveals, surroundings.store, row.number, header.deal_mode, secrets)
    return seal, await surroundings.index.seal(row.number, seal, reveals)


async def _reveals(store: Store, number: int, deal_mode: DealMode, secrets: Secrets) -> dict[int, bytes]:
    """Returns what the end of a match makes public, by match number: nothing, or what opens all matches of its deal.

    A shared deal that is not closed may still get a match, whose cards it would tell. Raises StoreError.
    """
    if deal_mode is DealMode.FRESH:
        return {number: _reveal(secrets)}
    if deal_mode is DealMode.SHARED:
        deal = await store.read_deal(secrets.deal_id)
        if deal is None or not deal.closed:
            return {}
    return await reveals_of(store, secrets.deal_id, ending=number)


async def reveals_of(store: Store, deal_id: bytes, *, ending: int = 0) -> dict[int, bytes]:
    """Returns what opens the matches of a deal, by match number; nothing as long as one goes on but that `ending` now.

    Until then each of them would tell hidden cards of it. Raises StoreError.
    """
    reveals = {}
    for match in await store.deal_matches(deal_id):
        if not match.ended and match.number != ending:
            return {}
        secrets = await store.read_secrets(match.number)
        if secrets is not None and not match.revealed:
            reveals[match.number] = _reveal(secrets)
    return reveals


def _reveal(secrets: Secrets) -> bytes:
    """Returns what opens the commitment of one match, as it is stored."""
    return encode_reveal(Reveal(secrets.deal_id, secrets.seed, secrets.salt))
