"""Referees that cheat, each with heads, seal, signature and index as right as it can make them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from unoduo.v1.match_pb2 import LIFECYCLE_CREATED

from referee.adjudication.inputs import (
    Absence,
    Expired,
    Input,
    InputKind,
    NoShow,
    RejectedTry,
    Resignation,
    Resume,
    Start,
    Void,
)
from referee.adjudication.rulings import ResumeReason
from referee.adjudication.terms import DealMode, FaultPolicy
from referee.audit.signatures import SigningKey
from referee.codec.seals import Seal
from referee.deal.commitment import commitment
from referee.deal.master import pair_seed
from referee.rules.events import CardsDrawn, MatchEnded, StarterTurned
from referee.rules.legality import legal_actions
from referee.rules.outcome import Outcome, Termination
from referee.rules.ruleset import Ruleset
from referee.rules.seats import Seat
from tests.audit.chained import chain, index_file, records_of, signed, signed_matches
from tests.audit.journaled import Record, joined, journal_file, journal_of, place_of, record
from tests.audit.lies import (
    accepted_and_lost,
    action_not_sent,
    false_decision,
    false_event,
    false_view,
    forked,
    kept_event,
    other_end,
    refused_and_not_logged,
    resignation_not_sent,
    turned_away,
)
from tests.audit.simulated import Log, Simulation, play
from tests.audit.tampering import (
    Tampering,
    changed,
    drew_cards,
    entry_changed,
    event_changed,
    fact_changed,
    first,
    kind_changed,
    state_before,
    took_action,
)
from tests.audit.test_false_inputs import card_not_held

KEY = SigningKey.generate()
OTHER_KEY = SigningKey.generate()
MASTER = bytes(range(32))
PAIR_SEED = pair_seed(MASTER, 1, 0, [b"one", b""])


@dataclass(frozen=True)
class Cheat:
    """Holds what an auditor has of a match: its file, the journal of a seat, an index, and a master file."""

    file: bytes
    journal: bytes
    index: bytes
    master: bytes


@cache
def honest() -> tuple[Log, ...]:
    """Returns matches of a referee; the second is the one that is cheated in."""
    return tuple(signed_matches(KEY, (1, 2, 3)))


def shown(log: Log, records: list[Record] | None = None, index: bytes | None = None) -> Cheat:
    """Returns the evidence of a match with a journal and an index of their own, by default those that fit it."""
    records = journal_of(log, Seat.A) if records is None else records
    first, _, last = honest()
    fitting = [first, log, relinked(last, [first, log])]
    return Cheat(
        log.to_bytes(),
        journal_file(records),
        index_file(records_of(fitting), KEY) if index is None else index,
        master_file([log.header.match_id] if log.header.deal_mode is DealMode.SHARED else []),
    )


def master_file(matches: list[bytes]) -> bytes:
    """Returns the master file of a tournament whose first pair these matches are."""
    pairs = [{"pair": 1, "attempt": 0, "matches": [match_id.hex() for match_id in matches]}] if matches else []
    fields = {"format": "unoduo-master-1", "master": MASTER.hex(), "entropies": [b"one".hex(), ""], "pairs": pairs}
    return json.dumps(fields).encode()


def of_a_pair(seed: bytes, deal_id: bytes | None = None, mode: DealMode = DealMode.SHARED) -> Log:
    """Returns a match of the first pair in the place of the second match, with this seed, and if need be this id."""
    simulation = Simulation(2, Ruleset(target=1), deal_mode=mode, deal_seed=seed)
    if deal_id is not None:
        simulation.reveal = changed(simulation.reveal, deal_id=deal_id)
    second, reveal = honest()[1].header, simulation.reveal
    simulation.header = replace(
        simulation.header,
        match_number=second.match_number,
        index_head=second.index_head,
        key_id=second.key_id,
        commitment=commitment(simulation.header.match_id, reveal.salt, reveal.deal_id, reveal.seed),
    )
    return signed(play(simulation), KEY)


def in_place_of_the_second(simulation: Simulation) -> Simulation:
    second = honest()[1].header
    simulation.header = replace(
        simulation.header, match_number=second.match_number, index_head=second.index_head, key_id=second.key_id
    )
    return simulation


def never_joined() -> Cheat:
    """Books a seat as a no-show that had been ready in time."""
    simulation = in_place_of_the_second(Simulation(2))
    simulation.take(Input(None, 0, 30_000, 0, NoShow((Seat.A,))))
    log = signed(simulation.log(), KEY)
    return shown(log, [joined(log, Seat.A, LIFECYCLE_CREATED), record(ready={}), record(ready_accepted={})])


def ruled(kind: InputKind, seat: Seat | None = None) -> Callable[[], Cheat]:
    """Rules so in the middle of a match, of which both seats are told."""

    return lambda: shown(ruled_log(kind, seat))


def resigned_for_it() -> Cheat:
    log = ruled_log(Resignation(), Seat.A)
    records = journal_of(log, Seat.A)
    resignation_not_sent(records)
    return shown(log, records)


def ruled_log(kind: InputKind, seat: Seat | None = None) -> Log:
    """Returns a match in the middle of which something is ruled."""
    policy = FaultPolicy(forfeit_after_absence_ms=1_000)
    simulation = in_place_of_the_second(Simulation(2, Ruleset(target=1), fault_policy=policy))
    simulation.start()
    for _ in range(20):
        simulation.act()
    decision = simulation.state.decision
    assert decision is not None
    simulation.take(Input(seat, decision.decision_id, 0, 0, kind))
    while simulation.state.outcome is None:
        simulation.act()
    return signed(simulation.log(), KEY)


def given_deal() -> Cheat:
    log = of_a_pair(PAIR_SEED, mode=DealMode.GIVEN)
    return replace(shown(log), master=master_file([log.header.match_id]))


def relinked(log: Log, before: list[Log]) -> Log:
    _, head = chain(records_of(before))
    return signed(replace(log, header=replace(log.header, index_head=head)), KEY)


def tampered(tampering: Tampering) -> Callable[[], Cheat]:
    """Returns a match with a false part, told to nobody before it was false."""

    def cheat() -> Cheat:
        log = signed(tampering(honest()[1])[0], KEY)
        return shown(log, journal_of(honest()[1], Seat.A), None)

    return cheat


def other_seed() -> Cheat:
    log = honest()[1]
    assert log.reveal is not None
    return shown(replace(log, reveal=changed(log.reveal, seed=bytes(32))), journal_of(log, Seat.A))


def with_seal(change: Callable[[Log, Seal], Log]) -> Callable[[], Cheat]:
    def cheat() -> Cheat:
        log = honest()[1]
        assert log.seal is not None
        false = change(log, log.seal)
        return shown(false)

    return cheat


def legal_try() -> Cheat:
    log = honest()[1]
    entry = first(log, took_action)
    rules = state_before(log, entry).rules
    assert rules is not None
    assert entry.input.seat is not None
    attempt = RejectedTry(entry.input.seat, entry.input.decision_id, "x", legal_actions(rules)[0], "R5.6")
    return tampered(entry_changed(lambda each: each is entry, lambda each: changed(each, tries=(attempt,))))()


def wrong_winner(fact: MatchEnded) -> MatchEnded:
    return changed(fact, outcome=other_winner(fact.outcome))


def other_winner(outcome: Outcome) -> Outcome:
    assert outcome.winner is not None
    return changed(outcome, winner=outcome.winner.other)


def wrong_winner_sealed(log: Log) -> tuple[Log, str]:
    false, part = fact_changed(MatchEnded, wrong_winner)(log)
    assert false.seal is not None
    return replace(false, seal=replace(false.seal, outcome=other_winner(false.seal.outcome))), part


def other_card(fact: StarterTurned) -> StarterTurned:
    return changed(fact, draw_count=fact.draw_count + 1)


def replayed(entropy: tuple[bytes, bytes], seed: int = 2) -> Log:
    """Returns the second match played anew with other entropy, right by itself."""
    simulation = Simulation(seed, Ruleset(target=1))
    simulation.header = honest()[1].header

    def start() -> None:
        simulation.take(Input(None, 0, 0, 0, Start(*entropy)))

    simulation.start = start  # type: ignore[method-assign, assignment]
    return signed(play(simulation), KEY)


def new_header() -> Cheat:
    false = signed_matches(KEY, (1, 9, 3))[1]
    return shown(false, journal_of(honest()[1], Seat.A))


def dropped_entropy() -> Cheat:
    log = replayed((b"", b"of the second"))
    records = journal_of(log, Seat.A)
    sent = b"what the seat sent"
    records[place_of(records, "ready")].ready.entropy = sent
    records[place_of(records, "ready_accepted")].ready_accepted.entropy = sent
    return shown(log, records)


def claimed_too_late() -> Cheat:
    log = replayed((b"", b"of the second"))
    records = journal_of(log, Seat.A)
    records[place_of(records, "ready")].ready.entropy = b"what the seat sent"
    return shown(log, records)


def journal_edited(edit: Callable[[list[Record]], object]) -> Callable[[], Cheat]:
    """Returns an honest file, and what a seat kept that was told something else."""

    def cheat() -> Cheat:
        records = journal_of(honest()[1], Seat.A)
        before = journal_file(records)
        edit(records)
        assert journal_file(records) != before
        return shown(honest()[1], records)

    return cheat


def index_of_another(change: Callable[[Log], Log]) -> Callable[[], Cheat]:
    """Returns an honest file, and the index that was kept when it told something else of its match."""

    def cheat() -> Cheat:
        one, two, _ = honest()
        return shown(two, None, index_file(records_of([one, change(two)]), KEY))

    return cheat


def rerun(log: Log) -> Log:
    return replace(log, header=changed(log.header, created="earlier"))


def sealed_otherwise(log: Log) -> Log:
    assert log.seal is not None
    return replace(log, seal=replace(log.seal, outcome=other_winner(log.seal.outcome)))


def left_out() -> Cheat:
    one, two, three = honest()
    return shown(two, None, index_file(records_of([one, three]), KEY))


def index_changed() -> Cheat:
    cheat = shown(honest()[1])
    index = bytearray(cheat.index)
    index[20] ^= 1
    return replace(cheat, index=bytes(index))


def other_time() -> Cheat:
    log = honest()[1]
    entry = first(log, took_action)
    cause = changed(entry.input, elapsed_ms=entry.input.elapsed_ms + 1)
    entries = [changed(each, input=cause) if each is entry else each for each in log.entries]
    return shown(signed(replace(log, entries=entries), KEY))


def in_league() -> Cheat:
    return shown(replayed((b"entropy of the first contributor", b"chosen with the seed in sight")))


def replayed_signature(log: Log, seal: Seal) -> Log:
    other = honest()[0].seal
    assert other is not None
    return replace(log, seal=changed(seal, signature=other.signature))


CHEATS = MappingProxyType(
    {
        "takes another seed than it committed to": other_seed,
        "deals another card than the seed gives": tampered(fact_changed(StarterTurned, other_card)),
        "chooses the id of a shared deal, and with it the cards": lambda: shown(of_a_pair(PAIR_SEED, bytes(16))),
        "hands a seat another card than the seed gives": tampered(
            event_changed(drew_cards, lambda event: changed(event, private_cards=swapped(event.private_cards)))
        ),
        "accepts an illegal action": tampered(card_not_held),
        "takes a penalty of the wrong size": tampered(
            fact_changed(CardsDrawn, lambda fact: changed(fact, due=fact.due + 2))
        ),
        "invents a time-out that its own integers deny": tampered(kind_changed(took_action, Expired())),
        "books a refused action that was legal": legal_try,
        "names the wrong winner": tampered(wrong_winner_sealed),
        "seals another outcome": with_seal(
            lambda log, seal: signed(replace(log, seal=changed(seal, outcome=other_winner(seal.outcome))), KEY)
        ),
        "signs with another key": with_seal(lambda log, _: signed(log, OTHER_KEY)),
        "puts the signature of another match under this one": with_seal(replayed_signature),
        "does not sign": with_seal(lambda log, seal: replace(log, seal=changed(seal, signature=b""))),
        "chooses the seed after the entropy, in a new header": new_header,
        "drops the entropy of a seat that it accepted": dropped_entropy,
        "shows a seat a false event under a true head": journal_edited(false_event),
        "keeps an event from a seat": journal_edited(kept_event),
        "shows a seat a false view": journal_edited(false_view),
        "offers a seat other actions than are legal": journal_edited(false_decision),
        "shows a seat a forked log": journal_edited(forked),
        "invents an action of a seat": journal_edited(action_not_sent),
        "says that a seat has resigned": resigned_for_it,
        "does not keep an action that it accepted": journal_edited(accepted_and_lost),
        "refuses an action and does not log it": journal_edited(refused_and_not_logged),
        "turns an action away as too late whose decision is open": journal_edited(turned_away),
        "tells a seat another end": journal_edited(other_end),
        "says that a seat never joined that it accepted as ready": never_joined,
        "runs a match again under its number": index_of_another(rerun),
        "seals a match again with another end": index_of_another(sealed_otherwise),
        "leaves a match out": left_out,
        "changes its index afterwards": index_changed,
        "chooses the seed of a pair after the players have enlisted": lambda: shown(of_a_pair(bytes(32))),
        "gives a match of a pair a deal of its own": given_deal,
        "claims that the entropy of a seat came too late (the seat sees it and refuses to play)": claimed_too_late,
        "measures a time wrongly, within what its own integers allow": other_time,
        "says that a seat was away, where that loses": ruled(Absence(1_000), Seat.A),
        "says that it was started again, so that a clock begins anew": ruled(Resume(ResumeReason.RESTART)),
        "calls a match off": ruled(Void(Termination.VOID_REFEREE, "failed")),
        "is in league with the seat that is ready last, and chooses its entropy": in_league,
    }
)


def swapped(cards: tuple[int, ...]) -> tuple[int, ...]:
    one, *rest = cards
    return (type(one)(one % 50 + 1), *rest)
