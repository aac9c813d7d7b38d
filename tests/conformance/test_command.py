"""`unoduo conformance` as its user meets it."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from referee.conformance.catalogue import CHECKS
from tests.cli.command import ROOT, unoduo
from tests.cli.processes import MARK, all_gone, marked

GREEDY = shlex.join([sys.executable, "-m", "unoduo_client", "greedy"])


@pytest.fixture(autouse=True)
def signals_are_heeded() -> Iterator[None]:
    """Commands started by tests that run in the background would ignore SIGINT with them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_list_names_every_check_and_what_it_expects() -> None:
    run = unoduo("conformance", "--list")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == [f"{check.name}: {check.expected}" for check in CHECKS]
    as_json = [
        json.loads(line) for line in unoduo("conformance", "--list", "--json", "--only", "cut-*").out.splitlines()
    ]
    assert {one["name"] for one in as_json} == {check.name for check in CHECKS if check.name.startswith("cut-")}


def test_names_of_checks_are_unique() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_readme_counts_the_checks_and_has_each_in_its_table() -> None:
    readme = (ROOT / "clients" / "README.md").read_text(encoding="utf-8")
    assert f"{len(CHECKS) - 1} of {len(CHECKS)} checks passed" in readme
    table = readme.split("| Checks |", 1)[1].split("\n\n", 1)[0]
    patterns = [name for row in table.splitlines()[2:] for name in re.findall("`([^`]+)`", row.split("|")[1])]
    names = [check.name for check in CHECKS]
    assert not [name for name in names if not any(fnmatchcase(name, pattern) for pattern in patterns)]
    assert not [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in names)]


def test_a_line_tells_what_was_expected_and_what_came() -> None:
    run = unoduo("conformance", "--bot", GREEDY, "--only", "zero")
    assert (run.code, run.err) == (0, "")
    line, score = run.out.splitlines()
    assert re.fullmatch(r"ok    zero: cut before .+ \| it played to the end, \d+ decisions over 2 connections", line)
    assert score == "1 of 1 checks passed"


def test_quiet_prints_nothing() -> None:
    run = unoduo("conformance", "--bot", GREEDY, "--only", "zero", "--quiet")
    assert (run.code, run.out, run.err) == (0, "", "")


def test_a_failure_names_a_file_with_what_the_client_wrote(tmp_path: Path) -> None:
    bot = shlex.join([sys.executable, "-c", "import sys; sys.exit('no idea')"])
    run = unoduo("conformance", "--bot", bot, "--only", "zero", env={"TMPDIR": str(tmp_path)})
    assert (run.code, run.err) == (1, "")
    line, score = run.out.splitlines()
    found = re.fullmatch(r"FAIL  zero: .+ \| it ended with exit code 1 instead of 0 \(log: (.+)\)", line)
    assert found is not None, line
    assert Path(found[1]).read_text() == "no idea\n"
    assert score == "0 of 1 checks passed"


def test_nothing_is_left_of_what_passed(tmp_path: Path) -> None:
    assert unoduo("conformance", "--bot", GREEDY, "--only", "zero", env={"TMPDIR": str(tmp_path)}).code == 0
    assert [path.name for path in tmp_path.iterdir()] == []


def test_options_take_the_place_of_a_word_of_the_command(tmp_path: Path) -> None:
    record = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(' '.join(sys.argv[2:]))"
    bot = shlex.join([sys.executable, "-c", record, str(tmp_path / "seen"), "{}", "--", "last"])
    assert unoduo("conformance", "--bot", bot, "--only", "zero").code == 1
    seen = (tmp_path / "seen").read_text()
    pattern = r"--address 127\.0\.0\.1:\d+ --match [0-9a-f]{32} --seat A --journal \S+ --patience 60 -- last"
    assert re.fullmatch(pattern, seen), seen


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--bot", "/no/such/program"), "cannot start /no/such/program: no such file or directory"),
        (("--bot", GREEDY, "--only", "zeero"), "no check is named zeero (see unoduo conformance --list)"),
        (("--bot", "'"), "argument --bot: COMMAND cannot be read: no closing quotation"),
        (("--bot", ""), "argument --bot: COMMAND is empty"),
        (("--bot", GREEDY, "--timeout", "0"), "argument --timeout: SECONDS is above 0 and at most 3600, not '0'"),
        ((), "one of the arguments --bot --list is required"),
    ],
)
def test_what_cannot_be_checked_is_told_in_a_line(arguments: tuple[str, ...], complaint: str) -> None:
    run = unoduo("conformance", *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.complaint().startswith(complaint)


def test_client_is_interrupted_also_by_a_kit_in_the_background() -> None:
    # What a shell starts in the background ignores SIGINT, and so does what that starts.
    kit = shlex.join([sys.executable, "-m", "referee", "conformance", "--only", "assigned", "--bot", GREEDY])
    run = subprocess.run(["sh", "-c", f"trap '' INT; exec {kit}"], cwd=ROOT, capture_output=True, text=True, timeout=90)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout


def test_ctrl_c_ends_it_quietly_with_its_client(tmp_path: Path) -> None:
    waiting = shlex.join([sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"])
    mark = str(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "conformance", "--bot", waiting],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path), MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while len(marked(mark)) < 2 or not any(log.stat().st_size for log in tmp_path.glob("*/*/bot.log")):
            assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")
    assert all_gone(mark, within_s=10)
