"""The file of a tournament, read into what it asks for; `example` has one with all keys and what they mean."""

import os
import tomllib
from collections import Counter
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

from referee.adjudication.terms import (
    ExpiryPolicy,
    FaultPolicy,
    InvalidTerms,
    Player,
    Terms,
    TimeControl,
    validate_fault_policy,
    validate_player,
    validate_time_control,
)
from referee.arena.cores import cores
from referee.arena.failures import ArenaError, SpecificationError
from referee.arena.toml_table import TomlTable
from referee.contest.formats import FORMATS
from referee.contest.pairing import Pairing
from referee.contest.sprt import Sprt
from referee.deal.keys import MAX_ENTROPY
from referee.rules.ruleset import VARIANTS, InvalidRuleset, Ruleset, validate

DEFAULT_PAIRS: Final = 200
DEFAULT_ATTEMPTS: Final = 3
MATCHES_A_CORE: Final = 16
_MOST_ATTEMPTS: Final = 100
_MOST_PAIRS: Final = 1_000_000
_MOST_PLAYERS: Final = 64
_MOST_MATCHES_AT_ONCE: Final = 512
_LARGEST: Final = (1 << 31) - 1
_TIME_CONTROL: Final = TimeControl()
# Of a bot that does not answer or is not there, each match ends in half a minute, and no other one waits for it long.
_FAULT_POLICY: Final = FaultPolicy(max_strikes=3, forfeit_after_absence_ms=10_000)


@dataclass(frozen=True, slots=True)
class Entrant:
    """Holds a player: its name, how its bot is started, its part of the deals' seeds (up to 32 bytes).

    `command` has the program and its arguments, in which `{address}` and `{folder}` stand for where the referee is and
    for the folder of the file; `environment` has variables for it. `function` makes the bot of a run in process; it is
    empty if there is none.
    """

    name: str
    command: tuple[str, ...]
    entropy: bytes = b""
    environment: tuple[tuple[str, str], ...] = ()
    function: str = ""


@dataclass(frozen=True, slots=True)
class BotLimits:
    """Holds what the bot of a lane may use: memory of each process, processes at once, files, log, restarts in a row.

    `files_mib` holds in a box, for its own folder and for each of those for temporary files.
    """

    memory_mib: int = 2048
    processes: int = 64
    files_mib: int = 256
    log_kib: int = 1024
    restarts: int = 5


