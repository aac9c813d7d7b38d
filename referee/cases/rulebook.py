"""The rules as text: chapters, clauses, their sources and cases, as `proto/RULES.md` has them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_CLAUSE_ID: Final = r"R\d+\.\d+"
_CHAPTER: Final = re.compile(r"^## (R\d+) (.+)$", re.MULTILINE)
_CLAUSE: Final = re.compile(rf"^\*\*({_CLAUSE_ID})\*\* (.*?)(?=^\*\*R\d|^## |^---$)", re.MULTILINE | re.DOTALL)
_NOTE: Final = re.compile(r"^\*(Source|Cases): (.*?)\*$\n?", re.MULTILINE | re.DOTALL)
_CITED: Final = re.compile(r"`([a-z-]+/[a-z0-9-]+)`")
_INTERPRETATION: Final = re.compile("[Ii]nterpretation")
_REFUSAL_ROW: Final = re.compile(rf"^\| `([A-Z_]+)` \| [^|]+ \| ({_CLAUSE_ID}) \|$", re.MULTILINE)
_OPTION_ROW: Final = re.compile(r"^\| `([a-z0-9_]+)` \| ([^|]+) \| ([^|]+) \| (R[^|]+) \|$", re.MULTILINE)
_STATEMENT_ROW: Final = re.compile(r"^\| (S\d+) \| ([^|]+) \|([^|]*)\| ([^|]+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """Holds a statement of the public description: its number, such as `S22`, and the clauses that come from it."""

    id: str
    text: str
    damage: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """Holds a clause; `text` and `source` are Markdown, `statements` are those that it rests on.

    `options` are those of the ruleset that touch it, `refusals` the reasons for which an action is refused by it.
    """

    id: str
    text: str
    source: str
    statements: tuple[str, ...]
    options: tuple[str, ...]
    refusals: tuple[str, ...]
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Holds a chapter, such as `R4`, with its clauses in order."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Holds all chapters and statements by their ids, in order."""

    chapters: Mapping[str, Chapter]
    statements: Mapping[str, Statement]

    def clauses(self) -> Iterator[Clause]:
        """Yields all clauses in order."""
        for chapter in self.chapters.values():
            yield from chapter.clauses


def read_rulebook(text: str) -> Rulebook:
    """Returns what a text in the form of `proto/RULES.md` holds."""
    refusals = _REFUSAL_ROW.findall(text)
    options = [(name, clause) for name, _, _, cell in _OPTION_ROW.findall(text) for clause in _spelled_out(cell)]
    by_chapter: dict[str, list[Clause]] = {id: [] for id, _ in _CHAPTER.findall(text)}
    for id, body in _CLAUSE.findall(text):
        by_chapter[id.partition(".")[0]].append(_clause(id, body, options, refusals))
    chapters = {id: Chapter(id, title, tuple(by_chapter[id])) for id, title in _CHAPTER.findall(text)}
    statements = {
        number: Statement(number, said, damage.strip(), tuple(_spelled_out(cell)))
        for number, said, damage, cell in _STATEMENT_ROW.findall(text)
    }
    return Rulebook(chapters, statements)


def _clause(id: str, body: str, options: list[tuple[str, str]], refusals: list[tuple[str, str]]) -> Clause:
    notes = dict(_NOTE.findall(body))
    source = notes.get("Source", "")
    # What follows "interpretation" explains; the statements that a clause rests on stand before it.
    statements = re.findall(r"\bS\d+\b", _INTERPRETATION.split(source)[0])
    return Clause(
        id=id,
        text=_NOTE.sub("", body).strip(),
        source=" ".join(source.split()),
        statements=tuple(statements),
        options=tuple(name for name, clause in options if clause == id),
        refusals=tuple(reason for reason, clause in refusals if clause == id),
        cases=tuple(_CITED.findall(notes.get("Cases", ""))),
    )


def _spelled_out(cell: str) -> Iterator[str]:
    """Yields the clauses of a cell such as `R1.1, R7.11 - R7.13`."""
    for part in cell.split(","):
        first, _, last = part.strip().partition(" - ")
        chapter, number = first.removeprefix("R").split(".")
        until = last.rpartition(".")[2] or number
        for clause in range(int(number), int(until) + 1):
            yield f"R{chapter}.{clause}"
