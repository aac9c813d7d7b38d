"""The starter bot in Rust against a real referee."""

from tests.clients_rust.client import RUST
from tests.clients_shared.contract import StarterContract


class TestRustStarter(StarterContract):
    client = RUST
