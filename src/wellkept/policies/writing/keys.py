"""What makes two memories the same: domain, memory key, fact key, discriminator, all derived; and how near two are."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred
from wellkept.policies.people import names
from wellkept.values import frozen
from wellkept.vocabulary import MemoryType, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.types import Claim, Memory, Person, Subtype


Domain = Literal["PROFILE", "PEOPLE", "PROJECT"]

CATEGORY_OF_TYPE: Mapping[MemoryType, str] = {
    MemoryType.PREFERENCE: "preferences",
    MemoryType.IDENTITY: "profile",
    MemoryType.RELATIONSHIP: "relationships",
    MemoryType.KNOWLEDGE: "knowledge",
    MemoryType.CONTEXT: "recent_activity",
    MemoryType.EVENT: "event",
    MemoryType.TASK: "tasks",
    MemoryType.OBSERVATION: "activity",
    MemoryType.INSIGHT: "relationship_dynamic",
    MemoryType.PROCEDURAL: "procedural",
}

TOLD_TOGETHER: Mapping[str, tuple[str, ...]] = {"employer": ("employer", "job"), "job": ("job", "employer")}
"""Slots that one sentence fills at once: "a nurse at St. Mary's" is kept as a job and says where."""

REFS_MAX = 5
ENDED = "ended:"
"""Leads the slot of a memory which says that a value no longer holds."""
_AGAINST = {"likes": "dislikes", "dislikes": "likes"}

_NOT_A_WORD = deferred(r"[^\w]+")
_SKIN_TONES = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_ASCII_SIGNS = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}


def normalised(text: str) -> str:
    """Letters and digits of every script, case folded, single spaces: what two equal texts have in common.

    >>> normalised("  Dark-mode,  PLEASE! ")
    'dark mode please'
    """
    if text.isascii():
        return " ".join(text.translate(_ASCII_SIGNS).split())
    folded = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    return _NOT_A_WORD.sub(" ", folded).strip()


def signs(text: str) -> str:
    """The same with the marks of every script and signs such as emoji: texts that differ in these only are two texts.

    >>> signs("I  prefer CONCISE updates!"), signs("🎉 πάρτι!")
    ('i prefer concise updates', '🎉 πάρτι')
    """
    if text.isascii():
        return normalised(text)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join("".join(sign if _is_told(sign) else " " for sign in folded).split())


def _is_told(sign: str) -> bool:
    category = unicodedata.category(sign)
    return category[0] in "LMN" or category == "So" or sign in _SKIN_TONES


def domain(entity_refs: Sequence[str], *, is_about_others: bool) -> Domain:
    """A project first among the refs → PROJECT; somebody other than the owner → PEOPLE; else PROFILE."""
    if entity_refs and entity_refs[0].startswith("project:"):
        return "PROJECT"
    return "PEOPLE" if is_about_others else "PROFILE"


def category(memory_type: MemoryType, of: Domain) -> str:
    """The default category of a type; a project's facts have their own."""
    if of == "PROJECT" and memory_type not in (MemoryType.TASK, MemoryType.PROCEDURAL):
        return "projects"
    return CATEGORY_OF_TYPE[memory_type]


def memory_key(of: Domain, subtype: Subtype, primary: str) -> str:
    """The four parts: domain, entity type, bare slug of the primary entity, fact type.

    >>> from wellkept.types import Subtype
    >>> memory_key("PEOPLE", Subtype(fact_type="relationship"), "john_doe")
    'people|person|john_doe|relationship'
    """
    return f"{of.lower()}|{subtype.entity_type}|{primary}|{subtype.fact_type}"


def fact_key(slot: str | None, *, space: Space, person_id: str | None, owner_person_id: str | None) -> str | None:
    """The slot, led by the person it belongs to unless that is the owner of the personal space."""
    if slot is None:
        return None
    if person_id is None or (space is Space.USER and person_id == owner_person_id):
        return slot
    return f"{person_id}:{slot}"


