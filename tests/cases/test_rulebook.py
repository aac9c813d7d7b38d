from referee.cases.rulebook import Chapter, Clause, Rulebook, Statement, read_rulebook

TEXT = """# Rules

## R1 Cards

**R1.1** A card is
a card.
*Source: S3, S4.*
*Cases: `cards/one`,
`cards/two`.*

| a table | of it |
|---|---|

**R1.2** Another one.
*Source: S4. Interpretation: because
S9 says so. Option `deck`.*

## R15 Rulesets

**R15.1** Options and refusals.

| Option | Default | Others | Clauses |
|---|---|---|---|
| `deck` | `A` | `B` | R1.1 - R1.2 |

| `TOO_MANY` | too many | R1.2 |

*Source: interpretation.*

---

## Appendix

| # | Statement | Damage | Clauses |
|---|---|---|---|
| S3 | There are cards. | | R1.1 |
| S4 | Two. | one lost | R1.1 - R1.2, R15.1 |
"""


def test_text_is_read_with_all_its_notes() -> None:
    table = "| a table | of it |\n|---|---|"
    first = Clause(
        "R1.1", f"A card is\na card.\n\n{table}", "S3, S4.", ("S3", "S4"), ("deck",), (), ("cards/one", "cards/two")
    )
    second = Clause(
        "R1.2",
        "Another one.",
        "S4. Interpretation: because S9 says so. Option `deck`.",
        ("S4",),
        ("deck",),
        ("TOO_MANY",),
        (),
    )
    book = read_rulebook(TEXT)
    third = book.chapters["R15"].clauses[0]
    assert book.chapters["R1"] == Chapter("R1", "Cards", (first, second))
    assert (third.id, third.source, third.statements, third.cases) == ("R15.1", "interpretation.", (), ())
    assert third.text.startswith("Options and refusals.\n\n| Option |")
    assert book.statements == {
        "S3": Statement("S3", "There are cards.", "", ("R1.1",)),
        "S4": Statement("S4", "Two.", "one lost", ("R1.1", "R1.2", "R15.1")),
    }
    assert [clause.id for clause in book.clauses()] == ["R1.1", "R1.2", "R15.1"]


def test_text_without_chapters_is_an_empty_book() -> None:
    assert read_rulebook("") == Rulebook({}, {})
