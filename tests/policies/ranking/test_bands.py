"""The bands and their borders."""

from __future__ import annotations

import pytest

from wellkept.policies.ranking.bands import Bands


@pytest.mark.parametrize(
    ("similarity", "band"),
    [
        (1.0, "same"),
        (0.85, "same"),
        (0.849, "judge"),
        (0.6, "judge"),
        (0.599, "maybe"),
        (0.3, "maybe"),
        (0.29, "different"),
        (0.0, "different"),
    ],
)
def test_borders_belong_to_the_higher_band(similarity: float, band: str) -> None:
    assert Bands().of(similarity) == band
