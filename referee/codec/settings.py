"""What is agreed before a match: ruleset, time control, fault policy, players (ruleset.proto, match.proto)."""

from dataclasses import replace

from unoduo.v1 import match_pb2, ruleset_pb2

from referee.adjudication.terms import (
    FaultPolicy,
    InvalidTerms,
    Player,
    TimeControl,
    validate_fault_policy,
    validate_player,
    validate_time_control,
)
from referee.codec.enums import (
    DECKS,
    DUMP_FINAL_REVERSES,
    EXPIRY_POLICIES,
    FINAL_PENALTIES,
    PILES,
    WD4_ALTERNATIVES,
    WD4_GUILTY_NEXTS,
)
from referee.codec.errors import Malformed, join
from referee.rules.ruleset import DUO, InvalidRuleset, Ruleset, validate

_DEFAULT_TIME_CONTROL = TimeControl()
_DEFAULT_FAULT_POLICY = FaultPolicy()


def decode_ruleset(message: ruleset_pb2.Ruleset, path: str = "ruleset", *, any_hand_size: bool = False) -> Ruleset:
    """Returns the ruleset that a message holds; what is unset takes the value of variant `duo`.

    `any_hand_size` leaves out the one range that depends on the deck, for worked cases with decks of their own.

    Raises:
        Malformed: naming the option, as in `ruleset.hand_size`, for an unknown enum number or a number out of range
            (RULES.md R15).
    """
    ruleset = Ruleset(
        DECKS.decode_optional(message.deck, join(path, "deck")) or DUO.deck,
        PILES.decode_optional(message.piles, join(path, "piles")) or DUO.piles,
        WD4_ALTERNATIVES.decode_optional(message.wd4_alternative, join(path, "wd4_alternative")) or DUO.wd4_alternative,
        WD4_GUILTY_NEXTS.decode_optional(message.wd4_guilty_next, join(path, "wd4_guilty_next")) or DUO.wd4_guilty_next,
        DUMP_FINAL_REVERSES.decode_optional(message.dump_final_reverse, join(path, "dump_final_reverse"))
        or DUO.dump_final_reverse,
        FINAL_PENALTIES.decode_optional(message.final_penalty, join(path, "final_penalty")) or DUO.final_penalty,
        message.hand_size or DUO.hand_size,
        message.target or DUO.target,
        message.turn_cap or DUO.turn_cap,
        message.round_cap or DUO.round_cap,
    )
    try:
        validate(replace(ruleset, hand_size=1) if any_hand_size else ruleset)
    except InvalidRuleset as error:
        raise Malformed(join(path, error.field), error.message) from None
    return ruleset


def encode_ruleset(ruleset: Ruleset) -> ruleset_pb2.Ruleset:
    """Returns a new message of the ruleset with every field set."""
    return ruleset_pb2.Ruleset(
        deck=DECKS.numbers[ruleset.deck],
        piles=PILES.numbers[ruleset.piles],
        wd4_alternative=WD4_ALTERNATIVES.numbers[ruleset.wd4_alternative],
        wd4_guilty_next=WD4_GUILTY_NEXTS.numbers[ruleset.wd4_guilty_next],
        dump_final_reverse=DUMP_FINAL_REVERSES.numbers[ruleset.dump_final_reverse],
        final_penalty=FINAL_PENALTIES.numbers[ruleset.final_penalty],
        hand_size=ruleset.hand_size,
        target=ruleset.target,
        turn_cap=ruleset.turn_cap,
        round_cap=ruleset.round_cap,
    )


def decode_time_control(message: match_pb2.TimeControl | None, path: str = "time_control") -> TimeControl:
    """Returns the time control that a message holds; None, an unset message, gives the default one.

    Raises:
        Malformed: naming the field, as in `time_control.limit_ms`, that is out of range (match.proto).
    """
    if message is None:
        return _DEFAULT_TIME_CONTROL
    time_control = TimeControl(
        message.limit_ms,
        message.bank_ms,
        message.increment_ms,
        message.margin_ms,
        message.startup_grace_ms or _DEFAULT_TIME_CONTROL.startup_grace_ms,
        message.reconnect_grace_ms or _DEFAULT_TIME_CONTROL.reconnect_grace_ms,
    )
    try:
        validate_time_control(time_control)
    except InvalidTerms as error:
        raise Malformed(join(path, error.field), error.message) from None
    return time_control


def encode_time_control(time_control: TimeControl) -> match_pb2.TimeControl:
    """Returns a new message of the time control with every field set."""
    return match_pb2.TimeControl(
        limit_ms=time_control.limit_ms,
        bank_ms=time_control.bank_ms,
        increment_ms=time_control.increment_ms,
        margin_ms=time_control.margin_ms,
        startup_grace_ms=time_control.startup_grace_ms,
        reconnect_grace_ms=time_control.reconnect_grace_ms,
    )


def decode_fault_policy(message: match_pb2.FaultPolicy, path: str = "fault_policy") -> FaultPolicy:
    """Returns the fault policy that a message holds; what is unset takes its default.

    Raises:
        Malformed: naming the field, as in `fault_policy.rejection_limit`, for an unknown policy or a number out of
            range (match.proto).
    """
    on_expiry = EXPIRY_POLICIES.decode_optional(message.on_expiry, join(path, "on_expiry"))
    fault_policy = FaultPolicy(
        on_expiry or _DEFAULT_FAULT_POLICY.on_expiry,
        message.max_strikes,
        message.rejection_limit or _DEFAULT_FAULT_POLICY.rejection_limit,
        message.forfeit_after_absence_ms,
    )
    try:
        validate_fault_policy(fault_policy)
    except InvalidTerms as error:
        raise Malformed(join(path, error.field), error.message) from None
    return fault_policy


def encode_fault_policy(fault_policy: FaultPolicy) -> match_pb2.FaultPolicy:
    """Returns a new message of the fault policy with every field set."""
    return match_pb2.FaultPolicy(
        on_expiry=EXPIRY_POLICIES.numbers[fault_policy.on_expiry],
        max_strikes=fault_policy.max_strikes,
        rejection_limit=fault_policy.rejection_limit,
        forfeit_after_absence_ms=fault_policy.forfeit_after_absence_ms,
    )


def decode_player(message: match_pb2.Player, path: str = "player") -> Player:
    """Returns the player that a message holds.

    Raises:
        Malformed: naming the field, as in `players[0].name`, that is blank, too long or has control characters.
    """
    player = Player(message.name, message.bot)
    try:
        validate_player(player)
    except InvalidTerms as error:
        raise Malformed(join(path, error.field), error.message) from None
    return player


def encode_player(player: Player) -> match_pb2.Player:
    """Returns a new message of the player."""
    return match_pb2.Player(name=player.name, bot=player.bot)
