"""Follows every thread from the source to the cases and back, and tells where one is torn.

`faults` takes the rules and the cases as they are, so that a test can tear a thread on purpose.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unoduo.v1 import ruleset_pb2

from referee.cases.rulebook import Rulebook
from referee.rules.errors import CLAUSE

Document = dict[str, Any]
# A deck has a clause for each of its values; every other option is to be shown with each value under each clause.
_ONE_CLAUSE_A_VALUE = "deck"
_DESCRIPTION = range(1, 66)


def read_cases(folder: Path) -> dict[str, Document]:
    """Returns the documents of all cases below a folder by their path without `.json`."""
    return {
        path.relative_to(folder).with_suffix("").as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*/*.json"))
    }


def faults(book: Rulebook, cases: Mapping[str, Document], defaults: Document) -> list[str]:
    """Returns every torn thread in a sentence, an empty list if there is none.

    `defaults` is a complete ruleset in protobuf's JSON mapping, that of variant `duo`.
    """
    return [
        *_sources(book),
        *_names(cases),
        *_citations(book, cases),
        *_refusals(cases),
        *_options(book, cases, defaults),
        *_visibility(book, cases),
    ]


def _sources(book: Rulebook) -> Iterator[str]:
    numbers = [f"S{number}" for number in _DESCRIPTION]
    if [*book.statements] != numbers:
        yield f"the appendix has not S1 to S65, each once, but {[*book.statements]}"
    from_appendix = {(id, clause) for id, statement in book.statements.items() for clause in statement.clauses}
    from_clauses = {(statement, clause.id) for clause in book.clauses() for statement in clause.statements}
    for number, id in from_appendix ^ from_clauses:
        yield f"{number} and {id} do not name each other"
    for clause in book.clauses():
        if not clause.source:
            yield f"{clause.id} has no source"


def _names(cases: Mapping[str, Document]) -> Iterator[str]:
    for path, case in cases.items():
        if case["id"] != path:
            yield f"{path} calls itself {case['id']}"
    titles = Counter(case["title"] for case in cases.values())
    yield from (f"several cases bear the title {title!r}" for title, number in titles.items() if number > 1)
    bodies = Counter(
        repr({name: case[name] for name in case if name not in ("id", "title", "clauses")}) for case in cases.values()
    )
    yield from (f"several cases are the same: {body[:60]}" for body, number in bodies.items() if number > 1)


def _citations(book: Rulebook, cases: Mapping[str, Document]) -> Iterator[str]:
    in_text = {(clause.id, case) for clause in book.clauses() for case in clause.cases}
    in_files = {(clause, path) for path, case in cases.items() for clause in case["clauses"]}
    for clause, path in in_text ^ in_files:
        yield f"{clause} and case {path} do not name each other"
    for bare in {clause.id for clause in book.clauses()} - {clause for clause, _ in in_files}:
        yield f"{bare} has no case"


def _refusals(cases: Mapping[str, Document]) -> Iterator[str]:
    shown = {
        (refused["reason"], refused["clause"])
        for case in cases.values()
        for refused in (step["rejected"] for step in case.get("steps", []) if "rejected" in step)
        if refused["clause"] in case["clauses"]
    }
    for reason, clause in CLAUSE.items():
        if (reason.value, clause) not in shown:
            yield f"no case of {clause} expects {reason}"


def _options(book: Rulebook, cases: Mapping[str, Document], defaults: Document) -> Iterator[str]:
    for option in ruleset_pb2.Ruleset.DESCRIPTOR.fields:
        clauses = [clause.id for clause in book.clauses() if option.name in clause.options]
        if not clauses:
            yield f"no clause has the option {option.name}"
        shown = {clause: _values(option.json_name, clause, cases, defaults) for clause in clauses}
        if option.enum_type is None:
            yield from (f"{clause}: {option.name} has one value only" for clause in clauses if len(shown[clause]) < 2)
            continue
        values = {value.name for value in option.enum_type.values if value.number}
        if option.name == _ONE_CLAUSE_A_VALUE:
            shown = {"their clauses": set().union(*shown.values())}
        for clause, found in shown.items():
            yield from (f"no case of {clause} has {value}" for value in values - found)


def _values(option: str, clause: str, cases: Mapping[str, Document], defaults: Document) -> set[str | int]:
    """Returns the values of an option under which the cases of a clause are played."""
    values = set()
    for case in cases.values():
        if clause in case["clauses"] and "rulesets" not in case:
            chosen = case.get("deckContents") or case.get("ruleset", {})
            values.add(chosen.get(option, defaults[option]))
    return values


def _visibility(book: Rulebook, cases: Mapping[str, Document]) -> Iterator[str]:
    rows = {cells[0].strip("`"): bool(cells[2]) for cells in _table(book, "R14.2")[1:]}
    shown = {kind: _Shown() for kind in rows}
    for case in cases.values():
        for expect in (case.get("begin", {}), *(step.get("expect", {}) for step in case.get("steps", []))):
            for event in (*expect.get("events", []), *expect.get("includes", [])):
                shown[_kind(event)].take(event)
            for event in expect.get("observedBySpectators", []):
                shown[_kind(event)].to_spectators = True
            for observer in ("A", "B"):
                for event in expect.get(f"observed{observer}", []):
                    shown[_kind(event)].take_observed(event, f"SEAT_{observer}")
    for kind, is_private in rows.items():
        for missing in shown[kind].missing(is_private):
            yield f"{kind}: {missing}"


class _Shown:
    """Collects how the cases show one kind of event."""

    def __init__(self) -> None:
        self.private = False
        self.public = False
        self.to_another = False
        self.to_spectators = False
        self.seen_by_its_seat = False
        self.seen_by_the_other = False

    def take(self, event: Document) -> None:
        seat = next(iter(event["event"].values())).get("seat")
        self.private |= "privateTo" in event
        self.public |= "privateTo" not in event
        self.to_another |= event.get("privateTo", seat) != seat

    def take_observed(self, event: Document, observer: str) -> None:
        is_own = next(iter(event["event"].values())).get("seat") == observer
        self.seen_by_its_seat |= is_own and bool(event.get("privateCards"))
        self.seen_by_the_other |= not is_own and "privateCards" not in event

    def missing(self, is_private: bool) -> Iterator[str]:
        if not self.to_spectators:
            yield "no case says what spectators see of it"
        if is_private:
            if not self.private or self.public or self.to_another:
                yield "its private part must be shown, always and to its seat"
            if not self.seen_by_its_seat or not self.seen_by_the_other:
                yield "no case says what each seat sees of it"
        elif self.private or not self.public:
            yield "it must be shown, and always without a private part"


def _table(book: Rulebook, clause: str) -> Sequence[list[str]]:
    """Returns the cells of the first table in a clause, a list a row, without the line under its head."""
    text = next(found.text for found in book.clauses() if found.id == clause)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not set(row[0]) <= set("-")]


def _kind(event: Document) -> str:
    """Returns the kind of an event as RULES.md writes it, as in `cards_drawn`."""
    (kind,) = event["event"]
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind)
