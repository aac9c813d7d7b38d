"""Hypothesis strategies for every domain value that has a message."""

from dataclasses import replace

from hypothesis import strategies as st

from referee.adjudication.inputs import (
    Absence,
    ActionTaken,
    Expired,
    Input,
    NoShow,
    RejectedTry,
    RejectionLimit,
    Resignation,
    Resume,
    Start,
    Void,
)
from referee.adjudication.rulings import (
    ClockReading,
    DealSealed,
    Forfeited,
    Resigned,
    Resumed,
    ResumeReason,
    TimedOut,
    Voided,
)
from referee.adjudication.terms import DealMode, ExpiryPolicy, FaultPolicy, Player, TimeControl
from referee.codec.entries import Entry
from referee.codec.headers import Header
from referee.codec.seals import IndexCreated, IndexRecord, IndexSealed, IndexVoid, Reveal, Seal
from referee.rules import events as ev
from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    Play,
)
from referee.rules.cards import Card, Color, Deck, Symbol
from referee.rules.observe import View
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import (
    DumpFinalReverse,
    FinalPenalty,
    Piles,
    Ruleset,
    Wd4Alternative,
    Wd4GuiltyNext,
)
from referee.rules.seats import Seat
from referee.rules.state import Phase

# Zero, the edges of a one-byte varint and the largest value are where an encoder goes wrong.
uint32 = st.one_of(st.sampled_from([0, 1, 127, 128, 16383, 16384, 2**32 - 1]), st.integers(0, 2**32 - 1))
from_one = uint32.map(lambda number: max(number, 1))
seats = st.sampled_from(Seat)
seat_or_none = st.none() | seats
cards = st.sampled_from(Card)
hands = st.lists(cards, max_size=112).map(tuple)
colors = st.sampled_from(Color)
color_or_none = st.none() | colors
pairs = st.tuples(uint32, uint32)
phases = st.sampled_from(Phase)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
action_ids = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=36)


