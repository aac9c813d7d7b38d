from dataclasses import replace

import pytest
from hypothesis import given
from unoduo.v1 import log_pb2 as pb

from referee.adjudication.terms import DealMode, FaultPolicy, Player, Terms, TimeControl
from referee.codec.errors import Malformed
from referee.codec.headers import FORMAT, RULES_REVISION, Header, decode_header, encode_header
from referee.rules.ruleset import DUO
from tests.codec.canonical import assert_canonical
from tests.codec.strategies import headers

HEADER = Header(
    match_id=bytes(16),
    match_number=3,
    index_head=bytes(32),
    commitment=bytes(range(32)),
    deal_mode=DealMode.FRESH,
    ruleset=DUO,
    time_control=TimeControl(),
    fault_policy=FaultPolicy(),
    players=(Player("ann"), Player("bob", "greedy")),
    created="2026-01-02T03:04:05Z",
)
DATA = encode_header(HEADER)


def message() -> pb.Header:
    return pb.Header.FromString(DATA)


def refused(data: bytes) -> str:
    with pytest.raises(Malformed) as error:
        decode_header(data)
    return error.value.field


@given(headers)
def test_header_survives_both_ways(header: Header) -> None:
    data = encode_header(header)
    assert decode_header(data) == header
    assert_canonical(pb.Header, data)


def test_header_is_of_this_format_and_revision() -> None:
    assert (HEADER.format, HEADER.rules_revision) == (FORMAT, RULES_REVISION) == (1, 1)
    assert HEADER.terms == Terms(DUO, TimeControl(), FaultPolicy())


def test_header_of_a_later_revision_of_the_rules_is_read() -> None:
    written = message()
    written.rules_revision = 2
    assert decode_header(written.SerializeToString(deterministic=True)).rules_revision == 2


@pytest.mark.parametrize("format", [0, 2])
def test_header_of_another_format_is_refused(format: int) -> None:
    written = message()
    written.format = format
    assert refused(written.SerializeToString()) == "header.format"


@pytest.mark.parametrize(
    ("setting", "field"),
    [
        ("ruleset", "hand_size"),
        ("ruleset", "deck"),
        ("time_control", "startup_grace_ms"),
        ("fault_policy", "on_expiry"),
        ("fault_policy", "rejection_limit"),
    ],
)
def test_header_with_an_unset_setting_is_refused(setting: str, field: str) -> None:
    written = message()
    getattr(written, setting).ClearField(field)
    assert refused(written.SerializeToString(deterministic=True)) == "header"


def test_header_with_an_unknown_field_is_refused() -> None:
    assert refused(DATA + b"\x78\x01") == "header"


def test_header_cut_short_is_refused() -> None:
    # Without the last text, no shorter beginning is a header of its own.
    data = encode_header(replace(HEADER, created=""))
    decode_header(data)
    for size in range(len(data)):
        refused(data[:size])


def test_malformed_parts_are_named() -> None:
    fields = []
    for change in (
        lambda header: setattr(header, "rules_revision", 0),
        lambda header: setattr(header, "match_id", bytes(15)),
        lambda header: setattr(header, "match_number", 0),
        lambda header: setattr(header, "index_head", b""),
        lambda header: setattr(header, "key_id", bytes(15)),
        lambda header: setattr(header, "commitment", bytes(33)),
        lambda header: setattr(header, "deal_mode", 0),
        lambda header: setattr(header.ruleset, "hand_size", 99),
        lambda header: setattr(header.time_control, "limit_ms", 0),
        lambda header: setattr(header.fault_policy, "on_expiry", 3),
        lambda header: header.players.pop(),
        lambda header: setattr(header.players[1], "name", ""),
        lambda header: setattr(header, "replaces_number", 3),
    ):
        written = message()
        change(written)
        fields.append(refused(written.SerializeToString()))
    assert fields == [
        "header.rules_revision",
        "header.match_id",
        "header.match_number",
        "header.index_head",
        "header.key_id",
        "header.commitment",
        "header.deal_mode",
        "header.ruleset.hand_size",
        "header.time_control.limit_ms",
        "header.fault_policy.on_expiry",
        "header.players",
        "header.players[1].name",
        "header.replaces_number",
    ]
