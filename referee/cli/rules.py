"""`unoduo rules [ID]`: the rules, a chapter, a clause with its cases, or a statement of the source."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.arguments import Commands, add_output_options
from referee.cli.failures import CommandError, ExitCode
from referee.cli.output import print_json

if TYPE_CHECKING:
    from referee.cases.rulebook import Chapter, Clause, Rulebook, Statement
    from referee.report.objects import Json

_EPILOG = """\
ID is a clause (R4.3), a chapter (R4) or a statement of the public description (S22); without one the chapters are
listed. With --json a clause, a chapter or a statement is one object; the list is an object for each chapter."""


def add_to(commands: Commands) -> None:
    """Adds the command."""
    description = "Prints the rules: a clause with its sources, options, refusals and cases."
    parser = commands.add_parser("rules", help="look up the rules", description=description, epilog=_EPILOG)
    parser.add_argument("id", nargs="?", default="", metavar="ID", help="what to look up, such as R4.3")
    parser.add_argument("--cases", action="store_true", help="print the cases of a clause step by step")
    add_output_options(parser, "objects, with --cases the case files in them")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Looks up an id. Raises CommandError for one that there is not, or if the rules are not installed."""
    from referee.cases.rulebook import read_rulebook
    from referee.cases.specification import NoSpecification, specification

    try:
        folder = specification()
    except NoSpecification as error:
        raise CommandError(str(error)) from None
    book = read_rulebook((folder / "RULES.md").read_text(encoding="utf-8"))
    cases = folder / "vectors" / "rules"
    id = options.id.upper()
    clause = next((clause for clause in book.clauses() if clause.id == id), None)
    if options.cases and clause is None:
        raise CommandError(f"--cases needs a clause, such as R4.3, not {options.id or 'none'!r}")
    if id and clause is None and id not in book.chapters and id not in book.statements:
        raise CommandError(f"there is no clause, chapter or statement {options.id!r} (see unoduo rules)")
    if options.quiet:
        return ExitCode.OK
    if clause is not None:
        _show_clause(book, clause, cases, options)
    elif id in book.chapters:
        _show_chapter(book, book.chapters[id], cases, options)
    elif id in book.statements:
        _show_statement(book.statements[id], options)
    else:
        _show_list(book, options)
    return ExitCode.OK


def _show_list(book: "Rulebook", options: argparse.Namespace) -> None:
    for chapter in book.chapters.values():
        if options.json:
            print_json({"id": chapter.id, "title": chapter.title, "clauses": [clause.id for clause in chapter.clauses]})
        else:
            print(f"{chapter.id:<4} {chapter.title} ({chapter.clauses[0].id} to {chapter.clauses[-1].id})")


def _show_chapter(book: "Rulebook", chapter: "Chapter", cases: Path, options: argparse.Namespace) -> None:
    if options.json:
        clauses: list[Json] = [_clause_object(book, clause, cases, options) for clause in chapter.clauses]
        print_json({"id": chapter.id, "title": chapter.title, "clauses": clauses})
        return
    print(f"{chapter.id} {chapter.title}")
    for clause in chapter.clauses:
        print(f"\n{clause.id}  {clause.text}")


def _show_statement(statement: "Statement", options: argparse.Namespace) -> None:
    if options.json:
        clauses: list[Json] = [*statement.clauses]
        print_json({"id": statement.id, "text": statement.text, "damage": statement.damage, "clauses": clauses})
        return
    print(f"{statement.id}  {statement.text}")
    if statement.damage:
        print(f"Damage (BG Bulgarian, EN English, ES Spanish, ID Indonesian): {statement.damage}")
    print(f"Clauses: {', '.join(statement.clauses)}")


def _show_clause(book: "Rulebook", clause: "Clause", cases: Path, options: argparse.Namespace) -> None:
    if options.json:
        print_json(_clause_object(book, clause, cases, options))
        return
    chapter = book.chapters[clause.id.partition(".")[0]]
    print(f"{clause.id} ({chapter.title})\n\n{clause.text}\n\nSource: {clause.source}")
    for id in clause.statements:
        print(f"  {id}  {book.statements[id].text}")
    if clause.options:
        print(f"Options: {', '.join(clause.options)}")
    if clause.refusals:
        print(f"Refusals: {', '.join(clause.refusals)}")
    print("Cases:" if options.cases else f"Cases (step by step: unoduo rules {clause.id} --cases):")
    for line in _case_lines(clause, cases, with_steps=options.cases):
        print(line)


def _case_lines(clause: "Clause", cases: Path, *, with_steps: bool) -> Iterator[str]:
    from referee.cases import load
    from referee.report.case_text import case_lines

    for id in clause.cases:
        case = load(cases / f"{id}.json")
        yield f"  {id}: {case.title}"
        if with_steps:
            yield from (f"      {line}" for line in case_lines(case))
            yield ""


def _clause_object(book: "Rulebook", clause: "Clause", cases: Path, options: argparse.Namespace) -> "Json":
    return {
        "id": clause.id,
        "text": clause.text,
        "source": clause.source,
        "statements": [{"id": id, "text": book.statements[id].text} for id in clause.statements],
        "options": [*clause.options],
        "refusals": [*clause.refusals],
        "cases": [_case_object(cases / f"{id}.json", whole=options.cases) for id in clause.cases],
    }


def _case_object(path: Path, *, whole: bool) -> "Json":
    import json

    case: dict[str, Json] = json.loads(path.read_text(encoding="utf-8"))
    return case if whole else {"id": case["id"], "title": case["title"]}
