"""Fills the templates: one page with everything in it, which may load nothing and run nothing else."""

import json
from html import escape
from string import Template

from referee.audit.replay import replay
from referee.audit.report import Report, Status
from referee.audit.verify import verify
from referee.log.byte_streams import SeekableSource
from referee.log.file_format import FileFault
from referee.report.html.data import match_object
from referee.report.html.document import policy, style_of, template
from referee.report.names import printable
from referee.report.story import Observer, introduction
from referee.report.verdict import verdict_text

_PACKAGE = "referee.report.html"
_SCRIPTS = ("cards.js", "chart.js", "page.js")


def page(stream: SeekableSource, observer: Observer) -> str:
    """Returns the page of a replay file, which begins at place 0 of the stream.

    That of a seat or a spectator is made of what this observer saw alone; that of the auditor has the views of all.

    Raises:
        FileFault: for a part that is damaged or holds what no such part has, and for a match of which nothing has
            happened yet. What is wrong by the rules is shown.
    """
    report = verify(stream)
    stream.seek(0)
    match = replay(stream)
    entries = list(match.entries)
    if not entries:
        raise FileFault("entry 1", "it is not there: nothing has happened in this match yet")
    observers = [Observer.AUDITOR, Observer.SEAT_A, Observer.SEAT_B, Observer.SPECTATOR]
    data = match_object(match.header, entries, observers if observer is Observer.AUDITOR else [observer])
    player_a, player_b = (printable(player.name) for player in match.header.players)
    script = "\n".join(template(_PACKAGE, name) for name in _SCRIPTS)
    style = style_of(_PACKAGE, "page.css")
    about, _, terms = introduction(match.header)
    return Template(template(_PACKAGE, "page.html")).substitute(
        policy=policy(style, script),
        title=escape(f"{player_a} against {player_b}"),
        player_a=escape(player_a),
        player_b=escape(player_b),
        about=escape(about),
        terms=escape(terms),
        status=report.status.value,
        verdict=escape(_verdict(report, observer)),
        not_proven="".join(f"<li>{escape(text)}</li>" for text in report.not_proven),
        style=style,
        script=script,
        data=_embedded(data),
    )


def _verdict(report: Report, observer: Observer) -> str:
    """Returns the verdict in words; to others than the auditor it does not quote an entry, which may hide a card."""
    if report.status is Status.OK:
        return f"verified: {report.entries} entries follow from the rules and the sealed deal"
    if observer is not Observer.AUDITOR and report.status is Status.WRONG:
        return f"WRONG at {report.part} ({report.check})"
    return verdict_text(report)


def _embedded(data: object) -> str:
    """Returns JSON that no parser of HTML takes for an end of the script around it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
