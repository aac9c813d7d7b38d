"""A match that the referee itself fails voids its pair, which is played again with another deal."""

from pathlib import Path

import pytest

from referee.audit.master import Master
from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from referee.contest.pairing import Half
from referee.match.registry import CreatedMatch, MatchOrder, Registry
from referee.report.tournament.rebuild import open_folder, proven_match, rebuilt, replay_files
from referee.rules.outcome import Termination
from tests.arena.cups import cup, journal, replays, run

NAMES = ("greedy", "random", "careful")


async def test_pair_with_a_void_half_is_played_again_with_another_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Registry.create_match
    given_up: list[CreatedMatch] = []

    async def create_and_fail_once(self: Registry, order: MatchOrder) -> CreatedMatch:
        created = await create(self, order)
        if not given_up:
            given_up.append(created)
            self._give_up(created.row)
        return created

    monkeypatch.setattr(Registry, "create_match", create_and_fail_once)
    asked = cup(tmp_path, "greedy", "random", pairs=2, concurrency=1)
    standings = await run(asked)
    (failed,) = given_up
    booked = journal(asked)
    (void,) = [match for match in booked if match.outcome.termination is Termination.VOID_REFEREE]
    assert (void.match_id, void.attempt) == (failed.row.match_id, 0)
    attempts = sorted((match.attempt, match.half) for match in booked if match.pair == void.pair)
    assert attempts == [(0, Half.FIRST), (0, Half.SECOND), (1, Half.FIRST), (1, Half.SECOND)]
    assert [player["voids"] for player in standings["players"]] == [1, 1]
    assert [player["won"] + player["level"] + player["lost"] for player in standings["players"]] == [4, 4]
    # The master file tells the deals of both attempts.
    master = Master((asked.output / "master.json").read_bytes())
    assert len(replays(asked)) == 6
    for file in replays(asked):
        with file.open("rb") as stream:
            report = verify(stream, Evidence(master=master))
        assert report.status is Status.OK, report


async def test_pairing_that_the_referee_fails_for_ever_is_abandoned_and_stops_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Registry.create_match

    async def create_and_fail(self: Registry, order: MatchOrder) -> CreatedMatch:
        created = await create(self, order)
        if {player.name for player in order.players} == {"0 greedy", "1 random"}:
            self._give_up(created.row)
        return created

    monkeypatch.setattr(Registry, "create_match", create_and_fail)
    asked = cup(tmp_path, *NAMES, pairs=2, attempts=2, concurrency=1)
    standings = await run(asked)
    assert standings["over"]
    assert [pairing["abandoned"] for pairing in standings["pairings"]] == [True, False, False]
    assert [pairing["pairs"] for pairing in standings["pairings"]] == [0, 2, 2]
    voids = {player["name"]: player["voids"] for player in standings["players"]}
    # Two attempts at each of two pairs.
    assert voids == {"0 greedy": 4, "1 random": 4, "2 careful": 0}
    kept = open_folder(asked.output)
    assert rebuilt(kept, [proven_match(kept, file) for file in replay_files(kept)]).standings == standings
    assert await run(asked) == standings
