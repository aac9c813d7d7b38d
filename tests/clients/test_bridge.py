"""What a program is told over the bridge, and what becomes of its answers."""

import json
import signal
from pathlib import Path

import pytest
from unoduo.v1 import seat_pb2, session_pb2

from tests.cli.conftest import signals_are_heeded  # noqa: F401  (a fixture)
from tests.cli.processes import all_gone
from tests.clients import scripted as referee
from tests.clients.bridges import DRAW, END_S, Bridge, answering, appearance, no_answer, one_decision
from tests.clients.resuming import detached
from tests.clients.scripted import MATCH_ID, Peer, scripted
from tests.clients.test_program import assigned


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    return Bridge(tmp_path)


async def test_bot_is_told_the_match_line_by_line(bridge: Bridge) -> None:
    async with scripted(one_decision) as address:
        code, out, err = await bridge.run(address, answering())
    assert (code, err) == (0, "")
    assert out.startswith("match 7, seat A: won ")
    (first, joined), (second, observation), (last, ended) = bridge.told()
    assert (first, second, last) == ("joined", "observation", "ended")
    assert joined["protocol"] == 1
    assert (joined["match_id"], joined["seat"]) == (MATCH_ID.hex(), "SEAT_A")
    assert joined["header"]["match_number"] == 7
    assert "bot_seed" not in joined
    assert observation["decision"]["legal"][1] == {"draw": {}}
    assert ended["outcome"]["winner"] == "SEAT_A"


@pytest.mark.parametrize("answer", ['{"legal":1}', ' { "draw" : { } } '])
async def test_answer_is_an_action_or_its_place(bridge: Bridge, answer: str) -> None:
    async with scripted(one_decision) as address:
        code, _, err = await bridge.run(address, answering(answer))
    assert (code, err) == (0, "")


async def test_bot_that_gives_up_is_told_the_end(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.expect("resign")
        await peer.send(referee.ended(handle, seat_pb2.SEAT_B))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, out, err = await bridge.run(address, answering('{"resign":{}}'))
    assert (code, err) == (0, "")
    assert out.startswith("match 7, seat A: lost ")
    assert bridge.kinds() == ["joined", "observation", "ended"]


async def test_rejection_is_told_and_the_bot_asked_again(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        observation = referee.decision(tries_left=3)
        observation.events.add(sequence=5).event.drawn_kept.SetInParent()
        await peer.send(referee.observed(handle, observation))
        await peer.send(referee.rejected(await peer.expect("action"), 2))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, err = await bridge.run(address, answering())
    assert code == 0
    assert err == (
        "an answer is refused: REJECTION_REASON_CARD_NOT_HELD (R13.3): the card is not in the hand;"
        " see: unoduo rules R13.3\n"
    )
    assert bridge.kinds() == ["joined", "observation", "rejected", "observation", "ended"]
    _, (_, before), (_, rejected), (_, again), _ = bridge.told()
    assert rejected["reason"] == "REJECTION_REASON_CARD_NOT_HELD"
    assert (rejected["clause"], rejected["message"]) == ("R13.3", "the card is not in the hand")
    assert (before["decision"]["tries_left"], rejected["tries_left"], again["decision"]["tries_left"]) == (3, 2, 2)
    assert [event["sequence"] for event in before["events"]] == [5]
    assert again["events"] == []


async def test_garbage_is_told_and_never_sent(bridge: Bridge) -> None:
    bot = f"""tee told | while read -r line; do
        case $line in *'"tries_left":3,'*'"legal"'*) echo rubbish ;; *'"legal"'*) echo '{DRAW}' ;; esac
    done"""
    async with scripted(one_decision) as address:
        code, _, err = await bridge.run(address, bot)
    assert (code, err) == (0, "an answer is refused: what it wrote is no action: it is not JSON\n")
    assert bridge.kinds() == ["joined", "observation", "malformed", "observation", "ended"]
    assert bridge.told()[2] == ("malformed", {"message": "it is not JSON", "tries_left": 2})
    assert bridge.told()[3][1]["decision"]["tries_left"] == 2


async def test_garbage_costs_tries_and_ends_the_bot(bridge: Bridge) -> None:
    async with scripted(no_answer) as address:
        code, out, err = await bridge.run(address, answering("rubbish"))
    reason = "the bot has no tries left: what it wrote is no action: it is not JSON"
    assert (code, out, err.splitlines()[-1]) == (1, "", f"python -m unoduo_client bridge: {reason}")
    assert bridge.kinds() == ["joined", *("observation", "malformed") * 3, "failed"]
    assert [fields["tries_left"] for kind, fields in bridge.told() if kind == "malformed"] == [2, 1, 0]
    assert bridge.told()[-1] == ("failed", {"message": reason})


async def test_garbage_and_rejections_share_the_tries(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision(tries_left=3)))
        await peer.send(referee.rejected(await peer.expect("action"), 2))
        await peer.send(referee.rejected(await peer.expect("action"), 1))
        await peer.expect_the_end()

    bot = f"""tee told | while read -r line; do
        case $line in *'"tries_left":2,'*'"legal"'*) echo '[]' ;; *'"legal"'*) echo '{DRAW}' ;; esac
    done"""
    async with scripted(script) as address:
        code, _, err = await bridge.run(address, bot)
    assert code == 1
    assert "the bot has no tries left: REJECTION_REASON_CARD_NOT_HELD" in err
    assert [fields["tries_left"] for kind, fields in bridge.told() if kind in ("malformed", "rejected")] == [2, 1, 0]


async def test_action_that_the_referee_cannot_take_is_told_as_garbage(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.expect("action")
        await peer.send(referee.problem(handle, 3, "FIELD_INVALID", "action.action.play.cards"))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, _ = await bridge.run(address, answering())
    assert code == 0
    assert bridge.told()[2] == ("malformed", {"message": "no", "tries_left": 2})


async def test_answer_that_is_too_late_is_told(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision(5)))
        item = await peer.expect("action")
        await peer.send(referee.stale(item), referee.observed(handle, referee.decision(7)))
        await peer.send(referee.accepted(await peer.expect("action")), referee.ended(handle))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, _ = await bridge.run(address, answering())
    assert code == 0
    assert bridge.kinds() == ["joined", "observation", "stale", "observation", "ended"]
    assert bridge.told()[2][1]["reason"] == "STALE_REASON_EXPIRED"


async def test_bot_that_was_slow_is_told_all_and_asked_for_the_last_decision_alone(bridge: Bridge) -> None:
    thinking, enough = bridge.folder / "thinking", bridge.folder / "enough"

    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision(5)))
        await appearance(thinking)
        await peer.send(*(referee.observed(handle, referee.decision(number)) for number in (7, 9)))
        enough.touch()
        await peer.send(referee.stale(await peer.expect("action")))
        item = await peer.expect("action")
        assert item.action.decision_id == 9
        await peer.send(referee.accepted(item), referee.ended(handle))
        await peer.wait_for_the_end()

    bot = f"""while read -r line; do
        echo "$line" >> told
        case $line in
        *'"decision_id":5,'*) touch thinking; until [ -e enough ]; do sleep 0.02; done; echo '{DRAW}' ;;
        *'"legal"'*) echo '{DRAW}' ;;
        esac
    done"""
    async with scripted(script) as address:
        code, _, _ = await bridge.run(address, bot)
    assert code == 0
    observations = [fields for kind, fields in bridge.told() if kind == "observation"]
    assert [(fields["sequence"], "decision" in fields) for fields in observations] == [(5, True), (7, False), (9, True)]


