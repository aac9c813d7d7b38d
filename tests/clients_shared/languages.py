"""The clients of all languages."""

from tests.clients.client import PYTHON
from tests.clients_go_bot.client import GO
from tests.clients_java.client import JAVA
from tests.clients_rust.client import RUST
from tests.clients_shared.client import Client
from tests.clients_typescript.client import TYPESCRIPT

FETCHED: tuple[Client, ...] = (GO, JAVA, RUST, TYPESCRIPT)
"""Those whose starter bots are compiled or installed first."""
CLIENTS: tuple[Client, ...] = (PYTHON, *FETCHED)
