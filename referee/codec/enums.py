"""Numbers of the wire for the enums of the domain, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from unoduo.v1 import card_pb2, event_pb2, match_pb2, observation_pb2, outcome_pb2, ruleset_pb2, seat_pb2, session_pb2

from referee.adjudication.rulings import ResumeReason
from referee.adjudication.state import Lifecycle
from referee.adjudication.terms import DealMode, ExpiryPolicy
from referee.codec.errors import Malformed
from referee.codec.wire import Field
from referee.rules.cards import Card, Color, Deck, Symbol
from referee.rules.errors import Reason
from referee.rules.events import DrawReason, RoundEndReason
from referee.rules.outcome import Termination
from referee.rules.ruleset import DumpFinalReverse, FinalPenalty, Piles, Wd4Alternative, Wd4GuiltyNext
from referee.rules.seats import Seat
from referee.rules.state import Phase

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

Member = TypeVar("Member", bound=Enum)
Number = TypeVar("Number", bound=int)

_ZERO_SUFFIX: Final = "UNSPECIFIED"


class EnumTable(Generic[Member, Number]):
    """Maps the members of a domain enum to the numbers of a wire enum of the same names, and back.

    `members` is indexed by number and has None at zero, which is never a member; `numbers` is the way back, with zero
    for None.  `names` maps the names of the wire, as in `CARD_RED_5`, to members.
    """

    __slots__ = ("_wire", "descriptor", "members", "names", "numbers")

    def __init__(self, wire: _EnumTypeWrapper[Number], members: Iterable[Member]) -> None:
        """Pairs the members with the values of the wire enum by name.

        Raises:
            ValueError: if one side has a name that the other has not, or the numbers have a gap.
        """
        self._wire = wire
        self.descriptor = wire.DESCRIPTOR
        (zero_name, zero), *values = sorted(wire.items(), key=lambda item: item[1])
        prefix = zero_name.removesuffix(_ZERO_SUFFIX)
        by_name = {prefix + member.name: member for member in members}
        if by_name.keys() != dict(values).keys() or [number for _, number in values] != [*range(1, len(values) + 1)]:
            raise ValueError(f"{self.descriptor.full_name} does not number {[*by_name]} from 1 without gaps")
        self.names: Mapping[str, Member] = MappingProxyType(by_name)
        self.members: tuple[Member | None, ...] = (None, *(by_name[name] for name, _ in values))
        self.numbers: dict[Member | None, Number] = {None: zero, **{by_name[name]: number for name, number in values}}

    def fields(self, number: int) -> Mapping[Member | None, bytes]:
        """Returns the serialised field of this number for each member; nothing for None."""
        write = Field(number)
        return {member: write[value] for member, value in self.numbers.items()}

    def name(self, member: Member) -> str:
        """Returns the name of a member on the wire, as in protobuf's JSON mapping."""
        return self._wire.Name(self.numbers[member])

    def decode(self, number: int, field: str) -> Member:
        """Returns the member of a required field.

        Raises:
            Malformed: naming the field, if it is unset or has a number that no member has.
        """
        member = self.decode_optional(number, field)
        if member is None:
            raise Malformed(field, "must be set")
        return member

    def decode_optional(self, number: int, field: str) -> Member | None:
        """Returns the member of an optional field, None if it is unset.

        Raises:
            Malformed: naming the field, if it has a number that no member has.
        """
        if 0 <= number < len(self.members):
            return self.members[number]
        raise Malformed(field, f"{number} is not a number of {self.descriptor.name}")

    def decode_all(self, numbers: Iterable[int], field: str) -> tuple[Member, ...]:
        """Returns the members of a repeated field.

        Raises:
            Malformed: naming the element, as in `play.cards[2]`, if one is unset or unknown.
        """
        members = self.members
        size = len(members)
        decoded: list[Member] = []
        for number in numbers:
            member = members[number] if 0 <= number < size else None
            if member is None:
                place = f"{field}[{len(decoded)}]"
                raise Malformed(
                    place, f"{number} is not a number of {self.descriptor.name}" if number else "must be set"
                )
            decoded.append(member)
        return tuple(decoded)


SEATS: Final = EnumTable(seat_pb2.Seat, Seat)
CARDS: Final = EnumTable(card_pb2.Card, Card)
COLORS: Final = EnumTable(card_pb2.Color, Color)
DECKS: Final = EnumTable(ruleset_pb2.Deck, Deck)
PILES: Final = EnumTable(ruleset_pb2.Piles, Piles)
WD4_ALTERNATIVES: Final = EnumTable(ruleset_pb2.Wd4Alternative, Wd4Alternative)
WD4_GUILTY_NEXTS: Final = EnumTable(ruleset_pb2.Wd4GuiltyNext, Wd4GuiltyNext)
DUMP_FINAL_REVERSES: Final = EnumTable(ruleset_pb2.DumpFinalReverse, DumpFinalReverse)
FINAL_PENALTIES: Final = EnumTable(ruleset_pb2.FinalPenalty, FinalPenalty)
DRAW_REASONS: Final = EnumTable(event_pb2.DrawReason, DrawReason)
ROUND_END_REASONS: Final = EnumTable(event_pb2.RoundEndReason, RoundEndReason)
RESUME_REASONS: Final = EnumTable(event_pb2.ResumeReason, ResumeReason)
TERMINATIONS: Final = EnumTable(outcome_pb2.Termination, Termination)
PHASES: Final = EnumTable(observation_pb2.Phase, Phase)
PENDING_KINDS: Final = EnumTable(observation_pb2.PendingKind, (Symbol.DRAW_TWO, Symbol.WILD_DRAW_FOUR))
LIFECYCLES: Final = EnumTable(match_pb2.Lifecycle, Lifecycle)
EXPIRY_POLICIES: Final = EnumTable(match_pb2.ExpiryPolicy, ExpiryPolicy)
DEAL_MODES: Final = EnumTable(match_pb2.DealMode, DealMode)
REJECTION_REASONS: Final = EnumTable(session_pb2.RejectionReason, Reason)
