"""Short messages that are whole all the same: "call me Max", "I can't do dairy"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules.addressing import is_wish
from recollect.judges.rules.foods import is_limit
from recollect.judges.rules.units import units

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause


def is_brief(text: str) -> bool:
    """Whether few words say something that is kept, and need nothing beside them.

    >>> is_brief("I can't do dairy"), is_brief("I can't do Friday")
    (True, False)
    """
    return is_wish(text) or any(_tells(unit.clause) for unit in units(text, values_max=1))


def _tells(clause: Clause) -> bool:
    return clause.type == "declarative" and is_limit(clause)
