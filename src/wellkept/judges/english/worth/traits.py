"""What kind of fact a text is: type, kind, governance class, category, privacy, importance, entities."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import privacy, secrecy
from wellkept.judges.english.worth.moments import HABIT
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug
from wellkept.types import Subtype
from wellkept.vocabulary import EventType, MemoryType, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.slots.values import Slot

_LIFE = lexicon.words(
    "buy sell move marry propose graduate lose win break get have go visit meet watch see run finish start drive "
    "cook adopt attend travel fly die pass arrest fire hire "
    "vote teach learn steal happen beat relapse yell call remarry quit leave arrive return ship launch take make eat "
    "bake read play miscarry change begin"
)


_CORRECTS = deferred(
    r"(?i)^\W*(?:(?:oh|sorry|oops|wait|no|hmm|well)\W+)*(?:actually|correction|i meant|i mean|scratch that)\b"
    r"|^\W*that(?:['’]s| is| was) (?:wrong|incorrect|not (?:right|true|correct))\b|\bi (?:meant|misspoke)\b"
    r"|\bnot \S.{0,40}?,? but\b|,\s*not\s+\S"
)
_PREFERS = deferred(
    r"(?i)(?<=\w )(?:prefers?|likes?|wants?|loves?|hates?|dislikes?|enjoys?"
    r"|adores?|detests?|loathes?|can['’]?t (?:stand|bear))\b|\b(?:fond|a (?:big |huge )?fan) of\b|\bkeen on\b"
    r"|\b(?:i|we|he|she|they)(?:['’]ve| have|['’]s| has) gone off \w|\bnever use\b"
    r"|^\W*(?:please\s+)?(?:don['’]?t|do not) use\b|\bfavou?rite\b|\b(?:i['’]d|would) rather\b|^\W*(?:prefers?|likes?"
    r"|loves?|hates?|wants?)\b"
)
_DECIDES = deferred(
    r"(?i)\b(?:we|i|the team|they) (?:\w+ )?(?:decided|agreed|chose|picked|settled|opted|committed)\b"
    r"|\blet(?:['’]?s| us) (?:use|go|switch|stick|adopt|pick)\b"
    r"|\b(?:we|i)(?: will|['’]ll| are going to|['’]re going to|['’]m going to| am going to) (?:use|go with|adopt|switch"
    r"|migrate)\b"
    r"|\bgo(?:ing)? with\b|\bdecision\b|\bfrom now on\b|\bdecided\b"
)


@lru_cache(maxsize=256)
def event_type_of(text: str, *, has_slot: bool, is_declarative: bool) -> tuple[EventType, float]:
    """The governance class in the order of the contract, with a confidence."""
    if _CORRECTS.search(text):
        return EventType.CORRECTION, 0.9
    if _PREFERS.search(text):
        return EventType.PREFERENCE, 0.9
    if _DECIDES.search(text):
        return EventType.DECISION, 0.9
    if has_slot:
        return EventType.FACT, 0.9
    if is_declarative:
        return EventType.FACT, 0.75
    return EventType.CONTEXT, 0.6


_SENSITIVE = (privacy.HEALTH, privacy.MONEY, privacy.INTIMATE, privacy.FOREIGN_SENSITIVE)
_PERSONAL = (privacy.PERSONAL, privacy.JUDGEMENT, privacy.FOREIGN_PERSONAL)


def sensitivity_of(text: str) -> Sensitivity:
    """Who may hear it.

    Health, money, sexuality, law and status are sensitive; love, trouble at work, faith, addresses and what is held
    against somebody are personal.
    """
    if any(pattern.search(text) for pattern in _SENSITIVE):
        return Sensitivity.SENSITIVE
    if any(pattern.search(text) for pattern in _PERSONAL):
        return Sensitivity.PERSONAL
    return Sensitivity.PUBLIC


@lru_cache(maxsize=256)
def is_confidential(text: str) -> bool:
    """Whether the speaker asks to keep it between them."""
    return secrecy.CONFIDENTIAL.search(text) is not None


@lru_cache(maxsize=256)
def is_suspect(text: str) -> bool:
    """Whether the text reads like an instruction to a model."""
    return privacy.SUSPECT.search(text) is not None or privacy.ADVERTISING.search(text) is not None


_KEY_FACTS = deferred(r"(?i)\b(?:allerg\w+|birthday|anniversary|intoleran\w+|epipen)\b")


TRIVIAL = 0.5
"""Goes when nobody asks for it."""
_COUNTED = deferred(r"\b(?:has|owns) \d+ [a-z]+$")


def importance_of(
    memory_type: MemoryType, slot: Slot | None, text: str, *, sensitivity: Sensitivity, is_own: bool
) -> float:
    """0 passing, 1 standard, 2 relationships and key facts, 3 the speaker's name and role."""
    if memory_type is MemoryType.OBSERVATION:
        return 0.0
    if slot is None and memory_type is MemoryType.IDENTITY and _COUNTED.search(text):
        return TRIVIAL
    if slot is not None and slot.name in {"name", "job"} and is_own:
        return 3.0
    if (
        memory_type is MemoryType.RELATIONSHIP
        or _KEY_FACTS.search(text)
        or (slot is not None and slot.name in {"birthday", "allergies", "spouse", "children"})
    ):
        return 2.0
    if (
        sensitivity is Sensitivity.SENSITIVE
        and privacy.HEALTH.search(text)
        and memory_type not in {MemoryType.CONTEXT, MemoryType.TASK}
    ):
        return 2.0
    return 1.0


