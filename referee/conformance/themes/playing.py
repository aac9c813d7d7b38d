"""Whole matches: every phase, dumps, zeros, long hands, tight clocks, all matches of a bot."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack

from unoduo.v1 import card_pb2, match_pb2, observation_pb2, ruleset_pb2, session_pb2
from unoduo_client import cards

from referee.conformance.bot import Bot
from referee.conformance.checks import Check
from referee.conformance.failures import Flaw
from referee.conformance.front import Line
from referee.conformance.ledger import Ledger
from referee.conformance.opponents import timid
from referee.conformance.stage import SEAT_A, SEAT_B, Plan, Stage

_PHASES = ("DRAFT", "COLOR", "TURN", "DRAWN", "RESPOND to DRAW TWO", "RESPOND to WILD DRAW FOUR", "UNO")
# Deals whose opening card is a wild, with the seat that names its color.
_WILD_OPENINGS = ((55, SEAT_A), (22, SEAT_B), (32, SEAT_A), (53, SEAT_B), (11, SEAT_A), (35, SEAT_B))
_HANDS = 26
_LONG_HAND = 40
_FEWEST_DUMPS = 3
# What the cards deny a bot in one match, or it does not choose, comes in so many if ever.
_MOST_MATCHES = 10
_TIGHT = match_pb2.TimeControl(limit_ms=300, bank_ms=3_000, startup_grace_ms=60_000)
_INTERRUPTED = (1, 130)
_POLL_S = 0.01


def _seed(number: int) -> bytes:
    return number.to_bytes(32)


async def _match(stage: Stage) -> str:
    async with stage.match(Plan(ruleset=ruleset_pb2.Ruleset(target=200))) as match:
        return await match.finished()


async def _phases(stage: Stage) -> str:
    """Plays matches until every phase has been decided."""
    phases: Counter[str] = Counter()
    actions: Counter[str] = Counter()
    for number, seat in _WILD_OPENINGS:
        async with stage.match(Plan(seed=_seed(number), seat=seat, ruleset=ruleset_pb2.Ruleset(target=60))) as match:
            await match.finished()
        phases += match.ledger.phases
        actions += match.ledger.actions
        if all(phases[phase] for phase in _PHASES):
            return f"{_counts(phases)}; {_counts(actions)}"
    missing = ", ".join(phase for phase in _PHASES if not phases[phase])
    raise Flaw(f"in {len(_WILD_OPENINGS)} matches it never decided {missing}")


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counter.items()))


async def _dumps(stage: Stage) -> str:
    """Plays with long hands, in which dumps are legal often."""
    offered = made = 0

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        nonlocal offered
        offered += _has_dump(item.observation.decision)
        return [item]

    plan = Plan(told=told, ruleset=ruleset_pb2.Ruleset(target=1, hand_size=_HANDS), opponent=timid)
    for _ in range(_MOST_MATCHES):
        async with stage.match(plan) as match:
            await match.finished()
        made += match.ledger.actions["dump"]
        if made and offered >= _FEWEST_DUMPS:
            break
    if offered < _FEWEST_DUMPS:
        raise Flaw(f"dumps were legal {offered} times only")
    return f"dumps were legal {offered} times, and it made {made}"


def _has_dump(decision: observation_pb2.Decision) -> bool:
    return any(len(action.play.cards) > 1 for action in decision.legal)


async def _zero_cards(stage: Stage) -> str:
    """Plays with two zeros of each color until some could be laid."""
    offered = laid = 0

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        nonlocal offered
        offered += any(_has_zero(action.play.cards) for action in item.observation.decision.legal)
        return [item]

    ruleset = ruleset_pb2.Ruleset(target=1, deck=ruleset_pb2.DECK_DOUBLE_ZERO_112, hand_size=_HANDS)
    for _ in range(_MOST_MATCHES):
        async with stage.match(Plan(told=told, ruleset=ruleset, opponent=timid)) as match:
            await match.finished()
        laid += sum(_has_zero(heard.item.action.action.play.cards) for heard in match.ledger.of_kind("action"))
        if laid:
            break
    if not offered:
        raise Flaw("it could never lay a zero")
    return f"zeros were legal {offered} times, and it laid {laid}"


def _has_zero(laid: Iterable[card_pb2.Card.ValueType]) -> bool:
    return any(cards.symbol(card) is cards.Symbol.ZERO for card in laid)


async def _long_hand(stage: Stage) -> str:
    """Plays with 26 cards, and shows up to 40 where what is added changes nothing that is legal."""
    longest = 0

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        nonlocal longest
        if item.observation.HasField("decision"):
            _lengthen(item.observation)
            longest = max(longest, len(item.observation.view.hand))
        return [item]

    plan = Plan(told=told, ruleset=ruleset_pb2.Ruleset(target=1, hand_size=_HANDS))
    async with stage.match(plan) as match:
        came = await match.finished(verified=False)
        return f"up to {longest} cards; {came}"


def _lengthen(observation: observation_pb2.Observation) -> None:
    view = observation.view
    if observation.decision.phase != observation_pb2.PHASE_TURN or _has_dump(observation.decision):
        return
    top = view.discard_pile[-1]
    idle = [
        card
        for card in card_pb2.Card.values()[1:]
        if not cards.matches(card, top, view.active_color)
        and cards.color(card) != view.free_color
        and cards.symbol(card) <= cards.Symbol.NINE
    ]
    missing = max(0, _LONG_HAND - len(view.hand))
    hand = sorted([*view.hand, *(idle[place % len(idle)] for place in range(missing))])
    view.hand[:] = hand


async def _tight_clock(stage: Stage) -> str:
    async with stage.match(Plan(control=_TIGHT)) as match:
        return await match.finished()


async def _assigned(stage: Stage) -> str:
    """Gives a bot two matches at once and then another, in a session that takes one item a message."""

    def told(line: Line, item: session_pb2.ResponseItem) -> Iterable[session_pb2.ResponseItem]:
        if item.HasField("session_info"):
            item.session_info.max_items = 1
        return [item]

    ledger = Ledger()
    async with stage.assigned(Plan(told=told), ledger) as (bot, play):
        for due in (2, 3):
            async with AsyncExitStack() as opponents:
                for _ in range(due - ledger.has_ended):
                    await opponents.enter_async_context(play())
                await _until_ended(bot, ledger, due)
        bot.interrupt()
        code = await bot.exit_code()
    if code not in _INTERRUPTED:
        raise Flaw(f"interrupted, it ended with exit code {code}")
    if ledger.most_items > 1:
        raise Flaw(f"it sent {ledger.most_items} items in a message, and max_items is 1")
    return f"it played 3 matches, and ended with exit code {code} when it was interrupted"


async def _until_ended(bot: Bot, ledger: Ledger, due: int) -> None:
    while ledger.has_ended < due:
        if ledger.flaws:
            raise Flaw(ledger.flaws[0])
        if not bot.is_running:
            raise Flaw(f"it ended with exit code {await bot.exit_code()} after {ledger.has_ended} of its matches")
        await asyncio.sleep(_POLL_S)


CHECKS = (
    Check("match", "it plays a match of several rounds: exit code 0, nothing refused, the journal agrees", _match),
    Check("phases", "it decides in every phase, and nothing is refused", _phases),
    Check("dumps", "dumps are legal: what it lays is in an order that the rules take", _dumps),
    Check("zero-cards", "zeros are legal: what it lays is taken", _zero_cards),
    Check("long-hand", "it holds up to 40 cards: it plays on", _long_hand),
    Check("tight-clock", "300 ms a decision and a bank of 3 s: it is never late", _tight_clock),
    Check("assigned", "--assigned: it plays two matches at once and one that comes later, in messages of one item, and"
          " ends when it is interrupted", _assigned),
)  # fmt: skip
