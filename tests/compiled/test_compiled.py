"""`make test-compiled` tests compiled modules indeed, and the list of them names modules that exist."""

import importlib
import shutil
import sysconfig
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import pytest

import referee

ROOT = Path(__file__).parents[2]
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"][
    "custom"
]
HOT = [f"referee.{package}.{name}" for package, names in HOOK["hot-modules"].items() for name in names.split()]


@pytest.mark.parametrize("name", HOT)
def test_hot_module_exists(name: str) -> None:
    assert find_spec(name) is not None


@pytest.mark.skipif(
    Path(referee.__path__[0]) == ROOT / "referee", reason="these are the sources; make test-compiled runs the copy"
)
@pytest.mark.skipif(
    shutil.which(sysconfig.get_config_var("CC").split()[0]) is None, reason="no C compiler: the copy is Python alone"
)
@pytest.mark.parametrize("name", HOT)
def test_hot_module_is_compiled(name: str) -> None:
    path = importlib.import_module(name).__file__
    assert path is not None
    assert path.endswith(tuple(EXTENSION_SUFFIXES))
