"""The golden matches: who plays, on what terms, and what happens."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from referee.adjudication.terms import DealMode, ExpiryPolicy, FaultPolicy, TimeControl
from referee.rules.cards import Deck
from referee.rules.outcome import Termination
from referee.rules.ruleset import (
    DUO,
    VARIANTS,
    DumpFinalReverse,
    FinalPenalty,
    Piles,
    Ruleset,
    Wd4Alternative,
    Wd4GuiltyNext,
)
from referee.rules.seats import Seat
from tests.golden import courses
from tests.golden.courses import Course
from tests.golden.table import Setting

_BLITZ = TimeControl(limit_ms=100, bank_ms=2000, increment_ms=30, margin_ms=20)
_STRICT = TimeControl(limit_ms=500)
_PATIENT = FaultPolicy(rejection_limit=3, forfeit_after_absence_ms=60_000)
_SHORT = replace(DUO, target=60)
_OFFICIAL = VARIANTS["official-leaning"]


@dataclass(frozen=True)
class Plan:
    """Holds all that a golden match is made from, beside its name."""

    setting: Setting
    course: Course


def _plain(bots: str, ruleset: Ruleset, deal_mode: DealMode = DealMode.FRESH) -> Plan:
    seat_a, seat_b = bots.split()
    return Plan(Setting((seat_a, seat_b), ruleset, TimeControl(), FaultPolicy(), deal_mode), courses.undisturbed)


def _troubled(
    bots: str,
    course: Course,
    time_control: TimeControl = _BLITZ,
    fault_policy: FaultPolicy = _PATIENT,
    ruleset: Ruleset = _SHORT,
) -> Plan:
    seat_a, seat_b = bots.split()
    return Plan(Setting((seat_a, seat_b), ruleset, time_control, fault_policy, DealMode.FRESH), course)


PLANS: Mapping[str, Plan] = MappingProxyType(
    {
        # Whole matches of both variants, each baseline in each seat.
        "duo-careful-greedy": _plain("careful greedy", DUO),
        "duo-greedy-careful": _plain("greedy careful", DUO),
        "duo-random-careful": _plain("random careful", DUO),
        "duo-careful-careful": _plain("careful careful", DUO),
        "duo-random-random": _plain("random random", DUO),
        "official-careful-greedy": _plain("careful greedy", _OFFICIAL),
        "official-greedy-random": _plain("greedy random", _OFFICIAL),
        "official-random-random": _plain("random random", _OFFICIAL),
        # Every option.
        "deck-double-zero": _plain("greedy careful", replace(_SHORT, deck=Deck.DOUBLE_ZERO_112)),
        "deck-classic": _plain("random greedy", replace(_SHORT, deck=Deck.CLASSIC_108)),
        "deck-classic-official": _plain("careful random", replace(_OFFICIAL, deck=Deck.CLASSIC_108, target=60)),
        "piles-shuffle": _plain("random random", replace(_SHORT, piles=Piles.SHUFFLE, hand_size=26)),
        "alternative-match": _plain("greedy greedy", replace(_SHORT, wd4_alternative=Wd4Alternative.MATCH)),
        "alternative-color": _plain("greedy careful", replace(_SHORT, wd4_alternative=Wd4Alternative.COLOR)),
        "guilty-next-player": _plain("greedy greedy", replace(_SHORT, wd4_guilty_next=Wd4GuiltyNext.PLAYER)),
        "final-reverse-inert": _plain("random greedy", replace(_SHORT, dump_final_reverse=DumpFinalReverse.INERT)),
        "final-penalty-none": _plain("random careful", replace(_SHORT, final_penalty=FinalPenalty.NONE)),
        "all-options-other": _plain(
            "greedy random",
            Ruleset(
                Deck.DOUBLE_ZERO_112,
                Piles.SHUFFLE,
                Wd4Alternative.MATCH,
                Wd4GuiltyNext.PLAYER,
                DumpFinalReverse.INERT,
                FinalPenalty.NONE,
                hand_size=12,
                target=80,
            ),
        ),
        "hand-of-one": _plain("careful random", replace(_SHORT, hand_size=1)),
        "hand-of-three": _plain("random random", replace(_SHORT, hand_size=3)),
        "largest-hand": _plain("careful greedy", replace(_SHORT, hand_size=26)),
        "largest-hand-classic": _plain("random careful", replace(_SHORT, deck=Deck.CLASSIC_108, hand_size=25)),
        "target-of-one": _plain("careful greedy", replace(DUO, target=1)),
        "turn-cap": _plain("random greedy", replace(_SHORT, turn_cap=8)),
        "turn-cap-of-one": _plain("random careful", replace(DUO, turn_cap=1)),
        "round-cap": _plain("greedy careful", replace(DUO, round_cap=2)),
        "round-cap-drawn": _plain("careful random", replace(DUO, hand_size=2, turn_cap=1, round_cap=1)),
        "deal-shared": _plain("greedy greedy", _SHORT, DealMode.SHARED),
        "deal-given": _plain("careful greedy", _SHORT, DealMode.GIVEN),
        # Time.
        "slow": _troubled("careful greedy", courses.slow),
        "slow-without-bank": _troubled("random greedy", courses.slow, _STRICT),
        "sleepy": _troubled("greedy careful", courses.sleepy),
        "sleepy-without-bank": _troubled("random careful", courses.sleepy, _STRICT),
        "asleep": _troubled("greedy random", courses.asleep),
        "struck-out": _troubled("greedy greedy", courses.sleepy, _BLITZ, FaultPolicy(max_strikes=3)),
        "struck-out-at-once": _troubled("random greedy", courses.asleep, _STRICT, FaultPolicy(max_strikes=1)),
        "late-is-lost": _troubled("careful greedy", courses.sleepy, _BLITZ, FaultPolicy(ExpiryPolicy.FORFEIT)),
        # Rejected tries.
        "fumbling": _troubled("careful random", courses.fumbling),
        "fumbling-long": _troubled("random random", courses.fumbling, _STRICT, FaultPolicy()),
        "clumsy": _troubled("greedy careful", courses.clumsy),
        "clumsy-at-once": _troubled("random careful", courses.clumsy, _STRICT, FaultPolicy(rejection_limit=1)),
        # Ends that the rules of the game do not know.
        "resigning-a": _troubled("careful greedy", courses.resigning(Seat.A)),
        "resigning-b": _troubled("greedy random", courses.resigning(Seat.B)),
        "resigning-late": _troubled("greedy greedy", courses.resigning(Seat.A, 150), ruleset=DUO),
        "resigning-at-once": _troubled("greedy random", courses.resigning_at_once),
        "absent-a": _troubled("greedy careful", courses.absent(Seat.A)),
        "absent-b": _troubled("random greedy", courses.absent(Seat.B)),
        "no-show-a": _troubled("careful greedy", courses.no_show(Seat.A)),
        "no-show-b": _troubled("greedy random", courses.no_show(Seat.B)),
        "no-show-of-both": _troubled("random random", courses.no_show(Seat.A, Seat.B)),
        "interrupted": _troubled("careful greedy", courses.interrupted),
        "void-at-once": _troubled("greedy careful", courses.void_at_once),
        "void-organiser": _troubled("random careful", courses.void(Termination.VOID_ORGANISER, "wrong pairing: Ä≠B")),
        "void-referee": _troubled("careful random", courses.void(Termination.VOID_REFEREE, "the store is full")),
    }
)
"""By the name of the file; the name also makes the deal and all chance, so that a new match changes no other."""
