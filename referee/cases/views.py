"""The part of a seat's view that a step expects, compared field by field as the message that the seat would get."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from unoduo.v1 import observation_pb2

from referee.cases.errors import ShapeError
from referee.cases.shape import message
from referee.codec.observations import encode_view
from referee.rules.observe import view
from referee.rules.seats import Seat
from referee.rules.state import State

_READ_VIEW: Final = message(observation_pb2.View)
_FIELD_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {field.json_name: field.name for field in observation_pb2.View.DESCRIPTOR.fields}
)


@dataclass(frozen=True, slots=True)
class ViewPart:
    """Holds the expected values of some fields of a view; a field given as null, zero or empty is one not set."""

    names: tuple[str, ...]
    values: observation_pb2.View


def read_view_part(value: object, where: str) -> ViewPart:
    """Returns the fields given of a view, in protobuf's JSON mapping of message View.

    Raises:
        ShapeError: for no field, or one that a view does not have.
    """
    values = _READ_VIEW(value, where)
    names = tuple(_FIELD_NAMES.get(name, "") for name in value) if isinstance(value, dict) else ()
    if not names or "" in names:
        raise ShapeError(where, "must give fields of a view by their JSON names")
    return ViewPart(names, values)


def seen_by(state: State, seat: Seat) -> observation_pb2.View:
    """Returns the view of a seat as the message that it would get."""
    return observation_pb2.View.FromString(encode_view(view(state, seat)))


def view_holds(expected: ViewPart, found: observation_pb2.View) -> bool:
    """Returns whether each field given has its value in the view."""
    return all(getattr(expected.values, name) == getattr(found, name) for name in expected.names)
