"""What a boxed bot can reach; skipped where bubblewrap is missing or may not work."""

import asyncio
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from referee.arena.boxes import BoxOrder, running_box
from referee.arena.sandbox import Bubblewrap, works
from referee.arena.specification import BotLimits
from tests.arena.cups import cup, row, run
from tests.arena.processes import text_of, until

# Of nobody: these bots call no referee.
PORT = 40_000
# Tells by a line what a bot has found out of the other one.
MEETING = """
import ctypes, fcntl, os, socket, sys, time
who, meeting, sees = sys.argv[1], sys.argv[2], sys.argv[3]
libc = ctypes.CDLL(None, use_errno=True)

def attempt(what, work):
    try:
        if work():
            print(what, flush=True)
    except OSError:
        pass

ADD, GET = {"x86_64": (248, 249)}.get(os.uname().machine, (217, 218))
locked, read = open(meeting), open(meeting)
if who == "A":
    attempt("locked", lambda: fcntl.flock(locked, fcntl.LOCK_EX) is None)
    attempt("key", lambda: libc.syscall(ADD, b"user", b"deal", b"7", 1, -3) > 0)
    attempt("note", lambda: open("/tmp/referee/note", "w"))
    attempt("hint", lambda: fcntl.fcntl(locked, 1036, (3).to_bytes(8, "little")))
    fcntl.lockf(read, fcntl.LOCK_SH)
    print("ready", flush=True)
    time.sleep(600)
watch = libc.inotify_init()
attempt("watched", lambda: libc.inotify_add_watch(watch, meeting.encode(), 0x20) >= 0)
attempt("lock", lambda: fcntl.flock(locked, fcntl.LOCK_EX | fcntl.LOCK_NB) is None)
attempt("reader", lambda: fcntl.fcntl(read, fcntl.F_GETLK, bytes([1, 0]) + bytes(30))[:2] == bytes(2))
attempt("key", lambda: libc.syscall(GET, b"user", b"deal", None, -3) > 0)
attempt("folder", lambda: any("unoduo-" in name for name in os.listdir(sees)))
attempt("service", lambda: socket.socket(socket.AF_UNIX).connect(sees + "/service") is None)
attempt("pipe", lambda: os.open(sees + "/pipe", os.O_RDWR))
attempt("taken over", lambda: open(f"/proc/{os.getppid()}/mem", "r+b"))
attempt("traced", lambda: libc.ptrace(16, os.getppid(), 0, 0) == 0)
"""


@pytest.fixture
async def program() -> str:
    found = shutil.which("bwrap")
    if found is None or not await works(found):
        pytest.skip("bubblewrap does not work here")
    return found


async def test_program_that_is_no_sandbox_does_not_work() -> None:
    assert not await works("false")


async def test_tournament_of_boxed_bots_is_marked_so(tmp_path: Path, program: str) -> None:
    standings = await run(cup(tmp_path, "greedy", "random", pairs=2))
    assert standings["lanes"] == "boxed"
    assert row(standings, "0 greedy")["faults"]["total"] == row(standings, "1 random")["faults"]["total"] == 0


async def test_sandbox_can_be_left_out(tmp_path: Path, program: str) -> None:
    assert (await run(cup(tmp_path, "greedy", "random", pairs=1, sandbox=False)))["lanes"] == "on honour"