_INTERESTS = deferred(
    r"(?i)\b(?:hobb(?:y|ies)|interested in|into|fan of|collects?|plays?|passionate|obsessed|enjoys?|loves? \w+ing)\b"
)
_HISTORY = deferred(
    r"(?i)\b(?:grew up|was born|used to|graduated|studied|was raised|formerly|years ago|as a (?:kid|child)"
    r"|in my (?:teens|twenties|thirties|childhood)|originally from)\b"
)
_CONSTRAINTS = deferred(
    r"(?i)\b(?:must(?: not|n't)?|never|budget|can(?:'t|not) (?:eat|have|use)|no more than|at most|limit(?:ed)?"
    r"|only (?:eats?|uses?)|allerg\w+|deadline)\b"
)
_STYLE = deferred(
    r"(?i)\b(?:answers?|respon\w+|repl(?:y|ies)|brief(?:ly)?|concise|formal|casual|bullet points?|emojis?|tone"
    r"|explain|spelling|jargon)\b"
)


def category_of(memory_type: MemoryType, slot: Slot | None, text: str, *, is_project: bool) -> str | None:
    """A category by rule: goals, interests, history, tone, style, constraints, projects; None leaves it to the type."""
    if slot is not None and slot.name in {"goals", "tone"}:
        return slot.name
    if is_project and memory_type not in {MemoryType.TASK, MemoryType.PROCEDURAL}:
        return "projects"
    if (
        memory_type is MemoryType.PREFERENCE
        and _STYLE.search(text)
        and re.search(r"(?i)\bassistant|answers?|repl|respon|emojis?|spelling\b", text)
    ):
        return "style"
    if (
        memory_type in {MemoryType.PREFERENCE, MemoryType.KNOWLEDGE, MemoryType.IDENTITY}
        and _CONSTRAINTS.search(text)
        and not (slot is not None and slot.name in {"likes", "dislikes"})
    ):
        return "constraints"
    if memory_type is MemoryType.IDENTITY and _HISTORY.search(text):
        return "history"
    if memory_type is MemoryType.IDENTITY and _INTERESTS.search(text):
        return "interests"
    return None


FactType = Literal["fact", "preference", "relationship", "friction", "habit"]
_FRICTION = deferred(
    r"(?i)\b(?:conflict|argu\w+|fight|fought|yell\w+|tension|struggl\w+|problem with|stuck|blocked|annoy\w+)\b"
)


def subtype_of(memory_type: MemoryType, refs: Sequence[str], text: str) -> Subtype:
    """What the primary entity is, and what is said of it."""
    kind = refs[0].split(":", 1)[0] if refs else "person"
    fact: FactType = "fact"
    if memory_type is MemoryType.PREFERENCE:
        fact = "preference"
    elif memory_type is MemoryType.RELATIONSHIP:
        fact = "relationship"
    else:
        is_habit = memory_type in {MemoryType.IDENTITY, MemoryType.KNOWLEDGE} and HABIT.search(text) is not None
        fact = "friction" if _FRICTION.search(text) else "habit" if is_habit else "fact"
    return Subtype(entity_type=kind if kind in {"person", "place", "org", "project"} else "person", fact_type=fact)  # type: ignore[arg-type]  # both are of their closed sets


def slug_ref(kind: str, name: str) -> str | None:
    """An entity key, or None when nothing of the name is left."""
    key = slug(name)
    return f"{kind}:{key}" if key else None
