"""What a curious caller asks of each call of the service, again and again in the course of a match."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Final

from unoduo.v1 import match_pb2, seat_pb2, session_pb2
from unoduo.v1 import referee_service_pb2 as pb

from tests.leaks.course import Course
from tests.leaks.players import Item, Player, Someone
from tests.leaks.wires import Stream

UNKNOWN: Final = b"\x01" * 16
_HANDLE: Final = 9

Probe = Callable[[Course, Someone], Awaitable[None]]


async def _create_match(course: Course, who: Someone) -> None:
    request = pb.CreateMatchRequest(players=[match_pb2.Player(name=name) for name in "AB"])
    await who.ask("CreateMatch", request.SerializeToString())


async def _get_match(course: Course, who: Someone) -> None:
    for match_id in (course.match_id, UNKNOWN, b""):
        await who.ask("GetMatch", pb.GetMatchRequest(match_id=match_id).SerializeToString())


async def _list_matches(course: Course, who: Someone) -> None:
    await who.ask("ListMatches", pb.ListMatchesRequest().SerializeToString())


async def _void_match(course: Course, who: Someone) -> None:
    await who.ask("VoidMatch", pb.VoidMatchRequest(match_id=course.match_id).SerializeToString())


async def _revoke_token(course: Course, who: Someone) -> None:
    for target in (
        pb.RevokeTokenRequest(spectator_match_id=course.match_id),
        pb.RevokeTokenRequest(seat=pb.SeatTokenRef(match_id=course.match_id, seat=seat_pb2.SEAT_A)),
        pb.RevokeTokenRequest(bot="mallory"),
    ):
        await who.ask("RevokeToken", target.SerializeToString())


async def _get_index(course: Course, who: Someone) -> None:
    await who.ask("GetIndex", pb.GetIndexRequest().SerializeToString())


async def _create_deal(course: Course, who: Someone) -> None:
    for seed in (None, bytes(32)):
        await who.ask("CreateDeal", pb.CreateDealRequest(seed=seed).SerializeToString())


async def _close_deal(course: Course, who: Someone) -> None:
    for deal_id in (course.deal_id, UNKNOWN, b""):
        await who.ask("CloseDeal", pb.CloseDealRequest(deal_id=deal_id).SerializeToString())


async def _get_replay(course: Course, who: Someone) -> None:
    """Asks for the replay, unless it is public: then both worlds may differ."""
    if course.is_over and course.plan.is_fresh:
        who.called.add("GetReplay")
        return
    for token in ("", "1", "x"):
        await who.ask("GetReplay", pb.GetReplayRequest(match_id=course.match_id, page_token=token).SerializeToString())


async def _watch_match(course: Course, who: Someone) -> None:
    """Watches from a point for a while: until all that is there was told, or the call is refused."""
    request = course.watch_request(course.random.choice(_points(course)))
    stream = who.open("WatchMatch", request)
    visible = 0 if course.plan.delay_ms else course.sequence
    if course.plan.is_fresh and who is course.spectator:
        await stream.until_told(lambda: bool(stream.messages) and stream.sequence >= visible)
        if not course.is_over:
            await stream.cancel()
            return
    await stream.until_over()


async def _play(course: Course, who: Someone) -> None:
    """Joins what is not one's own, and then one's own seat from any point."""
    stream = who.open("Play")
    if who is course.spectator:
        # The call itself is refused; a write that fails then may hide how.
        await stream.until_over()
        return
    joins = [
        session_pb2.Join(match_id=course.match_id, seat=course.rival.number, seat_token="x" * 40),
        session_pb2.Join(match_id=course.match_id, seat=course.rival.number),
        session_pb2.Join(match_id=UNKNOWN, seat=seat_pb2.SEAT_B, seat_token="x" * 40),
        session_pb2.Join(match_id=course.match_id, seat=seat_pb2.Seat.ValueType(3)),
    ]
    items = [Item(handle=place, join=join) for place, join in enumerate(joins, 1)]
    items += [Item(handle=_HANDLE, resign=session_pb2.Resign()), Item(handle=_HANDLE), course.rival.ready_item()]
    await stream.send(*items)
    await stream.until_told(lambda: sum(item.HasField("problem") for item in stream.items) >= len(items))
    if not stream.is_over:
        await stream.half_close()
        await stream.until_over()
    player = course.me
    if player is None or who is not player.who:
        return
    held = player.stream
    stream = await player.join(course.random.choice([None, *_points(course)]))
    if player.stream is held:
        # The join was refused, and whoever had the seat has it still.
        await stream.half_close()
        await stream.until_over()
        return
    await _say_again(course, player, stream)
    if player.acts:
        await stream.send(Item(handle=1, leave=session_pb2.Leave()))
        await stream.half_close()
        await stream.until_over()
        player.stream = None


async def _act(course: Course, who: Someone) -> None:
    """Makes calls for each seat, from any point, saying nothing or what comes too late."""
    me = course.me
    for seat in (seat_pb2.SEAT_A, seat_pb2.SEAT_B):
        request = pb.ActRequest(match_id=course.match_id, seat=seat)
        if me is None or who is not me.who or seat != me.number:
            await who.ask("Act", request.SerializeToString())
    if me is None or who is not me.who:
        return
    for point in (None, *_points(course)):
        request = pb.ActRequest(match_id=course.match_id, seat=me.number, seat_token=me.seat_token)
        if point is not None:
            request.after_sequence, request.head = point
        await who.ask("Act", request.SerializeToString())
    request = pb.ActRequest(match_id=course.match_id, seat=me.number, seat_token=me.seat_token)
    for decision_id in _closed(course):
        request.action.CopyFrom(_late(decision_id))
        await who.ask("Act", request.SerializeToString())
    request.ready.CopyFrom(me.ready_item().ready)
    await who.ask("Act", request.SerializeToString())


async def _say_again(course: Course, player: Player, stream: Stream) -> None:
    """Says what was said long ago, in a session."""
    for item in (player.ready_item(), *(Item(handle=1, action=_late(number)) for number in _closed(course))):
        known = len(stream.items)
        await stream.send(item)
        await stream.until_told(
            lambda known=known: any(told.WhichOneof("kind") in _ANSWERS for told in stream.items[known:])  # type: ignore[misc]
        )


_ANSWERS: Final = ("ready_accepted", "action_result", "problem")


def _closed(course: Course) -> list[int]:
    """Returns ids of decisions that are not open: two that never were, and one that was."""
    return [1, course.sequence + 1, *course.random.sample(course.closed, min(1, len(course.closed)))]


def _late(decision_id: int) -> session_pb2.SubmittedAction:
    submitted = session_pb2.SubmittedAction(decision_id=decision_id, action_id="late")
    submitted.action.draw.SetInParent()
    return submitted


def _points(course: Course) -> list[tuple[int, bytes]]:
    """Returns places in the log from which to go on: right ones, and wrong ones of each kind."""
    known = course.rival.points
    first = [(0, b"")]
    if not known:
        return first
    (sequence, head), last = course.random.choice(known), known[-1]
    wrong_head, beyond, short = (sequence, bytes(32)), (last[0] + 1, last[1]), (sequence, b"short")
    return [*first, (sequence, head), last, wrong_head, beyond, (1, head), short]


PROBES: Final[Mapping[str, Probe]] = MappingProxyType(
    {
        "CreateMatch": _create_match,
        "GetMatch": _get_match,
        "ListMatches": _list_matches,
        "VoidMatch": _void_match,
        "RevokeToken": _revoke_token,
        "GetIndex": _get_index,
        "CreateDeal": _create_deal,
        "CloseDeal": _close_deal,
        "Play": _play,
        "Act": _act,
        "WatchMatch": _watch_match,
        "GetReplay": _get_replay,
    }
)
