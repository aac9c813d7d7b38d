"""Interleaved measurement: figures of one run are compared only with figures of the same run.

Timings on shared machines drift, so the contestants take turns in short slices, and what is reported of each is the
median of its slices and the ratio of medians.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Rate:
    """Holds the median rate of one contestant, in units a second, with the lowest and highest slice."""

    name: str
    median: float
    lowest: float
    highest: float


def interleaved(contestants: Mapping[str, Callable[[], int]], *, slices: int, seconds: float) -> list[Rate]:
    """Returns the rate of each contestant over `slices` rounds of about `seconds` each.

    A contestant is a function that does some work and returns how many units it did.
    """
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(slices):
        for name, work in contestants.items():
            rates[name].append(_rate(work, seconds))
    return [rate_of(name, values) for name, values in rates.items()]


def rate_of(name: str, slices: Sequence[float]) -> Rate:
    """Returns the rate of a contestant from those of its slices."""
    return Rate(name, median(slices), min(slices), max(slices))


def table(title: str, unit: str, rates: list[Rate], baseline: str) -> str:
    """Returns the rates as a table with ratios to the contestant named `baseline`."""
    base = next(rate.median for rate in rates if rate.name == baseline)
    rows = [f"{title} ({unit}; median, lowest, highest; ratio to {baseline})"]
    rows += [
        f"  {rate.name:<62}"
        f" {rate.median:>12,.0f} {rate.lowest:>12,.0f} {rate.highest:>12,.0f} {rate.median / base:>8.2f}"
        for rate in rates
    ]
    return "\n".join(rows)


def _rate(work: Callable[[], int], seconds: float) -> float:
    units = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        units += work()
    return units / elapsed
