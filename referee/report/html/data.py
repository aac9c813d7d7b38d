"""What the script of the page works on: for each view the steps, each with the table as its observer knows it."""

from collections.abc import Iterable, Iterator, Sequence

from referee.adjudication.rulings import Ruling
from referee.codec.entries import Entry
from referee.codec.headers import Header
from referee.report.moments import moments
from referee.report.names import printable
from referee.report.objects import Json
from referee.report.story import Line, Observer, tell
from referee.report.table import Table
from referee.rules.cards import Card
from referee.rules.events import Event, Fact, RoundEnded

HIDDEN = 0


def match_object(header: Header, entries: Sequence[Entry], observers: Iterable[Observer]) -> Json:
    """Returns all that the page knows of a match: who plays, to how many points, and a view for each observer.

    Cards are their numbers on the wire, `HIDDEN` stands for one that the observer does not know.
    """
    return {
        "players": [printable(player.name) for player in header.players],
        "target": header.ruleset.target,
        "views": [_view(header, entries, observer) for observer in observers],
    }


def _view(header: Header, entries: Iterable[Entry], observer: Observer) -> Json:
    lines = [line for entry in entries for line in tell(entry, observer)]
    return {
        "observer": observer.value,
        "steps": list(_steps(header, lines)),
        "moments": [
            {"kind": moment.kind.value, "step": moment.place, "text": moment.text}
            for moment in moments(map(_fact, lines))
        ],
    }


def _steps(header: Header, lines: Iterable[Line]) -> Iterator[Json]:
    """Yields an object for each line with what has changed since the one before."""
    table = Table(header.ruleset)
    before: dict[str, Json] = {}
    for line in lines:
        fact = _fact(line)
        if fact is not None:
            table.apply(fact, line.private_cards)
        now: dict[str, Json] = {
            "sequence": line.sequence,
            "clause": line.sentence.clause,
            "text": line.sentence.text,
            "scored": isinstance(fact, RoundEnded),
            **_table_object(table),
        }
        yield {name: value for name, value in now.items() if name not in before or before[name] != value}
        before = now


def _table_object(table: Table) -> dict[str, Json]:
    return {
        "round": table.round,
        "turn": table.turn,
        "hands": [_numbers(hand) for hand in table.hands],
        "uno": list(table.uno),
        "totals": list(table.totals),
        "offered": _numbers(table.offered),
        "shown": _numbers(table.shown),
        "pile": _numbers(table.pile),
        "laid": table.laid,
        "draws": table.draw_count,
        "color": table.color,
        "due": table.due,
    }


def _numbers(cards: Iterable[Card | None]) -> list[Json]:
    return [HIDDEN if card is None else int(card) for card in cards]


def _fact(line: Line) -> Fact | Ruling | None:
    return line.event.fact if isinstance(line.event, Event) else line.event
