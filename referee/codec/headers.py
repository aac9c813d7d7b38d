"""The header of a log (log.proto, PROTOCOL.md "The log")."""

from dataclasses import dataclass
from typing import Final

from unoduo.v1 import log_pb2 as pb

from referee.adjudication.terms import DealMode, FaultPolicy, Player, Terms, TimeControl
from referee.codec.enums import DEAL_MODES
from referee.codec.errors import Malformed
from referee.codec.settings import (
    decode_fault_policy,
    decode_player,
    decode_ruleset,
    decode_time_control,
    encode_fault_policy,
    encode_player,
    encode_ruleset,
    encode_time_control,
)
from referee.codec.strict import parse, require_same, require_size
from referee.rules.ruleset import Ruleset

FORMAT: Final = 1
RULES_REVISION: Final = 1

_MATCH_ID_SIZE: Final = 16
_HEAD_SIZE: Final = 32
_KEY_ID_SIZE: Final = 16
_COMMITMENT_SIZE: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Holds all that is fixed before any seat speaks.

    `match_id` has 16 bytes, `index_head` (of the referee's index chain before this match) and `commitment` (to the
    deal) 32, `key_id` 16 or none if the referee does not sign. `match_number` counts from 1; `replaces_number` is that
    of the void match which this one replaces, 0 if none. `players` are those of seats A and B. `created` is RFC 3339
    text for people.
    """

    format: int = FORMAT
    rules_revision: int = RULES_REVISION
    match_id: bytes
    match_number: int
    index_head: bytes
    key_id: bytes = b""
    commitment: bytes
    deal_mode: DealMode
    ruleset: Ruleset
    time_control: TimeControl
    fault_policy: FaultPolicy
    players: tuple[Player, Player]
    replaces_number: int = 0
    created: str

    @property
    def terms(self) -> Terms:
        """Returns what the match is judged by."""
        return Terms(self.ruleset, self.time_control, self.fault_policy)


def encode_header(header: Header) -> bytes:
    """Returns the bytes of a header as they are stored and hashed, every setting written out."""
    message = pb.Header(
        format=header.format,
        rules_revision=header.rules_revision,
        match_id=header.match_id,
        match_number=header.match_number,
        index_head=header.index_head,
        key_id=header.key_id,
        commitment=header.commitment,
        deal_mode=DEAL_MODES.numbers[header.deal_mode],
        ruleset=encode_ruleset(header.ruleset),
        time_control=encode_time_control(header.time_control),
        fault_policy=encode_fault_policy(header.fault_policy),
        players=map(encode_player, header.players),
        replaces_number=header.replaces_number,
        created=header.created,
    )
    return message.SerializeToString(deterministic=True)


def decode_header(data: bytes) -> Header:
    """Returns the header that stored bytes hold, of this format and any revision of the rules.

    Raises:
        Malformed: naming the field, as in `header.ruleset.hand_size`, for another format or whatever no header has:
            unknown fields, a form that is not canonical, unset settings, enum numbers unset or unknown, wrong sizes.
    """
    message = parse(pb.Header, data, "header")
    if message.format != FORMAT:
        raise Malformed("header.format", f"this program reads format {FORMAT} only, not {message.format}")
    if len(message.players) != 2:
        raise Malformed("header.players", f"must be two, not {len(message.players)}")
    if message.rules_revision == 0:
        raise Malformed("header.rules_revision", "must be 1 or more")
    if message.match_number == 0:
        raise Malformed("header.match_number", "must be 1 or more")
    if message.replaces_number >= message.match_number:
        raise Malformed("header.replaces_number", "must be that of an earlier match")
    header = Header(
        format=message.format,
        rules_revision=message.rules_revision,
        match_id=require_size(message.match_id, (_MATCH_ID_SIZE,), "header.match_id"),
        match_number=message.match_number,
        index_head=require_size(message.index_head, (_HEAD_SIZE,), "header.index_head"),
        key_id=require_size(message.key_id, (0, _KEY_ID_SIZE), "header.key_id"),
        commitment=require_size(message.commitment, (_COMMITMENT_SIZE,), "header.commitment"),
        deal_mode=DEAL_MODES.decode(message.deal_mode, "header.deal_mode"),
        ruleset=decode_ruleset(message.ruleset, "header.ruleset"),
        time_control=decode_time_control(message.time_control, "header.time_control"),
        fault_policy=decode_fault_policy(message.fault_policy, "header.fault_policy"),
        players=(
            decode_player(message.players[0], "header.players[0]"),
            decode_player(message.players[1], "header.players[1]"),
        ),
        replaces_number=message.replaces_number,
        created=message.created,
    )
    require_same(data, encode_header(header), "header")
    return header
