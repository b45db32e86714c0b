"""Disks that fail, in small: nothing that was acknowledged is lost, and broken disks are found out."""

from __future__ import annotations

from bench import disk


def test_a_power_cut_loses_nothing_that_was_acknowledged():
    assert disk.power_cuts(20, seed=2, count=20) == (20, [])


def test_a_disk_that_lies_about_syncs_is_found_out():
    assert disk.power_cuts(10, seed=2, count=20, is_lying=True)[1]


def test_an_error_of_the_disk_means_that_nothing_was_written_or_that_nobody_knows():
    counts, faults = disk.errors(seed=2, count=10, limit=24)
    assert faults == []
    assert counts["runs"] == 24
    assert counts["store_error"] + counts["commit_unknown"] > 0


def test_a_disk_that_swallows_writes_is_found_out():
    assert disk.errors(seed=2, count=10, limit=24, is_careless=True)[1]
