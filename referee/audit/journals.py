"""What a seat's own journal shows of a replay (`PROTOCOL.md`, "The journal").

The replay is told to the seat once more, entry by entry, and each record of the journal is held against that.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Final

from unoduo.v1 import journal_pb2, match_pb2, observation_pb2, session_pb2

from referee.adjudication.errors import Check as RulingCheck
from referee.adjudication.inputs import ActionTaken, NoShow, RejectedTry, Resignation, Resume, Start
from referee.adjudication.terms import DealMode
from referee.audit.journal_records import Said, readable_in, records_in, told_before
from referee.audit.report import Check, Fault
from referee.audit.retelling import Retelling, Told
from referee.audit.stale import StaleAnswers, WrongAnswer
from referee.codec.actions import action_bytes, decode_action
from referee.codec.errors import Malformed
from referee.codec.outcomes import encode_outcome
from referee.codec.seals import Seal
from referee.log.byte_streams import SeekableSource
from referee.log.journal import JournalFault
from referee.rules.seats import Seat

LONGER_THAN_FILE: Final = "the journal goes on behind the end of the file"

# What names an action: its decision, its id and its bytes; and what a refusal says: decision, id and clause.
_Key = tuple[int, str, bytes]
_Refusal = tuple[int, str, str]
# What the log has of an accepted action: its decision, its id and the last event of its entry.
_Taken = tuple[int, str, int]


class WrongJournal(Exception):
    """Carries the first difference between a journal and a replay to the report."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class Comparison:
    """Holds one journal against one replay that is right by itself.

    `retell` begins to tell the replay. `said` is what the seat said by all of its journals: of entropy the first
    counts, and another process may have sent that. Afterwards `is_whole` says whether the seat was shown each entry.
    """

    def __init__(self, retell: Callable[[], Retelling], seal: Seal | None, said: Said) -> None:
        self._retell = retell
        self._retelling = retell()
        self.seat = self._retelling.seat
        self._seal = seal
        self.is_whole = True
        # The last event of the entries that were held against what the seat said, each once.
        self._passed = 0
        # Whether this telling has shown all from the first event on.
        self._is_unbroken = True
        # Whether what is told now may be what another process of the seat has done.
        self._is_history = True
        self._part = f"journal of seat {self.seat.name}"
        self._record = 0
        self._is_fresh = True
        self._is_created = False
        self._was_ready = False
        self._said = said
        self._counted: set[bytes] = set()
        self._dealt: bytes | None = None
        self._sent: set[_Key] = set()
        # By the first event, what the log has of actions that are answered later.
        self._taken: dict[int, _Taken | None] = {}
        self._promised: dict[int, tuple[int, session_pb2.ActionResult]] = {}
        self._refused: set[_Refusal] = set()
        self._logged: set[_Refusal] = set()
        self._closed = 0
        self._stale = StaleAnswers((), self.seat)

    @property
    def tells_entropy(self) -> bool:
        """Returns whether the journal tells that the deal has the entropy of the seat, if it takes any."""
        return self._dealt is None or bool(self._counted)

    def compare(self, source: SeekableSource) -> str | None:
        """Compares all records, in their order; returns what of the journal the file does not reach, if anything.

        The journal begins at place 0 of the source. Raises WrongJournal for the first difference, and what the replay
        raises if it was changed meanwhile.
        """
        source.seek(0)
        self._stale = StaleAnswers(readable_in(source), self.seat)
        source.seek(0)
        self._taken = dict.fromkeys(told_before(readable_in(source)))
        source.seek(0)
        try:
            for self._record, record in enumerate(records_in(source), 1):
                if not self._take(record):
                    return LONGER_THAN_FILE
        except JournalFault as fault:
            raise WrongJournal(Fault(self._part, Check.JOURNAL, str(fault))) from None
        return self._unkept()

    def _unkept(self) -> str | None:
        """Judges entropy and answers by the rest of the file, of which the seat was not told."""
        for told in self._retelling.rest():
            self._pass(told, is_covered=False)
        if self._seal is None:
            return LONGER_THAN_FILE if self._promised or self._stale.is_waiting else None
        self._judge_stale()
        if not self._promised:
            return None
        self._record, result = min(self._promised.values(), key=itemgetter(0))
        raise self._wrong(Check.RESULT, f"action {result.action_id} was accepted, and the file does not have it")

    def _take(self, record: journal_pb2.JournalRecord) -> bool:
        """Compares one record; returns False if it lies behind the end of a file without a seal."""
        match record.WhichOneof("kind"):
            case "joined":
                self._is_fresh = True
                self._is_created = record.joined.lifecycle == match_pb2.LIFECYCLE_CREATED
                self._is_history = not self._is_created
                if record.joined.header != self._retelling.header_bytes:
                    raise self._wrong(Check.HEADER, "the seat was shown another header than that of the file")
            case "ready_accepted":
                self._was_ready |= self._is_created
                self._counted |= {record.ready_accepted.entropy} - {b""}
                self._check_entropy()
            case "observation":
                return self._observe(record.observation)
            case "action":
                self._send(record.action)
            case "action_result":
                self._answered(record.action_result)
            case "ended":
                return self._end(record.ended)
        return True

    def _observe(self, observation: observation_pb2.Observation) -> bool:
        first = observation.events[0].sequence if observation.events else observation.sequence + 1
        if min(first - 1, observation.sequence) < self._retelling.sequence:
            if not self._is_fresh:
                raise self._wrong(Check.OBSERVED, f"it goes back to event {min(first, observation.sequence)}")
            # The seat was taken again, and asked for history that it had.
            self._retelling, self._is_unbroken = self._retell(), True
        retelling = self._retelling
        shown = iter(observation.events)
        due_next = next(shown, None)
        is_covered = not self._is_fresh
        for told in retelling.until(observation.sequence):
            for sequence, due in told.events:
                if due_next is not None and due_next.sequence == sequence:
                    is_covered = True
                    if due_next.SerializeToString(deterministic=True) != due:
                        raise self._wrong(Check.OBSERVED, f"event {sequence} was shown otherwise than it happened")
                    due_next = next(shown, None)
                elif is_covered:
                    raise self._wrong(Check.OBSERVED, f"event {sequence} was not shown")
            self._pass(told, is_covered)
        if retelling.sequence < observation.sequence and retelling.is_over:
            if self._seal is None:
                return False
            message = f"the seat was told of event {observation.sequence}, the file ends with {retelling.sequence}"
            raise self._wrong(Check.HEAD, message)
        if due_next is not None:
            raise self._wrong(Check.OBSERVED, f"event {due_next.sequence} was shown, and does not follow")
        if observation.head != retelling.head or observation.sequence != retelling.sequence:
            message = f"at event {observation.sequence} the seat was told another head than that of the file"
            raise self._wrong(Check.HEAD, message)
        if observation.HasField("view"):
            view = retelling.view()
            if view is not None and observation.view.SerializeToString(deterministic=True) != view:
                message = f"the view at event {observation.sequence} is not what the seat may know there"
                raise self._wrong(Check.VIEW, message)
        if observation.HasField("decision") and retelling.is_revealed:
            shown_decision = observation.decision
            decision = retelling.decision(shown_decision.time_left_ms, shown_decision.tries_left)
            if shown_decision.SerializeToString(deterministic=True) != decision:
                message = f"the decision at event {observation.sequence} is not what the seat is asked there"
                raise self._wrong(RulingCheck.DECISION, message)
        if observation.caught_up:
            self._is_history = False
            self._judge_stale()
        self._is_fresh = False
        return True

    def _pass(self, told: Told, is_covered: bool) -> None:
        """Holds an entry against what the seat has said and was answered, once if it is told again."""
        entry, cause = told.entry, told.entry.input
        kind = cause.kind
        self._is_unbroken &= is_covered
        if entry.last_sequence <= self._passed:
            self.is_whole |= self._is_unbroken and entry.last_sequence == self._passed
            return
        self._passed = entry.last_sequence
        self.is_whole &= is_covered
        must_be_its_own = is_covered and not self._is_history
        if isinstance(kind, Start) and self._retelling.deal_mode is DealMode.FRESH:
            self._dealt = kind.entropy_1 if self.seat is Seat.A else kind.entropy_2
            self._check_entropy()
        if isinstance(kind, NoShow) and self.seat in kind.seats and self._was_ready:
            message = "the seat is told to have never joined, and the referee had accepted that it was ready"
            raise self._wrong(RulingCheck.STARTUP_GRACE, message)
        for attempt in entry.tries:
            self._check_try(told, attempt, must_be_its_own)
        if isinstance(kind, Resignation):
            self._check_resignation(told, must_be_its_own)
        if isinstance(kind, ActionTaken) and cause.seat is self.seat:
            key = cause.decision_id, kind.action_id, action_bytes(kind.action)
            if must_be_its_own and key not in self._sent:
                raise self._wrong(Check.ACTION, f"entry {entry.index} has an action that the seat did not send")
            self._take_action(entry.first_sequence, (cause.decision_id, kind.action_id, entry.last_sequence))
        else:
            self._take_action(entry.first_sequence, None)
        self._stale.close(told)
        if isinstance(kind, Resume):
            # Tries that were not in the log yet were lost with the referee that judged them.
            self._refused.clear()
            return
        if is_covered and any(decision_id <= cause.decision_id for decision_id, _, _ in self._refused):
            message = f"an action that was refused is not among the tries of entry {entry.index}, as it was refused"
            raise self._wrong(Check.RESULT, message)
        self._refused = {refusal for refusal in self._refused if refusal[0] > cause.decision_id}
        self._logged.clear()
        self._closed = cause.decision_id
        self._sent = {key for key in self._sent if key[0] > cause.decision_id}

    def _send(self, submitted: session_pb2.SubmittedAction) -> None:
        try:
            action = decode_action(submitted.action)
        except Malformed:
            # No such action gets into a log.
            return
        decision_id, action_id, data = submitted.decision_id, submitted.action_id, action_bytes(action)
        self._sent.add((decision_id, action_id, data))
        self._stale.send(decision_id, action_id, data, self._passed)

    def _check_entropy(self) -> None:
        if self._dealt is None:
            return
        if self._dealt and self._said.entropies and self._dealt not in self._said.entropies:
            raise self._wrong(RulingCheck.ENTROPY, "the deal has other entropy of the seat than it sent")
        if self._counted - {self._dealt}:
            raise self._wrong(RulingCheck.ENTROPY, "the deal lacks the entropy of the seat that the referee accepted")

    def _check_try(self, told: Told, attempt: RejectedTry, must_be_its_own: bool) -> None:
        if attempt.seat is not self.seat:
            return
        refusal = attempt.decision_id, attempt.action_id, attempt.clause
        self._refused.discard(refusal)
        self._logged.add(refusal)
        key = attempt.decision_id, attempt.action_id, action_bytes(attempt.action)
        if must_be_its_own and key not in self._sent:
            raise self._wrong(Check.ACTION, f"entry {told.entry.index} has a try that the seat did not make")

    def _check_resignation(self, told: Told, must_be_its_own: bool) -> None:
        if told.entry.input.seat is self.seat and must_be_its_own and not self._said.may_have_resigned:
            message = f"entry {told.entry.index} has a resignation that the seat did not send"
            raise self._wrong(Check.ACTION, message)

    def _answered(self, result: session_pb2.ActionResult) -> None:
        match result.WhichOneof("verdict"):
            case "accepted":
                self._accepted(result, result.accepted.first_sequence)
            case "rejected":
                self._rejected(result)
            case "stale":
                self._stale.take(self._record, result)

    def _rejected(self, result: session_pb2.ActionResult) -> None:
        if result.decision_id <= self._closed:
            message = f"action {result.action_id} was refused by the rules, while its decision was closed"
            raise self._wrong(Check.RESULT, message)
        refusal = result.decision_id, result.action_id, result.rejected.clause
        if refusal not in self._logged:
            self._refused.add(refusal)

    def _accepted(self, result: session_pb2.ActionResult, first_sequence: int) -> None:
        _, known = self._promised.get(first_sequence, (0, result))
        if known != result:
            raise self._wrong(Check.RESULT, f"two actions were accepted as event {first_sequence}")
        self._promised[first_sequence] = self._record, result
        if first_sequence <= self._passed:
            self._keep_promise(first_sequence, self._taken.get(first_sequence))

    def _take_action(self, first_sequence: int, taken: _Taken | None) -> None:
        """Takes the action of the seat that caused an entry, if one did."""
        if first_sequence in self._taken:
            self._taken[first_sequence] = taken
        self._keep_promise(first_sequence, taken)

    def _keep_promise(self, first_sequence: int, taken: _Taken | None) -> None:
        promise = self._promised.pop(first_sequence, None)
        if promise is None:
            return
        _, result = promise
        if taken != (result.decision_id, result.action_id, result.accepted.sequence):
            message = f"action {result.action_id} was accepted as event {first_sequence}, the file has something else"
            raise self._wrong(Check.RESULT, message)

    def _end(self, ended: session_pb2.Ended) -> bool:
        for told in self._retelling.rest():
            if not self._is_fresh:
                raise self._wrong(Check.OBSERVED, f"event {told.entry.first_sequence} was not shown before the end")
            self._pass(told, is_covered=False)
        if self._seal is None:
            return False
        if ended.head != self._retelling.head or ended.sequence != self._retelling.sequence:
            raise self._wrong(Check.HEAD, "the seat was told another last head than that of the file")
        if ended.outcome != encode_outcome(self._seal.outcome):
            raise self._wrong(Check.RESULT, "the seat was told another outcome than that of the file")
        if ended.signature != self._seal.signature:
            raise self._wrong(Check.RESULT, "the seat was told another signature than that of the file")
        return True

    def _judge_stale(self) -> None:
        try:
            self._stale.judge()
        except WrongAnswer as wrong:
            self._record = wrong.record
            raise self._wrong(Check.RESULT, wrong.message) from None

    def _wrong(self, check: str, message: str) -> WrongJournal:
        return WrongJournal(Fault(f"{self._part}, record {self._record}", check, message))
