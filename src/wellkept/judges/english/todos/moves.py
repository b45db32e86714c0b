"""Open todos whose day has changed: after "the vet got pushed to Thursday" the vet is seen on Thursday."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.dates import times
from wellkept.judges.english.grammar.units import units
from wellkept.judges.english.slots import dates
from wellkept.judges.english.slots.endings import tells_change
from wellkept.judges.english.todos.keys import key_of
from wellkept.policies.todos import Intent, TodoKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

_MEETING = frozenset(("appointment",))


def moved(sentence: str, open_todos: Sequence[str], now: datetime | None) -> Intent | None:
    """The one open todo that names the thing whose day was changed, with its new day."""
    if now is None or not open_todos or not tells_change(sentence):
        return None
    ahead = next((one for one in times.mentions(sentence, now) if one.to > now), None)
    if ahead is None:
        return None
    for unit in units(sentence, values_max=1):
        slot = dates.told(unit.clause)
        if slot is None or slot.value is None or not slot.name.startswith(dates.DATES):
            continue
        thing = frozenset(dates.thing_of(slot.name).split("_")) - _MEETING
        meant = [todo for todo in open_todos if thing and thing <= set(re.findall(r"\w+", todo.casefold()))]
        if len(meant) == 1:
            return Intent(kind=TodoKind.COMMITMENT, text=meant[0], key=key_of(meant[0]), due_at=ahead.last)
    return None
