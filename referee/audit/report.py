"""What a verification found."""

from dataclasses import dataclass
from enum import Enum, StrEnum

from referee.adjudication.terms import Player
from referee.rules.outcome import Outcome


class Status(Enum):
    """Names the verdict: all proven, something wrong, or nothing wrong but not all of it there to be proven."""

    OK = "ok"
    WRONG = "wrong"
    INCOMPLETE = "incomplete"


class Check(StrEnum):
    """Names what failed, beside the checks of `referee.adjudication.errors`; stable, for reports."""

    FILE = "FILE"
    ENCODING = "ENCODING"
    INDEX = "INDEX"
    SEQUENCE = "SEQUENCE"
    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    EVENTS = "EVENTS"
    PRIVATE_PART = "PRIVATE_PART"
    FINAL_HEAD = "FINAL_HEAD"
    OUTCOME = "OUTCOME"
    COMMITMENT = "COMMITMENT"
    DEAL_ID = "DEAL_ID"
    MASTER = "MASTER"
    SIGNATURE = "SIGNATURE"
    NUMBERS = "NUMBERS"
    MATCH = "MATCH"
    JOURNAL = "JOURNAL"
    HEADER = "HEADER"
    HEAD = "HEAD"
    OBSERVED = "OBSERVED"
    VIEW = "VIEW"
    ACTION = "ACTION"
    RESULT = "RESULT"


@dataclass(frozen=True, slots=True)
class Fault:
    """Holds the first thing that is wrong.

    `part` is `file head`, `header`, `entry N`, `seal`, `reveal`, `index`, `journal of seat A, record N` or, of one that
    cannot be read, `journal`; `check` is a value of `Check` here or in `referee.adjudication.errors`; `clause` is that
    of RULES.md, None if it is no matter of the rules; `message` says it in a sentence.
    """

    part: str
    check: str
    message: str
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Holds the verdict on a file and what was read of it, as far as it was read: of an index nothing.

    `part`, `check`, `message` and `clause` are those of the first `Fault` if the status is WRONG; if it is INCOMPLETE
    `message` says what is missing; otherwise they are None or empty. `not_proven` says, a sentence each, what this file
    cannot prove. `judged` says whether the entries were judged by the rules; if not, only their chain and form were
    checked. `number`, `match_id`, `players` and `h0` are None if the header was not read. `entries`, `actions` and
    `sequence` count entries, accepted actions and events; `final_head` is that of the last entry read. `outcome` is
    that of the last event, None if the match has none yet. `master_commitment` (32 bytes) is that of the master
    file, or None.
    """

    status: Status
    part: str | None
    check: str | None
    clause: str | None
    message: str
    not_proven: tuple[str, ...]
    judged: bool = False
    number: int | None = None
    match_id: bytes | None = None
    players: tuple[Player, Player] | None = None
    h0: bytes | None = None
    entries: int = 0
    actions: int = 0
    sequence: int = 0
    final_head: bytes | None = None
    outcome: Outcome | None = None
    master_commitment: bytes | None = None