def named(memory: Memory, person: Person) -> Memory:
    """The memory with the ref, the label and the key of somebody whose name was not known when it was told."""
    slug = names.slug(person.name or "")
    of, entity, primary, fact = memory.memory_key.split("|")
    unnamed = {person.id, *(names.slug(tie.relationship) for tie in person.relationships)}
    ref = f"person:{slug}"
    if not slug or person.id not in memory.subject_person_ids or primary not in {*unnamed, slug}:
        return memory
    refs = memory.entity_refs if ref in memory.entity_refs else (ref, *memory.entity_refs)[:REFS_MAX]
    return replace(
        memory,
        entity_refs=refs,
        entity_label=memory.entity_label or person.name,
        memory_key=f"{of}|{entity}|{slug}|{fact}",
    )


def moved(memory: Memory, old: str, new: Person) -> Memory:
    """The memory as one about another person: subject, slot and key follow."""
    subjects = tuple(dict.fromkeys(new.id if one == old else one for one in memory.subject_person_ids))
    key = memory.fact_key
    if key is None or not key.startswith(f"{old}:"):
        return replace(memory, subject_person_ids=subjects)
    other = f"{new.id}:{key.removeprefix(f'{old}:')}"
    where = realm(memory)
    is_single = memory.discriminator == _hash("one", where, key)
    many = _hash("many", where, other, memory.value or signs(memory.content))
    kept = _hash("one", where, other) if is_single else many
    return replace(memory, subject_person_ids=subjects, fact_key=other, discriminator=kept)


def realm(memory: Memory) -> str:
    """The persona or the chat that a memory is kept to."""
    is_kept = memory.persona_id is not None or memory.confidential
    return f"{memory.persona_id or ''}|{memory.learned_in or ''}" if is_kept else ""


def slot_of(key: str) -> str:
    """The slot of a fact key, without the person and whether or not its value has ended.

    >>> slot_of("p_abc:ended:likes"), slot_of("favorite:color")
    ('likes', 'favorite:color')
    """
    bare = key.split(":", 1)[1] if key.startswith("p_") else key
    return bare.removeprefix(ENDED)


def is_ended(key: str) -> bool:
    """Whether the key says that a value of its slot no longer holds."""
    bare = key.split(":", 1)[1] if key.startswith("p_") else key
    return bare.startswith(ENDED)


def contraries(key: str) -> tuple[str, ...]:
    """The keys that say the contrary of a value: that it has ended or holds, and of a taste also the taste against it.

    >>> contraries("p_abc:likes"), contraries("ended:likes"), contraries("job")
    (('p_abc:ended:likes', 'p_abc:dislikes'), ('likes',), ('ended:job',))
    """
    person, bare = key.split(":", 1) if key.startswith("p_") else ("", key)
    turned = bare.removeprefix(ENDED) if bare.startswith(ENDED) else f"{ENDED}{bare}"
    against = (turned, _AGAINST[bare]) if bare in _AGAINST else (turned,)
    return tuple([f"{person}:{one}" for one in against]) if person else against


def discriminator(claim: Claim, key: str | None, realm: str = "") -> str:
    """What two live memories of one scope and memory key may not share.

    `realm`: the persona or the chat that a memory is kept to; equal facts in different realms both live.
    """
    if key is None:
        return _hash("text", realm, signs(claim.content))
    if claim.cardinality == "one" and not is_ended(key):
        return _hash("one", realm, key)
    return _hash("many", realm, key, signs(claim.value or claim.content))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


Band = Literal["same", "judge", "maybe", "different"]


@frozen
class Bands:
    """Borders of the bands, each the lowest similarity that belongs to it."""

    same: float = 0.85
    judge: float = 0.60
    maybe: float = 0.30
    judge_checks_max: int = 5
    maybe_checks_max: int = 3
    maybe_age_days: int = 90
    hearsay: float = 0.80
    link: float = 0.30
    links_max: int = 5

    def of(self, similarity: float) -> Band:
        """The band a similarity falls in.

        >>> Bands().of(0.7)
        'judge'
        """
        if similarity >= self.same:
            return "same"
        if similarity >= self.judge:
            return "judge"
        return "maybe" if similarity >= self.maybe else "different"
