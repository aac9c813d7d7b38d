"""PROTOCOL.md says what the referee does, where that can be compared."""

import re

from unoduo.v1 import referee_service_pb2

from referee.adjudication.errors import Check as RulingCheck
from referee.audit.report import Check
from referee.codec.entries import decode_entry
from referee.match.faults import ProblemReason
from referee.rules.cards import Card
from tests.docs.markdown import ROOT, blocks

TEXT = (ROOT / "proto" / "PROTOCOL.md").read_text()


def _sample_entry() -> bytes:
    (block,) = [block for block in blocks(TEXT, "") if "index = 2" in block]
    return bytes.fromhex("".join(re.findall(r"^(?:\s*[0-9a-f]{2}\b)+", block, re.MULTILINE)))


def test_every_problem_is_listed_with_its_code() -> None:
    listed = re.findall(r"^\| `([A-Z0-9_]+)` \| ([A-Z_]+) \| (.+) \|$", TEXT, re.MULTILINE)
    assert listed == [(reason.name, reason.code.name, reason.sentence) for reason in ProblemReason]


def test_every_check_is_listed() -> None:
    checks = {*Check, *RulingCheck}
    table = TEXT.split("| Check | What is wrong |")[1].split("\n\n")[0]
    listed = re.findall(r"^\| `([A-Z_]+)` \| .+ \|$", table, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == checks


def test_every_call_is_listed() -> None:
    service = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"]
    calls = TEXT.split("## 2 ")[0]
    missing = [method.name for method in service.methods if f"`{method.name}`" not in calls]
    assert not missing


def test_no_field_on_the_wire_has_64_bits() -> None:
    files = ROOT.glob("proto/unoduo/v1/*.proto")
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert "No field on the wire has 64 bits" in TEXT
    kinds = set(re.findall(r"^ +(?:repeated |optional )?([a-z]+\d*) \w+ = \d+;", text, re.MULTILINE))
    assert kinds == {"bool", "bytes", "string", "uint32"}


def test_sections_that_the_sources_name_exist() -> None:
    titles = dict(re.findall(r"^## (\d+) (.+)$", TEXT, re.MULTILINE))
    sources = [*ROOT.glob("referee/**/*.py"), *ROOT.glob("clients/**/*.py"), *ROOT.glob("proto/unoduo/**/*.proto")]
    text = re.sub(r"\s*\n\s*(//)?\s*", " ", "\n".join(path.read_text(encoding="utf-8") for path in sources))
    quoted = [
        title
        for titles_named in re.findall(r'PROTOCOL\.md`?,? ((?:"[^"]+",? ?)+)', text)
        for title in re.findall(r'"([^"]+)"', titles_named)
    ]
    numbered = re.findall(r"PROTOCOL\.md section (\d+)", text)
    assert len(quoted) > 40
    assert len(numbered) > 5
    assert set(quoted) <= set(titles.values())
    assert set(numbered) <= set(titles)


def test_sample_entry_is_an_entry() -> None:
    entry = decode_entry(_sample_entry())
    assert (entry.index, entry.input.elapsed_ms, entry.first_sequence) == (2, 1250, 5)
    assert [event.private_cards for event in entry.events if hasattr(event, "private_cards")] == [
        (Card.BLUE_3,),
        (Card.GREEN_SKIP,),
    ]