async def test_boxed_bot_reaches_its_folder_and_the_referee_alone(tmp_path: Path, program: str) -> None:
    hidden, own, seed = tmp_path / "cup", tmp_path / "cup" / "own", tmp_path / "cup.seed"
    own.mkdir(parents=True)
    seed.write_text("secret")
    for file in (hidden / "replay", tmp_path / "bot.txt"):
        file.write_text("text\n")

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    referee = await asyncio.start_server(answer, "127.0.0.1", 0)
    other = await asyncio.start_server(answer, "127.0.0.1", 0)
    port, other_port = (server.sockets[0].getsockname()[1] for server in (referee, other))
    # Each line tells what was reached.
    script = f"""
cat {seed} {hidden}/replay {tmp_path}/bot.txt
touch {tmp_path}/new && echo wrote outside
touch {own}/new && echo wrote inside
exec 3<>/dev/tcp/127.0.0.1/{port} && echo hello >&3 && cat <&3
(exec 4<>/dev/tcp/127.0.0.1/{other_port}) && echo reached another port
kill -0 {os.getpid()} && echo saw the runner
exit 7
"""
    order = BoxOrder(("bash", "-c", script), {"PATH": "/usr/bin:/bin"}, own, tmp_path / "log", BotLimits())
    async with (
        referee,
        other,
        Bubblewrap(program, port, tmp_path, hidden, seed).around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(20),
    ):
        assert await box.exit_code() == 7
    told = [line for line in text_of(tmp_path / "log").splitlines() if ": " not in line]
    assert told == ["text", "wrote inside", "hello"]
    # In memory alone.
    assert not (own / "new").exists()


async def test_boxed_bot_cannot_take_its_box_apart(tmp_path: Path, program: str) -> None:
    seed = tmp_path / "cup.seed"
    seed.write_text("secret\n")
    script = f"""
umount -l {seed} && cat {seed}
umount -l {tmp_path}/hidden && echo uncovered
mount -o remount,bind,rw / && echo may write everywhere
[ -w /proc/sys/kernel/core_pattern ] && echo may set how the machine works
grep CapEff /proc/self/status
"""
    assert (await output_of(program, tmp_path, script))[-1].split() == ["CapEff:", "0" * 16]
    assert not {"secret", "uncovered", "may write everywhere", "may set how the machine works"} & set(
        text_of(tmp_path / "log").splitlines()
    )


async def test_seed_and_results_are_hidden_wherever_links_lead(tmp_path: Path, program: str) -> None:
    vault, home = tmp_path / "vault", tmp_path / "home"
    (vault / "cup").mkdir(parents=True)
    home.mkdir()
    (vault / "seed").write_text("secret\n")
    (home / "cup.seed").symlink_to(vault / "seed")
    (home / "cup").symlink_to(vault / "cup")
    spy = ["bash", "-c", f"cat {home}/cup.seed {vault}/seed; ls {home}/cup {vault}/cup; sleep 600"]
    asked = cup(home, spy, spy, pairs=1, clock={"startup_grace_ms": 1_000})
    assert (await run(asked))["lanes"] == "boxed"
    (log,) = asked.output.glob("logs/player-1-lane-1.log")
    assert "secret" not in text_of(log)
    assert not any(name in text_of(log) for name in ("tournament.json", "referee", "replays"))


