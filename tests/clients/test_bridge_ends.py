"""How the bridge and a program end that hangs, floods, gives up or is interrupted; no process is left behind."""

import asyncio
import signal
from pathlib import Path

import pytest
from unoduo.v1 import card_pb2

from tests.cli.conftest import signals_are_heeded  # noqa: F401  (a fixture)
from tests.cli.processes import MARK, all_gone
from tests.clients import scripted as referee
from tests.clients.bridges import DRAW, END_S, Bridge, answering, appearance, no_answer, one_decision
from tests.clients.scripted import Peer, scripted


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    return Bridge(tmp_path)


async def test_lines_that_nobody_asked_for_are_dropped(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await appearance(bridge.folder / "greeted")
        news = referee.decision(4)
        news.ClearField("decision")
        await peer.send(referee.observed(handle, news))
        # When this has gone through the bridge, the greeting has been read.
        await appearance(bridge.folder / "news")
        await peer.send(referee.observed(handle, referee.decision()))
        item = await peer.expect("action")
        assert item.action.action.HasField("draw")
        await peer.send(referee.accepted(item), referee.ended(handle))
        await peer.wait_for_the_end()

    bot = (
        f"""read -r joined; echo Hello; echo '{{"legal":0}}'; touch greeted; read -r news; touch news; {answering()}"""
    )
    async with scripted(script) as address:
        code, _, err = await bridge.run(address, bot)
    assert (code, err) == (0, "lines of the bot that nobody asked for were dropped: 2\n")


@pytest.mark.parametrize(
    ("bot", "how"),
    [
        ("exit 3", "the bot has ended with exit code 3"),
        ("exit 0", "the bot has ended with exit code 0"),
        ("read -r line; exec true", "the bot has ended with exit code 0"),
        ("kill -KILL $$", "the bot has ended by signal 9"),
        ("exec >&-; sleep 100", "the bot has closed its input or output"),
        ("yes | tr -d '\\n'", "the bot has written a line of more than 65536 bytes"),
        ("yes rubbish", "the bot has no tries left: what it wrote is no action: it is not JSON"),
    ],
)
async def test_bot_that_gives_up_ends_the_bridge_in_one_line(bridge: Bridge, bot: str, how: str) -> None:
    async with scripted(no_answer) as address:
        code, out, err = await bridge.run(address, bot)
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == f"python -m unoduo_client bridge: {how}"


async def test_bot_that_has_closed_its_input_is_not_asked(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await appearance(bridge.folder / "closed")
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.expect_the_end()

    async with scripted(script) as address:
        code, _, err = await bridge.run(address, "exec <&-; touch closed; sleep 100")
    assert (code, err) == (1, "python -m unoduo_client bridge: the bot has closed its input or output\n")


async def test_bot_that_floods_with_actions_is_heard_when_asked(bridge: Bridge) -> None:
    async with scripted(one_decision) as address:
        code, _, _ = await bridge.run(address, f"yes '{DRAW}'")
    assert code == 0


async def test_bot_that_hangs_is_ended_with_the_match(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await appearance(bridge.folder / "asked")
        await peer.send(referee.observed(handle, referee.decision(7)), referee.ended(handle))
        await peer.wait_for_the_end()

    bot = """trap '' TERM
        tee told | while read -r line; do
            case $line in *'"legal"'*) touch asked; while :; do sleep 100; done ;; esac
        done"""
    async with scripted(script) as address:
        code, out, err = await bridge.run(address, bot)
    assert (code, err) == (0, "")
    assert out.startswith("match 7, seat A: won ")
    assert bridge.kinds() == ["joined", "observation", "observation", "ended"]
    assert "decision" not in bridge.told()[2][1]


async def test_bot_that_reads_nothing_is_ended_with_the_match(bridge: Bridge) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        large = referee.decision()
        large.view.hand.extend([card_pb2.CARD_RED_0] * 20_000)
        await peer.send(referee.observed(handle, large))
        await asyncio.sleep(0.3)
        await peer.send(referee.ended(handle))
        await peer.wait_for_the_end()

    async with scripted(script) as address:
        code, _, err = await bridge.run(address, "sleep 100")
    assert (code, err) == (0, "")


async def test_children_of_the_bot_are_ended_with_it(bridge: Bridge) -> None:
    async with scripted(one_decision) as address:
        code, _, _ = await bridge.run(address, f"sleep 100 & {answering()}")
    assert code == 0


async def test_error_output_of_the_bot_passes_through_and_its_environment_has_no_token(bridge: Bridge) -> None:
    bot = f"env >&2; cat /proc/$$/cmdline | tr '\\0' ' ' >&2; {answering()}"
    async with scripted(one_decision) as address:
        code, _, err = await bridge.run(address, bot)
    assert code == 0
    assert f"{MARK}={bridge.mark}" in err
    assert "secret token" not in err
    assert "UNODUO_SEAT_TOKEN" not in err


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ((signal.SIGINT,), 130),
        ((signal.SIGINT, signal.SIGINT), 130),
        ((signal.SIGTERM,), 143),
        ((signal.SIGTERM, signal.SIGTERM), 143),
        ((signal.SIGHUP,), 143),
    ],
)
async def test_interrupted_bridge_takes_a_bot_that_hangs_with_it(
    bridge: Bridge, numbers: tuple[signal.Signals, ...], code: int
) -> None:
    async def script(peer: Peer) -> None:
        handle = await peer.play()
        await peer.send(referee.observed(handle, referee.decision()))
        await peer.wait_for_the_end()

    bot = "trap '' TERM HUP INT; while read -r line; do touch asked; done; while :; do sleep 100; done"
    async with scripted(script) as address:
        process = await bridge.start(address, bot)
        await appearance(bridge.folder / "asked")
        for number in numbers:
            process.send_signal(number)
            await asyncio.sleep(0.2)
        out, err = await process.communicate()
    assert all_gone(bridge.mark, END_S)
    assert (process.returncode, out, err) == (code, b"", b"")
