"""The certificate of a referee: read, or made where there is no authority to ask for one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import grpc
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.server.binding import ServeError

_LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_LIFETIME: Final = timedelta(days=3_650)
# Clocks of other machines may be behind.
_BACKDATED: Final = timedelta(days=1)
# With others gRPC binds no port, or shakes no hands.
_CURVES: Final = (ec.SECP256R1, ec.SECP384R1)


class BadCertificate(ServeError):
    """Tells that a certificate or its key cannot be used."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Holds the certificate chain of a referee and its key, both PEM; the key is not in the `repr`."""

    chain: bytes
    key: bytes = field(repr=False)

    @property
    def credentials(self) -> grpc.ServerCredentials:
        """Returns what a server serves with."""
        return grpc.ssl_server_credentials([(self.key, self.chain)])


def read_certificate(chain: Path, key: Path) -> Certificate:
    """Returns a certificate chain and its key. Raises BadCertificate if they are not right together and now."""
    certificate = Certificate(_read(chain), _read(key))
    try:
        leaf = x509.load_pem_x509_certificates(certificate.chain)[0]
    except ValueError:
        raise BadCertificate(f"{chain} holds no PEM certificate") from None
    try:
        own = serialization.load_pem_private_key(certificate.key, None)
    except TypeError:
        raise BadCertificate(f"{key} is encrypted: the referee cannot ask for a password") from None
    except (ValueError, UnsupportedAlgorithm):
        raise BadCertificate(f"{key} holds no PEM private key") from None
    if not _can_serve(own):
        raise BadCertificate(f"{key} is of a kind that cannot serve: it takes RSA, or ECDSA on P-256 or P-384")
    form = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    if leaf.public_key().public_bytes(*form) != own.public_key().public_bytes(*form):
        raise BadCertificate(f"{key} is not the key of {chain}")
    now = datetime.now(UTC)
    if now >= leaf.not_valid_after_utc:
        raise BadCertificate(f"{chain} has expired at {leaf.not_valid_after_utc:%Y-%m-%d %H:%M} UTC")
    if now < leaf.not_valid_before_utc:
        raise BadCertificate(f"{chain} is not valid before {leaf.not_valid_before_utc:%Y-%m-%d %H:%M} UTC")
    return certificate


def make_certificate(names: Sequence[str] = (), lifetime: timedelta = _LIFETIME) -> Certificate:
    """Returns a new key and a certificate that it signs itself, for this machine and further host names or addresses.

    With a `lifetime` below zero, up to a day, it has expired already. Raises ValueError for what can be no host name.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _self_signed(key, [*dict.fromkeys((*_LOCAL_NAMES, *names))], lifetime)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Certificate(certificate.public_bytes(Encoding.PEM), private)


def _can_serve(key: PrivateKeyTypes) -> bool:
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return isinstance(key.curve, _CURVES)
    return isinstance(key, rsa.RSAPrivateKey)


def _self_signed(key: ec.EllipticCurvePrivateKey, names: Sequence[str], lifetime: timedelta) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "UNO Duo referee")])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _BACKDATED)
        .not_valid_after(now + lifetime)
        .add_extension(x509.SubjectAlternativeName([_general_name(text) for text in names]), critical=False)
        # Not an authority, and so without the right to sign: strict clients take no authority for a server.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        pass
    if not text or any(character.isspace() for character in text):
        raise ValueError(f"{text!r} is no host name")
    try:
        return x509.DNSName(text)
    except ValueError:
        raise ValueError(f"{text!r} is no host name") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadCertificate(f"cannot read {path}: {error.strerror}") from None