async def test_decision_that_is_told_again_while_the_bot_thinks_is_asked_once(bridge: Bridge) -> None:
    thinking, enough = bridge.folder / "thinking", bridge.folder / "enough"

    async def script(peer: Peer) -> None:
        handle = await peer.play()
        again = referee.decision(5)
        again.sequence = 6
        await peer.send(referee.observed(handle, referee.decision(5)))
        await appearance(thinking)
        await peer.send(referee.observed(handle, again))
        enough.touch()
        await peer.send(referee.accepted(await peer.expect("action")))
        await peer.send(referee.observed(handle, referee.decision(7)))
        item = await peer.expect("action")
        assert item.action.decision_id == 7
        await peer.send(referee.accepted(item), referee.ended(handle))
        await peer.wait_for_the_end()

    bot = answering(thinking="touch thinking; until [ -e enough ]; do sleep 0.02; done;")
    async with scripted(script) as address:
        code, _, _ = await bridge.run(address, bot)
    assert code == 0
    observations = [fields for kind, fields in bridge.told() if kind == "observation"]
    assert [(fields["sequence"], "decision" in fields) for fields in observations] == [(5, True), (6, False), (7, True)]


async def test_each_assigned_match_has_a_process_of_its_own(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.send(*(assigned(number, seat_pb2.SEAT_A) for number in (1, 2, 3)))
        handles = []
        for _ in range(3):
            item = await peer.expect("join")
            handles.append(item.handle)
            await peer.send(referee.joined(item))
        for _ in handles:
            item = await peer.expect("ready")
            await peer.send(referee.ready_accepted(item.handle))
        await peer.send(*(referee.observed(handle, referee.decision()) for handle in handles))
        for _ in range(2):
            item = await peer.expect("action")
            await peer.send(referee.accepted(item), referee.ended(item.handle))
        await peer.wait_for_the_end()

    bot = f"""read -r first
        echo "$first" >> $$.first
        case $first in *0303030303*) exit 5 ;; esac
        {answering()}"""
    async with scripted(script) as address:
        process = await bridge.start(address, bot, "--assigned")
        assert process.stdout is not None
        assert process.stderr is not None
        results = [await process.stdout.readline() for _ in range(2)]
        failed = await process.stderr.readline()
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert all_gone(bridge.mark, END_S)
    assert process.returncode == 130
    assert all(result.startswith(b"match 7, seat A: won ") for result in results)
    assert failed.decode() == (
        f"python -m unoduo_client bridge: match {bytes([3] * 16).hex()}, seat A: the bot has ended with exit code 5\n"
    )
    firsts = [json.loads(path.read_text())["joined"] for path in bridge.folder.glob("*.first")]
    seeds = sorted((first["match_id"], first["bot_seed"]) for first in firsts)
    assert seeds == [(bytes([number] * 16).hex(), bytes([number] * 32).hex()) for number in (1, 2, 3)]


async def test_bot_is_told_when_its_seat_is_lost(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.expect("action")
        await peer.send(detached(handle, session_pb2.DETACH_REASON_REPLACED))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, err = await bridge.run(address, answering())
    assert (code, err) == (1, "python -m unoduo_client bridge: another session took the seat (REPLACED)\n")
    assert bridge.told()[-1] == ("failed", {"message": "another session took the seat (REPLACED)"})
