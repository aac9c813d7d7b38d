"""The verdict in words claims no more than was checked."""

from dataclasses import replace
from io import BytesIO

from referee.audit.verify import verify
from referee.report.verdict import details, verdict_text
from referee.rules.ruleset import Ruleset
from tests.audit.simulated import Log, random_match


def _told(log: Log) -> tuple[str, list[str]]:
    report = verify(BytesIO(log.to_bytes()))
    return verdict_text(report), details(report)


def _falsified() -> Log:
    """Returns a match whose third entry claims to be another."""
    log = random_match(1, Ruleset(target=1, hand_size=1))
    log.entries[2] = replace(log.entries[2], index=7)
    return log.resealed()


def test_entries_before_a_wrong_one_are_called_right_if_they_were_judged() -> None:
    verdict, (_, read) = _told(_falsified())
    assert verdict == "WRONG at entry 3: it calls itself entry 7 (INDEX)"
    assert read.endswith(" in 2 entries before that are right")


def test_entries_before_a_wrong_one_are_not_called_right_if_no_rule_was_checked() -> None:
    verdict, (_, read) = _told(replace(_falsified(), reveal=None))
    assert verdict == "WRONG at entry 3: it calls itself entry 7 (INDEX)"
    assert read.endswith(" in 2 entries before that are unbroken, but no rule was checked")


def test_match_that_is_proven_is_ok_with_what_no_file_proves() -> None:
    verdict, lines = _told(random_match(1, Ruleset(target=1, hand_size=1)))
    assert verdict == "ok"
    assert [line.startswith("not proven: ") for line in lines] == [False, False, True, True, True]
