import pytest

from tests.clients_go_bot.client import GO
from tests.clients_shared.starting import Starter


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Starter:
    return GO.ready(tmp_path_factory.mktemp("go"))
