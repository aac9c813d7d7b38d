"""Which token a `RevokeToken` call is about."""

from dataclasses import dataclass

from unoduo.v1 import referee_service_pb2 as pb

from referee.adjudication.terms import InvalidTerms, Player, validate_player
from referee.codec.enums import SEATS
from referee.codec.errors import Malformed
from referee.deal.commitment import MATCH_ID_SIZE
from referee.match.credentials import Role
from referee.server.requests import invalid, malformed


@dataclass(frozen=True, slots=True)
class MatchToken:
    """Names the token of a seat or of the spectators of a match."""

    match_id: bytes
    role: Role


@dataclass(frozen=True, slots=True)
class BotToken:
    """Names the token of a bot."""

    name: str


def revoked_token(request: pb.RevokeTokenRequest) -> MatchToken | BotToken:
    """Returns which token is to be replaced. Raises Fault naming the field."""
    target = request.WhichOneof("target")
    if target == "seat":
        match_id = _match_id(request.seat.match_id, "seat.match_id")
        try:
            return MatchToken(match_id, Role(SEATS.decode(request.seat.seat, "seat.seat")))
        except Malformed as error:
            raise malformed(error) from None
    if target == "spectator_match_id":
        return MatchToken(_match_id(request.spectator_match_id, "spectator_match_id"), Role.SPECTATOR)
    if target == "bot":
        try:
            validate_player(Player(request.bot))
        except InvalidTerms as error:
            raise invalid("bot", error.message) from None
        return BotToken(request.bot)
    raise invalid("target", "one of seat, spectator_match_id and bot must be set")


def _match_id(match_id: bytes, field: str) -> bytes:
    if len(match_id) != MATCH_ID_SIZE:
        raise invalid(field, f"must have {MATCH_ID_SIZE} bytes, not {len(match_id)}")
    return match_id
