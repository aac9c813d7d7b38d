"""The verdict on a replay file, for people."""

from referee.audit.report import Report, Status
from referee.report.names import counted, outcome_text, printable


def verdict_text(report: Report) -> str:
    """Returns the verdict in one line: `ok`, `WRONG at entry 17: ...` or `incomplete: ...`."""
    match report.status:
        case Status.OK:
            return "ok"
        case Status.WRONG:
            return f"WRONG at {_where(report)}"
        case Status.INCOMPLETE:
            return f"incomplete: {report.message}"


def match_text(report: Report) -> str:
    """Returns the match and its result in one line, an empty text if the header was not read."""
    if report.players is None:
        return ""
    player_a, player_b = (printable(player.name) for player in report.players)
    outcome = "not over" if report.outcome is None else outcome_text(report.outcome)
    return f"match {report.number}, {player_a} (A) against {player_b} (B): {outcome}"


def details(report: Report) -> list[str]:
    """Returns what was read and, unless something is wrong, what stays unproven: a line each.

    Of a file whose header is wrong nothing was read, as of an index, which is no match.
    """
    if report.players is None:
        unproven = () if report.status is Status.WRONG else report.not_proven
        return [f"not proven: {text}" for text in unproven if text != report.message]
    entries = f"{report.entries} {'entry' if report.entries == 1 else 'entries'}"
    read = f"{counted(report.sequence, 'event')} and {counted(report.actions, 'action')} in {entries}"
    commitment = report.master_commitment
    master = [] if commitment is None else [f"commitment to the master seed: {commitment.hex()} (as published before?)"]
    if report.status is Status.WRONG:
        found = "are right" if report.judged else "are unbroken, but no rule was checked"
        return [match_text(report), f"{read} before that {found}", *master]
    return [match_text(report), read, *master, *(f"not proven: {text}" for text in report.not_proven)]


def _where(report: Report) -> str:
    reference = ", ".join(filter(None, (report.check, report.clause)))
    return f"{report.part}: {printable(report.message)} ({reference})"
