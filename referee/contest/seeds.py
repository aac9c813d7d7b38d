"""What a tournament derives from its master seed besides the deals, whose seeds are in `referee.deal.master`.

Every number is big-endian. No name, no result and no moment enters any of it.
"""

from hashlib import sha256
from hmac import digest
from struct import Struct

from referee.contest.pairing import Half
from referee.deal.commitment import SEED_SIZE
from referee.rules.seats import Seat

_BOT_TAG = b"unoduo/v1/pair-bot-seed\0"
_BOT = Struct(">IIBB")
_ORDER_TAG = b"unoduo/v1/schedule\0"
_ORDER = Struct(">II")


def pair_bot_seed(master: bytes, pair: int, attempt: int, half: Half, seat: Seat) -> bytes:
    r"""Returns the 32-byte seed for the dice of a bot in one match of a pair.

    It is `HMAC(master, "unoduo/v1/pair-bot-seed\0" || u32 pair || u32 attempt || u8 half || u8 seat)`: pairs are
    numbered from 1 and attempts from 0, a half is 1 or 2, a seat 0 or 1. The same match played again after the end of
    a runner has the same dice, the other half has others. Raises ValueError for a master of wrong size.
    """
    return _derived(master, _BOT_TAG + _BOT.pack(pair, attempt, half, seat))


def order_key(master: bytes, round: int, pairing: int) -> bytes:
    r"""Returns the 32 bytes by which the pairs of a round are sorted.

    It is `HMAC(master, "unoduo/v1/schedule\0" || u32 round || u32 pairing)`, rounds from 1, pairings by their place in
    the format, from 0. Raises ValueError for a master of wrong size.
    """
    return _derived(master, _ORDER_TAG + _ORDER.pack(round, pairing))


def _derived(master: bytes, message: bytes) -> bytes:
    if len(master) != SEED_SIZE:
        raise ValueError(f"a master seed has {SEED_SIZE} bytes, not {len(master)}")
    return digest(master, message, sha256)
