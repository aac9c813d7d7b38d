"""The table of faults in PROTOCOL.md, row by row, as a test can read it."""

import re
from dataclasses import dataclass

from referee.rules.outcome import Termination
from tests.docs.markdown import ROOT

_PROTOCOL = ROOT / "proto" / "PROTOCOL.md"
_HEADING = "| What happens | Policy | Consequence | Termination | Fault |"
_RULINGS = ("DealSealed", "TimedOut", "Forfeited", "Resigned", "Resumed", "Voided", "MatchEnded")
_TOKEN = re.compile(r"(two )?`([^`]+)`")
_ANSWER = re.compile(r"(?:\w+\{)?([A-Z0-9_]+)\}?|Accepted")

THAT_SEAT = "that seat"
FAULTS = ("", "nobody", "both", THAT_SEAT)
"""Whom a row may blame; where both seats do something, its first column says which one is meant."""


@dataclass(frozen=True)
class Row:
    """Holds one row as it is written.

    `rulings` are the names of the events of the referee that its consequence names, in order, an event of which it says
    `two` twice; `answers` those of what the seat is told: reasons of problems, of stale actions and of detachments.
    """

    what: str
    policy: str
    consequence: str
    termination_text: str
    fault: str

    @property
    def key(self) -> tuple[str, str]:
        return self.what, self.policy

    @property
    def rulings(self) -> tuple[str, ...]:
        tokens = _TOKEN.findall(self.consequence)
        return tuple(name for twice, name in tokens if name in _RULINGS for _ in range(2 if twice else 1))

    @property
    def answers(self) -> frozenset[str]:
        matches = [_ANSWER.fullmatch(name) for _, name in _TOKEN.findall(self.consequence)]
        return frozenset(match[1] or "ACCEPTED" for match in matches if match)

    @property
    def termination(self) -> Termination | None:
        """Returns how the match ends by this, None if it goes on."""
        return Termination[self.termination_text] if self.termination_text else None

    @property
    def has_winner(self) -> bool:
        return "without winner" not in self.consequence

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", f"{self.what} {self.policy}").strip("-")


def rows() -> tuple[Row, ...]:
    """Returns the rows in their order."""
    lines = _PROTOCOL.read_text(encoding="utf-8").splitlines()
    start = lines.index(_HEADING) + 2
    found = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        what, policy, consequence, termination, fault = (cell.strip() for cell in line.strip("|").split("|"))
        found.append(Row(what, policy, consequence, termination, fault))
    return tuple(found)
