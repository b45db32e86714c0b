"""What can be wrong with a stored memory by itself, and the memory as it should be."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.policies import summaries
from wellkept.policies.people import names
from wellkept.policies.writing.gate import is_low_signal
from wellkept.policies.writing.shape import clean
from wellkept.values import frozen
from wellkept.vocabulary import MemoryType, Space, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.types import Memory

REFS_MAX = 5
REF_KINDS = ("person", "org", "place", "project")

_PLACEHOLDER = deferred(
    r"\b(?:unknown|unspecified|not (?:specified|mentioned|provided|stated)|tbd|lorem ipsum)\b|\[[a-z ]+\]|<[a-z_ ]+>",
    re.IGNORECASE,
)
_LENGTH_MIN = 8


@frozen
class Mend:
    """What is wrong, as a code, and the memory as it should be."""

    code: str
    memory: Memory


@frozen
class Known:
    """What a check must know of the people that a memory refers to."""

    persons: Mapping[str, str]
    """Id as it is stored → id of the living person it means; absent: nobody."""
    speaker: str | None = None
    """Who the user is that wrote it."""


def normalize(memory: Memory, _known: Known) -> Mend | None:
    """Control characters, loose spaces, letters in pieces."""
    text = clean(memory.content)
    return Mend(code="not_normal", memory=replace(memory, content=text)) if text and text != memory.content else None


def provenance(memory: Memory, _known: Known) -> Mend | None:
    """What was extracted must say from what: a message, a quote, or an episode, whose own text quotes what was said."""
    is_told = memory.source_message_id is not None or memory.quote or summaries.EPISODE_TAG in memory.tags
    if memory.origin != "shadow_extraction" or is_told:
        return None
    return _archived(memory, "missing_provenance")


def self_facts(memory: Memory, _known: Known) -> Mend | None:
    """What somebody says of nobody else is about themself; what a chat owns may be about all who talk there.

    What is not portable is about nobody: a subject would carry it out of where it was told.
    """
    if not memory.portable:
        return None
    is_own = memory.stated_by is not None and memory.source == "user" and not memory.subject_person_ids
    is_ours = memory.space is Space.CHAT
    if not is_own or is_ours or memory.type is MemoryType.RELATIONSHIP or memory.stated_by is None:
        return None
    return Mend(code="no_subject", memory=replace(memory, subject_person_ids=(memory.stated_by,)))


def subjects(memory: Memory, known: Known) -> Mend | None:
    """Subjects that are gone, or are somebody else by now."""
    right = tuple(dict.fromkeys(known.persons[one] for one in memory.subject_person_ids if one in known.persons))
    if right == memory.subject_person_ids:
        return None
    return Mend(code="lost_subject", memory=replace(memory, subject_person_ids=right))


def attribution(memory: Memory, known: Known) -> Mend | None:
    """Who said it: somebody who is gone, or nobody though it is known who wrote."""
    if memory.source != "user":
        return None
    right = known.persons.get(memory.stated_by or "", known.speaker)
    return None if right == memory.stated_by else Mend(code="lost_speaker", memory=replace(memory, stated_by=right))


def quality(memory: Memory, _known: Known) -> Mend | None:
    """Nothing that was extracted should be small talk, a placeholder or a scrap. What was asked for stays."""
    if memory.origin != "shadow_extraction":
        return None
    if is_low_signal(memory.content):
        return _archived(memory, "quality_low_signal")
    if _PLACEHOLDER.search(memory.content):
        return _archived(memory, "quality_placeholder")
    if len(memory.content) < _LENGTH_MIN or memory.content.rstrip().endswith("?"):
        return _archived(memory, "quality_format")
    return None


def entities(memory: Memory, _known: Known) -> Mend | None:
    """Refs that are no refs: another kind, a key that is no slug, twice, too many."""
    right = tuple(dict.fromkeys(fixed for ref in memory.entity_refs if (fixed := _ref(ref)) is not None))[:REFS_MAX]
    return None if right == memory.entity_refs else Mend(code="bad_ref", memory=replace(memory, entity_refs=right))


def _ref(ref: str) -> str | None:
    kind, _, key = ref.partition(":")
    slug = names.slug(key)
    return f"{kind}:{slug}" if kind in REF_KINDS and slug else None


def _archived(memory: Memory, reason: str) -> Mend:
    return Mend(code=reason, memory=replace(memory, state=State.ARCHIVED, archive_reason=reason))
