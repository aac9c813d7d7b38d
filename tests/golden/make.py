"""Writes the golden logs anew, with their digests and outcomes: `python -m tests.golden.make`, or `make golden`.

Every later program has to prove them as they are. Renew them on purpose only: for a new revision of the rules or of the
format, or because a baseline is meant to play differently.
"""

from hashlib import sha256
from pathlib import Path

from referee.rules.outcome import Outcome
from tests.golden.plans import PLANS
from tests.golden.table import Table

FOLDER = Path(__file__).parent
SUFFIX = ".unoduo"
DIGESTS = FOLDER / "digests.txt"
OUTCOMES = FOLDER / "outcomes.txt"


def made(name: str) -> tuple[bytes, Outcome]:
    """Returns the file of a golden match and its outcome; always the same for the same name."""
    plan = PLANS[name]
    table = Table(name, plan.setting)
    plan.course(table)
    log = table.match.log()
    assert log.seal, "a golden match is played to its end"
    return log.to_bytes(), log.seal.outcome


def line_of(outcome: Outcome) -> str:
    """Returns an outcome as `outcomes.txt` says it."""
    winner = outcome.winner.name if outcome.winner is not None else "-"
    faulted = "".join(seat.name for seat in outcome.faulted) or "-"
    totals = ":".join(map(str, outcome.totals))
    return f"{winner} {outcome.termination.name} {totals} {outcome.rounds} {faulted}"


def main() -> None:
    """Writes all files and removes those that are no longer planned."""
    for path in FOLDER.glob("*" + SUFFIX):
        if path.stem not in PLANS:
            path.unlink()
    digests, outcomes = [], []
    for name in sorted(PLANS):
        data, outcome = made(name)
        (FOLDER / (name + SUFFIX)).write_bytes(data)
        digests.append(f"{sha256(data).hexdigest()}  {name}{SUFFIX}\n")
        outcomes.append(f"{name} {line_of(outcome)}\n")
    DIGESTS.write_text("".join(digests))
    OUTCOMES.write_text("".join(outcomes))


if __name__ == "__main__":
    main()
