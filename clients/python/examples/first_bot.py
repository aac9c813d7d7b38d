"""A first bot: plays whatever gets rid of most cards, and never forgets to say UNO."""

from unoduo_client import Action, Observation, run


def decide(observation: Observation) -> Action:
    """Returns one of the legal actions, which come ready to be sent back."""
    legal = observation.decision.legal
    plays = [action for action in legal if action.HasField("play")]
    if plays:
        return max(plays, key=lambda action: (len(action.play.cards), action.play.uno))
    return legal[0]


if __name__ == "__main__":
    run(decide)
