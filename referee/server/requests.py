"""What the messages of the unary calls ask for."""

from typing import Final

from unoduo.v1 import referee_service_pb2 as pb

from referee.codec.errors import Malformed
from referee.codec.settings import decode_fault_policy, decode_player, decode_ruleset, decode_time_control
from referee.deal.commitment import MATCH_ID_SIZE, SEED_SIZE
from referee.match.faults import Fault, ProblemReason
from referee.match.registry import MatchOrder

_DEFAULT_PAGE: Final = 100
_LARGEST_PAGE: Final = 1_000
_LARGEST_NUMBER: Final = (1 << 32) - 1


def match_order(request: pb.CreateMatchRequest) -> MatchOrder:
    """Returns what an organiser orders. Raises Fault naming the field."""
    deal = request.WhichOneof("deal")
    if deal == "deal_id":
        raise Fault(ProblemReason.DEAL_UNKNOWN, field="deal_id")
    if deal == "seed" and len(request.seed) != SEED_SIZE:
        raise invalid("seed", f"must have {SEED_SIZE} bytes, not {len(request.seed)}")
    if len(request.players) != 2:
        raise invalid("players", f"must be two, not {len(request.players)}")
    try:
        return MatchOrder(
            ruleset=decode_ruleset(request.ruleset),
            time_control=decode_time_control(request.time_control if request.HasField("time_control") else None),
            fault_policy=decode_fault_policy(request.fault_policy),
            players=(
                decode_player(request.players[0], "players[0]"),
                decode_player(request.players[1], "players[1]"),
            ),
            seed=request.seed if deal == "seed" else None,
            replaces_number=request.replaces_number,
        )
    except Malformed as error:
        raise malformed(error) from None


def match_id_of(request: pb.GetMatchRequest | pb.GetReplayRequest) -> bytes:
    """Returns the match id of a request. Raises Fault."""
    if len(request.match_id) != MATCH_ID_SIZE:
        raise invalid("match_id", f"must have {MATCH_ID_SIZE} bytes, not {len(request.match_id)}")
    return request.match_id


def page_of(request: pb.ListMatchesRequest) -> tuple[int, int]:
    """Returns the number after which a list begins and how many it has at most. Raises Fault."""
    size = request.page_size or _DEFAULT_PAGE
    if size > _LARGEST_PAGE:
        raise invalid("page_size", f"must be 1 to {_LARGEST_PAGE}, not {size}")
    token = request.page_token
    if not token:
        return 0, size
    if not (token.isascii() and token.isdecimal() and len(token) <= 10 and int(token) <= _LARGEST_NUMBER):
        raise invalid("page_token", "this is no token of an earlier answer")
    return int(token), size


def invalid(field: str, message: str) -> Fault:
    """Returns the fault of a field that is missing or wrong."""
    return Fault(ProblemReason.FIELD_INVALID, field=field, message=message)


def malformed(error: Malformed) -> Fault:
    """Returns the fault of a message that the codec refuses."""
    return invalid(error.field, error.message)
