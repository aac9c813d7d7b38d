"""The starter bots of other languages, built by what their own tests build them with."""

from tests.clients_go_bot.conftest import go as go
from tests.clients_go_bot.conftest import starter as go_starter
from tests.clients_rust.conftest import cargo as cargo
from tests.clients_rust.conftest import starter as rust_starter
from tests.clients_typescript.conftest import npm as npm
from tests.clients_typescript.conftest import starter as typescript_starter

__all__ = ["cargo", "go", "go_starter", "npm", "rust_starter", "typescript_starter"]
