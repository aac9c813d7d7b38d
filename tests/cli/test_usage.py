"""What a user can get wrong is answered by one line; help and version are complete and quick."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from unoduo_client.baselines import BASELINES

from referee.adjudication.errors import Check as RulingCheck
from referee.audit.report import Check
from tests.cli.command import ROOT, unoduo

COMMANDS = [
    (),
    ("play",),
    ("serve",),
    ("match",),
    ("match", "new"),
    ("match", "list"),
    ("match", "show"),
    ("match", "watch"),
    ("match", "void"),
    ("match", "token"),
    ("match", "replay"),
    ("deal",),
    ("deal", "new"),
    ("deal", "close"),
    ("bot",),
    ("bot", "token"),
    ("bridge",),
    ("keygen",),
    ("replay",),
    ("replay", "show"),
    ("replay", "html"),
    ("replay", "stats"),
    ("replay", "export"),
    ("replay", "import"),
    ("verify",),
    ("rules",),
    ("cases",),
    ("cases", "run"),
]
_IMPORT_COUNTER = """
import sys
from referee.cli.main import main
try:
    main(["--help"])
except SystemExit:
    pass
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_of_each_command_tells_usage_and_exit_codes(command: tuple[str, ...]) -> None:
    ended = unoduo(*command, "--help")
    assert ended.code == 0
    assert ended.err == ""
    assert ended.out.startswith(f"usage: {' '.join(('unoduo', *command))} ")
    assert "exit codes:" in ended.out


def test_help_names_every_command() -> None:
    ended = unoduo("--help")
    for command in COMMANDS:
        assert not command or command[0] in ended.out


def test_help_of_play_names_every_bot() -> None:
    ended = unoduo("play", "--help")
    for name in BASELINES:
        assert re.search(rf"\b{name},\s+which ", ended.out), name


def test_help_of_verify_names_every_check() -> None:
    ended = unoduo("verify", "--help")
    listed = ended.out.partition("The checks:\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"[A-Z][A-Z_]+", listed)) == {*Check, *RulingCheck}


def test_help_needs_no_slow_import() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _IMPORT_COUNTER], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(ended.stderr.split()).isdisjoint({"grpc", "google", "rich", "unoduo"})


