"""Case files: finding them and reading them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NoReturn

from referee.cases.errors import BadCase, NoCases, ShapeError
from referee.cases.games import read_game
from referee.cases.model import Body, Case
from referee.cases.shape import Fields, Reader, items, text
from referee.cases.tables import read_card_points, read_deck_contents, read_rulesets

_SCHEMA_SUFFIX = ".schema.json"
_TABLES: Final[Mapping[str, Reader[Body]]] = MappingProxyType(
    {"cardPoints": read_card_points, "deckContents": read_deck_contents, "rulesets": read_rulesets}
)


def iter_cases(paths: Iterable[Path]) -> Iterator[Path]:
    """Returns the case files at these paths: files as they are, of folders all `.json` files below them, sorted.

    Raises:
        NoCases: at once, for a path that is missing or a folder that has none.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(file for file in path.rglob("*.json") if not file.name.endswith(_SCHEMA_SUFFIX))
            if not below:
                raise NoCases(path, "there are no case files (*.json) in this folder")
            found += below
        elif path.is_file():
            found.append(path)
        else:
            raise NoCases(path, "there is no such file or folder")
    return iter(found)


def load(path: Path) -> Case:
    """Returns the case that a file holds.

    Raises:
        BadCase: if it cannot be read, is no JSON, or has anything that the format does not know, unknown fields
            included (proto/vectors/rules/case.schema.json).
    """
    try:
        return _case(path, _json(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadCase(path, "", error.strerror or "cannot be read") from None
    except ShapeError as error:
        raise BadCase(path, error.where, error.message) from None
    except json.JSONDecodeError as error:
        raise BadCase(path, f"line {error.lineno}", f"is no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise BadCase(path, "", f"is no JSON: {error}") from None


def _json(text: str) -> object:
    content: object = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    # Escapes can name half a character, which no text of a message can hold.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _object(fields: list[tuple[str, object]]) -> dict[str, object]:
    once: dict[str, object] = {}
    for name, value in fields:
        if name in once:
            raise ShapeError(name, "stands twice in one object")
        once[name] = value
    return once


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _case(path: Path, content: object) -> Case:
    fields = Fields(content, "")
    id = fields.required("id", text)
    title = fields.required("title", text)
    clauses = fields.required("clauses", items(text, 1))
    table = next((name for name in fields.names() if name in _TABLES), None)
    body = read_game(fields) if table is None else fields.required(table, _TABLES[table])
    fields.finish()
    return Case(path, id, title, clauses, body)
