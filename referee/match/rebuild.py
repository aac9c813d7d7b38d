"""How a match is made anew from its log (`PROTOCOL.md`, "The log")."""

from __future__ import annotations

import asyncio
from array import array
from dataclasses import dataclass
from functools import partial
from typing import Final

from referee.adjudication.apply import apply, note_try
from referee.adjudication.inputs import Resume
from referee.adjudication.state import Decision, MatchState
from referee.codec.entries import decode_entry
from referee.codec.headers import RULES_REVISION, Header
from referee.deal.streams import SealedShuffler
from referee.log.heads import entry_head
from referee.store.base import MatchRow, Secrets, Store

_PAGE_BYTES: Final = 64 * 1024
_ENTRIES_A_TURN: Final = 16


class BrokenLog(Exception):
    """Reports that a match cannot be made anew: its log is not as it was written."""

    def __init__(self, number: int, index: int) -> None:
        super().__init__(f"the log of match {number} is broken at entry {index}")
        self.number = number
        self.index = index


class OtherRules(Exception):
    """Reports that a match cannot be made anew here: it was begun under another revision of the rules."""

    def __init__(self, number: int, revision: int) -> None:
        super().__init__(f"match {number} was begun under revision {revision} of the rules, not {RULES_REVISION}")
        self.number = number
        self.revision = revision


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Holds a match as its log leaves it.

    `last_decision` is the one that was closed last, None if none was. `ends` has the sequence number at which each
    entry ends, `head` is the head after the last one. `readies` is the entropy that the seats have given.
    """

    secrets: Secrets
    state: MatchState
    last_decision: Decision | None
    ends: array[int]
    head: bytes
    readies: tuple[bytes | None, bytes | None]


def first_state(header: Header, secrets: Secrets) -> MatchState:
    """Returns the state of a match that has no entry yet."""
    return MatchState(header.terms, partial(SealedShuffler, secrets.seed, secrets.deal_id))


async def rebuild(store: Store, row: MatchRow, header: Header) -> Rebuilt:
    """Returns a match that is not sealed as the store has it; the loop runs on meanwhile.

    What the log says is applied and not judged again: it was judged before it was written. Raises StoreError,
    BrokenLog if a head does not fit, and OtherRules.
    """
    if header.rules_revision != RULES_REVISION:
        raise OtherRules(row.number, header.rules_revision)
    secrets = await store.read_secrets(row.number)
    if secrets is None:
        raise BrokenLog(row.number, 0)
    state, last_decision = first_state(header, secrets), None
    ends, head = array("I"), row.h0
    while page := await store.read_entries(row.number, len(ends), _PAGE_BYTES):
        for stored in page:
            head = entry_head(head, stored.data)
            if head != stored.head:
                raise BrokenLog(row.number, stored.index)
            entry = decode_entry(stored.data)
            if not isinstance(entry.input.kind, Resume):
                last_decision = state.decision
            for attempt in entry.tries:
                note_try(state, attempt)
            apply(state, entry.input, entry.events)
            ends.append(state.sequence)
            if len(ends) % _ENTRIES_A_TURN == 0:
                await asyncio.sleep(0)
    return Rebuilt(secrets, state, last_decision, ends, head, await store.readies(row.number))
