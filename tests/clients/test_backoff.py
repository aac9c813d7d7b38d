from statistics import mean

from unoduo_client.backoff import Backoff


def test_backoff_waits_at_random_up_to_a_bound_that_doubles_to_its_limit() -> None:
    runs = []
    for _ in range(400):
        backoff = Backoff(first=1.0, longest=6.0)
        runs.append([backoff.next_delay() for _ in range(5)])
    for bound, delays in zip((1.0, 2.0, 4.0, 6.0, 6.0), zip(*runs, strict=True), strict=True):
        assert 0 <= min(delays) < bound / 4
        assert bound * 3 / 4 < max(delays) <= bound
        assert bound / 3 < mean(delays) < bound * 2 / 3


def test_backoff_begins_anew() -> None:
    backoff = Backoff(first=1.0, longest=1_000_000.0)
    for _ in range(20):
        backoff.next_delay()
    backoff.reset()
    assert backoff.next_delay() <= 1.0
