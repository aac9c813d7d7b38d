"""Marks of a crosstable that stay honest however many pairings it has (`README.md`, "Marks")."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Returns the p-values as corrected by Holm: marking those up to 0.05, 5 % of tables at most have a false mark."""
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return tuple(corrected)
