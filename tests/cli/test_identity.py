"""A referee that asks who calls, and speaks TLS: `unoduo keygen`, `bot` and the options that go with it."""

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.audit.replay import replay
from tests.cli.command import Ended, unoduo
from tests.cli.serving import Served, served

TOKEN = re.compile(r"[A-Za-z0-9_-]{40}")


@dataclass(frozen=True)
class Guarded:
    """A referee with TLS and an organiser's token."""

    server: Served
    certificate: Path
    token_file: Path

    def call(self, *arguments: str | Path, token_file: Path | None = None) -> Ended:
        where = ("--address", self.server.address, "--tls-ca", self.certificate)
        return unoduo(*arguments, *where, "--token-file", token_file or self.token_file)

    def object(self, *arguments: str | Path) -> dict[str, Any]:
        ended = self.call(*arguments, "--json")
        assert (ended.code, ended.err) == (0, "")
        told: dict[str, Any] = json.loads(ended.out)
        return told


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    directory = tmp_path_factory.mktemp("guarded")
    made = unoduo("keygen", "--tls", directory / "tls", "--name", "referee.example")
    assert (made.code, made.err) == (0, "")
    certificate, key = map(Path, made.out.split())
    tls = ("--tls-cert", certificate, "--tls-key", key)
    with served(*tls, "--organiser-token", directory / "organiser") as server:
        yield Guarded(server, certificate, directory / "organiser")


def test_token_of_the_organiser_is_made_for_its_owner_alone(guarded: Guarded) -> None:
    assert stat.S_IMODE(guarded.token_file.stat().st_mode) == 0o600
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}\n", guarded.token_file.read_text())


def test_token_file_that_is_there_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "organiser"
    file.write_text("a token of the organiser".replace(" ", "-"))
    file.chmod(0o600)
    with served("--organiser-token", file) as server:
        where = ("--address", server.address)
        for more in ((), ("--insecure",)):
            assert unoduo("match", "list", *where, "--token-file", file, *more).code == 0
        assert unoduo("match", "list", *where).complaint() == "a token is needed (TOKEN_MISSING)"
    assert file.read_text() == "a-token-of-the-organiser"


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("a-token-of-the-organiser", 0o644, "can be read by others"),
        ("short", 0o600, "holds no token of at least 22 characters"),
        ("", 0o600, "holds no token of at least 22 characters"),
        ("a token of the organiser", 0o600, "holds no token of at least 22 characters"),
    ],
)
def test_token_file_that_is_no_good_is_one_line(tmp_path: Path, text: str, mode: int, words: str) -> None:
    file = tmp_path / "organiser"
    file.write_text(text)
    file.chmod(mode)
    ended = unoduo("serve", "--port", "0", "--organiser-token", file)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.complaint()
    assert not text or text not in ended.err


def test_whoever_has_no_token_or_another_is_refused(guarded: Guarded, tmp_path: Path) -> None:
    where = ("--address", guarded.server.address, "--tls-ca", guarded.certificate)
    nobody = unoduo("match", "list", *where)
    assert (nobody.code, nobody.complaint()) == (2, "a token is needed (TOKEN_MISSING)")
    (tmp_path / "token").write_text("another-token-than-that-of-the-organiser")
    stranger = guarded.call("match", "list", token_file=tmp_path / "token")
    assert (stranger.code, stranger.complaint()) == (2, "nobody has this token (TOKEN_UNKNOWN in authorization)")


def test_who_speaks_no_tls_or_trusts_another_hears_nothing(guarded: Guarded, tmp_path: Path) -> None:
    address = guarded.server.address
    ended = unoduo("match", "list", "--address", address)
    words = f"there is no referee at {address} (start one: unoduo serve; if it speaks TLS: --tls-ca FILE)"
    assert (ended.code, ended.complaint()) == (2, words)
    unoduo("keygen", "--tls", tmp_path, "--quiet")
    other = tmp_path / "cert.pem"
    ended = unoduo("match", "list", "--address", address, "--tls-ca", other)
    words = f"there is no referee at {address} that speaks TLS with a certificate of {other} for this name"
    assert (ended.code, ended.complaint()) == (2, words)


