"""The seeds of a tournament's deals, all from one master seed that it has promised (`PROTOCOL.md`, "The deal")."""

from collections.abc import Sequence
from hashlib import sha256
from hmac import digest
from struct import Struct

from referee.deal.commitment import SEED_SIZE
from referee.deal.keys import MAX_ENTROPY

_MASTER_TAG = b"unoduo/v1/master\0"
_PAIR_TAG = b"unoduo/v1/pair\0"
_NUMBERS = Struct(">II")
_LARGEST = (1 << 32) - 1


class InvalidMaster(ValueError):
    """Names what no seed is made from: `field` is `master`, `pair`, `attempt` or `entropies[N]`, N from 0."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field} {message}")
        self.field = field
        self.message = message


def master_commitment(master: bytes) -> bytes:
    """Returns the 32 bytes that a tournament publishes before anybody enlists, for its master seed (32 bytes).

    Raises InvalidMaster for a wrong size.
    """
    _check_master(master)
    return sha256(_MASTER_TAG + master).digest()


def pair_seed(master: bytes, pair: int, attempt: int, entropies: Sequence[bytes]) -> bytes:
    """Returns the 32-byte seed of the deal that a pair of matches shares.

    Pairs count from 1, and attempts from 0: one more each time the pair is void and played again. `entropies` are
    what the players gave on enlisting (0 to 32 bytes each), in the order of their list. Raises InvalidMaster.
    """
    _check_master(master)
    if not 1 <= pair <= _LARGEST:
        raise InvalidMaster("pair", f"must be 1 to {_LARGEST}, not {pair}")
    if not 0 <= attempt <= _LARGEST:
        raise InvalidMaster("attempt", f"must be 0 to {_LARGEST}, not {attempt}")
    message = [_PAIR_TAG, _NUMBERS.pack(pair, attempt)]
    for place, entropy in enumerate(entropies):
        if len(entropy) > MAX_ENTROPY:
            raise InvalidMaster(f"entropies[{place}]", f"must have at most {MAX_ENTROPY} bytes, not {len(entropy)}")
        message += bytes((len(entropy),)), entropy
    return digest(master, b"".join(message), sha256)


def _check_master(master: bytes) -> None:
    if len(master) != SEED_SIZE:
        raise InvalidMaster("master", f"must have {SEED_SIZE} bytes, not {len(master)}")
