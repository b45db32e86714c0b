"""A judge for the inside of a transaction: verdicts that were asked for before, rules for everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english import RulesJudge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellkept.judges.base import Verdict
    from wellkept.types import Claim, Memory


class SettledJudge(RulesJudge):
    """Knows the verdicts it was given, each for one claim and one version of a memory. Calls no model."""

    def __init__(self, verdicts: Iterable[tuple[Claim, Memory, Verdict]]) -> None:
        self._verdicts = {(new.content, old.id, old.version): verdict for new, old, verdict in verdicts}

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """The verdict in hand; by rules when the memory has changed since, or was not asked about."""
        verdict = self._verdicts.get((new.content, old.id, old.version))
        return verdict if verdict is not None else super().compare(new, old)
