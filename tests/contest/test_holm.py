"""Marks of a crosstable."""

import numpy as np
import pytest

from referee.contest.holm import holm


def test_holm_multiplies_by_the_number_of_hypotheses_left() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_holm_never_exceeds_one_and_leaves_one_alone() -> None:
    assert holm([0.7, 0.6]) == (1.0, 1.0)
    assert holm([0.04]) == (0.04,)
    assert holm([]) == ()


def test_holm_marks_equals_alike() -> None:
    assert holm([0.02, 0.02, 0.5]) == pytest.approx((0.06, 0.06, 0.5))


def test_table_of_equals_has_a_false_mark_in_one_of_twenty_at_most() -> None:
    tables = np.random.default_rng(9).random((4000, 15))
    marked = sum(min(holm(table)) <= 0.05 for table in tables.tolist())
    assert 0.04 <= marked / 4000 <= 0.055
