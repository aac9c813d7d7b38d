"""PROTOCOL.md says who may call what and how much, as the server does."""

import re
from dataclasses import fields

from referee.match.credentials import CallerKind
from referee.server.access import ACCESS
from referee.server.limits import Limits
from tests.docs.markdown import ROOT

TEXT = (ROOT / "proto" / "PROTOCOL.md").read_text()


def _table(first: str) -> list[list[str]]:
    """Returns the cells of the table whose head begins with a word, without the line under the head."""
    (table,) = re.findall(rf"^(\| {first} \|.+\n\|[-|]+\n(?:\|.+\n)+)", TEXT, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return [rows[0], *rows[2:]]


def test_table_of_access_is_that_of_the_server() -> None:
    head, *rows = _table("Call")
    assert head == ["Call", *(kind.value for kind in CallerKind)]
    said = {row[0].strip("`"): row[1:] for row in rows}
    assert said == {call: [reach.value for reach in row.values()] for call, row in ACCESS.items()}


def test_table_of_limits_is_that_of_the_server() -> None:
    _, *rows = _table("Limit")
    assert rows == [[f"`{limit.name}`", f"{limit.default:,}", limit.metadata["text"]] for limit in fields(Limits)]
