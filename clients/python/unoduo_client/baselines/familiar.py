"""What a strategy of today makes of an observation of a later version."""

from collections.abc import Callable
from functools import wraps
from itertools import chain

from unoduo.v1 import action_pb2, card_pb2, observation_pb2

_LAST_CARD = card_pb2.CARD_WILD_DRAW_FOUR
_LAST_COLOR = card_pb2.COLOR_BLUE

Strategy = Callable[[observation_pb2.Observation], action_pb2.Action]


def of_today(strategy: Strategy) -> Strategy:
    """Returns a strategy that is shown only the cards, colors and actions that this version knows.

    Where it knows none of the legal actions the first one is taken.
    """

    @wraps(strategy)
    def decide(observation: observation_pb2.Observation) -> action_pb2.Action:
        known = observation if _is_familiar(observation) else _familiar(observation)
        return strategy(known) if known.decision.legal else observation.decision.legal[0]

    return decide


def _is_familiar(observation: observation_pb2.Observation) -> bool:
    view = observation.view
    cards = chain(view.hand, view.discard_pile, view.known_tail, (view.own_card,))
    return (
        max(cards) <= _LAST_CARD
        and view.active_color <= _LAST_COLOR
        and all(_is_known(action) for action in observation.decision.legal)
    )


def _familiar(observation: observation_pb2.Observation) -> observation_pb2.Observation:
    """Returns the observation without what this version does not know."""
    copy = observation_pb2.Observation()
    copy.CopyFrom(observation)
    view = copy.view
    for pile in (view.hand, view.discard_pile, view.known_tail):
        pile[:] = [card for card in pile if card <= _LAST_CARD]
    if view.own_card > _LAST_CARD:
        view.own_card = card_pb2.CARD_UNSPECIFIED
    if view.active_color > _LAST_COLOR:
        view.active_color = card_pb2.COLOR_UNSPECIFIED
    del copy.decision.legal[:]
    copy.decision.legal.extend(action for action in observation.decision.legal if _is_known(action))
    return copy


def _is_known(action: action_pb2.Action) -> bool:
    return action.WhichOneof("kind") is not None and max(action.play.cards, default=0) <= _LAST_CARD
