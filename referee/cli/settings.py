"""Options that say what match is to be made, read into the messages of the wire."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.cli.failures import CommandError
from referee.rules.ruleset import VARIANTS, InvalidRuleset, validate

if TYPE_CHECKING:
    from unoduo.v1 import match_pb2, ruleset_pb2

_SEED_SIZE = 32


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Holds what a match is asked for with; the seed has 32 bytes, None for a fresh deal."""

    ruleset: "ruleset_pb2.Ruleset"
    time_control: "match_pb2.TimeControl"
    seed: bytes | None


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Adds `--variant`, `--target`, `--limit-ms` and `--seed`."""
    parser.add_argument("--variant", choices=list(VARIANTS), default="duo", help="the rules (default: %(default)s)")
    parser.add_argument("--target", type=number("POINTS"), metavar="POINTS", help="points that end the match")
    parser.add_argument(
        "--limit-ms",
        type=number("MS"),
        default=10_000,
        metavar="MS",
        help="milliseconds for each decision; then its default action is taken (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="HEX",
        help="the seed of the deal, 64 hex digits, not known to the bots (default: a fresh deal)",
    )


def match_settings(options: argparse.Namespace) -> MatchSettings:
    """Returns what the options ask for. Raises CommandError for a number out of range."""
    from referee.adjudication.terms import InvalidTerms, TimeControl, validate_time_control
    from referee.codec.settings import encode_ruleset, encode_time_control

    ruleset = VARIANTS[options.variant]
    if options.target is not None:
        ruleset = replace(ruleset, target=options.target)
    time_control = TimeControl(limit_ms=options.limit_ms)
    try:
        validate(ruleset)
        validate_time_control(time_control)
    except (InvalidRuleset, InvalidTerms) as error:
        raise CommandError(f"--{error.field.replace('_', '-')} {error.message}") from None
    return MatchSettings(encode_ruleset(ruleset), encode_time_control(time_control), options.seed)


def number(name: str) -> Callable[[str], int]:
    """Returns the type of an argument that is a whole number."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal()):
            raise argparse.ArgumentTypeError(f"{name} is a whole number, not {text!r}")
        return int(text)

    return read


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != _SEED_SIZE:
        raise argparse.ArgumentTypeError("a seed has 64 hex digits")
    return seed
