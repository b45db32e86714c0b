"""Moving: who lives elsewhere now has left an address and a way to work behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.policies import keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.draft import Writer
    from recollect.types import Memory

CITY = "city"
LEFT_BEHIND = ("address", "commute")
"""What is true of one place alone, and ends with living there."""


def left_behind(new: Memory, writer: Writer) -> Iterator[Memory]:
    """What a new city ends for whoever moved there; an address that names the new city was given ahead of the move."""
    key = new.fact_key or ""
    if key != CITY and not key.endswith(f":{CITY}"):
        return
    city = f" {keys.normalised(new.value or '')} "
    for name in LEFT_BEHIND:
        for old in writer.engine.store.in_slot(new.tenant, new.space, new.owner, f"{key.removesuffix(CITY)}{name}"):
            is_own = old.stated_by == new.stated_by and old.subject_person_ids == new.subject_person_ids
            if is_own and city not in f" {keys.normalised(old.content)} ":
                yield old
