"""What an action causes: the events in their order and the next decision (RULES.md R2 to R12, R13.6)."""

from collections.abc import Iterator
from typing import cast

from tests.checker import cards as c
from tests.checker.position import Action, Disagreement, Position, Words, other

# Name, public part, the seat and the cards of the private part (R14.1, R14.2).
Event = tuple[str, Words, str | None, tuple[str, ...]]


def begin(at: Position, cut: Words, told: Iterator[str]) -> Iterator[Event]:
    """Begins the match; the pair that decided the cut is what the history says (R2.4 to R2.6)."""
    card_a, card_b = str(cut["card_a"]), str(cut["card_b"])
    yield event("cut", card_a=card_a, card_b=card_b)
    at.first_drafter = "B" if c.POINTS[card_b] > c.POINTS[card_a] else "A"
    yield from _begin_round(at, told)


def take(at: Position, action: Action, told: Iterator[str]) -> Iterator[Event]:
    """Takes an action that is not refused: the rows of R13.6."""
    seat = at.actor
    assert seat is not None
    kind = action[0]
    if kind in ("keep_offered", "refuse_offered"):
        yield from _pick(at, seat, kind == "keep_offered", told)
    elif kind == "choose_color":
        at.color = str(action[1])
        yield event("color_chosen", seat=seat, color=at.color)
        yield from _next_turn(at, at.next_turn, told)
    elif kind == "play":
        yield from _play(at, seat, cast(tuple[str, ...], action[1]), cast(str | None, action[2]), bool(action[3]), told)
    elif kind == "draw" and at.phase == "TURN":
        yield from _draw_in_turn(at, seat, told)
    elif kind == "draw":
        # R6.4, R6.5, R8.4
        reason, due, by = at.due_kind, at.due, at.due_by
        _settle(at)
        yield from _draw(at, seat, due, reason, told)
        yield from _next_turn(at, by, told)
    elif kind == "keep_drawn":
        # R5.10
        yield event("drawn_kept", seat=seat)
        yield from _next_turn(at, other(seat), told)
    elif kind == "challenge":
        yield from _challenge(at, seat, told)
    else:
        yield from _close_window(at, seat, kind == "catch", told)


def event(name: str, private_to: str | None = None, private_cards: tuple[str, ...] = (), **public: object) -> Event:
    """Returns an event."""
    return name, public, private_to, private_cards


def _begin_round(at: Position, told: Iterator[str]) -> Iterator[Event]:
    # R2.3, R12.5: the roles swap each round.
    if at.round:
        at.first_drafter = other(at.first_drafter)
    at.round += 1
    at.turns = at.empty_draws = at.picks = 0
    at.color = at.free = at.seen = None
    at.shuffle_deck()
    yield event("round_started", round=at.round, first_drafter=at.first_drafter)
    yield _offer(at, at.first_drafter, told)


def _offer(at: Position, seat: str, told: Iterator[str]) -> Event:
    # R3.2
    at.phase, at.actor, at.seen = "DRAFT", seat, at.next_card(told)
    return event("draft_offered", seat, (at.seen,), seat=seat)


def _pick(at: Position, seat: str, keep: bool, told: Iterator[str]) -> Iterator[Event]:
    # R3.3, R3.4
    first, second = str(at.seen), at.next_card(told)
    entered, discarded = (first, second) if keep else (second, first)
    at.hands[seat].append(entered)
    at.discard.append(discarded)
    at.seen = None
    at.picks += 1
    yield event("draft_done", seat, (entered,), seat=seat, kept_first=keep, discarded=discarded)
    # R3.1, R3.6
    if at.picks < 2 * cast(int, at.options["hand_size"]):
        yield _offer(at, other(seat), told)
    else:
        yield from _open(at, told)


