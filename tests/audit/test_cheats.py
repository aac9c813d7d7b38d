"""The table of cheats in PROTOCOL.md: each is shown by the evidence that its row names, and by nothing less."""

from io import BytesIO
from pathlib import Path

import pytest

from referee.audit.index import Index
from referee.audit.master import Master
from referee.audit.report import Report, Status
from referee.audit.verify import Evidence, verify
from tests.audit.cheats import CHEATS, KEY, PAIR_SEED, Cheat, honest, of_a_pair, shown

PROTOCOL = Path(__file__).parents[2] / "proto" / "PROTOCOL.md"
KINDS = ("file", "key", "journal", "index", "master")


def rows() -> list[tuple[str, str, str]]:
    """Returns what each row of the table says: the cheat, what shows it, and the check."""
    table = PROTOCOL.read_text().split("| What the referee does | Shown by | Check |\n|---|---|---|\n")[1]
    lines = table.split("\n\n")[0].splitlines()
    cells = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    return [(cheat, kind, check) for cheat, kind, check in cells]


def judged(cheat: Cheat, *kinds: str) -> Report:
    """Returns the verdict on the file with these kinds of evidence."""
    key = KEY.public if "key" in kinds else None
    index = Index(BytesIO(cheat.index), key) if "index" in kinds else None
    journals = (BytesIO(cheat.journal),) if "journal" in kinds else ()
    master = Master(cheat.master) if "master" in kinds else None
    return verify(BytesIO(cheat.file), Evidence(key, index, journals, master))


def test_honest_match_is_right_by_all_evidence() -> None:
    for kinds in (*((kind,) for kind in KINDS), KINDS):
        for log in (honest()[1], of_a_pair(PAIR_SEED)):
            report = judged(shown(log), *kinds)
            assert report.status is Status.OK, (kinds, report)


def test_each_row_has_a_cheat() -> None:
    assert [cheat for cheat, _, _ in rows()] == list(CHEATS)


@pytest.mark.parametrize(("name", "kind", "check"), rows(), ids=lambda text: text)
def test_cheat_is_shown_by_what_its_row_names_and_nothing_less(name: str, kind: str, check: str) -> None:
    cheat = CHEATS[name]()
    if kind == "nothing":
        report = judged(cheat, *KINDS)
        assert (report.status, check) == (Status.OK, ""), report
        return
    report = judged(cheat, kind)
    assert (report.status, report.check) == (Status.WRONG, check), report
    if kind != "file":
        assert judged(cheat).status is not Status.WRONG
    if kind in ("journal", "master"):
        others = {"key", "index", "journal"} - {kind}
        assert judged(cheat, *others).status is not Status.WRONG
