"""Ageing: who has a birthday is a year older, so that an age holds up to the next one where the day is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from wellkept.flows.write.reconcile import entry
from wellkept.judges.english.dates.times import mentions
from wellkept.store.contract import Change

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory

AGE, BIRTHDAY = "age", "birthday"


def heed(told: Memory, writer: Writer) -> None:
    """Let an age that was overheard end with the birthday that is known of the same person."""
    person, _, slot = (told.fact_key or "").rpartition(":")
    if slot not in {AGE, BIRTHDAY}:
        return
    store, scope = writer.engine.store, (told.tenant, told.space, told.owner)
    lead = f"{person}:" if person else ""
    day = next((_next(one, writer.view.now) for one in store.in_slot(*scope, f"{lead}{BIRTHDAY}")), None)
    for age in store.in_slot(*scope, f"{lead}{AGE}") if day is not None else ():
        if age.expires_at is not None and day is not None and age.expires_at > day:
            ending = replace(age, expires_at=day, updated_at=writer.view.now, version=age.version + 1)
            change = Change(memory=ending, entry=entry("update", ending, writer, BIRTHDAY))
            store.apply([change], at=writer.view.now)


def _next(birthday: Memory, now: datetime) -> datetime | None:
    """The next time the day comes round."""
    found = next((one.from_ for one in mentions(birthday.value or "", now) if one.grain == "day"), None)
    if found is None:
        return None
    day = found.astimezone(UTC)
    try:
        this_year = day.replace(year=now.year)
        return this_year if this_year > now else day.replace(year=now.year + 1)
    except ValueError:  # 29 February
        return day.replace(year=now.year + 1, month=3, day=1)
