"""Coming true: what was announced is so once the speaker tells of it as of something that is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.flows.reconcile import entry
from recollect.judges.rules.endings import come_true
from recollect.policies import keys
from recollect.policies.words import term_counts
from recollect.store.base import Change
from recollect.vocabulary import Kind

if TYPE_CHECKING:
    from recollect.flows.draft import Writer
    from recollect.types import Memory

AHEAD_MAX = 200
"""How far back an announcement is looked for."""
_NOW = re.compile(r"\b(?:now|already|these days|at last|finally)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][\w'-]+")


def heed(told: Memory, writer: Writer) -> None:
    """Put in the present what the speaker announced ("my new address will be …") when what is told names it as now."""
    if told.kind is not Kind.SEMANTIC or not _NOW.search(told.content):
        return
    store, said = writer.engine.store, set(keys.normalised(told.content).split())
    for old in store.live(told.tenant, told.space, told.owner, (Kind.SEMANTIC,), limit=AHEAD_MAX):
        present = come_true(old.content)
        names = {name.casefold() for name in _NAME.findall(old.content)}
        if present is None or old.id == told.id or old.stated_by != told.stated_by or names.isdisjoint(said):
            continue
        now = writer.view.now
        true = replace(old, content=present, updated_at=now, version=old.version + 1)
        change = Change(
            memory=true,
            entry=entry("update", true, writer, "came_true"),
            is_text_changed=True,
            terms=term_counts(f"{present} {old.quote or ''}"),
        )
        store.apply([change], at=now)
