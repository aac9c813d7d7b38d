"""What makes each row of the table of faults come true."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from referee.adjudication.state import Lifecycle
from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.rules.state import Phase
from tests.faults.scene import ILLEGAL, Moment, Scene

PHASES = tuple(phase for phase in Phase if phase is not Phase.MATCH_OVER)
BEFORE = (Moment(None),)
ASKED = tuple(Moment(phase, True) for phase in PHASES)
WAITING = tuple(Moment(phase, False) for phase in PHASES)
AT_ANY_TIME = (*BEFORE, *ASKED, *WAITING)
WHILE_PLAYING = (*ASKED, *WAITING)

CONTROL = TimeControl(limit_ms=400, startup_grace_ms=400)
WITH_MARGIN = TimeControl(limit_ms=200, margin_ms=1_000)
# Nobody's time runs out by itself.
PATIENT = TimeControl(limit_ms=60_000, startup_grace_ms=60_000)
ABSENCE_MS = 200
_A_LITTLE_MS = 20


# A match that was given up is taken up again after a second.
_RECOVERY_MS = 1_001


@dataclass(frozen=True)
class Cause:
    """Holds what happens, when it can, and on what terms; `happen` returns what the culprit was told for it."""

    happen: Callable[[Scene], Awaitable[list[str]]]
    moments: tuple[Moment, ...]
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    control: TimeControl = CONTROL


async def _silence(scene: Scene) -> list[str]:
    await scene.pass_until_ruled(scene.control.limit_ms + 1)
    return []


async def _too_many_tries(scene: Scene) -> list[str]:
    for _ in range(scene.policy.rejection_limit + 1):
        assert await scene.act(scene.culprit, ILLEGAL) == ["REJECTED"]
    return []


async def _one_never_joins(scene: Scene) -> list[str]:
    await scene.join(scene.rival)
    await scene.ready(scene.rival)
    await scene.pass_until_ruled(scene.control.startup_grace_ms + 1)
    return []


async def _neither_joins(scene: Scene) -> list[str]:
    await scene.pass_until_ruled(scene.control.startup_grace_ms + 1)
    return []


async def _never_ready(scene: Scene) -> list[str]:
    for seat in (scene.culprit, scene.rival):
        await scene.join(seat)
    await scene.ready(scene.rival)
    await scene.pass_until_ruled(scene.control.startup_grace_ms + 1)
    return []


async def _away(scene: Scene) -> list[str]:
    await scene.vanish(scene.culprit)
    await scene.pass_until_ruled(ABSENCE_MS + 1)
    return []


async def _both_away(scene: Scene) -> list[str]:
    await scene.vanish(scene.culprit)
    await scene.pass_ms(_A_LITTLE_MS)
    await scene.vanish(scene.rival)
    await scene.pass_until_ruled(ABSENCE_MS + 1)
    return []


async def _dropped(scene: Scene) -> list[str]:
    await scene.vanish(scene.culprit)
    await scene.pass_ms(10 * ABSENCE_MS)
    return [told] if (told := await scene.join(scene.culprit)) else []


async def _dropped_when_asked(scene: Scene) -> list[str]:
    await scene.vanish(scene.culprit)
    return await _silence(scene)


async def _resignation(scene: Scene) -> list[str]:
    if not await scene.entries():
        await scene.join(scene.culprit)
    before = len(await scene.entries())
    await scene.resign(scene.culprit)
    await scene.ruled(before)
    return []


async def _late_within_the_margin(scene: Scene) -> list[str]:
    await scene.pass_ms(scene.control.limit_ms + scene.control.margin_ms // 2)
    return await scene.act(scene.culprit, (await scene.question()).quiet)


async def _late(scene: Scene) -> list[str]:
    question = await scene.question()
    await scene.pass_until_ruled(scene.control.limit_ms + scene.control.margin_ms + 1)
    return await scene.act(scene.culprit, question.quiet, decision_id=question.decision_id)


async def _no_such_decision(scene: Scene) -> list[str]:
    question = await scene.question()
    answers = []
    for decision_id in (0, question.decision_id + 1, 2**32 - 1):
        answers += await scene.act(scene.culprit, question.quiet, decision_id=decision_id)
    return answers


async def _two_answers(scene: Scene) -> list[str]:
    question = await scene.question()
    answers = []
    for action_id in ("first", "second"):
        answers += await scene.act(scene.culprit, question.quiet, decision_id=question.decision_id, action_id=action_id)
    return answers


async def _other_action_under_its_id(scene: Scene) -> list[str]:
    question = await scene.question()
    answers = []
    for action in (question.quiet, ILLEGAL):
        answers += await scene.act(scene.culprit, action, decision_id=question.decision_id, action_id="same")
    return answers


async def _same_answer_again(scene: Scene) -> list[str]:
    question = await scene.question()
    answers = []
    for _ in range(3):
        answers += await scene.act(scene.culprit, question.quiet, decision_id=question.decision_id, action_id="same")
    return answers


async def _flood(scene: Scene) -> list[str]:
    answers = await scene.act(scene.culprit, (await scene.question()).quiet, copies=20)
    assert answers.count("ACCEPTED") + answers.count("INBOX_FULL") == 20
    return answers


async def _two_processes(scene: Scene) -> list[str]:
    if not await scene.entries():
        await scene.join(scene.culprit)
    return [await scene.join(scene.culprit)]


async def _store_stands_still(scene: Scene) -> list[str]:
    question = await scene.question()
    said = question.decision_id, "held", question.quiet
    scene.store.freeze()
    await scene.submit(scene.culprit, *said)
    while scene.actor().lifecycle is not Lifecycle.FROZEN:  # noqa: ASYNC110 - the store tells nobody
        await asyncio.sleep(0)
    answers = await scene.send(scene.culprit, *said)
    await scene.pass_ms(3 * scene.control.limit_ms)
    scene.store.thaw()
    return answers + await scene.send(scene.culprit, *said)


async def _restart(scene: Scene) -> list[str]:
    before = await scene.question()
    await scene.restart()
    for seat in (scene.culprit, scene.rival):
        await scene.join(seat)
    assert await scene.question() == before
    return []


async def _not_back(scene: Scene) -> list[str]:
    await scene.restart()
    await scene.join(scene.rival)
    await scene.pass_until_ruled(scene.control.reconnect_grace_ms + 1)
    return []


async def _called_off(scene: Scene) -> list[str]:
    await scene.void()
    return []


async def _bug(scene: Scene) -> list[str]:
    if not await scene.entries():
        await scene.join(scene.culprit)
    known = len(scene.told(scene.culprit))
    scene.actor()._resign = _fail  # type: ignore[method-assign]
    await scene.resign(scene.culprit)
    await scene.pass_until_ruled(_RECOVERY_MS)
    return scene.told(scene.culprit)[known:]


def _fail(post: object) -> None:
    raise RuntimeError("a bug that a test has made")


CAUSES: Mapping[tuple[str, str], Cause] = MappingProxyType(
    {
        ("no answer in time", "`DEFAULT_ACTION`, strikes left"): Cause(_silence, ASKED, FaultPolicy(max_strikes=2)),
        ("no answer in time", "`DEFAULT_ACTION`, `max_strikes` reached"): Cause(
            _silence, ASKED, FaultPolicy(max_strikes=1)
        ),
        ("no answer in time", "`FORFEIT`"): Cause(_silence, ASKED, FaultPolicy(ExpiryPolicy.FORFEIT)),
        ("an answer that is late by at most `margin_ms`", "any"): Cause(
            _late_within_the_margin,
            ASKED,
            FaultPolicy(ExpiryPolicy.FORFEIT),
            WITH_MARGIN,
        ),
        ("an answer after its time-out", "`DEFAULT_ACTION`, strikes left"): Cause(
            _late, ASKED, control=TimeControl(limit_ms=200, margin_ms=100)
        ),
        ("a rejected try beyond `rejection_limit`", "any"): Cause(
            _too_many_tries, ASKED, FaultPolicy(rejection_limit=2), PATIENT
        ),
        ("one seat never joined", "any"): Cause(_one_never_joins, BEFORE),
        ("neither seat joined", "any"): Cause(_neither_joins, BEFORE),
        ("joined, but not ready in time", "any"): Cause(_never_ready, BEFORE),
        ("a seat is away for `forfeit_after_absence_ms`", "above 0"): Cause(
            _away, WHILE_PLAYING, FaultPolicy(forfeit_after_absence_ms=ABSENCE_MS), PATIENT
        ),
        ("both seats are away, that seat for longer", "above 0"): Cause(
            _both_away, WHILE_PLAYING, FaultPolicy(forfeit_after_absence_ms=ABSENCE_MS), PATIENT
        ),
        ("a seat is away for a while", "`forfeit_after_absence_ms` 0 or not reached"): Cause(
            _dropped, WHILE_PLAYING, control=PATIENT
        ),
        ("a seat is away when it must decide", "`DEFAULT_ACTION`, strikes left"): Cause(_dropped_when_asked, ASKED),
        ("two processes join one seat", "any"): Cause(_two_processes, AT_ANY_TIME, control=PATIENT),
        ("a seat gives up", "any"): Cause(_resignation, AT_ANY_TIME, control=PATIENT),
        ("an action for a decision that is not open", "any"): Cause(_no_such_decision, WHILE_PLAYING, control=PATIENT),
        ("a second answer to a decision", "any"): Cause(_two_answers, ASKED, control=PATIENT),
        ("another action under the id of the answer", "any"): Cause(_other_action_under_its_id, ASKED, control=PATIENT),
        ("the same answer again", "any"): Cause(_same_answer_again, ASKED, control=PATIENT),
        ("the store takes nothing for a while", "any"): Cause(_store_stands_still, ASKED),
        ("the referee is started again", "any"): Cause(_restart, WHILE_PLAYING, control=PATIENT),
        ("a seat is not back within `reconnect_grace_ms` after that", "any"): Cause(
            _not_back, WHILE_PLAYING, control=replace(PATIENT, reconnect_grace_ms=300)
        ),
        ("the organiser calls it off", "any"): Cause(_called_off, AT_ANY_TIME, control=PATIENT),
        ("the referee fails", "any"): Cause(_bug, AT_ANY_TIME, control=PATIENT),
        ("more items of a seat than its inbox holds", "any"): Cause(_flood, ASKED, control=PATIENT),
    }
)
"""By what happens and the policy, as the table words them."""
