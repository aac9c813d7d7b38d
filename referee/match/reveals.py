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
    """Commits the end of a match, and with it the reveal of its deal unless other matches of that are not over.

    Returns its seal and whether it is revealed. Raises StoreError.
    """
    seal = signed_seal(surroundings.signer, header, row.h0, final_head, outcome)
    reveals = partial(_reveals, surroundings.store, row.number, header.deal_mode, secrets)
    return seal, await surroundings.index.seal(row.number, seal, reveals)


async def _reveals(store: Store, number: int, deal_mode: DealMode, secrets: Secrets) -> dict[int, bytes]:
    """Returns what the end of a match makes public, by match number: nothing, or what opens all matches of its deal.

    As long as one of them goes on, each of them would tell hidden cards of it. Raises StoreError.
    """
    reveals = {number: _reveal(secrets)}
    if deal_mode is DealMode.FRESH:
        return reveals
    for match in await store.deal_matches(secrets.deal_id):
        if match.number == number:
            continue
        if not match.ended:
            return {}
        others = await store.read_secrets(match.number)
        if others is not None and not match.revealed:
            reveals[match.number] = _reveal(others)
    return reveals


def _reveal(secrets: Secrets) -> bytes:
    """Returns what opens the commitment of one match, as it is stored."""
    return encode_reveal(Reveal(secrets.deal_id, secrets.seed, secrets.salt))
