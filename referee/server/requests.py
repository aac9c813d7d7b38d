"""What messages ask for: the fields that are wrong are named."""

from collections.abc import Sequence
from typing import Final, Protocol

from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2

from referee.adjudication.adjudicate import LONGEST_REASON
from referee.codec.actions import decode_action, decode_action_id
from referee.codec.enums import SEATS
from referee.codec.errors import Malformed
from referee.codec.settings import decode_fault_policy, decode_player, decode_ruleset, decode_time_control
from referee.deal.commitment import DEAL_ID_SIZE, MATCH_ID_SIZE, SEED_SIZE
from referee.deal.keys import MAX_ENTROPY
from referee.log.heads import HEAD_SIZE
from referee.match.assignments import BOT_SEED_SIZE
from referee.match.faults import Fault, ProblemReason
from referee.match.inbox import ActionPost, ReadyPost
from referee.match.registry import MatchOrder
from referee.match.seats import Attachment, Resume
from referee.rules.seats import Seat

_DEFAULT_PAGE: Final = 100
_LARGEST_PAGE: Final = 1_000
_LARGEST_NUMBER: Final = (1 << 32) - 1


class OfMatch(Protocol):
    """Is a message that names a match."""

    @property
    def match_id(self) -> bytes:
        """Returns the id that it gives."""


def match_order(request: pb.CreateMatchRequest) -> MatchOrder:
    """Returns what an organiser orders. Raises Fault naming the field."""
    deal = request.WhichOneof("deal")
    seed = _sized(request.seed, SEED_SIZE, "seed") if deal == "seed" else None
    deal_id = deal_id_of(request) if deal == "deal_id" else None
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
            seed=seed,
            deal_id=deal_id,
            replaces_number=request.replaces_number,
            bot_seeds=_bot_seeds(request.bot_seeds),
        )
    except Malformed as error:
        raise _malformed(error) from None


def deal_seed(request: pb.CreateDealRequest) -> bytes | None:
    """Returns the seed of a deal to be made, None if one is to be drawn. Raises Fault."""
    return _sized(request.seed, SEED_SIZE, "seed") if request.HasField("seed") else None


def deal_id_of(request: pb.CreateMatchRequest | pb.CloseDealRequest) -> bytes:
    """Returns the deal id of a request. Raises Fault."""
    return _sized(request.deal_id, DEAL_ID_SIZE, "deal_id")


def match_id_of(request: OfMatch, prefix: str = "") -> bytes:
    """Returns the match id of a request. Raises Fault."""
    return checked_match_id(request.match_id, f"{prefix}match_id")


def checked_match_id(match_id: bytes, field: str) -> bytes:
    """Returns what a field holds that is a match id. Raises Fault."""
    return _sized(match_id, MATCH_ID_SIZE, field)


def seat_of(number: int, field: str) -> Seat:
    """Returns the seat that a field names. Raises Fault."""
    try:
        return SEATS.decode(number, field)
    except Malformed as error:
        raise _malformed(error) from None


def resume_of(request: session_pb2.Join | pb.ActRequest | pb.WatchMatchRequest, prefix: str = "") -> Resume:
    """Returns behind which event the caller wants to go on. Raises Fault."""
    if request.after_sequence and len(request.head) != HEAD_SIZE:
        raise invalid(f"{prefix}head", f"must have {HEAD_SIZE} bytes, not {len(request.head)}")
    return Resume(request.after_sequence, request.head)


def ready_post(attachment: Attachment, ready: session_pb2.Ready) -> ReadyPost:
    """Returns what a seat says that is ready. Raises Fault."""
    if len(ready.entropy) > MAX_ENTROPY:
        raise invalid("ready.entropy", f"must have at most {MAX_ENTROPY} bytes, not {len(ready.entropy)}")
    return ReadyPost(attachment, ready.h0, ready.entropy)


def action_post(attachment: Attachment, submitted: session_pb2.SubmittedAction, stamp_ms: int) -> ActionPost:
    """Returns what a seat says that acts, read at that time. Raises Fault."""
    try:
        action_id = decode_action_id(submitted.action_id, "action.action_id")
        action = decode_action(submitted.action, "action.action")
    except Malformed as error:
        raise _malformed(error) from None
    return ActionPost(attachment, submitted.decision_id, action_id, action, stamp_ms)


def page_of(request: pb.ListMatchesRequest) -> tuple[int, int]:
    """Returns the number after which a list begins and how many it has at most. Raises Fault."""
    size = _page_size(request.page_size or _DEFAULT_PAGE)
    token = request.page_token
    if not token:
        return 0, size
    if not (token.isascii() and token.isdecimal() and len(token) <= 10 and int(token) <= _LARGEST_NUMBER):
        raise invalid("page_token", "this is no token of an earlier answer")
    return int(token), size


def index_page_size(request: pb.GetIndexRequest) -> int:
    """Returns how many records of the index are wanted at most. Raises Fault."""
    return _page_size(request.page_size or _LARGEST_PAGE)


def void_reason(request: pb.VoidMatchRequest) -> str:
    """Returns why a match is to be void. Raises Fault."""
    if len(request.reason) > LONGEST_REASON:
        raise invalid("reason", f"must have at most {LONGEST_REASON} characters, not {len(request.reason)}")
    return request.reason


def without_join(fault: Fault) -> Fault:
    """Returns a fault for a call that has the fields of a join itself."""
    field = fault.field.removeprefix("join.")
    return Fault(fault.reason, field=field, message=fault.message, retry_after_ms=fault.retry_after_ms)


def invalid(field: str, message: str) -> Fault:
    """Returns the fault of a field that is missing or wrong."""
    return Fault(ProblemReason.FIELD_INVALID, field=field, message=message)


def _bot_seeds(seeds: Sequence[bytes]) -> tuple[bytes, ...]:
    if len(seeds) not in (0, 2):
        raise invalid("bot_seeds", f"must be none or two, not {len(seeds)}")
    return tuple(_sized(seed, BOT_SEED_SIZE, f"bot_seeds[{place}]") for place, seed in enumerate(seeds))


def _malformed(error: Malformed) -> Fault:
    """Returns the fault of a message that the codec refuses."""
    return invalid(error.field, error.message)


def _sized(value: bytes, size: int, field: str) -> bytes:
    if len(value) != size:
        raise invalid(field, f"must have {size} bytes, not {len(value)}")
    return value


def _page_size(size: int) -> int:
    if size > _LARGEST_PAGE:
        raise invalid("page_size", f"must be 1 to {_LARGEST_PAGE}, not {size}")
    return size
