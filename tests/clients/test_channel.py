from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import grpc.aio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from unoduo_client import TLS, Organiser, RefereeError, SessionLost, connect
from unoduo_client.channel import Security, read_token

from tests.clients.scripted import MATCH_ID


def certificate(host: x509.GeneralName) -> tuple[bytes, bytes]:
    """Returns a private key and a certificate of its own for a host, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a referee")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([host]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return (
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        signed.public_bytes(serialization.Encoding.PEM),
    )


@asynccontextmanager
async def listening(credentials: tuple[bytes, bytes] | None) -> AsyncIterator[str]:
    """Yields the address of a server that has no calls."""
    server = grpc.aio.server()
    if credentials is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([credentials]))
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def answer(address: str, tls: Security) -> str:
    """Returns what the organiser learns: of a server without calls that there is no such call."""
    async with Organiser(address, tls=tls) as organiser:
        with pytest.raises(RefereeError) as error:
            await organiser.get_match(MATCH_ID)
    return error.value.code.name if error.value.code is grpc.StatusCode.UNIMPLEMENTED else error.value.message


HERE = x509.IPAddress(ip_address("127.0.0.1"))


async def test_tls_reaches_a_referee_whose_certificate_is_trusted(tmp_path: Path) -> None:
    credentials = certificate(HERE)
    root = tmp_path / "root.pem"
    root.write_bytes(credentials[1])
    async with listening(credentials) as address:
        assert await answer(address, TLS(root)) == "UNIMPLEMENTED"


@pytest.mark.parametrize("uses_file", [True, False], ids=["another certificate", "those of the system"])
async def test_tls_refuses_a_certificate_that_is_not_trusted(tmp_path: Path, uses_file: bool) -> None:
    root = tmp_path / "root.pem"
    root.write_bytes(certificate(HERE)[1])
    async with listening(certificate(HERE)) as address:
        message = await answer(address, TLS(root if uses_file else None))
        assert message == f"the certificate of the referee at {address} is not trusted"


async def test_tls_refuses_a_certificate_for_another_name(tmp_path: Path) -> None:
    credentials = certificate(x509.DNSName("other.example"))
    root = tmp_path / "root.pem"
    root.write_bytes(credentials[1])
    async with listening(credentials) as address:
        message = await answer(address, TLS(root))
        assert message == f"the certificate of the referee at {address} is for another name"


async def test_tls_tells_a_referee_that_does_not_speak_it() -> None:
    async with listening(None) as address:
        assert await answer(address, TLS()) == f"the referee at {address} does not speak TLS"


async def test_plaintext_is_the_default_on_this_machine() -> None:
    async with listening(None) as address:
        assert await answer(address, None) == "UNIMPLEMENTED"
        assert await answer(address.replace("127.0.0.1", "localhost"), None) == "UNIMPLEMENTED"


async def test_tls_is_the_default_to_any_other_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unoduo_client.channel._is_loopback", lambda address: False)
    async with listening(None) as address:
        assert await answer(address, None) == f"the referee at {address} does not speak TLS"
        assert await answer(address, False) == "UNIMPLEMENTED"


async def test_session_tells_that_the_certificate_is_not_trusted() -> None:
    async with listening(certificate(HERE)) as address:
        with pytest.raises(SessionLost, match="is not trusted") as lost:
            async with connect(address, tls=TLS()):
                pytest.fail("the certificate is not trusted")
        assert not lost.value.may_pass


def test_tls_refuses_a_file_without_certificates(tmp_path: Path) -> None:
    root = tmp_path / "root.pem"
    root.write_bytes(b"nonsense")
    with pytest.raises(OSError, match=r"root\.pem holds no certificate"):
        Organiser("127.0.0.1:1", tls=TLS(root))
    with pytest.raises(FileNotFoundError):
        Organiser("127.0.0.1:1", tls=TLS(tmp_path / "absent"))


def test_read_token_takes_off_the_white_space(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text(" abc-_1\n")
    assert read_token(path) == "abc-_1"
    for wrong in (b"", b" \n", b"two\nlines", "ümlaut".encode()):
        path.write_bytes(wrong)
        with pytest.raises(OSError, match="holds no token"):
            read_token(path)
