"""The vectors of whole replays, signatures and mistaken deals, against the referee's own code."""

import struct
from hashlib import sha256
from io import BytesIO

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.audit.index import NOT_SIGNED, Index
from referee.audit.verify import NO_INDEX, NO_SEAL, SIGNER_UNKNOWN, Evidence, verify
from referee.deal.streams import SealedShuffler
from referee.log.heads import INDEX_ORIGIN, index_head
from referee.log.seal import result_bytes
from referee.rules.cards import Card, deck_cards
from referee.rules.ruleset import DUO
from tests.log.vectors import Case, cases, named, unhex

MISTAKES = {
    "little_endian_words",
    "little_endian_numbers",
    "missing_length_prefix",
    "modulo_without_rejection",
    "seats_instead_of_contributors",
}
INDEX_HEAD = b"UNODUOI\x01"


def pair_that_decides(order: tuple[Card, ...]) -> tuple[Card, Card]:
    pairs = zip(order[::2], order[1::2], strict=True)
    return next((one, other) for one, other in pairs if one.points != other.points)


@pytest.mark.parametrize("case", **named("deal/mistakes.json"))
def test_orders_of_a_deal_are_not_those_of_known_mistakes(case: Case) -> None:
    shuffler = SealedShuffler(*(unhex(case[key]) for key in ("seed", "deal_id", "e1", "e2")))
    deck = deck_cards(DUO.deck)
    cut = shuffler.cut(deck)
    pair, decks = list(pair_that_decides(cut)), [list(shuffler.deck(round, deck)) for round in (1, 2)]
    assert (list(cut), pair, decks) == (case["cut"], case["cut_pair"], case["decks"])
    for mistaken in case["not"].values():
        assert mistaken.get("cut_pair") != pair
        assert not any(order in mistaken.get("decks", []) for order in decks)


def test_every_mistake_is_in_the_vectors() -> None:
    mistakes = [set(case["not"]) for case in cases("deal/mistakes.json")]
    assert mistakes[0] == MISTAKES
    names = {case["name"] for case in cases("log/replays.json")}
    assert names >= {f"dealt_with_{mistake}" for mistake in MISTAKES}


@pytest.mark.parametrize("case", **named("log/signatures.json"))
def test_signature_matches_the_vectors(case: Case) -> None:
    result = result_bytes(case["number"], *(unhex(case[key]) for key in ("h0", "final_head", "outcome")))
    key = Ed25519PrivateKey.from_private_bytes(unhex(case["secret_key"]))
    public = key.public_key()
    assert public.public_bytes_raw().hex() == case["public_key"]
    assert sha256(public.public_bytes_raw()).digest()[:16].hex() == case["key_id"]
    assert key.sign(result).hex() == case["signature"]
    for mistaken in case["not"].values():
        with pytest.raises(InvalidSignature):
            public.verify(unhex(mistaken), result)


@pytest.mark.parametrize("case", **named("log/replays.json"))
def test_replay_is_judged_as_the_vectors_say(case: Case) -> None:
    key = unhex(case["key"]) if "key" in case else None
    index = Index(BytesIO(unhex(case["index"])), key) if "index" in case else None
    report = verify(BytesIO(unhex(case["file"])), Evidence(key, index))
    found = report.status.value, report.part, report.check
    assert found == (case["status"], case.get("part"), case.get("check"))
    said = {text: text in report.not_proven for text in (SIGNER_UNKNOWN, NO_INDEX, NOT_SIGNED)}
    unsigned = index is not None and not index.is_signed
    assert said == {
        SIGNER_UNKNOWN: key is None or NO_SEAL in report.not_proven,
        NO_INDEX: index is None,
        NOT_SIGNED: unsigned,
    }


@pytest.mark.parametrize(
    "case",
    [case for case in cases("log/replays.json") if case.get("check") == "FILE"],
    ids=lambda case: str(case["name"]),
)
def test_index_with_a_fault_of_its_file_is_no_chain(case: Case) -> None:
    assert not is_chain(unhex(case["index"]))


@pytest.mark.parametrize(
    "case",
    [case for case in cases("log/replays.json") if "index" in case and case.get("check") != "FILE"],
    ids=lambda case: str(case["name"]),
)
def test_any_other_index_is_a_chain(case: Case) -> None:
    assert is_chain(unhex(case["index"]))


def is_chain(file: bytes) -> bool:
    rest, head = file.removeprefix(INDEX_HEAD), INDEX_ORIGIN
    if rest == file:
        return False
    while rest:
        (size,) = struct.unpack(">I", rest[:4])
        record, stored, rest = rest[4 : 4 + size], rest[4 + size : 36 + size], rest[36 + size :]
        head = index_head(head, record)
        if head != stored:
            return False
    return True


def test_keys_of_the_vectors_are_keys() -> None:
    keys = {case["key"] for case in cases("log/replays.json") if "key" in case}
    assert len(keys) == 2
    for key in keys:
        Ed25519PublicKey.from_public_bytes(unhex(key))
