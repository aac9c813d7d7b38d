"""`unoduo keygen --signing` and `unoduo serve --signing-key`."""

import json
import stat
from pathlib import Path

import pytest

from referee.audit.signatures import SigningKey, key_id
from tests.cli.command import unoduo
from tests.cli.serving import served


def test_key_is_made_for_its_owner_alone_and_its_public_key_for_all(tmp_path: Path) -> None:
    file = tmp_path / "key"
    ended = unoduo("keygen", "--signing", file)
    assert (ended.code, ended.err) == (0, "")
    key = SigningKey.from_pem(file.read_bytes())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    public = tmp_path / "key.pub"
    assert public.read_text() == f"{key.public.hex()}\n"
    assert ended.out == f"public key {key.public.hex()}, in {public}\nkey id {key_id(key.public).hex()}\n"
    again = unoduo("keygen", "--signing", file)
    assert (again.code, again.complaint()) == (2, f"{file} is there already, and is not replaced")
    assert SigningKey.from_pem(file.read_bytes()).public == key.public


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--signing", "{}/missing/key"), "cannot write {}/missing/key: no such file or directory"),
        (("--signing", "/"), "/ names no file to write"),
        (("--signing", "{}/key", "--name", "host"), "--name belongs to --tls"),
        (("--signing", "{}/key", "--tls", "{}"), "argument --tls: not allowed with argument --signing"),
        ((), "one of the arguments --tls --signing is required"),
    ],
)
def test_wrong_usage_of_keygen_is_told(arguments: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    ended = unoduo("keygen", *(text.format(tmp_path) for text in arguments))
    assert ended.code == 2
    assert ended.complaint().startswith(complaint.format(tmp_path))
    assert not (tmp_path / "key").exists()


def test_referee_serves_with_the_key(tmp_path: Path) -> None:
    file = tmp_path / "key"
    unoduo("keygen", "--signing", file, "--quiet")
    with served("--signing-key", file) as server:
        made = unoduo("match", "new", "--address", server.address, "--json")
        number = str(json.loads(made.out)["number"])
        unoduo("match", "void", number, "--address", server.address)
        replay = tmp_path / "match.unoduo"
        assert unoduo("match", "replay", number, replay, "--address", server.address).code == 0
    assert SigningKey.from_pem(file.read_bytes()).key_id in replay.read_bytes()


@pytest.mark.parametrize(
    ("content", "mode", "complaint"),
    [
        (None, 0, "cannot read {}: no such file or directory"),
        (b"a letter", 0o600, "{} holds no signing key (unoduo keygen --signing FILE makes one)"),
        (SigningKey.generate().to_pem(), 0o640, "{} can be read by others: chmod 600 it, or give another file"),
    ],
)
def test_referee_does_not_serve_without_the_key_asked_for(
    content: bytes | None, mode: int, complaint: str, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
        file.chmod(mode)
    ended = unoduo("serve", "--port", "0", "--signing-key", file)
    assert (ended.code, ended.complaint()) == (2, complaint.format(file))
