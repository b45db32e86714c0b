"""Short messages that are whole all the same: "call me Max", "no more jokes", "I can't do dairy", "dinner's off"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.units import units
from wellkept.judges.english.slots import dates
from wellkept.judges.english.slots.addressing import is_wish
from wellkept.judges.english.slots.endings import tells_change
from wellkept.judges.english.slots.foods import is_limit
from wellkept.judges.english.worth.standing import orders
from wellkept.judges.english.worth.turning_points import is_outcome

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause


def is_brief(text: str) -> bool:
    """Whether few words say something that is kept, and need nothing beside them.

    >>> is_brief("I can't do dairy"), is_brief("I can't do Friday")
    (True, False)
    >>> is_brief("Dinner's cancelled"), is_brief("Dinner's ready")
    (True, False)
    """
    return is_wish(text) or bool(orders(text)) or any(_tells(unit.clause) for unit in units(text, values_max=1))


def _tells(clause: Clause) -> bool:
    return clause.type == "declarative" and (is_limit(clause) or is_outcome(clause) or _changes_a_day(clause))


def _changes_a_day(clause: Clause) -> bool:
    """For "the picnic's off", "dinner moved to 8": what was told before holds no longer."""
    day = dates.told(clause)
    return day is not None and (day.is_retracted or tells_change(clause.text))
