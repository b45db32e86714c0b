"""Single bits of a database file turned over: whoever reads is told, by a typed error or by the doctor."""

from __future__ import annotations

from bench import bit_rot


def test_no_flip_goes_unnoticed_or_ends_in_an_untyped_error():
    report = bit_rot.run(8, seed=3)
    assert report.faults == []
    assert report.counts["told"] > 0


def test_without_checksums_the_same_harness_finds_faults():
    assert bit_rot.run(24, seed=3, is_unsummed=True).faults
