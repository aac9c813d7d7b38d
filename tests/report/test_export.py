"""The JSON form of a replay: whole, and back to the identical bytes or refused."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from referee.log.file_format import FILE_HEAD, FileFault, chained_bytes, read_parts
from referee.log.heads import entry_head, header_head
from referee.report.export import JsonFault, export_lines, imported_bytes
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import troubled_match

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.unoduo"))
# Field 15 of any message, a number that it does not have.
UNKNOWN_FIELD = b"\x78\x01"


@pytest.fixture(scope="module")
def data() -> bytes:
    return troubled_match(2, Ruleset(target=1)).to_bytes()


@pytest.fixture(scope="module")
def lines(data: bytes) -> tuple[str, ...]:
    return tuple(export_lines(BytesIO(data)))


def _back(lines: tuple[str, ...]) -> bytes:
    return b"".join(imported_bytes(lines))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_replay_comes_back_identical(file: Path) -> None:
    data = file.read_bytes()
    assert _back(tuple(export_lines(BytesIO(data)))) == data


def test_every_part_is_a_line_under_its_name(data: bytes, lines: tuple[str, ...]) -> None:
    parts = list(read_parts(BytesIO(data)))
    names = [next(iter(json.loads(line))) for line in lines]
    assert names == ["header", *["entry"] * (len(parts) - 3), "seal", "reveal"]
    first = json.loads(lines[1])["entry"]
    assert first["events"][0]["event"]["deal_sealed"]["entropy_1"]
    assert any("private_cards" in event for line in lines[1:-2] for event in json.loads(line)["entry"]["events"])


@pytest.mark.parametrize("kept", [1, 2, -2, -1])
def test_file_that_ends_early_comes_back_too(lines: tuple[str, ...], kept: int) -> None:
    short = _back(lines[:kept])
    assert tuple(export_lines(BytesIO(short))) == lines[:kept]


def test_what_json_cannot_express_is_refused_with_its_part(data: bytes) -> None:
    header, entry, *_ = read_parts(BytesIO(data))
    changed = entry.data + UNKNOWN_FIELD
    head = header_head(header.data)
    file = FILE_HEAD + chained_bytes(header.data, head) + chained_bytes(changed, entry_head(head, changed))
    with pytest.raises(FileFault, match="entry 1: holds what its JSON form cannot express"):
        list(export_lines(BytesIO(file)))


def test_damaged_part_is_named(data: bytes) -> None:
    with pytest.raises(FileFault, match="entry 1"):
        list(export_lines(BytesIO(data[:400].replace(b"entropy", b"Entropy") + data[400:])))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: (), "line 1: header is missing"),
        (lambda lines: lines[1:], "line 1: entry does not stand here"),
        (lambda lines: (lines[0], lines[0]), "line 2: header does not stand after header"),
        (lambda lines: (lines[0], lines[-1]), "line 2: reveal does not stand after header"),
        (lambda lines: (*lines, lines[-1]), "reveal does not stand after reveal"),
        (lambda lines: (lines[0], "nothing"), "line 2: no JSON"),
        (lambda lines: (lines[0], "[]"), "line 2: must be an object with one of header"),
        (lambda lines: (lines[0], '{"entry": {}, "seal": {}}'), "line 2: must be an object with one of header"),
        (lambda lines: (lines[0], '{"entry": {"indeks": 1}}'), "line 2: .*indeks"),
        (lambda lines: (lines[0], '{"entry": 1}'), "line 2: "),
        (lambda lines: (lines[0], '{"entry": {}}'), "line 2: a header or entry has 1 to"),
        (lambda lines: (lines[0], lines[1].replace('"index":1', '"index":"1"')), "line 2: the fields of entry are not"),
        (
            lambda lines: (lines[0], lines[1].replace('"index":1', '"index":1,"tries":[]')),
            "line 2: the fields of entry",
        ),
    ],
)
def test_line_that_no_export_writes_is_refused(lines: tuple[str, ...], change, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(JsonFault, match=message):
        _back(change(lines))


def test_line_that_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(JsonFault, match="line 1: no JSON: "):
        _back(('{"header":' + "[" * 100_000 + "]" * 100_000 + "}",))
