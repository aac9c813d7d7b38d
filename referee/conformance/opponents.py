"""Who sits opposite the client: players that bring about the phases which a check wants."""

from unoduo.v1 import action_pb2, observation_pb2
from unoduo_client import cards

_HARD = (cards.Symbol.WILD_DRAW_FOUR, cards.Symbol.DRAW_TWO, cards.Symbol.REVERSE)


def pushy(observation: observation_pb2.Observation) -> action_pb2.Action:
    """Plays what must be answered first, never says UNO, and never draws by choice."""
    return max(observation.decision.legal, key=_pushiness)


def timid(observation: observation_pb2.Observation) -> action_pb2.Action:
    """Draws whenever it may, so that the round goes on until the client has won it."""
    kinds = ("draw", "keep_drawn", "let_pass", "refuse_offered")
    legal = observation.decision.legal
    return next((action for action in legal if action.WhichOneof("kind") in kinds), legal[0])


def _pushiness(action: action_pb2.Action) -> tuple[int, int]:
    if not action.HasField("play"):
        return 0, action.WhichOneof("kind") in ("keep_offered", "catch")
    symbol = cards.symbol(action.play.cards[-1])
    hardness = len(_HARD) - _HARD.index(symbol) if symbol in _HARD else 0
    return 1 + hardness, not action.play.uno
