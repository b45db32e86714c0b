"""How near is near: what a calibrated similarity between two statements asks for."""

from __future__ import annotations

from typing import Literal

from wellkept.values import frozen

Band = Literal["same", "judge", "maybe", "different"]


@frozen
class Bands:
    """Borders of the bands, each the lowest similarity that belongs to it."""

    same: float = 0.85
    judge: float = 0.60
    maybe: float = 0.30
    judge_checks_max: int = 5
    maybe_checks_max: int = 3
    maybe_age_days: int = 90
    hearsay: float = 0.80
    link: float = 0.30
    links_max: int = 5

    def of(self, similarity: float) -> Band:
        """The band a similarity falls in.

        >>> Bands().of(0.7)
        'judge'
        """
        if similarity >= self.same:
            return "same"
        if similarity >= self.judge:
            return "judge"
        return "maybe" if similarity >= self.maybe else "different"
