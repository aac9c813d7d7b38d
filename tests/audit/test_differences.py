import pytest

from referee.adjudication.rulings import ClockReading, DealSealed, Forfeited
from referee.audit.differences import difference
from referee.rules.cards import Card, Color
from referee.rules.events import CardsPlayed, MatchEnded, TurnStarted
from referee.rules.outcome import Outcome, Termination
from referee.rules.seats import Seat

PLAYED = CardsPlayed(Seat.A, (Card.RED_5,), Color.RED, 3, False)
READING = ClockReading(7, 0, 5, 1, 0)


@pytest.mark.parametrize(
    ("found", "due", "text"),
    [
        (CardsPlayed(Seat.A, (Card.RED_5,), Color.RED, 4, False), PLAYED, "it.left is 4, must be 3"),
        (
            CardsPlayed(Seat.B, (Card.RED_5, Card.WILD), Color.RED, 3, False),
            PLAYED,
            "it.seat is B, must be A; it.cards is (RED_5, WILD), must be (RED_5)",
        ),
        (TurnStarted(Seat.A, Color.RED, None), PLAYED, "it is TurnStarted, must be CardsPlayed"),
        (DealSealed(b"a", b""), DealSealed(b"b", b""), "it.entropy_1 is b'a', must be b'b'"),
        (
            MatchEnded(Outcome(None, Termination.TARGET, (0, 1), 2)),
            MatchEnded(Outcome(Seat.B, Termination.TARGET, (0, 1), 2)),
            "it.outcome.winner is none, must be B",
        ),
        (
            Forfeited(Seat.A, Termination.TIMEOUT, "R5"),
            Forfeited(Seat.A, Termination.TIMEOUT, READING),
            "it.judged_on is 'R5', must be ClockReading",
        ),
    ],
)
def test_difference_names_what_differs_and_nothing_else(found: object, due: object, text: str) -> None:
    assert difference("it", found, due) == text
