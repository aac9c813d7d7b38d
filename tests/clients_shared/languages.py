"""The clients of all languages whose starter bots are compiled or installed first."""

from tests.clients_go_bot.client import GO
from tests.clients_rust.client import RUST
from tests.clients_shared.client import Client
from tests.clients_typescript.client import TYPESCRIPT

CLIENTS: tuple[Client, ...] = (GO, RUST, TYPESCRIPT)
