"""Where a referee listens, and what keeps it from it."""

from ipaddress import ip_address

import grpc


class ServeError(Exception):
    """Is the root of what keeps a referee from serving."""


class PortBusy(ServeError):
    """Tells that the address cannot be bound, most often because another program listens there."""

    def __init__(self, address: str) -> None:
        super().__init__(f"cannot listen on {address}: it is in use, or no address of this machine")
        self.address = address


class Unprotected(ServeError):
    """Tells that the host can be reached from other machines, and what is missing for that."""

    def __init__(self, host: str, missing: str) -> None:
        super().__init__(f"{host} is not a loopback address: {missing}")
        self.host = host


def check_protected(host: str, *, encrypted: bool, insecure: bool, organiser_token: bool) -> None:
    """Checks that a host which other machines reach has TLS, unless told otherwise, and knows its organiser.

    Raises Unprotected.
    """
    if is_loopback(host):
        return
    if not (encrypted or insecure):
        raise Unprotected(host, "it needs TLS (--tls-cert, --tls-key) or --insecure")
    if not organiser_token:
        raise Unprotected(host, "it needs --organiser-token, else everybody would be the organiser")


def bind(server: grpc.aio.Server, host: str, port: int, credentials: grpc.ServerCredentials | None) -> int:
    """Binds a server to a port, plaintext without credentials, and returns the port. Raises PortBusy."""
    address = address_of(host, port)
    try:
        if credentials is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, credentials)
    except RuntimeError:
        raise PortBusy(address) from None


def address_of(host: str, port: int) -> str:
    """Returns the target for clients."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Returns whether only programs of this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
