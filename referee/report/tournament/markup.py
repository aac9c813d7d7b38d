"""The few elements of which the page of a tournament is made; what comes from outside is escaped here."""

from collections.abc import Iterable, Sequence
from html import escape

from referee.report.names import printable


def name(text: str) -> str:
    """Returns the name of a player, which cannot leave its place, nor turn what is around it."""
    return f"<bdi>{escape(printable(text))}</bdi>"


def figure(text: str) -> str:
    """Returns figures, with a minus in the place of a hyphen before a digit."""
    characters = [
        "\N{MINUS SIGN}" if character == "-" and following.isdigit() else character
        for character, following in zip(text, f"{text[1:]} ", strict=True)
    ]
    return escape("".join(characters))


def hidden(text: str) -> str:
    """Returns what only a screen reader tells."""
    return f'<span class="hidden">{escape(printable(text))}</span>'


def section(title: str, *content: str) -> str:
    """Returns a section with a heading; it takes the name of that."""
    key = "-".join(title.lower().split())
    inside = "\n".join(filter(None, content))
    return f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(title)}</h2>\n{inside}\n</section>'


def hint(text: str) -> str:
    """Returns a remark, in which no line begins with a percent sign."""
    told = text.replace(" %", "\N{NO-BREAK SPACE}%")
    return f'<p class="hint">{escape(told)}</p>'


def table(label: str, head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """Returns a table that scrolls when it is too large, also by keys; the first cell of a row names it.

    Cells are HTML; one that begins with `<td` is taken as it is.
    """
    columns = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    lines = "\n".join(_row(row) for row in rows)
    return (
        f'<div class="scroll {kind}" role="region" aria-label="{escape(label)}" tabindex="0"><table>\n'
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>"
    )


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    told = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in others)
    return f'<tr><th scope="row">{first}</th>{told}</tr>'
