"""Moving on: who lives or works elsewhere now has left behind what was true of the old place alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.slots.endings import tells_change
from wellkept.policies.writing import keys
from wellkept.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory

LEFT_BEHIND = {
    "city": ("whereabouts", "address", "commute", "relation:vet", "relation:dentist", "relation:doctor"),
    "employer": ("job", "commute"),
    "job": ("employer",),
    "household": ("whereabouts", "city"),
}
"""What may end with a slot's old value."""
_PLACED = frozenset({"relation:vet", "relation:dentist", "relation:doctor", "job"})
"""Ends only where it names a place: a trade goes with its owner, and so may a doctor."""
_AT = re.compile(r"\b(?:at|for|with|in|on|near|joined)\s+(?:the\s+)?[^\W\da-z]")


def left_behind(new: Memory, writer: Writer) -> Iterator[Memory]:
    """What a new city or post ends for whoever has it; what names the new one was said ahead of the change."""
    slot = (new.fact_key or "").rpartition(":")[2]
    if slot == "job" and tells_change(new.content):
        yield from _other_trades(new, writer)
    is_ended = tells_change(new.content) if slot == "household" else slot != "job" or _AT.search(new.content)
    if slot not in LEFT_BEHIND or not is_ended:
        return
    if slot == "city" and new.value:
        yield from _carried_out(new, writer)
    told, city = f" {keys.normalised(new.content)} ", f" {keys.normalised(new.value or '')} "
    for name in LEFT_BEHIND[slot]:
        key = f"{(new.fact_key or '').removesuffix(slot)}{name}"
        for old in writer.engine.store.in_slot(new.tenant, new.space, new.owner, key):
            is_same = old.subject_person_ids == new.subject_person_ids or name.startswith("relation:")
            is_own = old.stated_by == new.stated_by and is_same
            is_meant = name not in _PLACED or _AT.search(old.content) is not None
            is_new_one = city in f" {keys.normalised(old.content)} " or f" {old.value} " in told
            if is_own and is_meant and not is_new_one and old.id != new.id:
                yield old


def _other_trades(new: Memory, writer: Writer) -> Iterator[Memory]:
    """What was told beside a position: whoever is a nurse now is no hydrologist."""
    for old in writer.engine.store.in_slot(new.tenant, new.space, new.owner, new.fact_key or ""):
        is_own = old.stated_by == new.stated_by and old.subject_person_ids == new.subject_person_ids
        if is_own and old.id != new.id and old.value != new.value:
            yield old


_PLANNED = re.compile(
    r"\b(?:decid\w+|plans?|planning|going|wants?|hopes?|hoping|intends?|will|agreed)\b.{0,20}\b(?:mov|relocat|emigrat)\w*\b"
    r".{0,12}\bto\b",
    re.IGNORECASE,
)
PLANS_MAX = 200
"""How far back a plan is looked for that has been carried out."""


def _carried_out(new: Memory, writer: Writer) -> Iterator[Memory]:
    """Plans of whoever lives there now to move there: they have."""
    place = f" {new.value} "
    for old in writer.engine.store.live(new.tenant, new.space, new.owner, (Kind.SEMANTIC,), limit=PLANS_MAX):
        is_own = old.stated_by == new.stated_by and old.subject_person_ids == new.subject_person_ids
        is_plan = old.fact_key != new.fact_key and _PLANNED.search(old.content) is not None
        if is_own and is_plan and old.id != new.id and place in f" {keys.normalised(old.content)} ":
            yield old
