"""Ed25519 signatures of results and of the referee's index (`PROTOCOL.md`, "The log")."""

from hashlib import sha256
from typing import Final, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

KEY_ID_SIZE: Final = 16


class SigningKey:
    """Signs for a referee. `public` is its public key (32 bytes), `key_id` what headers name it by (16 bytes)."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw()
        self.key_id = key_id(self.public)

    @classmethod
    def generate(cls) -> Self:
        """Returns a new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, data: bytes) -> Self:
        """Returns the key of a PEM file without a password. Raises ValueError for anything else."""
        try:
            private = load_pem_private_key(data, None)
        except TypeError:
            raise ValueError("it is encrypted") from None
        except UnsupportedAlgorithm:
            raise ValueError("it is no Ed25519 key") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise ValueError("it is no Ed25519 key")
        return cls(private)

    def to_pem(self) -> bytes:
        """Returns the key as a PEM file holds it."""
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, data: bytes) -> bytes:
        """Returns the signature of data, 64 bytes, the same each time."""
        return self._private.sign(data)


def key_id(public: bytes) -> bytes:
    """Returns what names a public key in headers: the first 16 bytes of its SHA-256."""
    return sha256(public).digest()[:KEY_ID_SIZE]


def is_signed(public: bytes, signature: bytes, data: bytes) -> bool:
    """Returns whether a signature is that of these bytes by the owner of a public key (32 bytes)."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except InvalidSignature:
        return False
    return True
