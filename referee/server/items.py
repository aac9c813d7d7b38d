"""Handles the items of a session, each independently of the others."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unoduo.v1 import session_pb2 as pb

from referee.match import answers
from referee.match.credentials import Caller, CallerKind
from referee.match.faults import Code, Fault, ProblemReason
from referee.match.inbox import JoinPost, LeavePost, ResignPost
from referee.match.registry import Registry
from referee.match.seats import Delivery
from referee.server.handles import Place
from referee.server.limits import Limits
from referee.server.outbox import Outbox
from referee.server.requests import action_post, invalid, match_id_of, ready_post, resume_of, seat_of

SERVER_NAME: Final = "unoduo-referee"

_LONGEST_CLIENT: Final = 64
_DELIVERIES: Final[Mapping[int, Delivery]] = MappingProxyType(
    {
        pb.DELIVERY_UNSPECIFIED: Delivery.EVERY_ENTRY,
        pb.DELIVERY_EVERY_ENTRY: Delivery.EVERY_ENTRY,
        pb.DELIVERY_ON_DECISION: Delivery.ON_DECISION,
    }
)


class ItemHandler:
    """Gives each item to whom it is for; a bad one is answered and costs nothing else."""

    def __init__(self, registry: Registry, caller: Caller, limits: Limits, outbox: Outbox) -> None:
        self._registry = registry
        self._caller = caller
        self._limits = limits
        self._outbox = outbox
        self._any_before = False
        self._malformed_in_a_row = 0

    def handle(self, item: pb.RequestItem, stamp_ms: int) -> None:
        """Handles an item that was read at that time.

        Raises Fault if it ends the session, being one malformed item too many.
        """
        try:
            self._dispatch(item, stamp_ms)
            self._malformed_in_a_row = 0
        except Fault as fault:
            self.refuse(item.handle, fault)
        self._any_before = True

    def refuse(self, handle: int, fault: Fault) -> None:
        """Answers with a problem. Raises Fault if too many in a row were malformed."""
        self._outbox.put(handle, answers.problem(handle, fault))
        if fault.code is not Code.INVALID_ARGUMENT:
            self._malformed_in_a_row = 0
            return
        self._malformed_in_a_row += 1
        if self._malformed_in_a_row > self._limits.max_malformed:
            raise Fault(ProblemReason.TOO_MANY_MALFORMED)

    def close(self) -> None:
        """Lets go of all seats: the client is gone."""
        for attachment in self._outbox.handles:
            attachment.match.lose(attachment)

    def _dispatch(self, item: pb.RequestItem, stamp_ms: int) -> None:
        kind = item.WhichOneof("kind")
        if kind == "action":
            attachment = self._outbox.handles.seat(item.handle)
            attachment.match.post(action_post(attachment, item.action, stamp_ms))
        elif kind == "join":
            self._join(item.handle, item.join)
        elif kind == "ready":
            attachment = self._outbox.handles.seat(item.handle)
            attachment.match.post(ready_post(attachment, item.ready))
        elif kind == "hello":
            self._hello(item.hello)
        elif kind == "resign":
            attachment = self._outbox.handles.seat(item.handle)
            attachment.match.post(ResignPost(attachment, stamp_ms))
        elif kind == "leave":
            attachment = self._outbox.handles.seat(item.handle)
            attachment.match.post(LeavePost(attachment))
        else:
            raise Fault(ProblemReason.KIND_MISSING, field="kind")

    def _hello(self, hello: pb.Hello) -> None:
        if self._any_before:
            raise Fault(ProblemReason.HELLO_NOT_FIRST, field="hello")
        if not 1 <= len(hello.client) <= _LONGEST_CLIENT:
            raise invalid("hello.client", f"must have 1 to {_LONGEST_CLIENT} characters")
        if hello.protocol != answers.PROTOCOL:
            raise Fault(ProblemReason.PROTOCOL_UNSUPPORTED, field="hello.protocol")
        limits = self._limits
        info = answers.session_info(SERVER_NAME, limits.max_items, limits.max_seats, limits.max_request_bytes)
        self._outbox.put(0, info)

    def _join(self, handle: int, join: pb.Join) -> None:
        handles = self._outbox.handles
        if handle == 0:
            raise invalid("handle", "a seat is joined under a handle of 1 and up")
        if handle in handles:
            raise Fault(ProblemReason.HANDLE_TAKEN, field="handle")
        match_id = match_id_of(join, "join.")
        seat = seat_of(join.seat, "join.seat")
        delivery = _DELIVERIES.get(join.delivery)
        if delivery is None:
            raise invalid("join.delivery", f"{join.delivery} is not a number of Delivery")
        resume = resume_of(join, "join.") if join.HasField("after_sequence") else None
        if len(handles) >= self._limits.max_seats:
            raise Fault(ProblemReason.TOO_MANY_SEATS)
        place = Place(match_id, seat, by_token=bool(join.seat_token))
        self._check_alone(place)
        attachment = self._registry.attach(
            self._caller,
            match_id,
            seat,
            join.seat_token,
            self._outbox,
            handle,
            delivery,
            resume,
        )
        handles.add(attachment, place)
        attachment.match.post(JoinPost(attachment))

    def _check_alone(self, place: Place) -> None:
        """Checks that no session holds both seats of a match but that of a bot which owns both. Raises Fault.

        Only a bot can be granted both without their tokens. An organiser, who has those of all, is not asked.
        """
        if self._caller.kind is CallerKind.ORGANISER:
            return
        handles = self._outbox.handles
        rival = Place(place.match_id, place.seat.other, by_token=True)
        if handles.holds(rival) or (place.by_token and handles.holds(rival._replace(by_token=False))):
            raise Fault(ProblemReason.NOT_YOURS)
