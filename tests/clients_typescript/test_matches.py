"""The starter bot in TypeScript against a real referee."""

from tests.clients_shared.contract import StarterContract
from tests.clients_typescript.client import TYPESCRIPT


class TestTypeScriptStarter(StarterContract):
    client = TYPESCRIPT