async def test_boxed_bots_share_nothing_by_which_they_could_talk(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where temporary files are may be told to a program, and must be no place to meet.
    with tempfile.TemporaryDirectory(prefix="unoduo-test-", dir="/var") as sees:
        monkeypatch.setattr(tempfile, "tempdir", sees)
        os.mkfifo(f"{sees}/pipe")
        service = await asyncio.start_unix_server(lambda _, writer: writer.close(), f"{sees}/service")
        async with service, asyncio.timeout(20):
            words = [("A", "/etc/passwd", sees), ("B", "/etc/passwd", sees)]
            (one, other) = [
                order_of(tmp_path, name, sys.executable, "-c", MEETING, name, *rest) for name, *rest in words
            ]
            sandbox = sandbox_of(program, tmp_path)
            async with sandbox.around(one) as first, running_box(first):
                await until(lambda: "ready" in text_of(one.log))
                async with sandbox.around(other) as second, running_box(second) as box:
                    assert await box.exit_code() == 0
    assert text_of(one.log) == "ready\n"
    assert text_of(other.log) == ""


async def test_what_a_boxed_bot_writes_is_limited(tmp_path: Path, program: str) -> None:
    places = f"{tmp_path}/own /tmp /var/tmp /run /dev /dev/shm {tmp_path}/hidden /tmp/referee"
    script = f"""
for place in {places}; do
    head -c 3M /dev/zero > $place/large && echo $place
    head -c 512K /dev/zero > $place/large && echo small $place
done 2>/dev/null
echo end
"""
    told = await output_of(program, tmp_path, script, files_mib=1)
    assert told == [*(f"small {place}" for place in (tmp_path / "own", "/tmp", "/var/tmp", "/run", "/dev/shm")), "end"]


async def test_box_leaves_no_file_but_with_the_lanes(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nor does a long path of these matter to its socket.
    deep = tmp_path / ("lanes" * 30)
    deep.mkdir()
    order = replace(order_of(tmp_path, "own", "true"), folder=deep / "own")
    order.folder.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    async with sandbox_of(program, tmp_path).around(order):
        assert [file.name for folder in deep.iterdir() for file in folder.iterdir()] == ["socket"]
        assert not [*temporary.iterdir()]
    assert [folder.name for folder in deep.iterdir()] == ["own"]


async def test_boxed_bot_has_few_connections_at_once(tmp_path: Path, program: str) -> None:
    code = """
import socket
def connect():
    connection = socket.create_connection(("127.0.0.1", PORT))
    connection.settimeout(10)
    return connection
def is_heard(connection):
    try:
        connection.sendall(b"hello")
        return bool(connection.recv(5))
    except OSError:
        return False
some = [connect() for _ in range(200)]
print(sum(map(is_heard, some)), flush=True)
for connection in some:
    connection.close()
while not is_heard(connect()):
    pass
print("heard again", flush=True)
"""
    at_once = most = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        while data := await reader.read(5):
            writer.write(data)
        writer.close()
        at_once -= 1

    referee = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = referee.sockets[0].getsockname()[1]
    order = order_of(tmp_path, "own", sys.executable, "-c", code.replace("PORT", str(port)))
    async with (
        referee,
        replace(sandbox_of(program, tmp_path), port=port).around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(30),
    ):
        assert await box.exit_code() == 0
    assert text_of(order.log) == "32\nheard again\n"
    assert most == 32


def sandbox_of(program: str, tmp_path: Path) -> Bubblewrap:
    (tmp_path / "hidden").mkdir(exist_ok=True)
    return Bubblewrap(program, PORT, tmp_path, tmp_path / "hidden", tmp_path / "cup.seed")


def order_of(tmp_path: Path, name: str, *command: str, **limits: int) -> BoxOrder:
    own = tmp_path / name
    own.mkdir()
    environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
    return BoxOrder(command, environment, own, tmp_path / f"{name}.log", BotLimits(**limits))


async def output_of(program: str, tmp_path: Path, script: str, **limits: int) -> list[str]:
    """Returns what a script tells that runs in a box."""
    order = replace(order_of(tmp_path, "own", "bash", "-c", script, **limits), log=tmp_path / "log")
    async with (
        sandbox_of(program, tmp_path).around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(20),
    ):
        await box.exit_code()
    return text_of(tmp_path / "log").splitlines()


async def test_boxed_bot_sees_the_packages_of_this_python_wherever_they_are(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("packages", "shown", "hidden", "own")]
    for folder in folders:
        folder.mkdir()
    packages, shown, hidden, own = folders
    (packages / "bot.py").write_text("text\n")
    monkeypatch.syspath_prepend(packages)
    order = BoxOrder(("cat", str(packages / "bot.py")), {"PATH": "/usr/bin:/bin"}, own, tmp_path / "log", BotLimits())
    async with (
        Bubblewrap(program, PORT, shown, hidden, tmp_path / "seed").around(order) as boxed,
        running_box(boxed) as box,
        asyncio.timeout(20),
    ):
        assert await box.exit_code() == 0
    assert text_of(tmp_path / "log") == "text\n"
