"""Rivals: which live memories a new statement has to do with, whoever says it and whatever vectors there are."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.dates.days import is_dated
from wellkept.judges.english.grammar.attributes import POSITIONS
from wellkept.judges.english.questions.statements import statement
from wellkept.judges.english.slots.dates import DATED, is_same_appointment, off, thing_of
from wellkept.judges.english.slots.disposals import PREGNANT
from wellkept.judges.english.slots.endings import tells_change
from wellkept.judges.english.slots.things import OF_THINGS, is_same_thing
from wellkept.patterns import deferred
from wellkept.policies import visibility
from wellkept.policies.visibility import Facts
from wellkept.policies.words import term_counts
from wellkept.policies.writing import keys
from wellkept.store.contract import InSlot, Latest, SaidAbout
from wellkept.vocabulary import LIFETIMES, Kind, Space, Trust

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.store.contract import Search
    from wellkept.types import Claim, Memory, Person


JOB = "job"
TERM_MIN = 4
"""Letters of a word that two statements must share to be held against each other without vectors."""
WORD_MIN = 3
_OWN_SPACES = frozenset({Space.USER, Space.SESSION})
_EVERYWHERE = frozenset({"the", "user", "team", "and", "for", "with", "that", "this", "has", "not"})
CORRECTED_MAX = 200
"""How far back "A, not B" looks for B."""


def is_in_sight(memory: Memory, writer: Writer) -> bool:
    """Whether the writer may see a memory of the scope; in a personal one everything is the owner's."""
    return memory.space in _OWN_SPACES or is_heard(memory, writer)


def is_compatible(old: Memory, new: Memory) -> bool:
    """Subject-specific facts never meet general ones; persona-only and confidential ones keep to themselves."""
    if old.kind is not new.kind or not _is_of_realm(old, new):
        return False
    if new.subject_person_ids:
        return bool(set(new.subject_person_ids) & set(old.subject_person_ids))
    return not old.subject_person_ids


def _is_of_realm(old: Memory, new: Memory) -> bool:
    if old.persona_id != new.persona_id or old.confidential != new.confidential:
        return False
    return not new.confidential or old.learned_in == new.learned_in


