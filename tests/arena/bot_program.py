"""Bots for tournaments, sound and unsound: `bot_program.py KIND --address ... --assigned`."""

import os
import subprocess
import sys
import time
from secrets import token_hex

from unoduo.v1.observation_pb2 import Phase
from unoduo_client import Action, Observation, run
from unoduo_client.baselines.greedy_bot import greedy_bot

# The numbers of boxed processes are all the same.
PROCESS = token_hex(8)


def remembering(observation: Observation) -> Action:
    """Plays as greedy does, and tells by what the deal of round 1 can be known again, from either seat."""
    view = observation.view
    if view.round == 1 and view.phase != Phase.PHASE_DRAFT and view.turns < 10:
        cards = ".".join(map(str, (view.discard_pile[0], *view.known_tail)))
        print(f"process {PROCESS} seat {view.seat} cards {cards}", flush=True)
    return greedy_bot(observation)


def hanging(observation: Observation) -> Action:
    """Never answers, nor does anything else any more."""
    time.sleep(600)
    raise AssertionError


def crashing(observation: Observation) -> Action:
    """Is gone as soon as it is asked."""
    print("asked", flush=True)
    os._exit(3)


_TURNS = [0]


def leaving(observation: Observation) -> Action:
    """Plays one match as greedy does, and is gone when it is asked in another."""
    turns = observation.view.turns
    if turns < _TURNS[0]:
        os._exit(0)
    _TURNS[0] = turns
    return greedy_bot(observation)


def forking(observation: Observation) -> Action:
    """Leaves a child behind, in a session of its own."""
    if not observation.decision.decision_id % 20:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    return greedy_bot(observation)


BOTS = {bot.__name__: bot for bot in (remembering, hanging, crashing, leaving, forking)}

if __name__ == "__main__":
    run(BOTS[sys.argv[1]], sys.argv[2:])
