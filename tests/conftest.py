"""Keeps what programs under test leave behind out of the home of whoever runs the tests."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def state_is_kept_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Bots keep their journals under XDG_STATE_HOME."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
    yield
    if before is None:
        del os.environ["XDG_STATE_HOME"]
    else:
        os.environ["XDG_STATE_HOME"] = before
