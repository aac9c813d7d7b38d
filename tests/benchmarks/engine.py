"""Actions a second of the rules engine, beside engines that others know.

One action of ours is all that a served action needs of the rules: the legal list, the judgement, the events, their
application, what each seat sees of each event, and the view of the seat that is asked next.
"""

import random
from collections.abc import Callable
from importlib import import_module

from referee.deal.streams import SealedShuffler
from referee.rules.decide import begin, decide
from referee.rules.evolve import evolve, initial_state
from referee.rules.legality import legal_actions
from referee.rules.observe import observe, view
from referee.rules.ruleset import DUO
from referee.rules.seats import Seat
from referee.rules.state import Phase

Playout = Callable[[random.Random], int]
"""Plays one whole random game and returns the number of actions in it."""


def play_match(dice: random.Random) -> int:
    """Plays a match of variant `duo` with random legal actions and returns their number."""
    state = initial_state(DUO, SealedShuffler(dice.randbytes(32), bytes(16), b"", b""))
    for event in begin(state):
        evolve(state, event)
    actions = 0
    while state.phase is not Phase.MATCH_OVER:
        action = dice.choice(legal_actions(state))
        for event in decide(state, state.actor, action):
            evolve(state, event)
            observe(event, Seat.A)
            observe(event, Seat.B)
        view(state, state.actor)
        actions += 1
    return actions


def rlcard_step() -> Playout:
    """Returns a playout over RLCard's bare `game.step`. Raises ImportError where RLCard is missing."""
    game = import_module("rlcard").make("uno").game

    def playout(dice: random.Random) -> int:
        game.init_game()
        actions = 0
        while not game.is_over():
            game.step(dice.choice(game.get_legal_actions()))
            actions += 1
        return actions

    return playout


def rlcard_run() -> Playout:
    """Returns a playout over RLCard's `env.run` with its random agents. Raises ImportError where RLCard is missing."""
    env = import_module("rlcard").make("uno")
    agent = import_module("rlcard.agents").RandomAgent
    env.set_agents([agent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def playout(_dice: random.Random) -> int:
        before: int = env.timestep
        env.run(is_training=False)
        after: int = env.timestep
        return after - before

    return playout


def openspiel_crazy_eights() -> Playout:
    """Returns a playout over OpenSpiel's `crazy_eights` driven from Python; chance nodes are not counted.

    Raises ImportError where OpenSpiel is missing.
    """
    game = import_module("pyspiel").load_game("crazy_eights")

    def playout(dice: random.Random) -> int:
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dice.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                actions += 1
        return actions

    return playout
