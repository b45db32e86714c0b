"""What is told in passing: of two readings, as asked to be kept and as overheard, the one that understood more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.types import Claim

_OF_THE_SPEAKER = deferred(r"(?i)(?<![\w'])(?:i|i['’]\w+|im|my|me|mine|we|we['’]\w+|our|us)(?![\w'])")


def is_understood_better(overheard: Sequence[Claim], asked: Sequence[Claim]) -> bool:
    """Whether what a stranger would overhear says more, or says in the third person what else stays in the first."""
    is_untold = any(_OF_THE_SPEAKER.search(claim.content) for claim in asked)
    is_told = not any(_OF_THE_SPEAKER.search(claim.content) for claim in overheard)
    return bool(overheard) and is_told and (is_untold or len(overheard) > len(asked))


def reaches_as_far(overheard: Sequence[Claim], asked: Sequence[Claim]) -> bool:
    """Whether nothing at the end is told by the words that were asked to be kept alone."""
    return _end(overheard) >= _end(asked)


def _end(claims: Sequence[Claim]) -> int:
    """Where the last word stands, without the signs behind it."""
    spans = [(claim.evidence.end, claim.quote or claim.content) for claim in claims]
    return max((end - len(words) + len(words.rstrip(" .!?…")) for end, words in spans), default=0)
