"""Coming true: what was announced is so once it is told as of now, and a trade goes along when somebody moves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows.write.reconcile import entry
from wellkept.judges.english.slots.endings import come_true
from wellkept.policies.text.words import term_counts
from wellkept.policies.writing import keys
from wellkept.store.contract import Change
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory, Person

AHEAD_MAX = 200
"""How far back an announcement is looked for."""
_NOW = re.compile(r"\b(?:now|already|these days|at last|finally)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][\w'-]+")


_TRADE = re.compile(r"(?P<trade>.{3,60} (?:is|works as) an? [\w -]+?) in (?P<place>[^\W\d_a-z][\w' -]*)")


def heed(told: Memory, writer: Writer) -> None:
    """Retell what the speaker said before in the words that are true with what is told."""
    if told.kind is not Kind.SEMANTIC:
        return
    if (told.fact_key or "").rpartition(":")[2] == "city":
        _move(told, writer)
    if _NOW.search(told.content):
        _come(told, writer)


def _come(told: Memory, writer: Writer) -> None:
    """Put in the present what the speaker announced ("my new address will be …") when what is told names it as now."""
    store, said = writer.engine.store, set(keys.normalised(told.content).split())
    for old in store.live(told.tenant, told.space, told.owner, (Kind.SEMANTIC,), limit=AHEAD_MAX):
        present = come_true(old.content)
        names = {name.casefold() for name in _NAME.findall(old.content)}
        is_own = old.id != told.id and old.stated_by == told.stated_by
        if present is not None and is_own and not names.isdisjoint(said):
            _retell(old, present, writer)


def _move(told: Memory, writer: Writer) -> None:
    """For a dentist in Thrissur who lives in Kochi now: a dentist."""
    key = f"{(told.fact_key or '').removesuffix('city')}job"
    for old in writer.engine.store.in_slot(told.tenant, told.space, told.owner, key):
        found = _TRADE.fullmatch(old.content)
        if found is not None and old.stated_by == told.stated_by and found["place"] not in told.content:
            _retell(old, found["trade"], writer)


def rename(person: Person, ties: Iterable[str], writer: Writer) -> None:
    """Call somebody by name in what was told of them as the boyfriend or boss that they are no longer."""
    speaker = writer.speaker.name if writer.speaker is not None and writer.speaker.name else "the user"
    tie = re.compile(rf"\b(?:the user|{re.escape(speaker)})['’]s (?:{'|'.join(sorted(ties))})\b", re.IGNORECASE)
    for memory in writer.engine.store.about(writer.view, [person.id], limit=AHEAD_MAX) if person.name else ():
        is_own = memory.space is Space.USER and memory.owner == writer.viewpoint.user
        if is_own and not (memory.fact_key or "").startswith("relation:") and tie.search(memory.content):
            _retell(memory, tie.sub(person.name or "", memory.content), writer)


def _retell(old: Memory, text: str, writer: Writer) -> None:
    now = writer.view.now
    true = replace(old, content=text, updated_at=now, version=old.version + 1)
    change = Change(
        memory=true,
        entry=entry("update", true, writer, "came_true"),
        is_text_changed=True,
        terms=term_counts(f"{text} {old.quote or ''}"),
    )
    writer.engine.store.apply([change], at=now)
