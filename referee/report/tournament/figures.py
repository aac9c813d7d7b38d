"""Numbers as a report gives them: rounded in this one place, and the same for both sides of a pairing."""

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from math import isfinite
from typing import Any, Final

DECIMALS: Final = 6


def rounded(value: Any) -> Any:
    """Returns a value for JSON with every number that is not whole rounded to six decimals.

    Raises ValueError for one that is not finite: a report has a number or says that there is none.
    """
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"{value} is no figure for a report")
        return round(value, DECIMALS) + 0.0  # not -0.0
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def complement(share: float) -> float:
    """Returns what is left of a rounded share; the two add up to 1 in every printed digit."""
    return round(1 - share, DECIMALS)


def percent(share: float) -> str:
    """Returns a share (0 to 1) such as `62.5 %`."""
    return f"{_printed(share * 100, 1)} %"


def plain(value: float, digits: int) -> str:
    """Returns a number to so many decimals."""
    return f"{_printed(value, digits)}"


def exact(value: float) -> str:
    """Returns a number that was asked for, with the decimals that it has."""
    return f"{(Decimal(str(round(value, DECIMALS))) + 0).normalize():f}"


def signed(value: float, digits: int = 0) -> str:
    """Returns a difference with its sign; 0 has none."""
    printed = _printed(value, digits)
    return f"{printed:+}" if printed else f"{printed}"


def _printed(value: float, digits: int) -> Decimal:
    # The decimals of a rounded number are exact here, and a half goes to the even neighbor: both sides of a pairing
    # are mirrored to the last digit.
    exact = Decimal(str(round(value, DECIMALS)))
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN) + 0
