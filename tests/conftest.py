"""What holds for all tests: nothing is left in the home of whoever runs them, and a busy machine fails none."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


_FETCHED = ("clients_go_bot", "clients_java", "clients_rust", "clients_shared", "clients_typescript")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what first fetches and compiles libraries of another language, minutes on a new machine."""
    for item in items:
        if item.path.parent.name in _FETCHED:
            item.add_marker(pytest.mark.fetches)


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
