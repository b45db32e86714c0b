"""First-person protection: what somebody says of themself stands above what others say of them.

Across owners nothing is rewritten: a SUPERSEDES edge hides the hearsay from those who may hear the person's own word,
and from the person; for everybody else nothing changes, so that a private word stays private.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.policies.visibility import memories
from wellkept.policies.visibility.memories import Facts
from wellkept.policies.writing import keys
from wellkept.types import Edge
from wellkept.vocabulary import EdgeKind, Space, Trust

if TYPE_CHECKING:
    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.store.contract import Search
    from wellkept.types import Claim, Memory, Person

_SOMEBODY = "The user"
TOLD_MAX = 500
"""How much hearsay, newest first, one statement is held against."""


def overridden(memory: Memory, claim: Claim, writer: Writer) -> tuple[Memory, ...]:
    """Hearsay about the speaker, whoever owns it, that this self-fact speaks to."""
    if memory.stated_by is None or memory.trust is not Trust.FACT or not memory.subject_person_ids:
        return ()
    # In the speaker's own space nobody else speaks.
    own_space = (Space.USER, writer.viewpoint.user) if writer.viewpoint.user is not None else None
    told = writer.engine.store.said_about(
        memory.tenant, memory.stated_by, besides=own_space, by_others=True, limit=TOLD_MAX
    )
    return tuple(old for old in told if old.trust is Trust.HEARSAY and _speaks_to(memory, claim, old, writer))


def own_words(memory: Memory, claim: Claim, near: Search | None, writer: Writer) -> tuple[Memory, ...]:
    """What the subjects of this hearsay said of themselves that it contradicts. Only users can have said anything."""
    if memory.trust is not Trust.HEARSAY:
        return ()
    persons = writer.engine.store.persons(memory.tenant, memory.subject_person_ids)
    found = {}
    for person in persons.values():
        for own in _said_of_themself(memory, person, near, writer) if person.user_id is not None else ():
            is_own = own.stated_by == person.id and own.trust is Trust.FACT
            if is_own and _contradicts(memory, claim, own, writer):
                found[own.id] = own
    return tuple(found.values())


def _said_of_themself(memory: Memory, person: Person, near: Search | None, writer: Writer) -> tuple[Memory, ...]:
    """What could speak to the same: by slot in the person's own space, by nearness there, and all in shared ones."""
    store, tenant, user = writer.engine.store, memory.tenant, person.user_id or ""
    shared = store.said_about(tenant, person.id, besides=(Space.USER, user), limit=TOLD_MAX)
    slot = _slot(memory)
    if slot is not None:
        keyed = (slot, *keys.contraries(slot))
        return (*shared, *(own for key in keyed for own in store.in_slot(tenant, Space.USER, user, key)))
    if near is None:
        return shared
    return (*shared, *(candidate.memory for candidate in store.near(tenant, Space.USER, user, near)))


def is_heard(own: Memory, writer: Writer) -> bool:
    """Has this writer heard that word, or may hear it? Only then may it bear on what the writer is told."""
    chats = [own.learned_in] if own.learned_in is not None else []
    attendance = writer.engine.store.attendance(own.tenant, chats)
    return memories.is_heard(own, writer.view, Facts(attendance=attendance))


def edge(own: Memory, told: Memory) -> Edge:
    """The person's own word stands above what was told of them."""
    return Edge(kind=EdgeKind.SUPERSEDES, src=own.id, dst=told.id)


def _speaks_to(memory: Memory, claim: Claim, told: Memory, writer: Writer) -> bool:
    if _slot(memory) is not None and _slot(memory) == _slot(told):
        return claim.cardinality == "one" or memory.value == told.value
    if _is_contrary(memory, told):
        return True
    return _compared(claim, told, writer) != "different"


def _contradicts(memory: Memory, claim: Claim, own: Memory, writer: Writer) -> bool:
    if _slot(memory) is not None and _slot(memory) == _slot(own):
        is_ended = own.fact_key is not None and keys.is_ended(own.fact_key)
        if claim.cardinality == "many":
            return is_ended and memory.value == own.value
        return is_ended or memory.value != own.value
    if _is_contrary(memory, own):
        return True
    return _compared(claim, own, writer) == "contradicts"


def _compared(claim: Claim, other: Memory, writer: Writer) -> Verdict:
    """The verdict on what somebody says of themself and what others say of them: whoever speaks, it is of the one."""
    found = writer.engine.judge.compare(claim, other)
    people = writer.engine.store.persons(other.tenant, other.subject_person_ids) if found == "different" else {}
    if len(people) != 1:
        return found
    [person] = people.values()
    called = "|".join(re.escape(name) for name in (person.name, *(alias.value for alias in person.aliases)) if name)
    subject = re.compile(rf"(?i)^(?:The user|{called})(?=['’]s\b|\s)" if called else r"^The user(?=['’]s\b|\s)")
    texts = [subject.sub(_SOMEBODY, content) for content in (claim.content, other.content)]
    if not all(text.startswith(_SOMEBODY) for text in texts):
        return found
    return writer.engine.judge.compare(replace(claim, content=texts[0]), replace(other, content=texts[1]))


def _is_contrary(one: Memory, other: Memory) -> bool:
    """Whether one likes what the other says is disliked."""
    slots = _slot(one), _slot(other)
    if slots[0] is None or slots[1] not in keys.contraries(slots[0]) or one.value != other.value:
        return False
    return not any(keys.is_ended(memory.fact_key or "") for memory in (one, other))


def _slot(memory: Memory) -> str | None:
    return None if memory.fact_key is None else keys.slot_of(memory.fact_key)
