"""The commands of README.md run as they are written, from the first to the last."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT, blocks, commands

README = (ROOT / "README.md").read_text(encoding="utf-8")
# What would run these tests again, and what only prepares a shell.
NOT_RUN = ("make test", ". .venv/bin/activate")
SERVE = "unoduo serve "
NEW = "unoduo match new "
_PORT = "7878"


@pytest.fixture
def port() -> str:
    """A free port in the place of the one that the README names."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def environment(port: str) -> dict[str, str]:
    """The environment of an activated shell whose referee listens on the free port."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    # A make that runs these tests, and what it was given, must not show in what the README's make prints.
    of_make = re.compile(r"MAKE.*|MFLAGS|ARGS|N")
    outer = {name: value for name, value in os.environ.items() if not of_make.fullmatch(name)}
    return {**outer, "PATH": path, "UNODUO_ADDRESS": f"127.0.0.1:{port}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of its own that has what the README's paths lead to."""
    for name in ("clients", "proto"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def serving(port: str, environment: dict[str, str], folder: Path) -> Iterator[None]:
    """The referee of the README's first terminal; it must stop on SIGTERM."""
    command = next(line for line in commands(README) if line.startswith(SERVE))
    arguments = command.replace(_PORT, port).split()
    with subprocess.Popen(arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == f"serving on 127.0.0.1:{port}, store matches\n"
            yield
        finally:
            server.terminate()
            assert server.wait(timeout=10) == 0


def _run(script: str, folder: Path, environment: dict[str, str]) -> str:
    """Returns what a script prints. Fails if one of its commands does, those in the background too."""
    # The shell ends with the code of the last command; one in the background is waited for by its number.
    script = script.replace(" &\n", " & first=$!\n")
    if "first=$!" in script:
        script += "wait $first\n"
    ended = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stderr == ""
    return ended.stdout


def test_play_by_make_ends_as_the_readme_shows(environment: dict[str, str]) -> None:
    shown = next(block for block in blocks(README, "text") if "verify: ok" in block)
    told = _run("make play", ROOT, environment)
    assert _shape(told)[-4:] == _shape(shown)[-4:]
    assert _shape(shown)[0] in _shape(told)


@pytest.mark.usefixtures("serving")
def test_match_of_two_bots_is_created_played_shown_and_verified(
    port: str, environment: dict[str, str], folder: Path
) -> None:
    written = [block for block in blocks(README, "sh") if not block.startswith((*NOT_RUN, "make", SERVE))]
    assert len(written) == 4
    outputs = []
    for block in written:
        outputs.append(_run(block.replace(_PORT, port), folder, environment))
        if block.startswith(NEW):
            environment |= _handed_out(outputs[-1])
    played, looked = outputs[1], outputs[2]
    # Both bots write to one output, and not always a whole line at a time.
    assert re.search(r"match 1, seat A: (won|lost) ", played)
    assert re.search(r"match 1, seat B: (won|lost) ", played)
    assert "Ann against Bob: " in looked
    assert "first.unoduo: ok\n" in looked
    assert outputs[3].endswith(" cases, 0 failed\n")


@pytest.mark.usefixtures("serving")
def test_organiser_of_the_client_readme_runs(port: str, environment: dict[str, str], folder: Path) -> None:
    client_readme = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
    (script,) = [block for block in blocks(client_readme, "python") if "asyncio.run" in block]
    (folder / "organiser.py").write_text(script.replace(_PORT, port), encoding="utf-8")
    printed = _run("python organiser.py", folder, environment)
    assert printed.count("TERMINATION_TARGET") == 2
    assert "match.unoduo: ok\n" in _run("unoduo verify match.unoduo", folder, environment)


def test_help_is_there_as_the_readme_says(environment: dict[str, str]) -> None:
    assert _run("unoduo --help", ROOT, environment).startswith("usage: unoduo ")


def test_make_targets_of_the_documents_exist(environment: dict[str, str]) -> None:
    listed = set(re.findall(r"^  make ([a-z-]+)", _run("make", ROOT, environment), re.MULTILINE))
    documents = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "tests/README.md"))
    named = set(re.findall(r"`?make ([a-z-]+)", documents))
    assert {"play", "test"} <= named <= listed


def _handed_out(text: str) -> dict[str, str]:
    """Returns what `match new` prints for the bots, as the README asks to keep it."""
    match = re.search(r"^match \d+, id ([0-9a-f]{32})$", text, re.MULTILINE)
    tokens = re.findall(r"^seat ([AB]), token (\S+);", text, re.MULTILINE)
    assert match
    return {"MATCH": match[1], **{f"TOKEN_{seat}": token for seat, token in tokens}}


def _shape(text: str) -> list[str]:
    """Returns the lines with all that changes from match to match taken out."""
    return [re.sub(r"\S*unoduo replay|[0-9a-f]{32}|\d+|A wins|B wins|rounds?", "*", line) for line in text.splitlines()]
