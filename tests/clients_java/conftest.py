import pytest

from tests.clients_java.client import JAVA
from tests.clients_shared.starting import Starter


@pytest.fixture(scope="session")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Starter:
    return JAVA.ready(tmp_path_factory.mktemp("java"))
