"""How long calls took of late."""

from __future__ import annotations

from wellkept.surfaces.http.metrics import CALLS_MIN, KEPT, POINTS, Recent


def test_percentiles_are_of_the_calls_of_each_operation(clock):
    recent = Recent(clock)
    assert recent.whole() is None
    assert recent.by_operation() == recent.over_time() == ()
    for number in range(1, 101):
        recent.add("recall", number / 1_000, is_ok=number % 10 > 0)
    recent.add("list", 0.5, is_ok=True)
    slow, fast = recent.by_operation()
    assert (slow.operation, slow.count, slow.median, slow.p95, slow.slowest) == ("list", 1, 500, 500, 500)
    assert (fast.count, fast.median, fast.p95, fast.slowest, fast.failed) == (100, 50, 95, 100, 10)
    assert recent.whole().count == 101


def test_a_curve_has_so_many_points_and_the_oldest_calls_are_forgotten(clock):
    recent = Recent(clock)
    for number in range(KEPT + 50):
        clock.advance(seconds=1)
        recent.add("recall", number / 1_000, is_ok=True)
    points = recent.over_time()
    assert recent.whole().count == KEPT
    assert len(points) <= POINTS
    assert points[-1].at == clock.now
    assert [point.at for point in points] == sorted(point.at for point in points)
    few = Recent(clock)
    for _ in range(CALLS_MIN):
        few.add("recall", 0.001, is_ok=True)
    assert len(few.over_time()) == 1
