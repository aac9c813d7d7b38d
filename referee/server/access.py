"""Who may call what (`PROTOCOL.md`, "The calls"): one table, which every call is checked against."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from referee.match.credentials import Caller, CallerKind
from referee.match.faults import Fault, ProblemReason
from referee.store.base import MatchRow


class Reach(Enum):
    """Tells how far a call goes for a caller: the words of the table."""

    ALL = "yes"
    OWN = "its own"
    OWN_OR_TOKEN = "its own, or with a seat token"
    TOKEN = "with a seat token"
    NOTHING = "no"


def _row(organiser: Reach, bot: Reach, seat: Reach, spectator: Reach, nobody: Reach) -> Mapping[CallerKind, Reach]:
    return MappingProxyType(dict(zip(CallerKind, (organiser, bot, seat, spectator, nobody), strict=True)))


_ORGANISER_ONLY: Final = _row(Reach.ALL, Reach.NOTHING, Reach.NOTHING, Reach.NOTHING, Reach.NOTHING)
_EVERYBODY_OF_IT: Final = _row(Reach.ALL, Reach.OWN, Reach.OWN, Reach.OWN, Reach.NOTHING)
_PLAYERS: Final = _row(Reach.TOKEN, Reach.OWN_OR_TOKEN, Reach.OWN_OR_TOKEN, Reach.NOTHING, Reach.TOKEN)
_WATCHERS: Final = _row(Reach.ALL, Reach.NOTHING, Reach.NOTHING, Reach.OWN, Reach.NOTHING)

ACCESS: Final[Mapping[str, Mapping[CallerKind, Reach]]] = MappingProxyType(
    {
        "CreateMatch": _ORGANISER_ONLY,
        "GetMatch": _EVERYBODY_OF_IT,
        "ListMatches": _ORGANISER_ONLY,
        "VoidMatch": _ORGANISER_ONLY,
        "RevokeToken": _ORGANISER_ONLY,
        "GetIndex": _ORGANISER_ONLY,
        "CreateDeal": _ORGANISER_ONLY,
        "CloseDeal": _ORGANISER_ONLY,
        "Play": _PLAYERS,
        "Act": _PLAYERS,
        "WatchMatch": _WATCHERS,
        "GetReplay": _EVERYBODY_OF_IT,
    }
)


def check_call(call: str, caller: Caller) -> None:
    """Checks that a caller may make a call at all. Raises Fault."""
    if ACCESS[call][caller.kind] is Reach.NOTHING:
        nobody = caller.kind is CallerKind.NOBODY
        raise Fault(ProblemReason.TOKEN_MISSING if nobody else ProblemReason.NOT_YOURS)


def visible(call: str, caller: Caller, row: MatchRow | None) -> MatchRow:
    """Returns a match that a caller may make a call about.

    Raises Fault, the same for a match that does not exist and for one of others.
    """
    belongs = caller.belongs_to(row)
    if row is None or not (belongs or ACCESS[call][caller.kind] is Reach.ALL):
        raise Fault(ProblemReason.NOT_YOURS)
    return row