def _open(at: Position, told: Iterator[str]) -> Iterator[Event]:
    # R3.7, R4.1
    at.put_under(at.discard)
    starter = at.next_card(told)
    at.discard, at.color = [starter], c.COLOR[starter]
    yield event("starter_turned", card=starter, draw_count=at.left_in_pile())
    drafter, player, symbol = at.first_drafter, other(at.first_drafter), c.SYMBOL[starter]
    # R4.4, R4.8: the first player draws.
    if symbol in ("DRAW_TWO", "WILD_DRAW_FOUR"):
        yield from _draw(at, player, _demand(starter), "OPENING", told)
    # R4.3, R4.4, R4.8: the first drafter has the first turn; R4.2, R4.6, R4.7: the first player.
    turn = drafter if symbol in ("SKIP", "DRAW_TWO", "WILD_DRAW_FOUR") else player
    if starter in c.WILDS:
        at.phase, at.actor, at.next_turn = "COLOR", drafter, turn
    else:
        # R4.6
        at.free = at.color if symbol == "REVERSE" else None
        yield from _next_turn(at, turn, told)


def _next_turn(at: Position, seat: str | None, told: Iterator[str]) -> Iterator[Event]:
    # R11.5: where the next turn would begin.
    if at.turns == at.options["turn_cap"]:
        yield from _end_round(at, None, "TURN_CAP", told)
        return
    at.turns += 1
    at.phase, at.actor, at.seen, at.next_turn = "TURN", seat, None, None
    yield event("turn_started", seat=seat, color=at.color, free_color=at.free)


def _play(
    at: Position, seat: str, cards: tuple[str, ...], named: str | None, call: bool, told: Iterator[str]
) -> Iterator[Event]:
    hand, last = at.hands[seat], cards[-1]
    for card in cards:
        hand.remove(card)
    # R8.7: judged by top card and color before the play, R8.6: on the hand right after it.
    if last == "WILD_DRAW_FOUR":
        at.shown, at.guilty = c.in_order(hand), any(_is_alternative(at, card) for card in hand)
    # R5.7
    at.discard += cards
    at.color = named or c.COLOR[last]
    # R7.13, R10.7
    at.free, at.seen, at.empty_draws = None, None, 0
    left = len(hand)
    # R9.5
    yield event("cards_played", seat=seat, cards=cards, color=at.color, left=left, uno=call and left == 1)
    volley = at.due if at.due_kind == "DRAW_TWO" else 0
    _settle(at)
    if not hand:
        # R11.1 to R11.3
        if _demand(last) and at.options["final_penalty"] == "DRAW":
            yield from _draw(at, other(seat), volley + _demand(last), "FINAL", told)
        yield from _end_round(at, seat, "OUT", told)
        return
    # The effect of the last card (table under R13.2).
    symbol = c.SYMBOL[last]
    if _demand(last):
        # R6.1, R6.3, R7.9, R8.3
        at.due_kind, at.due_by, at.due = symbol, seat, volley + _demand(last)
    elif symbol == "SKIP":
        # R7.1, R7.10
        at.next_turn = seat
    else:
        # R5.11, R7.2, R7.8, R8.1
        at.next_turn = other(seat)
        if symbol == "REVERSE" and len(cards) > 1 and at.options["dump_final_reverse"] == "PASS_ON":
            # R7.11
            at.free = at.color
    if left == 1 and not call:
        # R9.2
        at.phase, at.actor = "UNO", other(seat)
    else:
        yield from _what_was_to_come(at, seat, told)


def _what_was_to_come(at: Position, player: str, told: Iterator[str]) -> Iterator[Event]:
    if at.due_kind:
        at.phase, at.actor = "RESPOND", other(player)
    else:
        yield from _next_turn(at, at.next_turn, told)


def _is_alternative(at: Position, card: str) -> bool:
    # R8.8, R8.9
    if card == "WILD_DRAW_FOUR":
        return False
    option = at.options["wd4_alternative"]
    if option == "COLOR":
        return c.COLOR[card] == at.color
    if option == "MATCH":
        return c.COLOR[card] is not None and at.matches(card)
    return at.matches(card)


def _demand(card: str) -> int:
    return {"DRAW_TWO": 2, "WILD_DRAW_FOUR": 4}.get(c.SYMBOL[card], 0)


def _settle(at: Position) -> None:
    at.due_kind, at.due_by, at.due, at.next_turn = None, None, 0, None


