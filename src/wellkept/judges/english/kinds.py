"""What kind of fact a statement is by its grammar and its slot, where no reader says it: type, class and weight."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.gated import gate, gated
from wellkept.judges.english.dates.days import is_dated, is_weekly
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.slots.fact_keys import slot_of
from wellkept.types import Subtype
from wellkept.vocabulary import EventType, Kind, MemoryType, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.slots.values import Slot
    from wellkept.types import Reference

_TASTE_SLOTS = frozenset({"likes", "dislikes", "goals", "tone", "units", "language"})
_TIE_SLOTS = frozenset({"spouse", "children"})
_LASTING_SLOTS = lexicon.words(
    "name nickname preferred_name pronouns city country timezone job employer birthday age car phone-model editor diet "
    "commute school hometown height shoe-size email phone address languages skills allergies native_language salary "
    "anniversary rent mortgage wage household savings habits"
)
_TASTE_VERBS = lexicon.words("like love hate prefer enjoy dislike want")
_DUTIES = frozenset({"need to", "have to", "must", "should", "supposed to"})


def type_of(clause: Clause | None, slot: Slot | None, subjects: Sequence[Reference]) -> MemoryType:
    """The memory type by slot, else by tense and subject."""
    if clause is None or clause.verb is None:
        return MemoryType.IDENTITY if slot is not None and slot.name in _LASTING_SLOTS else MemoryType.KNOWLEDGE
    others = bool(subjects) and not subjects[0].is_speaker
    by_slot = _type_of_slot(clause, slot, is_of_others=others)
    if by_slot is not None:
        return by_slot
    verb = clause.verb
    if verb.lemma in _TASTE_VERBS and verb.tense == "present":
        return MemoryType.PREFERENCE
    if verb.modal in _DUTIES and verb.tense != "past":
        return MemoryType.TASK
    is_habit_of_old = verb.modal == "used to"
    is_going_on = verb.aspect == "progressive" and (others or is_dated(clause.rest))
    is_coming = is_going_on and not is_weekly(clause.rest)
    if (verb.tense in {"past", "future"} and not is_habit_of_old and verb.lemma != "be") or is_coming:
        return MemoryType.EVENT
    is_own = clause.subject is None or clause.subject.pronoun in {"i", "we"} or _is_speakers(clause)
    return MemoryType.IDENTITY if is_own and not others else MemoryType.KNOWLEDGE


def _is_speakers(clause: Clause) -> bool:
    owner = clause.subject.owner if clause.subject is not None else None
    return owner is not None and owner.pronoun == "i"


def _type_of_slot(clause: Clause, slot: Slot | None, *, is_of_others: bool) -> MemoryType | None:
    if slot is None:
        return None
    name = slot.name
    if name.startswith("favorite:") or name in _TASTE_SLOTS:
        return MemoryType.PREFERENCE
    if name.startswith(("relation:", "pet:")) or name in _TIE_SLOTS:
        return MemoryType.RELATIONSHIP
    if name.startswith("date:"):
        return MemoryType.EVENT
    if name.startswith(("schedule:", "tool:", "location:", "project:")):
        return MemoryType.KNOWLEDGE
    is_coming = clause.verb is not None and clause.verb.tense == "future" and _is_somebodys_doing(clause)
    if name not in _LASTING_SLOTS or is_coming:
        return None
    return MemoryType.KNOWLEDGE if is_of_others else MemoryType.IDENTITY


def _is_somebodys_doing(clause: Clause) -> bool:
    """For "my new address will be …": what is said of a thing stays true when it has come true."""
    subject = clause.subject
    return subject is None or not subject.head or subject.relation is not None


def kind_of(memory_type: MemoryType, clause: Clause | None) -> Kind:
    """The channel: what happened is episodic, steps are procedural, the rest is semantic."""
    if memory_type is MemoryType.PROCEDURAL:
        return Kind.PROCEDURAL
    is_past = clause is not None and clause.verb is not None and clause.verb.tense == "past"
    return Kind.EPISODIC if memory_type is MemoryType.EVENT and is_past else Kind.SEMANTIC


_OF_THE_CHAT = frozenset({MemoryType.TASK, MemoryType.OBSERVATION})
_DOINGS = frozenset({MemoryType.EVENT, MemoryType.CONTEXT})


def travels(memory_type: MemoryType, *, is_of_another: bool) -> bool:
    """Whether it means something outside of where it was said: no task or mood, and of somebody else no doings."""
    return memory_type not in _OF_THE_CHAT and not (is_of_another and memory_type in _DOINGS)


# The governance class


_CORRECTS = gated(
    r"(?i)^\W*(?:(?:oh|sorry|oops|wait|no|hmm|well)\W+)*(?:actually|correction|i meant|i mean|scratch that)\b"
    r"|^\W*that(?:['’]s| is| was) (?:wrong|incorrect|not (?:right|true|correct))\b|\bi (?:meant|misspoke)\b"
    r"|\bnot \S.{0,40}?,? but\b|,\s*not\s+\S"
)
_PREFERS = gated(
    r"(?i)(?<=\w )(?:prefers?|likes?|wants?|loves?|hates?|dislikes?|enjoys?"
    r"|adores?|detests?|loathes?|can['’]?t (?:stand|bear))\b|\b(?:fond|a (?:big |huge )?fan) of\b|\bkeen on\b"
    r"|\b(?:i|we|he|she|they)(?:['’]ve| have|['’]s| has) gone off \w|\bnever use\b"
    r"|^\W*(?:please\s+)?(?:don['’]?t|do not) use\b|\bfavou?rite\b|\b(?:i['’]d|would) rather\b|^\W*(?:prefers?|likes?"
    r"|loves?|hates?|wants?)\b"
)
_DECIDES = gated(
    r"(?i)\b(?:we|i|the team|they) (?:\w+ )?(?:decided|agreed|chose|picked|settled|opted|committed)\b"
    r"|\blet(?:['’]?s| us) (?:use|go|switch|stick|adopt|pick)\b"
    r"|\b(?:we|i)(?: will|['’]ll| are going to|['’]re going to|['’]m going to| am going to) (?:use|go with|adopt|switch"
    r"|migrate)\b"
    r"|\bgo(?:ing)? with\b|\bdecision\b|\bfrom now on\b|\bdecided\b"
)
_TELLING = gate(_CORRECTS, _PREFERS, _DECIDES)


def classify(text: str) -> tuple[EventType, float]:
    """The governance class of a text, with a confidence 0..1."""
    told = [clause for clause in parse(text) if clause.type in {"declarative", "imperative", "fragment"}]
    if not told:
        return EventType.CONTEXT, 0.6
    stated = [clause for clause in told if clause.type == "declarative" and clause.subject is not None]
    return event_type_of(text, has_slot=any(map(slot_of, told)), is_declarative=bool(stated))


@lru_cache(maxsize=256)
def event_type_of(text: str, *, has_slot: bool, is_declarative: bool) -> tuple[EventType, float]:
    """The governance class in the order of the contract, with a confidence."""
    if _TELLING.may_find(text):
        if _CORRECTS.search(text):
            return EventType.CORRECTION, 0.9
        if _PREFERS.search(text):
            return EventType.PREFERENCE, 0.9
        if _DECIDES.search(text):
            return EventType.DECISION, 0.9
    if has_slot:
        return EventType.FACT, 0.9
    return (EventType.FACT, 0.75) if is_declarative else (EventType.CONTEXT, 0.6)


# What follows from type, slot and privacy


_KEY_SLOTS = frozenset({"birthday", "anniversary", "allergies", "spouse", "children"})
_CATEGORIES = {
    "goals": "goals", "tone": "tone", "language": "style", "units": "style", "allergies": "constraints",
    "diet": "constraints", "hometown": "history", "birthplace": "history", "school": "history", "skills": "interests",
}  # fmt: skip


def importance_of(memory_type: MemoryType, slot: str | None, *, sensitivity: Sensitivity, is_own: bool) -> float:
    """0 passing, 1 standard, 2 relationships and key facts, 3 the speaker's name and role."""
    if memory_type is MemoryType.OBSERVATION:
        return 0.0
    if slot in {"name", "job"} and is_own:
        return 3.0
    is_passing = memory_type in {MemoryType.CONTEXT, MemoryType.TASK}
    is_grave = sensitivity is Sensitivity.SENSITIVE and not is_passing
    return 2.0 if memory_type is MemoryType.RELATIONSHIP or slot in _KEY_SLOTS or is_grave else 1.0


def category_of(memory_type: MemoryType, slot: str | None, *, is_project: bool) -> str | None:
    """The category that a slot or a project gives; None leaves it to the type."""
    if is_project and memory_type not in {MemoryType.TASK, MemoryType.PROCEDURAL}:
        return "projects"
    return _CATEGORIES.get(slot or "")


def subtype_of(memory_type: MemoryType, refs: Sequence[str], slot: str | None) -> Subtype:
    """What the primary entity is, and what is said of it."""
    kind = refs[0].split(":", 1)[0] if refs else "person"
    is_closed = kind in {"person", "place", "org", "project"}
    entity = kind if is_closed else "person"
    if memory_type is MemoryType.PREFERENCE:
        return Subtype(entity_type=entity, fact_type="preference")  # type: ignore[arg-type]  # of its closed set
    if memory_type is MemoryType.RELATIONSHIP:
        return Subtype(entity_type=entity, fact_type="relationship")  # type: ignore[arg-type]  # of its closed set
    return Subtype(entity_type=entity, fact_type="habit" if slot == "habits" else "fact")  # type: ignore[arg-type]  # of its closed set
