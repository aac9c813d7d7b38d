"""What the Go tools say of the second verifier, its own tests included."""

import subprocess

from tests.clients_go.conftest import SOURCE


def said(*command: str) -> str:
    done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_go_code_is_formatted(go: str) -> None:
    assert said(f"{go}fmt", "-l", ".") == ""


def test_go_code_is_vetted(go: str) -> None:
    said(go, "vet", "./...")


def test_go_tests_pass(go: str) -> None:
    # Go remembers what passed, and does not see that a vector has changed.
    assert said(go, "test", "-count=1", "./...").startswith("ok ")


def test_go_code_needs_nothing_but_the_standard_library() -> None:
    assert "require" not in (SOURCE / "go.mod").read_text(encoding="utf-8")
    assert not (SOURCE / "go.sum").exists()
