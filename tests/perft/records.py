"""The counts of the small worlds as they are kept: a file a deck."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.perft.worlds import DECKS

_FOLDER = Path(__file__).parent


def kept_counts(deck_name: str) -> dict[str, Any]:
    """Returns the counts of a deck by option."""
    counts: dict[str, Any] = json.loads(_path(deck_name).read_text())["counts"]
    return counts


def keep_counts(deck_name: str, counts: Mapping[str, object]) -> None:
    """Writes the counts of a deck, a line for each thing counted."""
    hand_size, deck = DECKS[deck_name]
    options = []
    for option, counted in counts.items():
        assert isinstance(counted, dict)
        lines = ",\n".join(f"      {json.dumps(what)}: {json.dumps(number)}" for what, number in counted.items())
        options.append(f"    {json.dumps(option)}: {{\n{lines}\n    }}")
    head = f'{{\n  "deck": {json.dumps(deck)},\n  "hand_size": {hand_size},\n  "counts": {{\n'
    _path(deck_name).write_text(head + ",\n".join(options) + "\n  }\n}\n")


def _path(deck_name: str) -> Path:
    return _FOLDER / f"{deck_name}.json"
