"""Reads the language-neutral cases under `proto/vectors`."""

import json
from pathlib import Path
from typing import Any, TypedDict

Case = dict[str, Any]

_VECTORS = Path(__file__).parents[2] / "proto" / "vectors"


class Parameters(TypedDict):
    """Holds what `pytest.mark.parametrize` wants beside the name of the argument."""

    argvalues: list[Case]
    ids: list[str]


def cases(path: str) -> list[Case]:
    found: list[Case] = json.loads((_VECTORS / path).read_text())["cases"]
    assert found
    return found


def named(path: str) -> Parameters:
    found = cases(path)
    return {"argvalues": found, "ids": [case["name"] for case in found]}


def unhex(text: str) -> bytes:
    return bytes.fromhex(text)