def test_bot_is_given_a_token_and_a_seat(guarded: Guarded) -> None:
    refused = guarded.call("match", "new", "Ann", "Bob", "--bot-b", "crow")
    assert refused.code == 2
    assert "give it a token first (BOT_UNKNOWN in players[1].bot)" in refused.complaint()
    first, second = guarded.call("bot", "token", "crow").out.strip(), guarded.object("bot", "token", "crow")["token"]
    assert TOKEN.fullmatch(first)
    assert TOKEN.fullmatch(second)
    assert first != second
    created = guarded.object("match", "new", "Ann", "Bob", "--bot-b", "crow")
    shown = guarded.object("match", "show", str(created["number"]))
    assert shown["players"] == ["Ann", "Bob"]


def test_token_of_a_match_is_replaced(guarded: Guarded, tmp_path: Path) -> None:
    created = guarded.object("match", "new")
    old = created["spectator_token"]
    new = guarded.object("match", "token", str(created["number"]), "spectators")["token"]
    seat_b = guarded.call("match", "token", created["match_id"], "B").out.strip()
    assert len({old, new, seat_b, *created["seat_tokens"].values()}) == 5
    for token, code in ((old, 2), (new, 0), (seat_b, 0)):
        (tmp_path / "token").write_text(token)
        assert guarded.call("match", "show", created["match_id"], token_file=tmp_path / "token").code == code


def test_match_is_called_off(guarded: Guarded) -> None:
    number = str(guarded.object("match", "new")["number"])
    voided = guarded.object("match", "void", number, "--reason", "rain")
    assert voided["lifecycle"] == "ENDED"
    assert voided["outcome"]["termination"] == "VOID_ORGANISER"
    assert "MATCH_ENDED" in guarded.call("match", "void", number).complaint()


def test_match_is_watched_to_its_end(guarded: Guarded, tmp_path: Path) -> None:
    created = guarded.object("match", "new", "Ann", "Bob")
    number = str(created["number"])
    guarded.call("match", "void", number, "--reason", "rain")
    told = guarded.call("match", "watch", number)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert lines[0].startswith(f"match {number} ({created['match_id']})")
    assert lines[1] == "Ann (A) against Bob (B)"
    assert "rain" in lines[3]
    assert lines[-1].startswith("result: ")
    (tmp_path / "token").write_text(created["spectator_token"])
    objects = guarded.call("match", "watch", created["match_id"], "--json", token_file=tmp_path / "token").out
    header, *events, result = [json.loads(line) for line in objects.splitlines()]
    assert header["match_id"] == created["match_id"]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert result["outcome"]["termination"] == "VOID_ORGANISER"


def test_limit_is_set() -> None:
    with served("--limit", "max_open_matches=1", "--limit", "write_patience_s=2.5") as server:
        where = ("--address", server.address)
        assert unoduo("match", "new", "--quiet", *where).code == 0
        assert "TOO_MANY_MATCHES" in unoduo("match", "new", *where).complaint()


def test_clocks_and_faults_of_a_match_are_set(guarded: Guarded, tmp_path: Path) -> None:
    clocks = ("--limit-ms", "2000", "--bank-ms", "3000", "--increment-ms", "4", "--margin-ms", "5")
    graces = ("--startup-grace-ms", "60000", "--reconnect-grace-ms", "7000", "--on-expiry", "forfeit")
    faults = ("--max-strikes", "8", "--rejection-limit", "9", "--forfeit-after-absence-ms", "10000")
    number = str(guarded.object("match", "new", *clocks, *graces, *faults)["number"])
    guarded.call("match", "void", number)
    assert guarded.call("match", "replay", number, tmp_path / "x.unoduo").code == 0
    with (tmp_path / "x.unoduo").open("rb") as file:
        header = replay(file).header
    assert header.time_control == TimeControl(2_000, 3_000, 4, 5, 60_000, 7_000)
    assert header.fault_policy == FaultPolicy(ExpiryPolicy.FORFEIT, 8, 9, 10_000)


def test_certificate_is_not_made_over_another(tmp_path: Path) -> None:
    assert unoduo("keygen", "--tls", tmp_path, "--quiet").out == ""
    before = (tmp_path / "key.pem").read_bytes()
    assert stat.S_IMODE((tmp_path / "key.pem").stat().st_mode) == 0o600
    again = unoduo("keygen", "--tls", tmp_path)
    assert (again.code, again.complaint()) == (2, f"{tmp_path / 'cert.pem'} is there already, and is not replaced")
    assert (tmp_path / "key.pem").read_bytes() == before