def corrected(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """What a correction means: the speaker's newest statement with the B of "A, not B" in it, or one it contradicts."""
    wrong = keys.normalised(claim.corrects or "")
    if wrong:
        # That a thing is gone happened; what was said of it was how things were.
        is_of_states = memory.kind is Kind.EPISODIC and not claim.is_correction
        like = replace(memory, kind=Kind.SEMANTIC) if is_of_states else memory
        mine = _of_the_child(like, writer) if wrong == PREGNANT else _corrigible(like, writer)
        return next((old for old in mine if _names(old, wrong, in_order=claim.is_correction)), None)
    return contradicted(memory, claim, writer) if claim.is_correction and memory.fact_key is None else None


def beside_position(memory: Memory, claim: Claim, held: Memory | None) -> bool:
    """Whether a trade is told of somebody whose position is known: "I'm a hydrologist" ends no team lead's post."""
    if held is None or claim.slot != JOB or tells_change(memory.content) or claim.is_correction:
        return False
    return _is_position(held.value) and not _is_position(memory.value) and memory.value is not None


def _is_position(value: str | None) -> bool:
    return bool(POSITIONS & set((value or "").split()))


def contradicted(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """The newest of the speaker's own statements that the new one contradicts, by rule: no vector is needed."""
    mine = _corrigible(memory, writer)
    return next((old for old in mine if _is_contradicted(old, memory, claim, writer)), None)


def _is_contradicted(old: Memory, memory: Memory, claim: Claim, writer: Writer) -> bool:
    """Whether the rules see that two statements with a word in common cannot both be true."""
    if claim.is_correction:
        # A correction may share no more than its verb: "let's use …".
        is_near = not _said_words(memory.content).isdisjoint(_said_words(old.content))
    else:
        terms = {term for term in term_counts(memory.content) if len(term) >= TERM_MIN}
        is_near = not terms.isdisjoint(term_counts(old.content))
    return is_near and writer.engine.judge.compare(claim, old) == "contradicts"


@lru_cache(maxsize=1024)
def _said_words(text: str) -> frozenset[str]:
    return frozenset(word for word in keys.normalised(text).split() if len(word) >= WORD_MIN) - _EVERYWHERE


def taken_back(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What the speaker said of the same people that an ending without a slot takes back, whatever else it said."""
    judge, terms = writer.engine.judge, term_counts(memory.content).keys()
    # An ending may be told as an event; what it ends was how things were.
    like = [replace(memory, kind=kind) for kind in dict.fromkeys((memory.kind, Kind.SEMANTIC))]
    near = (old for one in like for old in _said_before(one, writer) if terms & term_counts(old.content).keys())
    return [old for old in near if judge.compare(claim, old) == "contradicts"]


def in_its_place(memory: Memory, claim: Claim, writer: Writer) -> tuple[Memory, Claim]:
    """The statement with the key that its place has: a trade beside a position, a thing by the name it was known by."""
    slot = in_slot(memory, memory.fact_key, writer=writer) if claim.slot == JOB and memory.fact_key else ()
    held = next((old for old in slot if writer.rules.meets(old, memory)), None)
    if beside_position(memory, claim, held):
        beside = replace(claim, cardinality="many")
        return replace(memory, discriminator=keys.discriminator(beside, memory.fact_key)), beside
    is_moved = (claim.slot or "").startswith(DATED) and _is_changed(claim)
    known = appointments(memory, claim, writer) if is_moved else []
    if not known or any(old.fact_key == memory.fact_key for old in known):
        return memory, claim
    last = max(known, key=lambda old: old.observed_at)
    named = replace(
        memory,
        fact_key=last.fact_key,
        memory_key=last.memory_key,
        discriminator=last.discriminator,
        subject_person_ids=last.subject_person_ids,
    )
    return named, claim


def _is_changed(claim: Claim) -> bool:
    """Whether it is told that things were otherwise; a "now" before the subject stands in the quotation alone."""
    is_told = claim.is_correction or tells_change(f"{claim.content} {claim.quote or ''}")
    return claim.polarity == "assert" and is_told


def in_slot(memory: Memory, *fact_keys: str, writer: Writer, value: str | None = None) -> tuple[Memory, ...]:
    """Live memories of the scope with one of these fact keys that the writer may see, newest first."""
    scope = (memory.tenant, memory.space, memory.owner)
    found = writer.store.memories(InSlot(scope=scope, fact_keys=fact_keys, value=value))
    return tuple(old for old in found if is_in_sight(old, writer))


def appointments(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What was told of the day or hour of the same thing, by a longer or shorter name: the surgery, my knee surgery.

    Of two things that the name fits neither is meant. Who names nobody may mean the thing of somebody named before.
    """
    slot = claim.slot or ""
    if not slot.startswith(DATED):
        return []
    told = [
        old
        for old in _told_by(memory, writer)
        if is_same_appointment(slot, claim.value, keys.slot_of(old.fact_key or ""), old.value)
    ]
    people = set(memory.subject_person_ids)
    own = [old for old in told if set(old.subject_person_ids) & people or not (people or old.subject_person_ids)]
    names_nobody = people <= {memory.stated_by}
    meant = own or (told if names_nobody else [])
    exact = [old for old in meant if thing_of(keys.slot_of(old.fact_key or "")) == thing_of(slot)]
    things = {old.fact_key for old in meant}
    return exact if own and exact else meant if len(things) == 1 else []


def planned(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What the speaker told of something that is off before it had a day: "a weekend in Bornova", "a picnic"."""
    words = off(claim.slot or "") if (claim.slot or "").startswith(DATED) else frozenset()
    if not words:
        return []
    ahead = [old for old in _said_before(memory, writer) if _is_ahead(old) and words <= _said_words(old.content)]
    return ahead if len(ahead) == 1 else []


def _is_ahead(old: Memory) -> bool:
    """Whether it tells what is to come, and neither what was nor the day of something else."""
    slot = keys.slot_of(old.fact_key or "")
    is_plan = old.type in LIFETIMES or is_dated(old.content) or _PLANNING.search(old.content) is not None
    is_loose = slot == "goals" or (is_plan and not slot.startswith(DATED) and not keys.is_ended(old.fact_key or ""))
    return is_loose and not statement(old.content).tense.startswith("past")


_PLANNING = deferred(r"(?i)\b(?:plan|plans|planning|will|is (?:going|travelling|traveling|flying|driving|visiting))\b")


def succeeded(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """What a thing's new holder or new value takes the place of, once a change is told: "Tomás owns billing now"."""
    slot = claim.slot or ""
    is_post = slot == JOB and " of " in (claim.value or "")
    if not (is_post or slot.startswith(OF_THINGS)) or not _is_changed(claim):
        return None
    told = [old for old in _told_by(memory, writer) if _is_held_before(old, slot, memory.value, is_post=is_post)]
    names = {keys.slot_of(old.fact_key or "") for old in told}
    exact = [old for old in told if keys.slot_of(old.fact_key or "") == slot]
    is_clear = len(exact) == 1 or (not exact and len(names) == 1)
    return (exact or told)[0] if is_clear else None


def _is_held_before(old: Memory, slot: str, value: str | None, *, is_post: bool) -> bool:
    if old.fact_key is None or keys.is_ended(old.fact_key):
        return False
    held = keys.slot_of(old.fact_key)
    if is_post:
        return held == slot and old.value == value
    return is_same_thing(slot, held) and old.value != value


def _told_by(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said, of whomever, newest first."""
    scope = (memory.tenant, memory.space, memory.owner)
    for kind in (Kind.SEMANTIC, Kind.EPISODIC):
        for old in reversed(writer.store.memories(Latest(scope=scope, kinds=(kind,), limit=CORRECTED_MAX))):
            if old.stated_by == memory.stated_by and _is_of_realm(old, memory) and is_in_sight(old, writer):
                yield old


def _names(old: Memory, wrong: str, *, in_order: bool) -> bool:
    """Whether a statement has the words in it; a thing that is gone may have been told in another order."""
    said = keys.normalised(old.content)
    return old.value == wrong or f" {wrong} " in f" {said} " if in_order else set(wrong.split()) <= set(said.split())


def _of_the_child(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said of those whom a birth is told of: it may be the father's baby, and the mother's."""
    said = {word for word in keys.normalised(memory.content).split() if word not in _PLAIN}
    for old in reversed(
        writer.store.memories(
            Latest(scope=(memory.tenant, memory.space, memory.owner), kinds=(memory.kind,), limit=CORRECTED_MAX)
        )
    ):
        are_alike = not said.isdisjoint(keys.normalised(old.content).split())
        if old.stated_by == memory.stated_by and are_alike and is_in_sight(old, writer):
            yield old


_PLAIN = frozenset("the a an user s is was had has her his their baby in on at last night to and of girl boy".split())


def _said_before(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said of the same people, newest first."""
    return (old for old in _of_the_same(memory, writer) if old.stated_by == memory.stated_by)


def _corrigible(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """The same, and in a governed session what tools said: they may be wrong as the speaker may."""
    found = _of_the_same(memory, writer)
    return (
        old for old in found if old.stated_by == memory.stated_by or (writer.rules.is_governed and old.source == "tool")
    )


def _of_the_same(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What is told of the same people, newest first."""
    scope = (memory.tenant, memory.space, memory.owner)
    for old in reversed(writer.store.memories(Latest(scope=scope, kinds=(memory.kind,), limit=CORRECTED_MAX))):
        if writer.rules.meets(old, memory) and is_in_sight(old, writer):
            yield old


_SOMEBODY = "The user"
TOLD_MAX = 500
"""How much hearsay, newest first, one statement is held against."""


def overridden(memory: Memory, claim: Claim, writer: Writer) -> tuple[Memory, ...]:
    """Hearsay about the speaker, whoever owns it, that this self-fact speaks to."""
    # A word that stays in its session is heard by nobody else.
    if memory.stated_by is None or memory.trust is not Trust.FACT or memory.space is Space.SESSION:
        return ()
    if not memory.subject_person_ids:
        return ()
    # In the speaker's own space nobody else speaks.
    own_space = (Space.USER, writer.viewpoint.user) if writer.viewpoint.user is not None else None
    told = writer.store.memories(
        SaidAbout(tenant=memory.tenant, person_id=memory.stated_by, besides=own_space, by_others=True, limit=TOLD_MAX)
    )
    return tuple(old for old in told if old.trust is Trust.HEARSAY and _speaks_to(memory, claim, old, writer))


def own_words_against(memory: Memory, claim: Claim, near: Search | None, writer: Writer) -> tuple[Memory, ...]:
    """What the subjects of this hearsay said of themselves that it contradicts. Only users can have said anything."""
    if memory.trust is not Trust.HEARSAY:
        return ()
    persons = writer.store.persons(memory.tenant, memory.subject_person_ids)
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
    shared = store.memories(SaidAbout(tenant=tenant, person_id=person.id, besides=(Space.USER, user), limit=TOLD_MAX))
    slot = _slot(memory)
    if slot is not None:
        keyed = (slot, *keys.contraries(slot))
        return (*shared, *store.memories(InSlot(scope=(tenant, Space.USER, user), fact_keys=keyed)))
    if near is None:
        return shared
    return (*shared, *(candidate.memory for candidate in store.candidates(near, within=(Space.USER, user))))


def is_heard(own: Memory, writer: Writer) -> bool:
    """Has this writer heard that word, or may hear it? Only then may it bear on what the writer is told."""
    chats = [own.learned_in] if own.learned_in is not None else []
    attendance = writer.store.attendance(own.tenant, chats)
    return visibility.is_heard(own, writer.view, Facts(attendance=attendance))


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
    people = writer.store.persons(other.tenant, other.subject_person_ids) if found == "different" else {}
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
