import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def closed_address() -> Iterator[str]:
    """Yields an address that nobody listens on, and nobody can meanwhile."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{holder.getsockname()[1]}"
