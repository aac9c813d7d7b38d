"""Who calls: named by the token in the metadata of a call."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.match.credentials import Credentials, Grant
from referee.match.faults import Fault, ProblemReason

_KEY: Final = "authorization"
_SCHEME: Final = "bearer "


@dataclass(frozen=True, slots=True)
class Caller:
    """Holds a caller. Without a token it is the organiser: the referee is reached from its own machine only."""

    token: str
    grant: Grant | None

    @property
    def is_organiser(self) -> bool:
        """Returns whether the caller may see and do everything."""
        return self.grant is None

    def may_see(self, number: int) -> bool:
        """Returns whether the caller may look at a match."""
        return self.grant is None or self.grant.number == number


def caller_of(metadata: Iterable[tuple[str, str | bytes]], credentials: Credentials) -> Caller:
    """Returns who calls. Raises Fault for a token that nobody has, or more than one."""
    values = [value for key, value in metadata if key == _KEY]
    if not values:
        return Caller("", None)
    text = values[0]
    if len(values) > 1 or isinstance(text, bytes) or not text.lower().startswith(_SCHEME):
        raise Fault(ProblemReason.TOKEN_UNKNOWN, field=_KEY, message="it must be `Bearer TOKEN`, once")
    token = text[len(_SCHEME) :].strip()
    grant = credentials.grant(token)
    if grant is None:
        raise Fault(ProblemReason.TOKEN_UNKNOWN, field=_KEY)
    return Caller(token, grant)
