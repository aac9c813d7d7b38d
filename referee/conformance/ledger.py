"""What was said and told, and what no client may do, whatever the check (`PROTOCOL.md`, sections 2 and 3)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256

from unoduo.v1 import action_pb2, observation_pb2, outcome_pb2, seat_pb2, session_pb2
from unoduo_client.enums import enum_name

# After these a client must not join again by itself.
_FINAL = (session_pb2.DETACH_REASON_REPLACED, session_pb2.DETACH_REASON_TOKEN_REVOKED)
_FINAL_REASONS = ("NOT_YOURS", "FORKED")
_LONGEST_ACTION_ID = 36
_MOST_ENTROPY = 32


@dataclass(frozen=True, slots=True)
class Heard:
    """Is something that the client said: on which line, and when, in seconds of a monotonic clock."""

    line: int
    item: session_pb2.RequestItem
    at_s: float

    @property
    def kind(self) -> str:
        """Returns the kind of the item, empty without one."""
        return self.item.WhichOneof("kind") or ""


@dataclass(slots=True)
class _Seat:
    """Holds what the kit knows of one seat of the client."""

    header: bytes = b""
    entropy: bytes | None = None
    heads: dict[int, bytes] = field(default_factory=dict)
    decisions: dict[int, observation_pb2.Decision] = field(default_factory=dict)
    tries: dict[int, dict[str, bytes]] = field(default_factory=dict)
    rejected: set[tuple[int, str]] = field(default_factory=set)
    acted_on: int = 0
    away: str = ""


Key = tuple[bytes, seat_pb2.Seat.ValueType]


class Ledger:
    """Keeps what passed and finds flaws; `tolerated` are the kinds of refusals that a check brings about itself.

    These are `problem`, `rejected`, `stale` and `timed_out`.
    """

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.flaws: list[str] = []
        self.flawed = asyncio.Event()
        self.phases: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self.most_items = 0
        self.has_ended = 0
        self.outcome = outcome_pb2.Outcome()
        self.tolerated: frozenset[str] = frozenset()
        self._handles: dict[tuple[int, int], Key] = {}
        self._seats: dict[Key, _Seat] = {}

    def of_kind(self, kind: str) -> list[Heard]:
        """Returns what the client said of a kind, in order."""
        return [heard for heard in self.heard if heard.kind == kind]

    def answers(self, decision_id: int) -> list[Heard]:
        """Returns the actions for a decision, repeats included, in order."""
        return [heard for heard in self.of_kind("action") if heard.item.action.decision_id == decision_id]

    def request(self, request: session_pb2.PlayRequest) -> None:
        """Learns of a message of the client."""
        self.most_items = max(self.most_items, len(request.items))
        if not request.items:
            self._flaw("it sent a message without an item")

    def said(self, line: int, item: session_pb2.RequestItem) -> None:
        """Learns of an item of the client, as it sent it."""
        is_first = all(heard.line != line for heard in self.heard)
        heard = Heard(line, session_pb2.RequestItem.FromString(item.SerializeToString()), time.monotonic())
        self.heard.append(heard)
        kind = heard.kind
        if kind == "":
            self._flaw("it sent an item without a kind")
        elif kind == "hello":
            if item.handle or not is_first:
                self._flaw("its hello was not the first item, under handle 0")
        elif kind == "join":
            self._join(line, item)
        elif (key := self._handles.get((line, item.handle))) is None:
            self._flaw(f"it sent {kind} under handle {item.handle}, which it did not join in this session")
        elif kind == "ready":
            self._ready(self._seats[key], item.ready)
        elif kind == "action":
            self._action(self._seats[key], item.action)

    def meant(self, line: int, item: session_pb2.ResponseItem) -> None:
        """Learns what the referee said, before the check changed anything."""
        match item.WhichOneof("kind"):
            case "problem" if item.problem.code != 14:  # UNAVAILABLE passes
                self._unless("problem", f"the referee could not handle what it said: {item.problem.reason}")
            case "action_result" if item.action_result.HasField("rejected"):
                rejected = item.action_result.rejected
                self._unless("rejected", f"the rules refused its action ({rejected.clause}: {rejected.message})")
            case "action_result" if item.action_result.HasField("stale"):
                self._unless("stale", "its action came for a decision that was not open")
            case "observation":
                key = self._handles.get((line, item.handle))
                late = [event for event in item.observation.events if event.event.HasField("timed_out")]
                if key is not None and any(event.event.timed_out.seat == key[1] for event in late):
                    self._unless("timed_out", "it did not answer in time")

    def told(self, line: int, item: session_pb2.ResponseItem) -> None:
        """Learns what the client is told."""
        if (key := self._handles.get((line, item.handle))) is None:
            return
        seat = self._seats[key]
        match item.WhichOneof("kind"):
            case "joined":
                seat.header = seat.header or item.joined.header
            case "observation":
                observation = item.observation
                seat.heads[observation.sequence] = observation.head
                if observation.HasField("decision"):
                    seat.decisions[observation.decision.decision_id] = observation.decision
            case "action_result" if item.action_result.HasField("rejected"):
                seat.rejected.add((item.action_result.decision_id, item.action_result.action_id))
            case "detached" if item.detached.reason in _FINAL:
                seat.away = session_pb2.DetachReason.Name(item.detached.reason)
            case "problem" if item.problem.reason in _FINAL_REASONS:
                seat.away = item.problem.reason
            case "ended":
                self.has_ended += 1
                self.outcome = item.ended.outcome

    def _join(self, line: int, item: session_pb2.RequestItem) -> None:
        join = item.join
        if item.handle == 0 or (line, item.handle) in self._handles:
            self._flaw(f"it joined under handle {item.handle}, which is 0 or was used before in this session")
            return
        key = join.match_id, join.seat
        self._handles[line, item.handle] = key
        seat = self._seats.setdefault(key, _Seat())
        if seat.away:
            self._flaw(f"it joined again after {seat.away}")
        if not join.HasField("after_sequence"):
            if seat.acted_on:
                self._flaw(f"it joined again without after_sequence, though it had answered decision {seat.acted_on}")
        elif join.after_sequence < seat.acted_on:
            self._flaw(f"it went on behind event {join.after_sequence}, though it had answered for {seat.acted_on}")
        elif join.after_sequence and seat.heads.get(join.after_sequence) != join.head:
            self._flaw(f"it went on behind event {join.after_sequence} with a head that it was not told there")

    def _ready(self, seat: _Seat, ready: session_pb2.Ready) -> None:
        if ready.h0 != sha256(b"\x00" + seat.header).digest():
            self._flaw("its ready has another h0 than SHA-256 of 0x00 and the header")
        if len(ready.entropy) > _MOST_ENTROPY:
            self._flaw(f"its ready has {len(ready.entropy)} bytes of entropy")
        if seat.entropy is not None and seat.entropy != ready.entropy:
            self._flaw("asked again, it gave other entropy")
        seat.entropy = ready.entropy

    def _action(self, seat: _Seat, submitted: session_pb2.SubmittedAction) -> None:
        number, action_id = submitted.decision_id, submitted.action_id
        if number not in seat.decisions:
            self._flaw(f"it answered decision {number}, which it was not told")
            return
        if not (1 <= len(action_id) <= _LONGEST_ACTION_ID and action_id.isascii() and action_id.isprintable()):
            self._flaw(f"its action id {action_id!r} is not 1 to 36 printable ASCII characters")
        seat.acted_on = max(seat.acted_on, number)
        tries = seat.tries.setdefault(number, {})
        data = submitted.action.SerializeToString(deterministic=True)
        if action_id not in tries:
            if tries and (number, [*tries][-1]) not in seat.rejected:
                self._flaw(f"it answered decision {number} twice, under different action ids")
            self.phases[_phase(seat.decisions[number])] += 1
            self.actions[_kind(submitted.action)] += 1
        elif tries[action_id] != data:
            self._flaw(f"it sent another action for decision {number} under the action id of an earlier one")
        tries[action_id] = data

    def _unless(self, kind: str, flaw: str) -> None:
        if kind not in self.tolerated:
            self._flaw(flaw)

    def _flaw(self, flaw: str) -> None:
        self.flaws.append(flaw)
        self.flawed.set()


def _phase(decision: observation_pb2.Decision) -> str:
    """Returns the phase, that of an answer with what is to be answered."""
    name = enum_name(observation_pb2.Phase.Name, decision.phase).removeprefix("PHASE_")
    if decision.phase == observation_pb2.PHASE_RESPOND:
        to_four = any(action.HasField("challenge") for action in decision.legal)
        return f"{name} to {'WILD DRAW FOUR' if to_four else 'DRAW TWO'}"
    return name


def _kind(action: action_pb2.Action) -> str:
    kind = action.WhichOneof("kind") or "nothing"
    return "dump" if kind == "play" and len(action.play.cards) > 1 else kind
