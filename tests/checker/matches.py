"""Records what the engine does with random and adversarial bots, illegal tries included, as histories."""

from collections.abc import Iterator
from random import Random

from referee.rules.actions import (
    CATCH,
    CHALLENGE,
    CHOOSE_COLOR,
    DRAW,
    KEEP_DRAWN,
    KEEP_OFFERED,
    LET_PASS,
    REFUSE_OFFERED,
    Action,
    Play,
)
from referee.rules.cards import CARDS, COLORS, Card, Symbol
from referee.rules.decide import decide
from referee.rules.errors import IllegalAction
from referee.rules.events import Event
from referee.rules.legality import can, default_action, legal_actions, verify
from referee.rules.seats import SEATS, Seat
from referee.rules.state import Phase, State
from tests.checker.judge import Question, Step
from tests.checker.notation import action_in_words, event_in_words, phase_in_words, seat_in_words
from tests.properties.worlds import Match, apply, first_step, next_step

_PLAIN_KINDS: tuple[Action, ...] = (
    KEEP_OFFERED, REFUSE_OFFERED, CHOOSE_COLOR[2], DRAW, KEEP_DRAWN, CHALLENGE, CATCH, LET_PASS,
)  # fmt: skip
# An action beyond those of the list is tried in one state of so many; if it is taken it is part of the history.
_TRIED = 2


def history(match: Match, dice: Random) -> Iterator[Step]:
    """Yields the steps of a match as it is played to its end."""
    state = match.state
    yield refused(state, dice.choice(SEATS), DRAW)
    step = first_step(match)
    while True:
        apply(match, step)
        yield taken(state, *step)
        if state.phase is Phase.MATCH_OVER:
            break
        step = next_step(match)
        if dice.randrange(_TRIED) == 0:
            seat, action = dice.choice((state.actor, state.actor, state.actor, state.actor.other)), tried(state, dice)
            if can(state, seat, action):
                step = (seat, action, decide(state, seat, action))
            else:
                yield refused(state, seat, action)
    for seat in SEATS:
        yield refused(state, seat, dice.choice(_PLAIN_KINDS))


def taken(state: State, seat: Seat | None, action: Action | None, events: list[Event]) -> Step:
    """Returns the step of an action, or of the begin, whose events were applied to the state."""
    words = [event_in_words(event) for event in events]
    return Step(seat_in_words(seat), None if action is None else action_in_words(action), words, None, question(state))


def refused(state: State, seat: Seat, action: Action) -> Step:
    """Returns the step of an action that the engine refuses; raises AssertionError if it does not."""
    try:
        verify(state, seat, action)
    except IllegalAction as illegal:
        return Step(seat_in_words(seat), action_in_words(action), [], (illegal.reason.value, illegal.clause))
    raise AssertionError(f"{action} of {seat} was not refused")


def question(state: State) -> Question:
    """Returns what the engine asks now."""
    legal = [action_in_words(action) for action in legal_actions(state)]
    if state.phase is Phase.MATCH_OVER:
        return Question(phase_in_words(state.phase), None, legal, None)
    default = action_in_words(default_action(state))
    return Question(phase_in_words(state.phase), seat_in_words(state.actor), legal, default)


def tried(state: State, dice: Random) -> Action:
    """Returns an action that may be wrong in any way, and most often is nearly right."""
    hand = state.hands[state.actor]
    if not hand or dice.random() < 0.15:
        return dice.choice((*_PLAIN_KINDS, Play(())))
    # What a draw left, or any card, begins the play.
    first = state.seen if state.phase is Phase.DRAWN and dice.random() < 0.5 else dice.choice(hand)
    cards = [first] if first else []
    if first and (dice.random() < 0.5 or first.symbol is Symbol.REVERSE):
        cards = _nearly_dump(hand, first, dice)
    # Mostly a color just where one is due.
    named = dice.choice(COLORS) if cards and cards[-1].color is None else None
    if dice.random() < 0.15:
        named = dice.choice((None, None, *COLORS))
    return Play(tuple(cards), named, dice.random() < 0.5)


def _nearly_dump(hand: list[Card], first: Card, dice: Random) -> list[Card]:
    cards = [card for card in hand if card.color is first.color]
    dice.shuffle(cards)
    if dice.random() < 0.7:
        cards.sort(key=lambda card: card is not first)
    if dice.random() < 0.5:
        cards.sort(key=lambda card: card.symbol is not Symbol.REVERSE)
    change = dice.random()
    if change < 0.15:
        cards.pop()
    elif change < 0.35:
        cards.insert(dice.randrange(len(cards) + 1), dice.choice((*hand, dice.choice(CARDS))))
    return cards
