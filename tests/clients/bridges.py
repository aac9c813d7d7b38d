"""Bridges as processes, at a referee that does what a test tells it, with bots that are shell scripts."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

from tests.cli.processes import MARK, all_gone
from tests.clients import scripted as referee
from tests.clients.scripted import MATCH_ID, Peer

DRAW = '{"draw":{}}'
END_S = 30.0  # hang guard


def answering(answer: str = DRAW, thinking: str = "") -> str:
    """Returns a bot that gives the same answer whenever it is asked, and keeps what it is told in the file `told`."""
    return f"""while read -r line; do
        printf '%s\\n' "$line" >> told
        case $line in *'"legal"'*) {thinking} printf '%s\\n' '{answer}' ;; esac
    done"""


class Bridge:
    """Runs bridges in a folder of their own, and knows the mark of what they start."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mark = str(folder)

    async def start(self, address: str, bot: str, *arguments: str) -> Process:
        """Starts a bridge with a bot that is a shell script."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("UNODUO")}
        what = () if "--assigned" in arguments else ("--match", MATCH_ID.hex(), "--seat", "A")
        environment |= {"UNODUO_SEAT_TOKEN" if what else "UNODUO_BOT_TOKEN": "secret token", MARK: self.mark}
        command = ("-m", "unoduo_client", "bridge", "--address", address, *what, "--no-journal", *arguments)
        return await asyncio.create_subprocess_exec(
            sys.executable, *command, "--", "sh", "-c", bot, cwd=self.folder, env=environment, stdout=PIPE, stderr=PIPE
        )

    async def run(self, address: str, bot: str, *arguments: str) -> tuple[int | None, str, str]:
        """Runs a bridge to its end and returns exit code, output and error output; nothing of it is left behind."""
        process = await self.start(address, bot, *arguments)
        out, err = await process.communicate()
        assert all_gone(self.mark, END_S)
        return process.returncode, out.decode(), err.decode()

    def told(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns what the bot was told: the kind of each line, and what it says."""
        return [next(iter(json.loads(line).items())) for line in (self.folder / "told").read_text().splitlines()]

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told()]


async def appearance(file: Path) -> None:
    """Waits until a file is there."""
    async with asyncio.timeout(END_S):
        while not os.access(file, os.F_OK):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def one_decision(peer: Peer) -> None:
    """Asks once, takes a draw and ends the match."""
    handle = await peer.play()
    await peer.send(referee.observed(handle, referee.decision()))
    item = await peer.expect("action")
    assert item.action.action.HasField("draw"), item
    await peer.send(referee.accepted(item), referee.ended(handle))
    await peer.wait_for_the_end()


async def no_answer(peer: Peer) -> None:
    """Asks once, and hears nothing more."""
    handle = await peer.play()
    await peer.send(referee.observed(handle, referee.decision()))
    await peer.expect_the_end()
