"""The example that `unoduo tournament init` writes: three baselines, and every key of the file with what it means."""

from collections.abc import Sequence
from typing import Final

SEED_NAME: Final = "cup.seed"
FILE_NAME: Final = "cup.toml"
PLAYERS: Final = ("random", "greedy", "careful")

_HEAD: Final = """\
# A tournament of UNO Duo: `unoduo tournament run cup.toml`. Killed at any moment, the same command goes on.
# What is commented out shows the default. Paths are relative to the folder of this file.

format = "round-robin"      # everybody meets everybody; "gauntlet": the first player meets each other one
pairs = 50                  # of each pairing; a pair is two matches with the same cards and the seats exchanged (200)
output = "cup"              # the folder for replays, logs and standings
seed_file = "cup.seed"      # 32 bytes that all deals follow from; no bot may read it
# concurrency = 32          # matches at once (16 a core); a bot answers one after the other, so fewer if it is slow
# sandbox = true            # false: bots may use the network and write files, and the lanes are on honour
# attempts = 3              # at a pair that the referee fails (void); then nothing of its two players' pairs counts
# common_deals = false      # the pairings of a round all get the same deal

# Ends the tournament of two players as soon as it is decided if the first is elo0 or elo1 ahead. Instead of `pairs`.
# [sprt]
# elo0 = 0
# elo1 = 20
# alpha = 0.05              # how often it may err for elo1
# beta = 0.05               # how often it may err for elo0
# first_look = 10           # the first pair after which it may decide
# most_pairs = 2000

[rules]
# variant = "duo"           # or "official-leaning"; every option of RULES.md R15 is a key here
target = 200                # points that end a match

[clock]                     # in milliseconds
limit_ms = 10000            # for each decision
# bank_ms = 0               # reserve of a seat for the whole match
# increment_ms = 0          # added to the reserve after each decision answered in time
# margin_ms = 0             # by which an answer may be late
# startup_grace_ms = 30000  # until both bots must have joined
# reconnect_grace_ms = 10000

[faults]
# on_expiry = "default-action"      # what a time-out leads to; or "forfeit"
# max_strikes = 3                   # time-outs of a match that lose it; 0: no limit
# rejection_limit = 10              # refused tries in one decision; one more loses
# forfeit_after_absence_ms = 10000  # 0: never

[limits]                    # of the bot of a lane; each player has two, for the first and the second match of a pair
# memory_mib = 2048         # data of each process
# processes = 64
# files_mib = 256           # what it writes to its own folder, in a box also to each of /tmp and the like
# log_kib = 1024            # what it writes beyond that is lost
# restarts = 5              # in a row, of a bot that ends by itself

# The bots, in any language. `{address}` is where the referee is, `{folder}` the folder of this file. The token is in
# the environment, as UNODUO_BOT_TOKEN; `environment` has more variables. A bot plays all matches that are assigned to
# it. `entropy` is the player's part in all deals, up to 32 bytes of its own choice. `function` is for --in-process
# only: a baseline, or "module:function" in this folder, which makes the bot of a match from its seed.
"""
_PLAYER: Final = """
[[players]]
name = "{name}"
command = ["python", "-m", "unoduo_client", "{name}", "--address", "{{address}}", "--assigned", "--no-journal"]
entropy = "{entropy}"
function = "{name}"
"""


def example(entropies: Sequence[bytes]) -> str:
    """Returns the text of the example, with an entropy for each of its players."""
    players = zip(PLAYERS, entropies, strict=True)
    return _HEAD + "".join(_PLAYER.format(name=name, entropy=entropy.hex()) for name, entropy in players)
