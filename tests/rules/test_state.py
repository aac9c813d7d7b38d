from referee.rules.cards import deck_cards
from referee.rules.evolve import initial_state
from referee.rules.ruleset import DUO
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase, State, fixed_shuffler
from tests.rules.positions import A, B, table


def test_seats_are_indices_and_each_other() -> None:
    assert [(seat.name, seat.value) for seat in SEATS] == [("A", 0), ("B", 1)]
    assert list(Seat) == [A, B]
    assert (A.other, B.other) == (B, A)


def test_state_before_the_match_has_nothing_in_it() -> None:
    shuffler = fixed_shuffler(deck_cards(DUO.deck))
    assert initial_state(DUO, shuffler) == State(
        ruleset=DUO,
        shuffler=shuffler,
        phase=Phase.DRAFT,
        actor=A,
        round=0,
        first_drafter=A,
        totals=(0, 0),
        draw=[],
        discard=[],
        hands=([], []),
        color=None,
        seen=None,
        pending=None,
        free_color=None,
        next_turn=A,
        turns=0,
        stall=0,
        recycles=0,
        known_tail=0,
        outcome=None,
    )


def test_states_share_no_pile() -> None:
    shuffler = fixed_shuffler(deck_cards(DUO.deck))
    one, other = initial_state(DUO, shuffler), initial_state(DUO, shuffler)
    assert one.draw is not other.draw
    assert one.discard is not other.discard
    assert one.hands[A] is not one.hands[B]
    assert one.hands[A] is not other.hands[A]


def test_position_is_the_first_turn_of_round_1_r13_1() -> None:
    state = table("R1 B1", "Y2 Y1", "R3 R5", "G1 G2", totals=(3, 4))
    assert (state.phase, state.actor, state.round, state.first_drafter, state.turns) == (Phase.TURN, A, 1, B, 1)
    assert (state.totals, state.stall, state.recycles, state.known_tail, state.outcome) == ((3, 4), 0, 0, 0, None)
