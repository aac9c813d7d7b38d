"""What journals prove, and where they are silent; lies that they show are in `test_cheats.py`."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from unoduo.v1.card_pb2 import CARD_RED_5
from unoduo.v1.match_pb2 import LIFECYCLE_CREATED, LIFECYCLE_ENDED

from referee.adjudication.inputs import Input, NoShow
from referee.audit.journals import LONGER_THAN_FILE
from referee.audit.report import Report, Status
from referee.audit.verify import JOURNALS_ONLY, TIMES, Evidence, verify
from referee.log.journal import JOURNAL_HEAD
from referee.rules.cards import Card
from referee.rules.events import CardsPlayed
from referee.rules.seats import Seat
from tests.audit.cheats import replayed
from tests.audit.journaled import Record, joined, journal_file, journal_of, place_of, record
from tests.audit.simulated import Log, Simulation
from tests.audit.tampering import Tampering, changed, fact_changed, honest, rejected, troubled
from tests.audit.test_false_inputs import card_not_held


def judged(log: Log, *journals: bytes) -> Report:
    return verify(BytesIO(log.to_bytes()), Evidence(journals=tuple(map(BytesIO, journals))))


@pytest.mark.parametrize("make", [honest, troubled, rejected])
def test_honest_journals_of_both_seats_are_right(make: Callable[[], Log]) -> None:
    log = make()
    report = judged(log, *(journal_file(journal_of(log, seat)) for seat in Seat))
    assert report.status is Status.OK, report
    assert JOURNALS_ONLY not in report.not_proven
    assert TIMES in report.not_proven


def test_seat_without_a_journal_is_named() -> None:
    report = judged(honest(), journal_file(journal_of(honest(), Seat.B)))
    assert "what seat A was shown and the entropy that it sent: only its own journal tells" in report.not_proven


def test_part_of_the_match_that_no_journal_tells_is_named() -> None:
    not_shown = "what seat A was shown where its journal has nothing: none tells the whole match"
    not_dealt = "that the deal has the entropy of seat A: no journal of it tells what was accepted"
    whole = journal_of(honest(), Seat.A)
    place = place_of(whole, "observation", 9)
    begun, later = whole[:place], [joined(honest(), Seat.A), *whole[place:]]
    told = {(False, True): [begun], (False, False): [later], (True, True): [whole, later]}
    for (is_whole, is_dealt), journals in told.items():
        report = judged(honest(), *map(journal_file, journals))
        assert report.status is Status.OK
        assert (not_shown not in report.not_proven, not_dealt not in report.not_proven) == (is_whole, is_dealt)


def test_first_entropy_of_a_seat_that_sent_two_counts() -> None:
    records = journal_of(honest(), Seat.A)
    ready, accepted = place_of(records, "ready"), place_of(records, "ready_accepted")
    again = [
        joined(honest(), Seat.A),
        record(ready={"entropy": b"second"}),
        records[accepted],
        *records[accepted + 1 :],
    ]
    first, second = journal_file(records[: accepted + 1]), journal_file(again)
    assert judged(honest(), first, second).status is Status.OK
    report = judged(honest(), second)
    assert (report.check, report.message) == ("ENTROPY", "the deal has other entropy of the seat than it sent")
    of_b = journal_of(honest(), Seat.B)
    of_b[place_of(of_b, "ready")].ready.entropy = records[ready].ready.entropy
    assert judged(honest(), second, journal_file(of_b)).part == f"journal of seat A, record {start_of(again)}"
    del records[ready]
    assert judged(honest(), journal_file(records)).status is Status.OK


def start_of(records: list[Record]) -> int:
    """Returns the number of the first record that shows events."""
    return place_of(records, "observation") + 1


def test_decision_of_the_other_seat_is_told() -> None:
    of_a, of_b = (journal_of(honest(), seat) for seat in Seat)
    asked = next(each.observation for each in of_b if each.observation.HasField("decision"))
    shown = next(each.observation for each in of_a if each.observation.sequence == asked.sequence)
    assert not shown.HasField("decision")
    shown.decision.CopyFrom(asked.decision)
    assert judged(honest(), journal_file(of_a)).check == "DECISION"


def test_entropy_that_came_too_late_is_no_fault() -> None:
    log = replayed((b"", b"of the second"))
    records = journal_of(log, Seat.A)
    sent, accepted = records[place_of(records, "ready")], records[place_of(records, "ready_accepted")]
    sent.ready.entropy = b"late"
    rest = [each for each in records if each not in (sent, accepted)]
    start = place_of(rest, "observation")
    for late in ([rest[0], sent, accepted, *rest[1:]], [*rest[: start + 1], sent, accepted, *rest[start + 1 :]]):
        assert judged(log, journal_file(late)).status is Status.OK
    accepted.ready_accepted.entropy = b"late"
    assert judged(log, journal_file([*rest[: start + 1], sent, accepted, *rest[start + 1 :]])).check == "ENTROPY"


def test_accepted_entropy_is_looked_for_where_a_journal_stops_before_the_start() -> None:
    records = journal_of(replayed((b"", b"of the second")), Seat.A)[:3]
    records[2].ready_accepted.entropy = b"accepted"
    assert judged(replayed((b"", b"of the second")), journal_file(records)).check == "ENTROPY"


def test_torn_end_and_a_journal_that_stops_are_right() -> None:
    data = journal_file(journal_of(honest(), Seat.A))
    for length in (len(data) - 1, len(data) // 2):
        assert judged(honest(), data[:length]).status is Status.OK


def test_join_without_history_leaves_out_what_was_before_it() -> None:
    records = journal_of(honest(), Seat.A)
    first, later = place_of(records, "observation", 3), place_of(records, "observation", 9)
    del records[later].observation.events[:]
    rejoined = [*records[: first + 1], joined(honest(), Seat.A), *records[later:]]
    assert judged(honest(), journal_file(rejoined)).status is Status.OK
    assert judged(honest(), journal_file([joined(honest(), Seat.A), *records[later:]])).status is Status.OK
    without_join = [*records[: first + 1], *records[later:]]
    assert judged(honest(), journal_file(without_join)).check == "OBSERVED"


def test_entries_told_together_are_compared_one_by_one() -> None:
    records = journal_of(honest(), Seat.A)
    place = place_of(records, "observation", 5)
    one, two = records[place], next(record for record in records[place + 1 :] if record.HasField("observation"))
    events = [*one.observation.events, *two.observation.events]
    del two.observation.events[:]
    two.observation.events.extend(events)
    del records[place]
    assert judged(honest(), journal_file(records)).status is Status.OK
    two.observation.events[0].private_cards.append(CARD_RED_5)
    assert judged(honest(), journal_file(records)).check == "OBSERVED"


def test_action_that_is_asked_again_late_is_answered_the_same() -> None:
    records = journal_of(honest(), Seat.A)
    place = place_of(records, "action_result")
    asked, answered = records[place - 1], records[place]
    late = place_of(records, "observation", -1)
    late_ones = [*records[:late], asked, answered, *records[late:]]
    last = place_of(records, "action_result", -1)
    behind_the_end = [joined(honest(), Seat.A), records[-1], *records[last - 1 : last + 1]]
    for repeated in (late_ones, behind_the_end):
        assert judged(honest(), journal_file(repeated)).status is Status.OK
    other = Record()
    other.CopyFrom(answered)
    other.action_result.accepted.sequence += 1
    assert judged(honest(), journal_file([*records[:late], asked, other, *records[late:]])).check == "RESULT"


def test_journal_longer_than_a_file_without_seal_leaves_it_incomplete() -> None:
    log = honest()
    cut = Log(log.header, log.entries[:20], None, None)
    report = judged(cut, journal_file(journal_of(log, Seat.A)))
    assert (report.status, LONGER_THAN_FILE in report.not_proven) == (Status.INCOMPLETE, True)


def test_file_sealed_before_what_a_seat_was_told_is_wrong() -> None:
    records = journal_of(honest(), Seat.A)
    last = records[place_of(records, "observation", -1)]
    extra = Record()
    extra.CopyFrom(last)
    extra.observation.sequence += 1
    del extra.observation.events[:]
    report = judged(honest(), journal_file([*records[:-1], extra]))
    assert (report.part, report.check) == (f"journal of seat A, record {len(records)}", "HEAD")


@pytest.mark.parametrize(
    "data",
    [b"", b"UNODUO\0\1", JOURNAL_HEAD, JOURNAL_HEAD + b"\0\0\0\0", JOURNAL_HEAD + b"\0\0\0\1\xff"],
)
def test_what_is_no_journal_is_told(data: bytes) -> None:
    report = judged(honest(), data)
    assert (report.status, report.part, report.check) == (Status.WRONG, "journal", "JOURNAL")


@pytest.mark.parametrize("damage", [b"\0\0\0\0", b"\0\0\0\1\xff", b"\0\0\0\2\x78\x01"])
def test_damage_within_a_journal_is_told(damage: bytes) -> None:
    data = journal_file(journal_of(honest(), Seat.A)) + damage
    report = judged(honest(), data)
    assert (report.status, report.check) == (Status.WRONG, "JOURNAL")


@pytest.mark.parametrize("kept", [1, 5])
def test_end_that_is_told_without_what_came_before_it_is_told(kept: int) -> None:
    records = journal_of(honest(), Seat.A)
    last = place_of(records, "observation", -kept)
    report = judged(honest(), journal_file([*records[:last], records[-1]]))
    assert (report.part, report.check) == (f"journal of seat A, record {last + 1}", "OBSERVED")
    rejoined = [*records[:last], joined(honest(), Seat.A), records[-1]]
    assert judged(honest(), journal_file(rejoined)).status is Status.OK


def no_show_of_a() -> Log:
    simulation = Simulation(1)
    simulation.take(Input(None, 0, 30_000, 0, NoShow((Seat.A,))))
    return simulation.log()


def test_no_show_of_a_seat_that_was_ready_is_wrong() -> None:
    log = no_show_of_a()
    ready = [joined(log, Seat.A, LIFECYCLE_CREATED), record(ready={}), record(ready_accepted={})]
    report = judged(log, journal_file(ready))
    assert (report.part, report.check) == ("journal of seat A, record 3", "STARTUP_GRACE")
    assert report.message == "the seat is told to have never joined, and the referee had accepted that it was ready"


@pytest.mark.parametrize("lifecycle", [LIFECYCLE_CREATED, LIFECYCLE_ENDED])
def test_no_show_of_a_seat_that_came_and_was_not_ready_before_the_end_may_be_right(lifecycle: Any) -> None:
    log = no_show_of_a()
    records = [joined(log, Seat.A, LIFECYCLE_CREATED), joined(log, Seat.A, lifecycle)]
    if lifecycle == LIFECYCLE_ENDED:
        records += [record(ready={}), record(ready_accepted={})]
    assert judged(log, journal_file(records)).status is Status.OK


def test_answer_for_a_reason_that_nobody_knows_is_told() -> None:
    records = journal_of(honest(), Seat.A)
    place = place_of(records, "action_result", 2)
    late = Record()
    late.CopyFrom(records[place])
    late.action_result.stale.reason = 99  # type: ignore[assignment]
    report = judged(honest(), journal_file([*records[: place + 1], late, *records[place + 1 :]]))
    assert (report.check, "stale, 99," in report.message) == ("RESULT", True)


class Exchanged(BytesIO):
    """Is a file that is another one from its third reading on: when it has been judged."""

    def __init__(self, before: bytes, after: bytes) -> None:
        super().__init__(before)
        self._after = after
        self._readings = 0

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._readings += (offset, whence) == (0, 0)
        if self._readings == 2:
            super().seek(0)
            self.write(self._after)
            self.truncate()
        return super().seek(offset, whence)


@pytest.mark.parametrize(
    "false", [card_not_held, fact_changed(CardsPlayed, lambda fact: changed(fact, cards=(Card.RED_5,) * 9))]
)
def test_file_that_is_exchanged_after_it_was_judged_is_told(false: Tampering) -> None:
    log, (other, _) = honest(), false(honest())
    stream = Exchanged(log.to_bytes(), other.to_bytes())
    report = verify(stream, Evidence(journals=(BytesIO(journal_file(journal_of(log, Seat.A))),)))
    assert (report.part, report.check) == ("file head", "FILE")
    assert report.message == "the file was changed while it was read"
