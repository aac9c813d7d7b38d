"""The master file of a tournament, and whether the deals of its matches are those of its master seed.

`PROTOCOL.md`, "The deal", has the form of the file and what it proves.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from referee.adjudication.terms import DealMode
from referee.audit.report import Check, Fault
from referee.codec.headers import Header
from referee.codec.seals import Reveal
from referee.deal.commitment import MATCH_ID_SIZE
from referee.deal.master import InvalidMaster, master_commitment, pair_seed

FORMAT: Final = "unoduo-master-1"
NO_MASTER: Final = "that the seed of this shared deal was fixed before the players enlisted: only a master file tells"
NOT_LISTED: Final = "the master file does not list this match"

_HEX_DIGITS: Final = frozenset("0123456789abcdefABCDEF")


class MasterFault(Exception):
    """Tells why a file is no master file."""


@dataclass(frozen=True, slots=True)
class _Pair:
    pair: int
    attempt: int
    seed: bytes


class Master:
    """Holds what a master file says; `commitment` (32 bytes) must be what was published before anybody enlisted."""

    def __init__(self, data: bytes) -> None:
        """Reads a file. Raises MasterFault."""
        fields = _object(_parsed(data), ("format", "master", "entropies", "pairs"), "the file")
        if fields["format"] != FORMAT:
            raise MasterFault(f"its format is not {FORMAT}")
        master = _hex(fields["master"], "master")
        entropies = [_hex(text, f"entropies[{place}]") for place, text in _listed(fields["entropies"], "entropies")]
        self._pairs: dict[bytes, _Pair] = {}
        try:
            self.commitment = master_commitment(master)
            attempts = [self._read(master, entropies, *each) for each in _listed(fields["pairs"], "pairs")]
        except InvalidMaster as invalid:
            raise MasterFault(str(invalid)) from None
        _check_attempts(attempts)
        numbers = {number for number, _ in attempts}
        self._first_left_out = next(number for number in count(1) if number not in numbers)

    def fault(self, header: Header, reveal: Reveal) -> Fault | None:
        """Returns how the deal of a match differs from that of its pair; nothing for a match that is not listed."""
        pair = self._pairs.get(header.match_id)
        if pair is None:
            return None
        name = f"pair {pair.pair}, attempt {pair.attempt}"
        if header.deal_mode is not DealMode.SHARED:
            return Fault("reveal", Check.MASTER, f"its deal is not shared, as that of {name} must be")
        return None if reveal.seed == pair.seed else Fault("reveal", Check.MASTER, f"its seed is not that of {name}")

    def missing(self, header: Header) -> str | None:
        """Returns what the file does not tell of a match with a shared deal, None if it tells all."""
        pair = self._pairs.get(header.match_id)
        if pair is None:
            return NOT_LISTED if header.deal_mode is DealMode.SHARED else None
        left_out = self._first_left_out
        # Who may leave pairs out may choose among seeds, as with attempts; but a tournament may stop early.
        if pair.pair < left_out:  # mutant: the pair of the match is listed, so it is not the one left out
            return None
        return f"the master file leaves out pair {left_out}, which is before this match's"

    def _read(self, master: bytes, entropies: list[bytes], place: int, value: Any) -> tuple[int, int]:
        """Takes a pair and returns its number and that of the attempt."""
        name = f"pairs[{place}]"
        fields = _object(value, ("pair", "attempt", "matches"), name)
        number, attempt = (_integer(fields[key], f"{name}.{key}") for key in ("pair", "attempt"))
        pair = _Pair(number, attempt, pair_seed(master, number, attempt, entropies))
        listed = _listed(fields["matches"], f"{name}.matches")
        matches = [_hex(text, f"{name}.matches[{place}]") for place, text in listed]
        if not matches:
            raise MasterFault(f"{name} has no matches")
        for match_id in matches:
            if len(match_id) != MATCH_ID_SIZE:
                raise MasterFault(f"{name} has a match id that is not one of {2 * MATCH_ID_SIZE} hex digits")
            if match_id in self._pairs:
                raise MasterFault(f"{name} has match {match_id.hex()}, which is listed before")
            self._pairs[match_id] = pair
        return number, attempt


def _check_attempts(attempts: Iterable[tuple[int, int]]) -> None:
    """Checks that the attempts of each pair are there from 0: who may leave some out may choose among seeds."""
    due: dict[int, int] = {}
    for pair, attempt in sorted(attempts):
        if attempt != due.get(pair, 0):
            raise MasterFault(f"pair {pair} has attempt {attempt}, must be {due.get(pair, 0)}")
        due[pair] = attempt + 1


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode(), object_pairs_hook=_fields, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise MasterFault(f"no JSON: {error}") from None


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object. Raises ValueError for one that says two things under one key."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise ValueError(f"key {key!r} is there twice")
        fields[key] = value
    return fields


def _whole_number(digits: str) -> int:
    """Returns a number. Raises ValueError for the one that can be written in two ways."""
    if digits == "-0":
        raise ValueError("a whole number is not written as -0")
    return int(digits)


def _object(value: Any, keys: tuple[str, ...], name: str) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise MasterFault(f"{name} must be an object with {', '.join(keys)}")
    return value


def _listed(value: Any, name: str) -> Iterator[tuple[int, Any]]:
    if not isinstance(value, list):
        raise MasterFault(f"{name} must be a list")
    return enumerate(value)


def _integer(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise MasterFault(f"{name} must be a whole number")
    return value


def _hex(value: Any, name: str) -> bytes:
    if not isinstance(value, str) or len(value) % 2 or not _HEX_DIGITS.issuperset(value):
        raise MasterFault(f"{name} must be hex digits")
    return bytes.fromhex(value)
