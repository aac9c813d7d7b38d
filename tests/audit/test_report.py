"""The words of a report that programs read, and its standing sentences, stated a second time."""

from referee.adjudication.errors import Check as RulingCheck
from referee.audit.report import Check, Fault, Status
from referee.audit.verify import JOURNALS_ONLY, NO_REVEAL, NO_SEAL, SIGNER_UNKNOWN

CHECKS = {
    "FILE",
    "ENCODING",
    "INDEX",
    "SEQUENCE",
    "ILLEGAL_ACTION",
    "EVENTS",
    "PRIVATE_PART",
    "FINAL_HEAD",
    "OUTCOME",
    "COMMITMENT",
    "DEAL_ID",
    "MASTER",
    "SIGNATURE",
    "NUMBERS",
    "MATCH",
    "JOURNAL",
    "HEADER",
    "HEAD",
    "OBSERVED",
    "VIEW",
    "ACTION",
    "RESULT",
}
RULING_CHECKS = {
    "LIFECYCLE",
    "DECISION",
    "SEAT",
    "CLOCK",
    "TRIES",
    "TRY_CLAUSE",
    "ABSENCE",
    "STARTUP_GRACE",
    "ENTROPY",
    "VOID",
}


def test_checks_have_their_names_as_values() -> None:
    assert {check.name: check.value for check in Check} == {name: name for name in CHECKS}
    assert {check.name: check.value for check in RulingCheck} == {name: name for name in RULING_CHECKS}


def test_names_of_checks_mean_one_thing() -> None:
    assert not set(Check) & set(RulingCheck)


def test_status_has_three_values() -> None:
    assert {status.name: status.value for status in Status} == {
        "OK": "ok",
        "WRONG": "wrong",
        "INCOMPLETE": "incomplete",
    }


def test_fault_is_no_matter_of_the_rules_unless_it_names_a_clause() -> None:
    assert Fault("seal", Check.OUTCOME, "no end").clause is None


def test_sentences_about_what_is_not_proven_are_these() -> None:
    assert NO_SEAL == "the file has no seal: the match was not over, or its end was cut off"
    assert NO_REVEAL == ("the deal is not revealed: only the chain and the form of the entries were checked, no rule")
    assert SIGNER_UNKNOWN == ("signer unknown: no signature was checked, so anybody can have written this file")
    assert JOURNALS_ONLY == (
        "what each seat was shown, the entropy that it sent and the times measured: only the seat's own journal tells"
    )
