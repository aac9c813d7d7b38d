"""Who calls: named by the token in the metadata of a call."""

from collections.abc import Iterable
from typing import Final

from referee.match.credentials import Caller
from referee.match.faults import Fault, ProblemReason
from referee.match.identities import Identities
from referee.match.refusals import later
from referee.store.errors import StoreError

_KEY: Final = "authorization"
_SCHEME: Final = "bearer "


async def caller_of(metadata: Iterable[tuple[str, str | bytes]], identities: Identities) -> Caller:
    """Returns who calls. Raises Fault for a token that nobody has, or more than one."""
    values = [value for key, value in metadata if key == _KEY]
    if not values:
        return identities.without_token
    text = values[0]
    if len(values) > 1 or isinstance(text, bytes) or not text.lower().startswith(_SCHEME):
        raise Fault(ProblemReason.TOKEN_UNKNOWN, field=_KEY, message="it must be `Bearer TOKEN`, once")
    try:
        caller = await identities.caller(text[len(_SCHEME) :].strip())
    except StoreError:
        raise later(ProblemReason.STORE_UNAVAILABLE) from None
    if caller is None:
        raise Fault(ProblemReason.TOKEN_UNKNOWN, field=_KEY)
    return caller