@dataclass(frozen=True, slots=True)
class Specification:
    """Holds all that the file of a tournament asks for; `folder` is where the file lies, paths are absolute.

    `pairs` are mirrored pairs of matches of each pairing; with a sequential test, the most that it may take. A pair is
    played anew if the referee fails it (void), up to so many `attempts`.
    `concurrency` counts matches at once. Without `sandbox` bots run unboxed even where a sandbox works.
    """

    folder: Path
    output: Path
    seed_file: Path
    format: str
    pairs: int
    attempts: int
    common_deals: bool
    concurrency: int
    sandbox: bool
    sprt: Sprt | None
    terms: Terms
    limits: BotLimits
    players: tuple[Entrant, ...]

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings of the format."""
        return FORMATS[self.format](len(self.players))

    @property
    def entropies(self) -> tuple[bytes, ...]:
        """What the players have put into the seeds of the deals, in the order of their list."""
        return tuple(player.entropy for player in self.players)


def read_specification(path: Path) -> Specification:
    """Returns what a file asks for. Raises SpecificationError, ArenaError for no TOML, and OSError."""
    data = path.read_bytes()
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        # Beside what is no TOML: no UTF-8, numbers too long for Python, lists in lists without end.
        raise ArenaError(f"{path} is no TOML file: {error}") from None
    return specification(values, Path(os.path.realpath(path.absolute().parent)))


def specification(values: dict[str, Any], folder: Path) -> Specification:
    """Returns what the values of a file in that folder ask for. Raises SpecificationError."""
    top = TomlTable(values)
    sprt = _sprt(top) if top.has("sprt") else None
    if sprt is not None and top.has("pairs"):
        raise SpecificationError("pairs", "does not go with a [sprt], which has most_pairs")
    read = Specification(
        folder=folder,
        # Without links, which could lead bots past what hides these.
        output=Path(os.path.realpath(folder / top.text("output"))),
        seed_file=Path(os.path.realpath(folder / top.text("seed_file"))),
        format=top.choice("format", {name: name for name in FORMATS}, "round-robin"),
        pairs=top.whole("pairs", DEFAULT_PAIRS, 1, _MOST_PAIRS) if sprt is None else sprt.most_pairs,
        attempts=top.whole("attempts", DEFAULT_ATTEMPTS, 1, _MOST_ATTEMPTS),
        common_deals=top.truth("common_deals", False),
        concurrency=top.whole("concurrency", _by_cores(), 1, _MOST_MATCHES_AT_ONCE),
        sandbox=top.truth("sandbox", True),
        sprt=sprt,
        terms=Terms(_ruleset(top.table("rules")), _time_control(top.table("clock")), _faults(top.table("faults"))),
        limits=_limits(top.table("limits")),
        players=_players(top),
    )
    top.close()
    if (pairs := len(read.pairings) * read.pairs) > _MOST_PAIRS:
        raise SpecificationError("pairs", f"makes {pairs} in all, and more than {_MOST_PAIRS} are too many")
    if sprt is not None and len(read.players) != 2:
        raise SpecificationError("sprt", f"is for two players, not {len(read.players)}")
    return read


def _by_cores() -> int:
    return min(MATCHES_A_CORE * cores(), _MOST_MATCHES_AT_ONCE)


def _sprt(top: TomlTable) -> Sprt:
    table, default = top.table("sprt"), Sprt()
    values = {name: table.number(name, getattr(default, name)) for name in ("elo0", "elo1", "alpha", "beta")}
    first_look = table.whole("first_look", default.first_look, 1, _MOST_PAIRS)
    most_pairs = table.whole("most_pairs", default.most_pairs, 1, _MOST_PAIRS)
    table.close()
    try:
        return Sprt(**values, first_look=first_look, most_pairs=most_pairs)
    except ValueError as error:
        raise SpecificationError("sprt", str(error)) from None


def _ruleset(table: TomlTable) -> Ruleset:
    variant: Ruleset = table.choice("variant", VARIANTS, "duo")
    options: dict[str, Any] = {}
    for option in fields(Ruleset):
        value = getattr(variant, option.name)
        if isinstance(value, Enum):
            options[option.name] = table.member(option.name, value)
        else:
            options[option.name] = table.whole(option.name, value, 1, _LARGEST)
    table.close()
    ruleset = replace(variant, **options)
    try:
        validate(ruleset)
    except InvalidRuleset as error:
        raise SpecificationError(table.key(error.field), error.message) from None
    return ruleset


def _time_control(table: TomlTable) -> TimeControl:
    names = [field.name for field in fields(TimeControl)]
    time_control = TimeControl(**{name: table.whole(name, getattr(_TIME_CONTROL, name), 0, _LARGEST) for name in names})
    table.close()
    try:
        validate_time_control(time_control)
    except InvalidTerms as error:
        raise SpecificationError(table.key(error.field), error.message) from None
    return time_control


def _faults(table: TomlTable) -> FaultPolicy:
    on_expiry: ExpiryPolicy = table.member("on_expiry", _FAULT_POLICY.on_expiry)
    names = [field.name for field in fields(FaultPolicy) if field.name != "on_expiry"]
    policy = FaultPolicy(
        on_expiry, **{name: table.whole(name, getattr(_FAULT_POLICY, name), 0, _LARGEST) for name in names}
    )
    table.close()
    try:
        validate_fault_policy(policy)
    except InvalidTerms as error:
        raise SpecificationError(table.key(error.field), error.message) from None
    return policy


def _limits(table: TomlTable) -> BotLimits:
    default = BotLimits()
    limits = BotLimits(
        memory_mib=table.whole("memory_mib", default.memory_mib, 1, 1 << 20),
        processes=table.whole("processes", default.processes, 1, 1 << 16),
        files_mib=table.whole("files_mib", default.files_mib, 1, 1 << 20),
        log_kib=table.whole("log_kib", default.log_kib, 0, 1 << 20),
        restarts=table.whole("restarts", default.restarts, 0, 1 << 16),
    )
    table.close()
    return limits


def _players(top: TomlTable) -> tuple[Entrant, ...]:
    players = tuple(_player(table) for table in top.tables("players"))
    if not 2 <= len(players) <= _MOST_PLAYERS:
        raise SpecificationError("players", f"must be 2 to {_MOST_PLAYERS}, not {len(players)}")
    counts = Counter(player.name for player in players)
    for place, player in enumerate(players):
        if counts[player.name] > 1:
            raise SpecificationError(f"players[{place}].name", f"{player.name!r} is there twice")
    return players


def _player(table: TomlTable) -> Entrant:
    player = Entrant(
        table.text("name"),
        table.texts("command"),
        table.hexadecimal("entropy", MAX_ENTROPY),
        table.named_texts("environment"),
        table.text("function") if table.has("function") else "",
    )
    table.close()
    try:
        validate_player(Player(player.name))
    except InvalidTerms as error:
        raise SpecificationError(table.key(error.field), error.message) from None
    return player
