import pytest

from tests.clients_shared.client import Client
from tests.clients_shared.languages import FETCHED
from tests.clients_shared.starting import Starter


@pytest.fixture(scope="session", params=FETCHED, ids=lambda client: client.language)
def starter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Starter:
    """The starter bots of all languages, one after the other."""
    client: Client = request.param
    return client.ready(tmp_path_factory.mktemp("starter"))