def test_version_is_that_of_the_distribution() -> None:
    assert unoduo("--version").out == f"unoduo {version('unoduo-referee')}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "required: COMMAND"),
        (("dance",), "invalid choice: 'dance'"),
        (("verify",), "give a replay to verify, or --index"),
        (("verify", "--loud", "x"), "unrecognized arguments: --loud"),
        (("verify", "--key", "00", "x"), "--key is a public key of 64 hex digits or a file that holds one, not '00'"),
        (("verify", "missing.unoduo"), "cannot read missing.unoduo: no such file or directory"),
        (("verify", "proto"), "cannot read proto: is a directory"),
        (("replay", "show", "missing.unoduo"), "cannot read missing.unoduo: no such file or directory"),
        (("replay", "show", "--seat", "C", "x"), "invalid choice: 'C'"),
        (("replay", "show", "--seat", "A", "--spectator", "x"), "not allowed with"),
        (("replay", "show", "--json", "--quiet", "x"), "not allowed with"),
        (("cases", "run", "missing"), "missing"),
        (("cases", "run", "pyproject.toml"), "pyproject.toml"),
        (("cases", "run", "tests/cli"), "tests/cli"),
        (("play", "gredy"), "there is no bot 'gredy'; the bots are "),
        (("play", "--seed", "12"), "a seed has 64 hex digits"),
        (("play", "--seed", "x" * 64), "a seed has 64 hex digits"),
        (("play", "--target", "0"), "--target must be 1 to 1000000, not 0"),
        (("play", "--target", "-5"), "--target must be 1 to 1000000, not -5"),
        (("play", "--target", "9" * 5000), "POINTS is a whole number, not '999"),
        (("play", "--target", "many"), "POINTS is a whole number, not 'many'"),
        (("play", "--limit-ms", "0"), "--limit-ms must be 1 to"),
        (("play", "--bank-ms", "86400001"), "--bank-ms must be 0 to"),
        (("play", "--increment-ms", "3600001"), "--increment-ms must be 0 to"),
        (("play", "--margin-ms", "60001"), "--margin-ms must be 0 to"),
        (("play", "--startup-grace-ms", "0"), "--startup-grace-ms must be 1 to"),
        (("play", "--reconnect-grace-ms", "0"), "--reconnect-grace-ms must be 1 to"),
        (("play", "--rejection-limit", "0"), "--rejection-limit must be 1 to"),
        (("play", "--max-strikes", "9999999999"), "--max-strikes must be 0 to"),
        (("play", "--forfeit-after-absence-ms", "9999999999"), "--forfeit-after-absence-ms must be 0 to"),
        (("play", "--on-expiry", "x"), "invalid choice: 'x'"),
        (("play", "--variant", "poker"), "invalid choice: 'poker'"),
        (("play", "--replay", "/dev/null/x.unoduo"), "cannot write into /dev/null: not a directory"),
        (("play", "--replay", "no/such/folder/x.unoduo"), "cannot write into no/such/folder: no such file"),
        (("play", "--replay", "/sys/x.unoduo"), "cannot write into /sys: "),
        (("play", "--replay", "tests"), "cannot write tests: it is a directory"),
        (("serve", "--host", "0.0.0.0"), "is not a loopback address"),
        (("serve", "--host", "example.org"), "is not a loopback address"),
        (("serve", "--store", ""), "--store needs the name of a directory, or `memory`"),
        (("serve", "--store", "pyproject.toml"), "--store needs a directory, or `memory`; pyproject.toml is a file"),
        (("serve", "--tls-cert", "x"), "--tls-cert and --tls-key go together"),
        (("serve", "--tls-key", "x"), "--tls-cert and --tls-key go together"),
        (("serve", "--tls-cert", "no.pem", "--tls-key", "no.pem"), "cannot read no.pem: No such file"),
        (("serve", "--host", "0.0.0.0", "--insecure"), "it needs --organiser-token"),
        (("serve", "--organiser-token", "pyproject.toml"), "pyproject.toml"),
        (("serve", "--organiser-token", "no/such/folder/x"), "cannot write no/such/folder/x: no such file"),
        (("serve", "--limit", "max_fun=1"), "there is no limit 'max_fun'; the limits are max_open_matches, "),
        (("serve", "--limit", "max_seats"), "max_seats is a whole number from 1 to 2147483647 such as max_seats=1024"),
        (("serve", "--limit", "max_seats=-1"), "max_seats is a whole number from 1 to"),
        (("serve", "--limit", "max_seats=0"), "max_seats is a whole number from 1 to"),
        (("serve", "--limit", "max_seats=1.5"), "max_seats is a whole number from 1 to"),
        (("serve", "--limit", "write_patience_s=nan"), "write_patience_s is a number from 1 to"),
        (("serve", "--port", "70000"), "--port must be 0 to 65535, not 70000"),
        (("serve", "--port", "-1"), "--port must be 0 to 65535, not -1"),
        (("serve", "--port", "0", "--store", "/dev/null/store"), "/dev/null/store cannot be used as a store"),
        (("match", "list", "--address", "127.0.0.1:1"), "there is no referee at 127.0.0.1:1"),
        (("match", "list", "--address", "nowhere"), "there is no referee at nowhere"),
        (("match", "list", "--token-file", "no/file"), "cannot read no/file: no such file or directory"),
        (("match", "list", "--tls-ca", "no/file"), "cannot read no/file: no such file or directory"),
        (("match", "list", "--tls-ca", "x", "--insecure"), "not allowed with"),
        (("match", "token", "1", "C"), "invalid choice: 'C'"),
        (("bot", "token"), "required: NAME"),
        (("bridge", "--address", "x", "--", "sh"), "give either --match and --seat or --assigned"),
        (("bridge", "--address", "x"), "required: COMMAND"),
        (("bridge", "--address", "x", "--assigned", "--", "no/such"), "there is no program 'no/such'"),
        (("bridge", "--address", "x", "--assigned", "--", "sh"), "no token: set UNODUO_BOT_TOKEN or give"),
        (("keygen",), "one of the arguments --tls --signing is required"),
        (("keygen", "--tls", "/dev/null/x"), "cannot write into /dev/null/x: not a directory"),
        (("keygen", "--tls", "/dev/null/x", "--name", "a b"), "'a b' is no host name"),
        (("match", "new", "one"), "a match has two players, not 1"),
        (("match", "new", "--target", "0"), "--target must be 1 to 1000000, not 0"),
        (("match", "show", "x"), "'x' is neither the number of a match nor an id of 32 hex digits"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_mistake_is_answered_by_one_line_and_code_two(arguments: tuple[str, ...], words: str) -> None:
    ended = unoduo(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert words in ended.complaint()


def test_reader_that_leaves_early_is_no_error(replay_file: Path) -> None:
    command = f"{sys.executable} -m referee replay show {replay_file} | head -1; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert ended.stdout.startswith("match 1 ")


def _in_shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("arguments", ["rules", "verify {file}", "replay show {file}"])
def test_full_output_is_one_line(arguments: str, replay_file: Path) -> None:
    ended = _in_shell(f"{sys.executable} -m referee {arguments.format(file=replay_file)} > /dev/full")
    assert ended.returncode == 2
    assert ended.stderr == "unoduo: no space left on device\n"


@pytest.mark.parametrize(
    ("closed", "shown"),
    [(">&-", False), ("2>&-", True), ("<&-", True), ("<&- >&- 2>&-", False)],
    ids=lambda it: str(it),
)
def test_closed_stream_is_no_error(closed: str, shown: bool, replay_file: Path) -> None:
    ended = _in_shell(f"{sys.executable} -m referee verify {replay_file} {closed}")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"{replay_file}: ok") is shown


def test_path_that_is_too_long_is_one_line() -> None:
    ended = unoduo("cases", "run", "x" * 5000)
    assert ended.code == 2
    assert ended.complaint().endswith("file name too long")


def test_name_that_could_steer_a_terminal_does_not() -> None:
    assert unoduo("verify", "a\x1b[2Jb").complaint() == "cannot read a?[2Jb: no such file or directory"