def exactly(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


entropies = st.binary(max_size=32)

plays = st.builds(Play, hands, color_or_none, st.booleans())
actions = plays | st.sampled_from(
    [KEEP_OFFERED, REFUSE_OFFERED, DRAW, KEEP_DRAWN, CHALLENGE, CATCH, LET_PASS, *CHOOSE_COLOR]
)

outcomes = st.builds(
    Outcome,
    seat_or_none,
    st.sampled_from(Termination),
    pairs,
    uint32,
    st.sampled_from([(), (Seat.A,), (Seat.B,), (Seat.A, Seat.B)]),
)

FACTS = {
    ev.Cut: st.builds(ev.Cut, cards, cards),
    ev.RoundStarted: st.builds(ev.RoundStarted, uint32, seats),
    ev.DraftOffered: st.builds(ev.DraftOffered, seats),
    ev.DraftDone: st.builds(ev.DraftDone, seats, st.booleans(), cards),
    ev.StarterTurned: st.builds(ev.StarterTurned, cards, uint32),
    ev.ColorChosen: st.builds(ev.ColorChosen, seats, colors),
    ev.TurnStarted: st.builds(ev.TurnStarted, seats, colors, color_or_none),
    ev.CardsPlayed: st.builds(ev.CardsPlayed, seats, hands, colors, uint32, st.booleans()),
    ev.CardsDrawn: st.builds(ev.CardsDrawn, seats, uint32, uint32, st.sampled_from(ev.DrawReason)),
    ev.Recycled: st.builds(ev.Recycled, uint32),
    ev.DrawnKept: st.builds(ev.DrawnKept, seats),
    ev.UnoWindowClosed: st.builds(ev.UnoWindowClosed, seats, st.booleans()),
    ev.Challenged: st.builds(ev.Challenged, seats, st.booleans()),
    ev.RoundEnded: st.builds(
        ev.RoundEnded,
        seat_or_none,
        st.sampled_from(ev.RoundEndReason),
        st.tuples(hands, hands),
        pairs,
        pairs,
    ),
    ev.MatchEnded: st.builds(ev.MatchEnded, outcomes),
}
facts = st.one_of(*FACTS.values())

clock_readings = st.builds(ClockReading, uint32, uint32, uint32, uint32, uint32)
RULINGS = {
    DealSealed: st.builds(DealSealed, entropies, entropies),
    TimedOut: st.builds(TimedOut, seats, uint32, st.booleans()),
    Forfeited: st.builds(Forfeited, seats, st.sampled_from(Termination), st.none() | texts | clock_readings | uint32),
    Resigned: st.builds(Resigned, seats),
    Resumed: st.builds(Resumed, st.sampled_from(ResumeReason)),
    Voided: st.builds(Voided, st.sampled_from(Termination), texts),
}
rulings = st.one_of(*RULINGS.values())

open_events = st.builds(ev.Event, facts)
private_events = st.builds(ev.Event, facts, hands, seats)
events = open_events | private_events | rulings

logged_actions = st.builds(ActionTaken, action_ids, actions)
KINDS = {
    ActionTaken: logged_actions,
    Start: st.builds(Start, entropies, entropies),
    Expired: st.builds(Expired),
    NoShow: st.builds(NoShow, st.sampled_from([(Seat.A,), (Seat.B,), (Seat.A, Seat.B)])),
    Absence: st.builds(Absence, uint32),
    RejectionLimit: st.builds(RejectionLimit),
    Resignation: st.builds(Resignation),
    Resume: st.builds(Resume, st.sampled_from(ResumeReason)),
    Void: st.builds(Void, st.sampled_from(Termination), texts),
}
inputs = st.builds(Input, seat_or_none, uint32, uint32, uint32, st.one_of(*KINDS.values()))
tries = st.builds(RejectedTry, seats, uint32, action_ids, actions, texts)
entries = st.builds(
    Entry,
    uint32,
    exactly(16),
    inputs,
    st.lists(tries, max_size=3).map(tuple),
    st.integers(0, 2**32 - 10),
    st.lists(events, min_size=1, max_size=4).map(tuple),
)

rulesets = st.builds(
    Ruleset,
    st.sampled_from(Deck),
    st.sampled_from(Piles),
    st.sampled_from(Wd4Alternative),
    st.sampled_from(Wd4GuiltyNext),
    st.sampled_from(DumpFinalReverse),
    st.sampled_from(FinalPenalty),
    st.integers(1, 25),
    st.integers(1, 1_000_000),
    st.integers(1, 100_000),
    st.integers(1, 10_000),
)
time_controls = st.builds(
    TimeControl,
    st.integers(1, 3_600_000),
    st.integers(0, 86_400_000),
    st.integers(0, 3_600_000),
    st.integers(0, 60_000),
    st.integers(1, 3_600_000),
    st.integers(1, 3_600_000),
)
fault_policies = st.builds(
    FaultPolicy,
    st.sampled_from(ExpiryPolicy),
    st.integers(0, 10_000),
    st.integers(1, 100),
    st.integers(0, 86_400_000),
)
_name_characters = st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"])
names = st.text(_name_characters, min_size=1, max_size=64).filter(lambda name: not name.isspace())
players = st.builds(Player, names, st.just("") | names)
any_headers = st.builds(
    Header,
    rules_revision=from_one,
    match_id=exactly(16),
    match_number=from_one,
    index_head=exactly(32),
    key_id=st.just(b"") | exactly(16),
    commitment=exactly(32),
    deal_mode=st.sampled_from(DealMode),
    ruleset=rulesets,
    time_control=time_controls,
    fault_policy=fault_policies,
    players=st.tuples(players, players),
    created=texts,
)
headers = any_headers.flatmap(
    lambda header: st.builds(replace, st.just(header), replaces_number=st.integers(0, header.match_number - 1))
)

seals = st.builds(Seal, exactly(32), outcomes, st.just(b"") | exactly(64))
reveals = st.builds(Reveal, exactly(16), exactly(32), exactly(32))
index_records = st.builds(
    IndexRecord,
    uint32,
    st.builds(IndexCreated, exactly(32)) | st.builds(IndexSealed, exactly(32), outcomes) | st.builds(IndexVoid),
)

views = st.builds(
    View,
    seats,
    phases,
    seat_or_none,
    uint32,
    seats,
    uint32,
    uint32,
    pairs,
    hands,
    st.none() | cards,
    uint32,
    hands,
    uint32,
    hands,
    color_or_none,
    color_or_none,
    st.sampled_from([None, Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR]),
    seat_or_none,
    uint32,
)
