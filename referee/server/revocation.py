"""Which token a `RevokeToken` call is about."""

from dataclasses import dataclass

from unoduo.v1 import referee_service_pb2 as pb

from referee.adjudication.terms import InvalidTerms, Player, validate_player
from referee.match.credentials import Role
from referee.server.requests import checked_match_id, invalid, match_id_of, seat_of


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
        return MatchToken(match_id_of(request.seat, "seat."), Role(seat_of(request.seat.seat, "seat.seat")))
    if target == "spectator_match_id":
        return MatchToken(checked_match_id(request.spectator_match_id, "spectator_match_id"), Role.SPECTATOR)
    if target == "bot":
        try:
            validate_player(Player(request.bot))
        except InvalidTerms as error:
            raise invalid("bot", error.message) from None
        return BotToken(request.bot)
    raise invalid("target", "one of seat, spectator_match_id and bot must be set")
