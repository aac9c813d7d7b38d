"""Why a call or an item of a session could not be handled (`PROTOCOL.md`, "Problems").

A fault is one thing whether it becomes an item of a session or the status of a unary call. It is not a refusal of the
rules: those are answers.
"""

from enum import Enum, IntEnum


class Code(IntEnum):
    """Names the numbers of the gRPC status codes that are in use."""

    INVALID_ARGUMENT = 3
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class ProblemReason(Enum):
    """Names each reason, with its code and a sentence for people; the names are stable and go out as they are."""

    MESSAGE_UNREADABLE = (Code.INVALID_ARGUMENT, "the bytes are not the message that this call takes")
    NO_ITEMS = (Code.INVALID_ARGUMENT, "a request needs at least one item")
    KIND_MISSING = (Code.INVALID_ARGUMENT, "the item has no kind, or one that this referee does not know")
    FIELD_INVALID = (Code.INVALID_ARGUMENT, "the field is missing or has a value that it cannot have")
    HANDLE_TAKEN = (Code.INVALID_ARGUMENT, "the handle was used before in this session")
    H0_MISMATCH = (Code.INVALID_ARGUMENT, "this is not the head of the header of this match")
    ENTROPY_NOT_ALLOWED = (Code.INVALID_ARGUMENT, "entropy is taken for a fresh deal only")
    DEAL_UNKNOWN = (Code.INVALID_ARGUMENT, "there is no such deal to share")
    BOT_UNKNOWN = (Code.INVALID_ARGUMENT, "there is no bot of this name: give it a token first")
    TOKEN_MISSING = (Code.UNAUTHENTICATED, "a token is needed")
    TOKEN_UNKNOWN = (Code.UNAUTHENTICATED, "nobody has this token")
    NOT_YOURS = (Code.PERMISSION_DENIED, "it does not exist or is not for this token")
    DEAL_CLOSED = (Code.FAILED_PRECONDITION, "the deal is closed: it takes no more matches")
    HELLO_NOT_FIRST = (Code.FAILED_PRECONDITION, "hello is the first item of a session or absent")
    PROTOCOL_UNSUPPORTED = (Code.FAILED_PRECONDITION, "this referee speaks version 1 of the protocol")
    HANDLE_UNKNOWN = (Code.FAILED_PRECONDITION, "no seat was joined under this handle")
    HANDLE_ENDED = (Code.FAILED_PRECONDITION, "delivery for this handle has ended")
    MATCH_ENDED = (Code.FAILED_PRECONDITION, "the match has ended")
    REPLAY_NOT_AVAILABLE = (Code.FAILED_PRECONDITION, "the replay is public when the last match of the deal is over")
    FEED_NOT_AVAILABLE = (Code.FAILED_PRECONDITION, "the feed of a shared deal is public when its last match is over")
    INBOX_FULL = (Code.RESOURCE_EXHAUSTED, "too many items of this seat wait to be judged")
    TOO_MANY_SEATS = (Code.RESOURCE_EXHAUSTED, "the session holds as many seats as it may")
    TOO_MANY_ITEMS = (Code.RESOURCE_EXHAUSTED, "the request has more items than it may")
    MESSAGE_TOO_LARGE = (Code.RESOURCE_EXHAUSTED, "the request has more bytes than it may")
    TOO_MANY_MALFORMED = (Code.RESOURCE_EXHAUSTED, "too many malformed items in a row")
    SLOW_READER = (Code.RESOURCE_EXHAUSTED, "the client does not read what it is sent")
    TOO_MANY_CALLS = (Code.RESOURCE_EXHAUSTED, "as many calls of this kind are open as may be")
    TOO_MANY_MATCHES = (Code.RESOURCE_EXHAUSTED, "the referee has as many open matches as it may")
    MATCH_FROZEN = (Code.UNAVAILABLE, "the match stands still now")
    STORE_UNAVAILABLE = (Code.UNAVAILABLE, "the store does not take anything now")
    DRAINING = (Code.UNAVAILABLE, "the referee is going down")
    FORKED = (Code.DATA_LOSS, "the log of the referee is another one than that of the client")
    INTERNAL = (Code.INTERNAL, "the referee has a bug; the log of the referee says more")

    @property
    def code(self) -> Code:
        """Returns the status code."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """Returns what it means, for people."""
        return self.value[1]


class Fault(Exception):
    """Reports that a call or an item could not be handled.

    `field` names the field that is wrong, as in `join.match_id`, or is empty. `retry_after_ms` is 0 if trying again is
    no use. The message never holds anything that a seat must not know.
    """

    def __init__(self, reason: ProblemReason, *, field: str = "", message: str = "", retry_after_ms: int = 0) -> None:
        super().__init__(f"{reason.name}: {message or reason.sentence}")
        self.reason = reason
        self.field = field
        self.message = message or reason.sentence
        self.retry_after_ms = retry_after_ms

    @property
    def code(self) -> Code:
        """Returns the status code."""
        return self.reason.code
