"""Where a referee may listen, and how it speaks there."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
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


@contextmanager
def refused(text: str) -> Iterator[None]:
    with pytest.raises(BadCertificate) as caught:
        yield
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def made(directory: Path, *names: str) -> tuple[Path, Path]:
    make_certificate(directory, names)
    return directory / "cert.pem", directory / "key.pem"


def write_certificate(directory: Path, start: datetime, end: datetime) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, end)
    (directory / "cert.pem").write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    (directory / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return directory / "cert.pem", directory / "key.pem"


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
    cert, key = made(tmp_path, "referee.example", "10.1.2.3", "localhost")
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
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["cert.pem", "key.pem"]


@pytest.mark.parametrize("name", ["", "a b", "ü.example"])
def test_what_can_be_no_host_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is no host name"):
        make_certificate(tmp_path, [name])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("there", ["cert.pem", "key.pem"])
def test_files_that_are_there_are_not_replaced(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    with pytest.raises(FileExistsError):
        make_certificate(tmp_path)
    assert os.listdir(tmp_path) == [there]
    assert (tmp_path / there).read_text() == "precious"


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
