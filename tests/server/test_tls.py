"""Where a referee may listen, and how it speaks there."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.server.binding import Unprotected, check_protected
from referee.server.runtime import serve
from referee.server.tls import BadCertificate, make_certificate, read_certificate
from referee.store.memory import MemoryStore

WORLD = ["0.0.0.0", "::", "192.168.1.1", "example.org", ""]
PATIENCE_S = 20

Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


@contextmanager
def refused(text: str) -> Iterator[None]:
    with pytest.raises(BadCertificate) as caught:
        yield
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def made(directory: Path, *names: str) -> tuple[Path, Path]:
    certificate = make_certificate(names)
    return written(directory, certificate.chain, certificate.key)


def written(directory: Path, chain: bytes, key: bytes) -> tuple[Path, Path]:
    directory.mkdir(exist_ok=True)
    (directory / "cert.pem").write_bytes(chain)
    (directory / "key.pem").write_bytes(key)
    return directory / "cert.pem", directory / "key.pem"


def write_certificate(directory: Path, start: datetime, end: datetime, key: Key | None = None) -> tuple[Path, Path]:
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, end)
    digest = None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return written(directory, builder.sign(key, digest).public_bytes(Encoding.PEM), private)


async def health(channel: grpc.aio.Channel) -> int:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_S)
    return int(answer.status)


@pytest.mark.parametrize("host", WORLD)
async def test_host_of_the_world_without_tls_is_refused(host: str) -> None:
    with pytest.raises(Unprotected, match="--tls-cert"):
        async with serve(MemoryStore(), host=host, organiser_token="x"):
            pass


@pytest.mark.parametrize("host", WORLD)
@pytest.mark.parametrize("encrypted", [True, False])
def test_host_of_the_world_needs_an_organiser_token(host: str, encrypted: bool) -> None:
    with pytest.raises(Unprotected, match="--organiser-token"):
        check_protected(host, encrypted=encrypted, insecure=True, organiser_token=False)
    check_protected(host, encrypted=encrypted, insecure=True, organiser_token=True)
    check_protected(host, encrypted=True, insecure=False, organiser_token=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_needs_nothing(host: str) -> None:
    check_protected(host, encrypted=False, insecure=False, organiser_token=False)


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
async def test_certificate_that_was_made_serves_this_machine(tmp_path: Path, name: str) -> None:
    certificate = read_certificate(*made(tmp_path / "tls"))
    assert "PRIVATE KEY" not in repr(certificate)
    trust = grpc.ssl_channel_credentials(certificate.chain)
    async with (
        serve(MemoryStore(), certificate=certificate) as running,
        grpc.aio.secure_channel(f"{name}:{running.port}", trust) as channel,
    ):
        assert await health(channel) == health_pb2.HealthCheckResponse.SERVING


async def test_tls_referee_answers_neither_plaintext_nor_who_trusts_others(tmp_path: Path) -> None:
    certificate = read_certificate(*made(tmp_path / "one"))
    other = read_certificate(*made(tmp_path / "two"))
    async with serve(MemoryStore(), certificate=certificate) as running:
        for channel in (
            grpc.aio.insecure_channel(running.address),
            grpc.aio.secure_channel(running.address, grpc.ssl_channel_credentials(other.chain)),
        ):
            async with channel:
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await health(channel)
                assert error.value.code() is grpc.StatusCode.UNAVAILABLE


def test_made_certificate_names_this_machine_and_what_was_asked_for(tmp_path: Path) -> None:
    cert, _ = made(tmp_path, "referee.example", "10.1.2.3", "localhost")
    names = x509.load_pem_x509_certificate(cert.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert [str(name.value) for name in names.value] == [
        "localhost",
        "127.0.0.1",
        "::1",
        "referee.example",
        "10.1.2.3",
    ]


@pytest.mark.parametrize("name", ["", "a b", "ü.example"])
def test_what_can_be_no_host_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is no host name"):
        make_certificate([name])


@pytest.mark.parametrize(
    "key",
    [
        rsa.generate_private_key(65_537, 2_048),
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP384R1()),
    ],
    ids=["RSA", "P-256", "P-384"],
)
async def test_key_of_a_kind_that_is_taken_serves(tmp_path: Path, key: Key) -> None:
    now = datetime.now(UTC)
    certificate = read_certificate(*write_certificate(tmp_path, now - timedelta(days=1), now + timedelta(days=1), key))
    async with serve(MemoryStore(), certificate=certificate) as running:
        assert running.port


@pytest.mark.parametrize(
    "key",
    [
        ed25519.Ed25519PrivateKey.generate(),
        ec.generate_private_key(ec.SECP256K1()),
        ec.generate_private_key(ec.SECP521R1()),
    ],
    ids=["Ed25519", "secp256k1", "P-521"],
)
def test_key_of_a_kind_that_cannot_serve_is_refused(tmp_path: Path, key: Key) -> None:
    now = datetime.now(UTC)
    with refused(f"{tmp_path / 'key.pem'} is of a kind that cannot serve"):
        read_certificate(*write_certificate(tmp_path, now - timedelta(days=1), now + timedelta(days=1), key))


def test_certificate_problems_say_what_is_wrong(tmp_path: Path) -> None:
    cert, key = made(tmp_path / "one")
    _, other_key = made(tmp_path / "two")
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("-----BEGIN CERTIFICATE-----\nx\n")
    with refused(f"cannot read {tmp_path / 'missing'}: No such file"):
        read_certificate(tmp_path / "missing", key)
    with refused(f"cannot read {tmp_path / 'missing'}: No such file"):
        read_certificate(cert, tmp_path / "missing")
    with refused(f"{nonsense} holds no PEM certificate"):
        read_certificate(nonsense, key)
    with refused(f"{key} holds no PEM certificate"):
        read_certificate(key, key)
    for wrong in (nonsense, cert):
        with refused(f"{wrong} holds no PEM private key"):
            read_certificate(cert, wrong)
    with refused(f"{other_key} is not the key of {cert}"):
        read_certificate(cert, other_key)


def test_encrypted_key_is_refused(tmp_path: Path) -> None:
    cert, key = made(tmp_path / "one")
    loaded = load_pem_private_key(key.read_bytes(), None)
    locked = tmp_path / "locked"
    form = Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"password")
    locked.write_bytes(loaded.private_bytes(*form))
    with refused(f"{locked} is encrypted"):
        read_certificate(cert, locked)


def test_certificate_out_of_its_time_is_refused(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with refused("has expired"):
        read_certificate(*write_certificate(tmp_path, now - timedelta(days=2), now - timedelta(days=1)))
    with refused("is not valid before"):
        read_certificate(*write_certificate(tmp_path, now + timedelta(days=1), now + timedelta(days=2)))
