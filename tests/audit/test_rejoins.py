"""Journals of seats that were taken more than once: by a process that asks for history again, or by another one."""

from io import BytesIO

import pytest
from unoduo.v1.match_pb2 import LIFECYCLE_CREATED

from referee.adjudication.inputs import Resignation
from referee.audit.report import Report, Status
from referee.audit.verify import Evidence, verify
from referee.rules.seats import Seat
from tests.audit.cheats import ruled_log
from tests.audit.journaled import Record, joined, journal_file, journal_of, place_of
from tests.audit.simulated import Log
from tests.audit.tampering import honest

NOT_WHOLE = "what seat A was shown where its journal has nothing: none tells the whole match"


def judged(log: Log, *journals: list[Record], version: int = 2) -> Report:
    files = tuple(BytesIO(journal_file(records, version)) for records in journals)
    return verify(BytesIO(log.to_bytes()), Evidence(journals=files))


def history(records: list[Record], since: int = 0) -> Record:
    """Returns the first observations of a journal as one page of history, behind the first `since` of them."""
    shown = [record.observation for record in records if record.HasField("observation")][since:]
    page = Record()
    page.observation.sequence, page.observation.head = shown[-1].sequence, shown[-1].head
    for observation in shown:
        page.observation.events.extend(observation.events)
    return page


def taken_twice(number: int, told: int, since: int = 0) -> list[Record]:
    """Returns the journal of a seat that is taken anew behind an observation, and is told so many of them again."""
    records = journal_of(honest(), Seat.A)
    place = place_of(records, "observation", number) + 1
    again = history(records[: place_of(records, "observation", told - 1) + 1], since)
    return [*records[:place], joined(honest(), Seat.A), again, *records[place:]]


@pytest.mark.parametrize(("told", "since"), [(1, 0), (6, 0), (10, 0), (10, 4)], ids=str)
def test_history_that_is_told_again_is_right(told: int, since: int) -> None:
    journal = taken_twice(9, told, since)
    if told < 10:
        # The next page has the rest of what was told before.
        rest = history(journal[: place_of(journal, "observation", 9) + 1], told)
        journal.insert(place_of(journal, "joined", 1) + 2, rest)
    report = judged(honest(), journal)
    assert (report.status, NOT_WHOLE in report.not_proven) == (Status.OK, False), report


def test_history_that_goes_beyond_what_was_told_before_is_right() -> None:
    journal = taken_twice(9, 14)
    behind = place_of(journal, "joined", 1) + 2
    resumed = place_of(journal, "observation", 9 + 1 + 5)
    assert judged(honest(), [*journal[:behind], *journal[resumed:]]).status is Status.OK


def test_history_that_is_told_again_otherwise_is_wrong() -> None:
    journal = taken_twice(9, 10)
    place = place_of(journal, "joined", 1) + 1
    journal[place].observation.events[5].event.draft_done.kept_first ^= True
    report = judged(honest(), journal)
    assert (report.part, report.check) == (f"journal of seat A, record {place + 1}", "OBSERVED")


def test_history_that_is_told_again_under_another_head_is_wrong() -> None:
    journal = taken_twice(9, 10)
    journal[place_of(journal, "joined", 1) + 1].observation.head = bytes(32)
    assert judged(honest(), journal).check == "HEAD"


def test_history_that_nobody_asked_for_again_is_wrong() -> None:
    journal = taken_twice(9, 6)
    del journal[place_of(journal, "joined", 1)]
    assert judged(honest(), journal).check == "OBSERVED"


def test_history_makes_a_journal_whole_that_began_late() -> None:
    records = journal_of(honest(), Seat.A)
    place = place_of(records, "observation", 9)
    begun_late = [joined(honest(), Seat.A), *records[place : place + 1]]
    assert NOT_WHOLE in judged(honest(), [*begun_late, *records[place + 1 :]]).not_proven
    for since, is_whole in ((0, True), (9, False)):
        again = [joined(honest(), Seat.A), history(records[: place + 1], since)]
        report = judged(honest(), [*begun_late, *again, *records[place + 1 :]])
        assert (report.status, NOT_WHOLE in report.not_proven) == (Status.OK, not is_whole), report


def test_history_that_ends_before_what_was_told_makes_nothing_whole() -> None:
    records = journal_of(honest(), Seat.A)
    place, early = place_of(records, "observation", 9), place_of(records, "observation", 5)
    again = [joined(honest(), Seat.A), history(records[: early + 1]), joined(honest(), Seat.A)]
    without_events = Record()
    without_events.CopyFrom(records[place])
    del without_events.observation.events[:]
    begun_late = [joined(honest(), Seat.A), records[place], *again, without_events]
    report = judged(honest(), [*begun_late, *records[place + 1 :]])
    assert (report.status, NOT_WHOLE in report.not_proven) == (Status.OK, True), report


def test_answer_in_a_second_telling_is_kept_by_what_was_told_before() -> None:
    journal = taken_twice(20, 6)
    place = place_of(journal, "action_result", 2)
    repeated = journal[place - 1 : place + 1]
    at = place_of(journal, "joined", 1) + 2
    assert judged(honest(), [*journal[:at], *repeated]).status is Status.OK
    other = Record()
    other.CopyFrom(repeated[1])
    other.action_result.accepted.sequence += 1
    assert judged(honest(), [*journal[:at], repeated[0], other]).check == "RESULT"


def of_another_process(log: Log) -> list[Record]:
    """Returns the journal of a process that takes the seat near the end, and asks for all history."""
    records = journal_of(log, Seat.A)
    place = place_of(records, "observation", -2)
    return [joined(log, Seat.A), history(records[:place]), *records[place:]]


def test_actions_of_another_process_are_in_its_own_journal() -> None:
    log = honest()
    journal = of_another_process(log)
    assert judged(log, journal).status is Status.OK
    # One that was there before the match began knows that there was no other.
    journal[0] = joined(log, Seat.A, LIFECYCLE_CREATED)
    assert judged(log, journal).check == "ACTION"


def test_resignation_is_in_a_journal_of_the_seat() -> None:
    log = ruled_log(Resignation(), Seat.A)
    sent = journal_of(log, Seat.A)
    not_sent = [record for record in sent if not record.HasField("resign")]
    assert len(not_sent) == len(sent) - 1
    assert judged(log, sent).status is Status.OK
    report = judged(log, not_sent)
    assert (report.status, report.check) == (Status.WRONG, "ACTION")
    assert report.message.endswith("has a resignation that the seat did not send")
    assert judged(log, not_sent, sent[: place_of(sent, "resign") + 1]).status is Status.OK
    assert judged(log, journal_of(log, Seat.B)).status is Status.OK


def test_resignation_of_a_seat_whose_journals_do_not_have_them_is_not_judged() -> None:
    log = ruled_log(Resignation(), Seat.A)
    records = [record for record in journal_of(log, Seat.A) if not record.HasField("resign")]
    assert judged(log, records, version=1).status is Status.OK


def test_resignation_that_is_told_as_history_is_not_judged() -> None:
    log = ruled_log(Resignation(), Seat.A)
    records = [record for record in journal_of(log, Seat.A) if not record.HasField("resign")]
    told_later = [joined(log, Seat.A), history(records), records[-1]]
    assert judged(log, told_later).status is Status.OK