def _draw_in_turn(at: Position, seat: str, told: Iterator[str]) -> Iterator[Event]:
    # R5.8, R7.13
    at.free = None
    before = len(at.hands[seat])
    yield from _draw(at, seat, 1, "TURN", told)
    if len(at.hands[seat]) > before:
        at.empty_draws = 0
        at.phase, at.seen = "DRAWN", at.hands[seat][-1]
        return
    # R10.6, R10.7
    at.empty_draws += 1
    if at.empty_draws == 2:
        yield from _end_round(at, None, "BLOCKED", told)
    else:
        yield from _next_turn(at, other(seat), told)


def _draw(at: Position, seat: str, due: int, reason: str | None, told: Iterator[str]) -> Iterator[Event]:
    # R10.1 to R10.5; R13.6: the recycling is told directly before the draw that needed it.
    drawn: list[str] = []
    while len(drawn) < due:
        if not at.pile:
            if len(at.discard) < 2:
                break
            *laid, top = at.discard
            at.put_under(laid)
            at.discard = [top]
            yield event("recycled", draw_count=at.left_in_pile())
        drawn.append(at.next_card(told))
    at.hands[seat] += drawn
    yield event("cards_drawn", seat, tuple(drawn), seat=seat, count=len(drawn), due=due, reason=reason)


def _challenge(at: Position, challenger: str, told: Iterator[str]) -> Iterator[Event]:
    player, guilty = at.due_by, at.guilty
    assert player is not None
    yield event("challenged", challenger, at.shown, seat=challenger, guilty=guilty)
    _settle(at)
    if guilty:
        # R8.11
        yield from _draw(at, player, 4, "CHALLENGE_WON", told)
        yield from _next_turn(at, player if at.options["wd4_guilty_next"] == "PLAYER" else challenger, told)
    else:
        # R8.12
        yield from _draw(at, challenger, 6, "CHALLENGE_LOST", told)
        yield from _next_turn(at, player, told)


def _close_window(at: Position, seat: str, caught: bool, told: Iterator[str]) -> Iterator[Event]:
    # R9.3, R9.4
    yield event("uno_window_closed", seat=seat, caught=caught)
    if caught:
        yield from _draw(at, other(seat), 2, "UNO", told)
    yield from _what_was_to_come(at, other(seat), told)


def _end_round(at: Position, winner: str | None, reason: str, told: Iterator[str]) -> Iterator[Event]:
    # R11.6 to R11.8
    points = {seat: c.points(at.hands[seat]) for seat in "AB"}
    for seat in "AB":
        at.totals[seat] += points[seat]
    hands = tuple(c.in_order(at.hands[seat]) for seat in "AB")
    scored, totals = (points["A"], points["B"]), (at.totals["A"], at.totals["B"])
    yield event("round_ended", winner=winner, reason=reason, hands=hands, points=scored, totals=totals)
    # R12.1 to R12.4
    lower = None if totals[0] == totals[1] else "A" if totals[0] < totals[1] else "B"
    if lower and max(totals) >= cast(int, at.options["target"]):
        termination = "TARGET"
    elif at.round == at.options["round_cap"]:
        termination = "ROUND_CAP"
    else:
        yield from _begin_round(at, told)
        return
    at.phase, at.actor, at.free = "MATCH_OVER", None, None
    outcome = {"winner": lower, "termination": termination, "totals": totals, "rounds": at.round, "faulted": ()}
    yield event("match_ended", outcome=outcome)


def told_cards(events: list[Event]) -> Iterator[str]:
    """Yields the cards that left the draw pile, in their order, as the history tells them."""
    for name, public, _, private_cards in events:
        if name == "draft_done":
            yield str(public["discarded"]) if public["kept_first"] else _only(private_cards)
        elif name == "starter_turned":
            yield str(public["card"])
        elif name in ("draft_offered", "cards_drawn"):
            yield from private_cards


def _only(cards: tuple[str, ...]) -> str:
    if len(cards) != 1:
        raise Disagreement(f"one card entered the hand, the history tells {len(cards)}")
    return cards[0]
