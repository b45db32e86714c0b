"""Phases: parts of a conversation, and what changed between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from wellkept.errors import InvalidInput
from wellkept.patterns import deferred
from wellkept.policies.secrets.detector import has_secret
from wellkept.values import frozen
from wellkept.vocabulary import Space

AUTO = "auto"
MANUAL = "manual"
CHANGES_MAX = 8
NAME_MAX = 100
_CODE = deferred(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
_BROKEN = deferred("[\x00-\x1f\x7f\ud800-\udfff]")
_ORDER = {"replaced": 0, "added": 1, "deleted": 2}


@frozen
class Phase:
    """One phase of a space and owner. `seq` is the number of the ledger row that began it."""

    space: Space
    owner: str
    number: int
    name: str | None = None
    reason: str = AUTO
    started_at: int
    seq: int = 0

    @cached_property
    def id(self) -> str:
        """How traces name it."""
        return f"phase-{self.number}"

    def as_json(self) -> dict[str, Any]:
        """`current_phase` of a trace."""
        return {
            "phase_id": self.id,
            "phase_name": self.name,
            "phase_started_at": self.started_at,
            "phase_reason": self.reason,
        }


@frozen
class Step:
    """What the ledger says of one memory: whether it lived afterwards."""

    memory_id: str
    is_live: bool


Item = tuple[str, str]
"""A dedup key, and whose it is: several users of a session may each have the same one."""


@frozen
class Diff:
    """What one phase has that another had not."""

    added: tuple[Item, ...] = ()
    deleted: tuple[Item, ...] = ()
    replaced: tuple[Item, ...] = ()
    top_changes: tuple[Mapping[str, Any], ...] = ()

    @property
    def summary_lines(self) -> list[str]:
        """One line a kind of change."""
        counts = (("Added", self.added), ("Deleted", self.deleted), ("Replaced", self.replaced))
        return [f"{word} {len(keys)} {'item' if len(keys) == 1 else 'items'}" for word, keys in counts]


def require_request(name: object, reason: object) -> None:
    """A phase that is asked for has a short name, or none, and a code for its reason."""
    is_name = isinstance(name, str) and name.strip() and len(name) <= NAME_MAX and not _BROKEN.search(name)
    if name is not None and not is_name:
        told = f"name must be a text of 1 to {NAME_MAX} characters without control signs."
        raise InvalidInput(told, code="invalid_phase_name")
    if not isinstance(reason, str) or not _CODE.fullmatch(reason) or has_secret(reason):
        raise InvalidInput("reason must be a short code such as manual or new_topic.", code="invalid_phase_reason")


def content(steps: Sequence[Step]) -> tuple[str, ...]:
    """Ids that lived at the end of these steps, in the order they came: a phase begins with what the last one held."""
    there: dict[str, None] = {}
    for step in steps:
        if step.is_live:
            there.setdefault(step.memory_id)
        else:
            there.pop(step.memory_id, None)
    return tuple(there)


def diff(before: Mapping[Item, str], after: Mapping[Item, str]) -> Diff:
    """What changed from one content (item → id) to another; the same item with another id was replaced."""
    added = sorted(after.keys() - before.keys())
    deleted = sorted(before.keys() - after.keys())
    replaced = sorted(key for key in before.keys() & after.keys() if before[key] != after[key])
    changes = [
        *({"change": "replaced", "dedup_key": key[0], "from_id": before[key], "to_id": after[key]} for key in replaced),
        *({"change": "added", "dedup_key": key[0], "to_id": after[key]} for key in added),
        *({"change": "deleted", "dedup_key": key[0], "from_id": before[key]} for key in deleted),
    ]
    changes.sort(key=lambda change: (_ORDER[change["change"]], change["dedup_key"]))
    return Diff(
        added=tuple(added), deleted=tuple(deleted), replaced=tuple(replaced), top_changes=tuple(changes[:CHANGES_MAX])
    )
