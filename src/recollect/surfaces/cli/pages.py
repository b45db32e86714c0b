"""How answers look to a person that are shown from their values: those that come from this process alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli import upkeep
from recollect.surfaces.cli.doctor import diagnosis
from recollect.surfaces.cli.pages_consent import CONSENT_PAGES
from recollect.surfaces.cli.pages_sessions import SESSION_PAGES
from recollect.surfaces.cli.pages_traces import TRACE_PAGES

if TYPE_CHECKING:
    from recollect.surfaces.cli.screen import Screen


PAGES: Mapping[str, Callable[[Screen, Any], None]] = {
    **CONSENT_PAGES,
    "doctor": diagnosis,
    **TRACE_PAGES,
    **SESSION_PAGES,
    "run_upkeep": upkeep.rounds,
    "jobs": upkeep.queue,
    "retry_jobs": upkeep.retried,
    "compact": upkeep.removed,
    "export_user": upkeep.lines,
    "erase_user": upkeep.erased,
}
