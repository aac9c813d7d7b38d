"""The first bot in Python against a real referee."""

from pathlib import Path

import pytest

from tests.clients.client import PYTHON
from tests.clients_shared.contract import StarterContract
from tests.clients_shared.starting import Starter


class TestPythonStarter(StarterContract):
    client = PYTHON

    @pytest.fixture
    def starter(self, tmp_path: Path) -> Starter:
        return PYTHON.ready(tmp_path)
