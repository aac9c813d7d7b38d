"""The way to a referee: plaintext or TLS, and the token that names the caller (PROTOCOL.md section 1)."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, TypeAlias

import grpc.aio

_OPTIONS = (
    # A dead peer is noticed within 20 seconds, also between calls; the referee allows a ping every 10 seconds.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # Also a ping that measures the way and is never answered: while it waits, no other is sent.
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Who tries again decides when: a channel shares no back-off with the one before it.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.min_reconnect_backoff_ms", 10_000),  # the time that an attempt to connect may take
    # Also bots and referee of one machine talk directly, whatever proxy its environment names.
    ("grpc.enable_http_proxy", 0),
)


@dataclass(frozen=True)
class TLS:
    """Tells whom to trust: the certificates of a PEM file, or those that the system trusts without one."""

    root: Path | None = None


Security: TypeAlias = TLS | Literal[False] | None
"""TLS, False for plaintext, or None for what is usual: plaintext on this machine, TLS to any other."""


def opener(address: str, tls: Security = None) -> Callable[[], grpc.aio.Channel]:
    """Returns what makes channels to `host:port`; nothing is connected before the first call on one.

    Raises OSError if the root certificates cannot be read.
    """
    if tls is None and not _is_loopback(address):
        tls = TLS()
    if not tls:
        return lambda: grpc.aio.insecure_channel(address, options=_OPTIONS)
    roots = grpc.ssl_channel_credentials(_roots(tls.root))
    return lambda: grpc.aio.secure_channel(address, roots, options=_OPTIONS)


def credentials(token: str | None) -> tuple[tuple[str, str], ...]:
    """Returns the metadata that names the caller, none without a token."""
    return () if token is None else (("authorization", f"Bearer {token}"),)


def read_token(path: Path) -> str:
    """Returns the token in a file, without white space around it. Raises OSError, also if the file holds none."""
    token = path.read_bytes().strip().decode("ascii", "replace")
    if not (token.isascii() and token.isprintable() and token):
        raise OSError(f"{path} holds no token")
    return token


def _roots(path: Path | None) -> bytes | None:
    """Returns certificates in PEM; None, when the system has no file of them, stands for those that gRPC brings."""
    if path is None:
        found = ssl.get_default_verify_paths().cafile
        return Path(found).read_bytes() if found is not None else None
    certificates = path.read_bytes()
    try:
        ssl.create_default_context(cadata=certificates.decode("ascii", "replace"))
    except (ssl.SSLError, ValueError):
        raise OSError(f"{path} holds no certificate") from None
    return certificates


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
