import pytest

from tests.clients_rust.client import RUST
from tests.clients_shared.starting import Starter


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Starter:
    return RUST.ready(tmp_path_factory.mktemp("rust"))
