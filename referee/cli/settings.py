"""Options that say what match is to be made, read into the messages of the wire."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from re import fullmatch
from typing import TYPE_CHECKING

from referee.cli.failures import CommandError
from referee.rules.ruleset import VARIANTS, InvalidRuleset, validate

if TYPE_CHECKING:
    from unoduo.v1 import match_pb2, ruleset_pb2

_SEED_SIZE = 32
# More digits than any number has that is allowed anywhere, and few enough for Python to read.
_NUMBER = "-?[0-9]{1,100}"

_CLOCKS = (
    ("limit_ms", 10_000, "for each decision"),
    ("bank_ms", 0, "reserve of each seat for the whole match"),
    ("increment_ms", 0, "added to the reserve after each decision answered in time"),
    ("margin_ms", 0, "by which an answer may be late"),
    ("startup_grace_ms", 30_000, "from the creation until both seats must have joined"),
    ("reconnect_grace_ms", 10_000, "to come back after a restart of the referee"),
)
_FAULTS = (
    ("max_strikes", "N", 0, "time-outs of a seat after which it loses; 0: no limit"),
    ("rejection_limit", "N", 10, "rejected tries allowed in one decision"),
    ("forfeit_after_absence_ms", "MS", 0, "milliseconds of absence after which a seat loses; 0: never"),
)


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """Holds what a match is asked for with; the seed has 32 bytes, None for a fresh deal."""

    ruleset: "ruleset_pb2.Ruleset"
    time_control: "match_pb2.TimeControl"
    fault_policy: "match_pb2.FaultPolicy"
    seed: bytes | None


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the rules, the deal, the clocks and the consequences of faults."""
    parser.add_argument("--variant", choices=list(VARIANTS), default="duo", help="the rules (default: %(default)s)")
    parser.add_argument(
        "--target", type=number("POINTS"), metavar="POINTS", help="points that end the match (default: 200)"
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="HEX",
        help="the seed of the deal, 64 hex digits, not known to the bots (default: a fresh deal)",
    )
    clocks = parser.add_argument_group("clocks, in milliseconds")
    for name, default, text in _CLOCKS:
        clocks.add_argument(
            _option(name), type=number("MS"), default=default, metavar="MS", help=f"{text} (default: %(default)s)"
        )
    faults = parser.add_argument_group("consequences of faults")
    faults.add_argument(
        "--on-expiry",
        choices=["default-action", "forfeit"],
        default="default-action",
        help="what a time-out leads to: the default action of the phase, or the loss (default: %(default)s)",
    )
    for name, metavar, default, text in _FAULTS:
        faults.add_argument(
            _option(name), type=number(metavar), default=default, metavar=metavar, help=f"{text} (default: %(default)s)"
        )


def match_settings(options: argparse.Namespace) -> MatchSettings:
    """Returns what the options ask for. Raises CommandError for a number out of range."""
    from referee.adjudication.terms import (
        ExpiryPolicy,
        FaultPolicy,
        InvalidTerms,
        TimeControl,
        validate_fault_policy,
        validate_time_control,
    )
    from referee.codec.settings import encode_fault_policy, encode_ruleset, encode_time_control

    ruleset = VARIANTS[options.variant]
    if options.target is not None:
        ruleset = replace(ruleset, target=options.target)
    time_control = TimeControl(**{name: getattr(options, name) for name, _, _ in _CLOCKS})
    fault_policy = FaultPolicy(
        ExpiryPolicy[options.on_expiry.replace("-", "_").upper()],
        **{name: getattr(options, name) for name, _, _, _ in _FAULTS},
    )
    try:
        validate(ruleset)
        validate_time_control(time_control)
        validate_fault_policy(fault_policy)
    except (InvalidRuleset, InvalidTerms) as error:
        raise CommandError(f"{_option(error.field)} {error.message}") from None
    return MatchSettings(
        encode_ruleset(ruleset),
        encode_time_control(time_control),
        encode_fault_policy(fault_policy),
        options.seed,
    )


def number(name: str) -> Callable[[str], int]:
    """Returns the type of an argument that is a whole number; whoever uses it says which are allowed."""

    def read(text: str) -> int:
        if not fullmatch(_NUMBER, text):
            raise argparse.ArgumentTypeError(f"{name} is a whole number, not {text!r}")
        return int(text)

    return read


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != _SEED_SIZE:
        raise argparse.ArgumentTypeError("a seed has 64 hex digits")
    return seed
