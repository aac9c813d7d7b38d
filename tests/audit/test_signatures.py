"""Keys and signatures against `proto/vectors/log/signatures.json`."""

from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from referee.audit.signatures import SigningKey, is_signed, key_id
from referee.log.seal import checkpoint_bytes, result_bytes
from tests.log.vectors import Case, named, unhex


def result_of(case: Case) -> bytes:
    return result_bytes(case["number"], *(unhex(case[key]) for key in ("h0", "final_head", "outcome")))


@pytest.mark.parametrize("case", **named("log/signatures.json"))
def test_key_signs_as_the_vectors_say(case: Case) -> None:
    key = SigningKey(Ed25519PrivateKey.from_private_bytes(unhex(case["secret_key"])))
    assert (key.public.hex(), key.key_id.hex()) == (case["public_key"], case["key_id"])
    assert key.sign(result_of(case)).hex() == case["signature"]


@pytest.mark.parametrize("case", **named("log/signatures.json"))
def test_only_the_signature_of_the_vectors_is_taken(case: Case) -> None:
    public, result = unhex(case["public_key"]), result_of(case)
    assert is_signed(public, unhex(case["signature"]), result)
    assert case["not"]
    for mistaken in case["not"].values():
        assert not is_signed(public, unhex(mistaken), result)
    assert not is_signed(public, b"", result)
    assert not is_signed(public, unhex(case["signature"]), result + b"\0")


def test_key_is_the_same_after_it_was_written() -> None:
    key = SigningKey.generate()
    again = SigningKey.from_pem(key.to_pem())
    assert (again.public, again.key_id) == (key.public, key_id(key.public))
    assert is_signed(key.public, again.sign(b"result"), b"result")
    assert SigningKey.generate().public != key.public


def foreign_key() -> bytes:
    return generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def encrypted_key() -> bytes:
    form = Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"password")
    return Ed25519PrivateKey.generate().private_bytes(*form)


@pytest.mark.parametrize("data", [b"", b"a letter", foreign_key(), encrypted_key()])
def test_anything_else_is_no_key(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        SigningKey.from_pem(data)


def test_checkpoint_names_how_many_records_there_are() -> None:
    head = bytes(range(32))
    assert checkpoint_bytes(70_000, head) == b"unoduo/v1/index\0" + bytes.fromhex("00011170") + head
    with pytest.raises(ValueError, match="a head has 32 bytes"):
        checkpoint_bytes(1, bytes(31))


def test_key_of_a_kind_that_nobody_knows_is_refused() -> None:
    kind = bytes.fromhex("06032b6570")
    lines = SigningKey.generate().to_pem().decode().splitlines()
    lines[1] = b64encode(b64decode(lines[1]).replace(kind, bytes.fromhex("06032b6579"))).decode()
    with pytest.raises(ValueError, match=r"^it is no Ed25519 key$"):
        SigningKey.from_pem("\n".join(lines).encode())
