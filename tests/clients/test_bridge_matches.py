"""The example bots over the bridge against `greedy` at a real referee: whole matches, their replays and journals."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ROOT, unoduo
from tests.cli.serving import Served, served
from tests.docs.markdown import blocks

EXAMPLES = ROOT / "clients" / "bridge"
SH_BOT = (str(EXAMPLES / "sh_bot.sh"),)
JQ_BOT = (str(EXAMPLES / "jq_bot.sh"),)
NEEDS_JQ = pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
# Asks nobody: exits when it is asked for the fifth time.
SHORT_LIVED = """n=0; while read -r line; do
    case $line in *'"legal"'*) n=$((n + 1)); [ $n -lt 5 ] || exit 0; echo '{"legal":0}' ;; esac
done"""
# Hands its lines to the bot in its second argument, the fourteenth a little later.
THOUGHTFUL = """n=0; while IFS= read -r line; do
    n=$((n + 1))
    if [ $n = 14 ]; then touch "$1/thinking"; until [ -e "$1/enough" ]; do sleep 0.02; done; fi
    printf '%s\\n' "$line"
done | "$2" """
RESULT = r"match {number}, seat {seat}: (won|lost|no winner) \((TARGET|ROUND_CAP)\), A \d+ : \d+ B after \d+ rounds?\n"


@pytest.fixture(scope="module")
def referee() -> Iterator[Served]:
    with served() as server:
        yield server


def new_match(referee: Served, *arguments: str) -> dict[str, Any]:
    made = unoduo("match", "new", *arguments, "--target", "1", "--json", "--address", referee.address)
    assert made.code == 0, made.err
    created: dict[str, Any] = json.loads(made.out)
    return created


def start(arguments: Sequence[str | Path], token: Mapping[str, str], bot: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Starts a baseline, or a bot over the bridge."""
    command = [sys.executable, "-m", "unoduo_client", *map(str, arguments), *(("--", *bot) if bot else ())]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNODUO")}
    return subprocess.Popen(
        command, env={**environment, **token}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def in_seat(referee: Served, match: dict[str, Any], seat: str, journal: Path, name: str = "bridge") -> list[str | Path]:
    return [name, "--address", referee.address, "--match", match["match_id"], "--seat", seat, "--journal", journal]


def seat_token(match: dict[str, Any], seat: str) -> dict[str, str]:
    return {"UNODUO_SEAT_TOKEN": match["seat_tokens"][seat]}


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Returns exit code, output and error output of a process that ends by itself."""
    try:
        out, err = process.communicate(timeout=90)
    finally:
        process.kill()
    return process.returncode, out, err


def verify(referee: Served, match: dict[str, Any], *journals: Path) -> None:
    """Checks that the replay verifies with the journals, and that no action was refused."""
    folder = journals[-1].parent
    replay = folder / f"{match['number']}.unoduo"
    fetched = unoduo("match", "replay", str(match["number"]), replay, "--address", referee.address)
    assert fetched.code == 0, fetched.err
    evidence = [part for journal in journals for part in ("--journal", journal)]
    verified = unoduo("verify", *evidence, replay)
    assert (verified.code, verified.err) == (0, "")
    assert verified.out.startswith(f"{replay}: ok\n")
    exported = unoduo("replay", "export", "--json", replay)
    assert '"tries"' not in exported.out
    assert '"expired"' not in exported.out


@pytest.mark.parametrize("bot", [pytest.param(JQ_BOT, marks=NEEDS_JQ, id="jq"), pytest.param(SH_BOT, id="sh")])
@pytest.mark.parametrize("seat", ["A", "B"])
def test_example_plays_a_match_that_verifies_with_both_journals(
    bot: tuple[str, ...], seat: str, referee: Served, tmp_path: Path
) -> None:
    match = new_match(referee, "example", "greedy")
    other = "AB"["BA".index(seat)]
    journals = tmp_path / f"{seat}.journal", tmp_path / f"{other}.journal"
    bridge = start(in_seat(referee, match, seat, journals[0]), seat_token(match, seat), bot)
    greedy = start(in_seat(referee, match, other, journals[1], "greedy"), seat_token(match, other))
    code, out, err = ended(bridge)
    assert (code, err) == (0, "")
    assert re.fullmatch(RESULT.format(number=match["number"], seat=seat), out)
    assert ended(greedy)[0] == 0
    verify(referee, match, *journals)


def test_bridge_plays_all_matches_of_its_bot_at_once(referee: Served, tmp_path: Path) -> None:
    tokens = {}
    for name in ("lines", "rival"):
        made = unoduo("bot", "token", name, "--address", referee.address)
        tokens[name] = {"UNODUO_BOT_TOKEN": made.out.strip()}
    matches = [new_match(referee, "--bot-a", "lines", "--bot-b", "rival") for _ in range(4)]
    where = ("--address", referee.address, "--assigned", "--journal")
    bridge = start(("bridge", *where, tmp_path / "lines"), tokens["lines"], SH_BOT)
    rival = start(("greedy", *where, tmp_path / "rival"), tokens["rival"])
    assert bridge.stdout is not None
    try:
        results = sorted((bridge.stdout.readline() for _ in matches), key=lambda line: int(line.split()[1][:-1]))
    finally:
        bridge.terminate()
        rival.terminate()
        errors = [process.communicate(timeout=30)[1] for process in (bridge, rival)]
    assert errors == ["", ""]
    assert bridge.returncode == 143
    for match, result in zip(matches, results, strict=True):
        assert re.fullmatch(RESULT.format(number=match["number"], seat="A"), result)
        kept = [path for name in tokens for path in (tmp_path / name).glob(f"{match['match_id']}-*.journal")]
        assert len(kept) == 2
        verify(referee, match, *kept)


def test_another_bridge_takes_the_seat_of_a_bot_that_has_ended(referee: Served, tmp_path: Path) -> None:
    match = new_match(referee, "short-lived", "greedy")
    greedy = start(in_seat(referee, match, "B", tmp_path / "B.journal", "greedy"), seat_token(match, "B"))
    first = start(
        in_seat(referee, match, "A", tmp_path / "first.journal"), seat_token(match, "A"), ("sh", "-c", SHORT_LIVED)
    )
    code, out, err = ended(first)
    assert (code, out) == (1, "")
    assert err == "python -m unoduo_client bridge: the bot has ended with exit code 0\n"
    second = start(in_seat(referee, match, "A", tmp_path / "second.journal"), seat_token(match, "A"), SH_BOT)
    code, out, err = ended(second)
    assert (code, err) == (0, "")
    assert ended(greedy)[0] == 0
    verify(referee, match, *tmp_path.glob("*.journal"))


def test_command_of_the_document_plays_a_match(referee: Served, tmp_path: Path) -> None:
    match = new_match(referee, "example", "greedy")
    greedy = start(in_seat(referee, match, "B", tmp_path / "B.journal", "greedy"), seat_token(match, "B"))
    text = (ROOT / "clients" / "README.md").read_text(encoding="utf-8")
    (command,) = [block for block in blocks(text, "sh") if "unoduo bridge" in block]
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "XDG_STATE_HOME": str(tmp_path),
        "MATCH": match["match_id"],
        "TOKEN_A": match["seat_tokens"]["A"],
    }
    run = subprocess.run(
        ["sh", "-c", command.replace("7878", referee.port)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert re.fullmatch(RESULT.format(number=match["number"], seat="A"), run.stdout)
    assert ended(greedy)[0] == 0
    (journal,) = (tmp_path / "unoduo" / "journals").iterdir()
    verify(referee, match, journal, tmp_path / "B.journal")


def test_match_goes_on_when_the_referee_is_started_again_while_the_bot_thinks(tmp_path: Path) -> None:
    with served("--store", tmp_path / "store") as referee:
        match = new_match(referee, "thoughtful", "greedy")
        greedy = start(in_seat(referee, match, "B", tmp_path / "B.journal", "greedy"), seat_token(match, "B"))
        bot = ("sh", "-c", THOUGHTFUL, "bot", str(tmp_path), *SH_BOT)
        bridge = start(in_seat(referee, match, "A", tmp_path / "A.journal"), seat_token(match, "A"), bot)
        while not (tmp_path / "thinking").exists():
            assert bridge.poll() is None
            time.sleep(0.02)
    with served("--store", tmp_path / "store", "--port", referee.port) as referee:
        (tmp_path / "enough").touch()
        code, out, err = ended(bridge)
        assert (code, err) == (0, "")
        assert re.fullmatch(RESULT.format(number=match["number"], seat="A"), out)
        assert ended(greedy)[0] == 0
        verify(referee, match, tmp_path / "A.journal", tmp_path / "B.journal")
    assert '"resumed"' in unoduo("replay", "export", "--json", tmp_path / f"{match['number']}.unoduo").out


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*_bot*")), ids=lambda path: path.name)
def test_example_is_short_and_can_be_run(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) < 30
    assert os.access(example, os.X_OK)


def test_all_examples_are_looked_at() -> None:
    assert {str(example) for example in EXAMPLES.glob("*_bot*")} == {*SH_BOT, *JQ_BOT}
