"""What the file of a tournament may ask for, and the key that is named when it may not."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.adjudication.terms import ExpiryPolicy, FaultPolicy, TimeControl
from referee.arena.effective import digest_of, effective
from referee.arena.example import FILE_NAME, PLAYERS, example
from referee.arena.failures import ArenaError, SpecificationError
from referee.arena.specification import BotLimits, Entrant, Specification, read_specification, specification
from referee.contest.pairing import Pairing
from referee.contest.sprt import Sprt
from referee.deal.master import master_commitment
from referee.rules.cards import Deck
from referee.rules.ruleset import DUO, VARIANTS

FOLDER = Path("/cups")
PLAYER = {"name": "Ann", "command": ["annbot"]}
OTHER = {"name": "Bob", "command": ["bobbot"]}
LEAST: dict[str, Any] = {"output": "cup", "seed_file": "cup.seed", "players": [PLAYER, OTHER]}


def read(**values: Any) -> Specification:
    return specification({**LEAST, **values}, FOLDER)


def test_least_file_asks_for_the_defaults() -> None:
    asked = read()
    assert asked.output == FOLDER / "cup"
    assert asked.seed_file == FOLDER / "cup.seed"
    assert (asked.format, asked.pairs, asked.attempts, asked.sprt) == ("round-robin", 200, 3, None)
    assert not asked.common_deals
    assert asked.terms.ruleset == DUO
    assert asked.terms.time_control == TimeControl()
    assert asked.terms.fault_policy == FaultPolicy(max_strikes=3, forfeit_after_absence_ms=10_000)
    assert asked.limits == BotLimits()
    assert asked.players == (Entrant("Ann", ("annbot",)), Entrant("Bob", ("bobbot",)))
    assert asked.pairings == (Pairing(0, 1),)
    assert asked.sandbox
    assert 1 <= asked.concurrency <= 512


def test_file_can_set_everything() -> None:
    asked = read(
        format="gauntlet",
        attempts=5,
        common_deals=True,
        concurrency=3,
        sprt={"elo0": -5, "elo1": 5.5, "first_look": 20, "most_pairs": 30},
        rules={"variant": "official-leaning", "target": 50, "deck": "classic-108"},
        clock={"limit_ms": 5, "bank_ms": 7},
        faults={"on_expiry": "forfeit", "max_strikes": 0},
        limits={"processes": 5},
        players=[PLAYER | {"entropy": "00ff", "environment": {"LEVEL": "3"}, "function": "random"}, OTHER],
    )
    assert asked.sprt == Sprt(elo0=-5, elo1=5.5, first_look=20, most_pairs=30)
    assert (asked.pairs, asked.attempts, asked.common_deals) == (30, 5, True)
    assert asked.terms.ruleset == replace(VARIANTS["official-leaning"], target=50, deck=Deck.CLASSIC_108)
    assert asked.terms.time_control == TimeControl(limit_ms=5, bank_ms=7)
    assert asked.terms.fault_policy.on_expiry is ExpiryPolicy.FORFEIT
    assert asked.terms.fault_policy.max_strikes == 0
    assert asked.limits.processes == 5
    assert asked.players[0] == Entrant("Ann", ("annbot",), b"\x00\xff", (("LEVEL", "3"),), "random")
    assert asked.entropies == (b"\x00\xff", b"")


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"colour": 1}, "colour"),
        ({"output": 5}, "output"),
        ({"output": ""}, "output"),
        ({"output": "a\0b"}, "output"),
        ({"format": "knockout"}, "format"),
        ({"pairs": 0}, "pairs"),
        ({"pairs": True}, "pairs"),
        ({"pairs": 1 << 20_000}, "pairs"),
        ({"pairs": 500_000, "players": [PLAYER, OTHER, OTHER | {"name": "Cid"}]}, "pairs"),
        ({"attempts": 0}, "attempts"),
        ({"pairs": 5, "sprt": {}}, "pairs"),
        ({"common_deals": 1}, "common_deals"),
        ({"concurrency": 513}, "concurrency"),
        ({"sandbox": "bwrap"}, "sandbox"),
        ({"sprt": 5}, "sprt"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "sprt"),
        ({"sprt": {"elo0": "five"}}, "sprt.elo0"),
        ({"sprt": {"elo1": 10**400}}, "sprt.elo1"),
        ({"sprt": {"elo1": 20_000}}, "sprt"),
        ({"sprt": {"alpha": float("nan")}}, "sprt.alpha"),
        ({"sprt": {"elo2": 5}}, "sprt.elo2"),
        ({"sprt": {}, "players": [PLAYER, OTHER, OTHER | {"name": "Cid"}]}, "sprt"),
        ({"rules": {"variant": "chess"}}, "rules.variant"),
        ({"rules": {"hand_size": 99}}, "rules.hand_size"),
        ({"rules": {"deck": "tarot"}}, "rules.deck"),
        ({"rules": {"decks": 2}}, "rules.decks"),
        ({"clock": {"limit_ms": 0}}, "clock.limit_ms"),
        ({"clock": {"limit": 5}}, "clock.limit"),
        ({"clock": []}, "clock"),
        ({"faults": {"rejection_limit": 101}}, "faults.rejection_limit"),
        ({"faults": {"on_expiry": "nothing"}}, "faults.on_expiry"),
        ({"limits": {"processes": 0}}, "limits.processes"),
        ({"limits": {"time": 0}}, "limits.time"),
        ({"players": PLAYER}, "players"),
        ({"players": [PLAYER]}, "players"),
        ({"players": [PLAYER, PLAYER]}, "players[0].name"),
        ({"players": [PLAYER, 5]}, "players[1]"),
        ({"players": [PLAYER, {"name": "Bob"}]}, "players[1].command"),
        ({"players": [PLAYER, OTHER | {"command": "bobbot"}]}, "players[1].command"),
        ({"players": [PLAYER, OTHER | {"command": []}]}, "players[1].command"),
        ({"players": [PLAYER, OTHER | {"name": "B\nb"}]}, "players[1].name"),
        ({"players": [PLAYER, OTHER | {"entropy": "5"}]}, "players[1].entropy"),
        ({"players": [PLAYER, OTHER | {"entropy": "00" * 33}]}, "players[1].entropy"),
        ({"players": [PLAYER, OTHER | {"environment": {"A": 5}}]}, "players[1].environment.A"),
        ({"players": [PLAYER, OTHER | {"function": ""}]}, "players[1].function"),
        ({"players": [PLAYER, OTHER | {"email": "b"}]}, "players[1].email"),
    ],
)
def test_wrong_key_is_named(values: dict[str, Any], key: str) -> None:
    with pytest.raises(SpecificationError) as refusal:
        read(**values)
    assert refusal.value.key == key


@pytest.mark.parametrize("name", ["output", "seed_file"])
def test_missing_key_is_named(name: str) -> None:
    values = {key: value for key, value in LEAST.items() if key != name}
    with pytest.raises(SpecificationError, match="is missing") as refusal:
        specification(values, FOLDER)
    assert refusal.value.key == name


@pytest.mark.parametrize(
    "data", [b"pairs = " + b"9" * 5_000, b"a = " + b"[" * 100_000, b"\xff", b"\xef\xbb\xbfpairs = 1"]
)
def test_file_that_cannot_be_read_is_told(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "cup.toml"
    file.write_bytes(data)
    with pytest.raises(ArenaError, match=r"cup\.toml is no TOML file: "):
        read_specification(file)


def test_file_that_is_no_toml_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("pairs = x\n")
    with pytest.raises(ArenaError, match=r"cup\.toml is no TOML file: .*line 1"):
        read_specification(file)


def test_example_asks_for_three_baselines_and_shows_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    entropies = [bytes([place]) * 32 for place in range(len(PLAYERS))]
    file.write_text(example(entropies))
    asked = read_specification(file)
    assert [player.name for player in asked.players] == ["random", "greedy", "careful"]
    assert asked.entropies == tuple(entropies)
    assert asked.pairs == 50
    shown = file.read_text().replace("# [sprt]\n", "[sprt]\n").replace("pairs = 50 ", "#").splitlines()
    everything = tomllib.loads("\n".join(line.removeprefix("# ") if " = " in line else line for line in shown))
    everything.pop("concurrency")
    del everything["players"][2], everything["sprt"]["most_pairs"]
    again = specification(everything, tmp_path)
    assert again.terms == asked.terms
    assert again.limits == asked.limits
    assert again.sprt == Sprt()


def test_digest_tells_what_results_depend_on() -> None:
    asked, master = read(), bytes(32)
    settings = effective(asked, master)
    assert settings["master_commitment"] == master_commitment(master).hex()
    assert settings["rules"]["deck"] == "extra-wilds-112"
    assert settings["players"][0] == {
        "name": "Ann",
        "command": ["annbot"],
        "entropy": "",
        "environment": {},
        "function": "",
    }
    same = replace(asked, concurrency=99, output=Path("/elsewhere"))
    assert digest_of(effective(same, master)) == digest_of(settings)
    for other in (effective(replace(asked, pairs=7), master), effective(asked, b"\x01" * 32)):
        assert digest_of(other) != digest_of(settings)
