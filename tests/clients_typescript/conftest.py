import pytest

from tests.clients_shared.starting import Starter
from tests.clients_typescript.client import TYPESCRIPT


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Starter:
    return TYPESCRIPT.ready(tmp_path_factory.mktemp("typescript"))
