"""Nobody sees or does what is not its own: every call by every kind of caller."""

import grpc
import pytest

from referee.match.credentials import Caller, CallerKind
from referee.match.faults import Fault, ProblemReason
from referee.server.access import ACCESS, Reach, check_call
from referee.server.servicer import SERVICE
from tests.server.identity import UNKNOWN, Refusal, Scene, Someone, answer, scene
from tests.server.wire import referee

CALLS = [method.name for method in SERVICE.methods]
ABOUT_A_MATCH = {"GetMatch", "VoidMatch", "RevokeToken", "Play", "Act", "WatchMatch", "GetReplay"}
_PLAYED = {"Play", "Act"}


def expected(call: str, someone: Someone, match_id: bytes) -> str | None:
    """Returns the reason with which the table lets a caller be refused, None if it does not."""
    if someone.kind is None:
        return "TOKEN_UNKNOWN"
    reach = ACCESS[call][someone.kind]
    if reach is Reach.NOTHING:
        return "TOKEN_MISSING" if someone.kind is CallerKind.NOBODY else "NOT_YOURS"
    if reach is Reach.TOKEN:
        return "TOKEN_MISSING"
    if call not in ABOUT_A_MATCH:
        return None
    if call in _PLAYED:
        is_own = (match_id, 1) in someone.seats
    else:
        is_own = match_id in someone.own or (reach is Reach.ALL and match_id != UNKNOWN)
    return None if is_own else "NOT_YOURS"


def test_every_call_has_a_row() -> None:
    assert list(ACCESS) == CALLS
    for row in ACCESS.values():
        assert list(row) == list(CallerKind)


@pytest.mark.parametrize("call", CALLS)
async def test_callers_are_refused_as_the_table_says_and_learn_nothing(call: str) -> None:
    async with scene() as there:
        for someone in _organiser_last(there):
            answers: dict[str | None, set[Refusal | None]] = {}
            for match_id in (there.one.match_id, there.two.match_id, UNKNOWN) if call in ABOUT_A_MATCH else (UNKNOWN,):
                told = await answer(there.host, call, match_id, someone.metadata)
                wanted = expected(call, someone, match_id)
                assert (told.reason if told else None) == wanted, (someone.name, match_id)
                answers.setdefault(wanted, set()).add(told)
            # What is not yours and what does not exist are the same to the last byte.
            assert all(len(same) == 1 for same in answers.values()), (someone.name, answers)


async def test_refusals_are_the_same_for_everybody_and_every_call() -> None:
    told: dict[tuple[str, bool], set[tuple[int, str, bytes]]] = {}
    async with scene() as there:
        for call in CALLS:
            for someone in _organiser_last(there):
                refusal = await answer(there.host, call, UNKNOWN, someone.metadata)
                if refusal is not None:
                    is_item = call == "Play" and refusal.reason != "TOKEN_UNKNOWN"
                    told.setdefault((refusal.reason, is_item), set()).add(refusal[:3])
    kinds = {reason: len(texts) for (reason, is_item), texts in told.items() if not is_item}
    # A missing token is named by the field in which a call could have it.
    assert kinds == {"NOT_YOURS": 1, "TOKEN_UNKNOWN": 1, "TOKEN_MISSING": 2}


async def test_only_what_the_call_lets_through_comes_to_be_asked() -> None:
    for call, row in ACCESS.items():
        for kind, reach in row.items():
            if reach is not Reach.NOTHING:
                check_call(call, Caller(kind))
                continue
            with pytest.raises(Fault) as refused:
                check_call(call, Caller(kind))
            nobody = kind is CallerKind.NOBODY
            assert refused.value.reason is (ProblemReason.TOKEN_MISSING if nobody else ProblemReason.NOT_YOURS)


async def test_organiser_of_a_referee_without_a_token_is_who_has_none() -> None:
    async with referee() as host:
        match = await host.create()
        for call in CALLS:
            told = await answer(host, call, match.match_id, ())
            wanted = "TOKEN_MISSING" if ACCESS[call][CallerKind.ORGANISER] is Reach.TOKEN else None
            assert (told.reason if told else None) == wanted


@pytest.mark.parametrize(
    "metadata",
    [
        (("authorization", "Basic x"),),
        (("authorization", "x"),),
        (("authorization", "Bearer x"), ("authorization", "Bearer y")),
    ],
)
async def test_metadata_that_is_no_token_is_nobodys(metadata: tuple[tuple[str, str], ...]) -> None:
    async with scene() as there:
        for call in CALLS:
            told = await answer(there.host, call, there.one.match_id, metadata)
            assert told is not None
            assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED.value[0], "TOKEN_UNKNOWN")


def _organiser_last(there: Scene) -> list[Someone]:
    """Returns all callers; the organiser changes what it asks about."""
    return sorted(there.people, key=lambda someone: someone.kind is CallerKind.ORGANISER)
