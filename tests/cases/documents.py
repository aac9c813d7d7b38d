"""Case files as JSON documents for tests, and where the published ones are."""

import json
from pathlib import Path
from typing import Any

from referee.cases import Case, load

VECTORS = Path(__file__).parents[2] / "proto" / "vectors" / "rules"
SCHEMA = json.loads((VECTORS / "case.schema.json").read_text())

Document = dict[str, Any]


def document(*steps: Document, **start: Any) -> Document:
    """Returns a case in which seat A has Red 1 and Blue 2 on a Red 5, if no other start is given."""
    position = {
        "handA": ["CARD_RED_1", "CARD_BLUE_2", "CARD_BLUE_3"],
        "handB": ["CARD_YELLOW_1", "CARD_YELLOW_2"],
        "discardPile": ["CARD_RED_5"],
        "drawPile": ["CARD_GREEN_1", "CARD_GREEN_2"],
        "turn": "SEAT_A",
    }
    return {
        "id": "test/case",
        "title": "A case",
        "clauses": ["R5.2"],
        **(start or {"position": position}),
        "steps": list(steps),
    }


def step(seat: str, action: Document, **leads_to: Any) -> Document:
    return {"seat": f"SEAT_{seat}", "action": action, **leads_to}


def loaded(folder: Path, content: Document) -> Case:
    path = folder / "case.json"
    path.write_text(json.dumps(content))
    return load(path)


def published(name: str) -> Document:
    """Returns the document of a published case."""
    content: Document = json.loads((VECTORS / f"{name}.json").read_text())
    return content
