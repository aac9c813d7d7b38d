"""Kills of a referee under many live matches, again and again, and what each of them has cost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic

from tests.faults.journal_store import compare_index
from tests.faults.kill_course import Course, course
from tests.faults.kill_players import Whereabouts
from tests.faults.launcher import RefereeProcess, serving

_LONGEST_LIFE_S = 0.8
# So many are asked to end before, and killed in the middle of that.
_SHARE_OF_DRAINS = 0.2
_LONGEST_DRAIN_S = 0.2
_A_MOMENT_S = 0.01


@dataclass
class Toll:
    """Holds what is counted: the matches that were `live` at each kill, and what was played in spite of all of them.

    `serving_s` is from each start to serving, `playing_s` from there to the next action taken, if the life of that
    process was long enough for one.
    """

    live: list[int] = field(default_factory=list)
    matches: int = 0
    actions: int = 0
    resumed: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    serving_s: list[float] = field(default_factory=list)
    playing_s: list[float] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yields what was counted and measured, for people."""
        yield "kills", f"{len(self.live)}"
        yield "live matches at a kill", f"median {median(self.live)}, least {min(self.live)}"
        yield "matches played to their one end", f"{self.matches}: {self.ends}"
        yield "actions acknowledged, none lost or doubled", f"{self.actions}"
        yield "matches resumed after a kill", f"{self.resumed}"
        yield "seconds from the start of a process to serving", _range(self.serving_s)
        yield "seconds from serving to the next action taken", _range(self.playing_s)


def _range(seconds: list[float]) -> str:
    return f"median {median(seconds):.3f}, worst {max(seconds):.3f}" if seconds else "none"


async def kill_and_play_on(store: Path, *, kills: int, matches: int) -> Toll:
    """Kills a referee at random moments while matches go on, lets all come to their end, and returns what it has cost.

    It stops at the first thing that is found to be wrong.
    """
    toll, whereabouts, moments = Toll(), Whereabouts(), Random(kills)
    async with course(whereabouts, matches) as played:
        while len(toll.live) < kills and not played.findings:
            async with serving(store) as process:
                toll.serving_s.append(process.starting_s)
                whereabouts.moved(process.address)
                if not toll.live:
                    await played.are_under_way()
                await _live(process, played, moments.uniform(0, _LONGEST_LIFE_S), toll)
                toll.live.append(played.live)
                whereabouts.gone()
                if moments.random() < _SHARE_OF_DRAINS:
                    process.terminate()
                    await process.lives_for(moments.uniform(0, _LONGEST_DRAIN_S))
            print(
                f"kill {len(toll.live)} of {kills}: {toll.live[-1]} live matches, {len(played.replays)} over",
                flush=True,
            )
        async with serving(store) as process:
            whereabouts.moved(process.address)
            await played.see_the_end()
            process.terminate()
            await process.ended()
            bugs = process.bugs()
    toll.matches, toll.ends = len(played.replays), played.ends
    toll.actions, toll.resumed = played.actions, played.resumed
    toll.findings = [*played.findings, *bugs, *await compare_index(store)]
    return toll


async def _live(process: RefereeProcess, played: Course, life_s: float, toll: Toll) -> None:
    """Lets a process live for so long, and measures when the matches have gone on."""
    before, begin = played.actions, monotonic()
    is_playing = False
    while (left_s := begin + life_s - monotonic()) > 0:
        if not is_playing and played.actions > before:
            is_playing = True
            toll.playing_s.append(monotonic() - begin)
        await process.lives_for(left_s if is_playing else min(left_s, _A_MOMENT_S))
