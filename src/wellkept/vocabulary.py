"""The closed sets of the model: types, kinds, spaces, states and the other words that are contract."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


class MemoryType(StrEnum):
    """How long a memory lives."""

    PREFERENCE = "preference"
    IDENTITY = "identity"
    RELATIONSHIP = "relationship"
    KNOWLEDGE = "knowledge"
    INSIGHT = "insight"
    PROCEDURAL = "procedural"
    CONTEXT = "context"
    EVENT = "event"
    TASK = "task"
    OBSERVATION = "observation"


LIFETIMES: Mapping[MemoryType, timedelta] = {
    MemoryType.CONTEXT: timedelta(days=7),
    MemoryType.EVENT: timedelta(days=30),
    MemoryType.TASK: timedelta(days=14),
    MemoryType.OBSERVATION: timedelta(days=3),
}


class Kind(StrEnum):
    """Which channel a memory is in."""

    SHORT_TERM = "short_term"
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROFILE = "profile"
    PROCEDURAL = "procedural"
    INSIGHT = "insight"


class Space(StrEnum):
    """Where a memory lives; each space has an owner id."""

    SESSION = "session"
    USER = "user"
    CHAT = "chat"
    PROJECT = "project"
    SYSTEM = "system"


class State(StrEnum):
    """Where a memory stands in its life; only active ones are recalled."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    SOFT_DELETED = "soft_deleted"


class Sensitivity(StrEnum):
    """Who may hear it."""

    PUBLIC = "public"
    PERSONAL = "personal"
    SENSITIVE = "sensitive"


class Authority(StrEnum):
    """Whose word it is, weakest first."""

    AI_INFERRED = "ai_inferred"
    USER_ASSERTED = "user_asserted"
    TOOL_VERIFIED = "tool_verified"
    SYSTEM_IMPOSED = "system_imposed"


class EventType(StrEnum):
    """What a statement does, for governance."""

    PREFERENCE = "preference"
    DECISION = "decision"
    FACT = "fact"
    CORRECTION = "correction"
    EXECUTION = "execution"
    CONTEXT = "context"


class Trust(StrEnum):
    """How a memory knows what it knows."""

    FACT = "fact"
    HEARSAY = "hearsay"
    UNKNOWN = "unknown"


class EdgeKind(StrEnum):
    """What an edge says about the two things it joins."""

    ABOUT = "ABOUT"
    STATED_BY = "STATED_BY"
    LEARNED_IN = "LEARNED_IN"
    SUPERSEDES = "SUPERSEDES"
    IS_PERSON = "IS_PERSON"
    PARTICIPATES_IN = "PARTICIPATES_IN"
    OPENED = "OPENED"
    MERGED_INTO = "MERGED_INTO"
    HAS_RELATIONSHIP = "HAS_RELATIONSHIP"
    RELATED_TO = "related_to"
    PROMOTED_FROM = "promoted_from"
    FOLD_OF = "fold_of"


Source = Literal["user", "ai", "tool", "system"]
Origin = Literal[
    "explicit",
    "shadow_extraction",
    "seeded_profile",
    "curated_fold",
    "consolidation",
    "import",
    "promotion",
    "theory_of_mind",
]
ChatType = Literal["private", "group"]
Cardinality = Literal["one", "many"]
Polarity = Literal["assert", "retract"]
OutcomeKind = Literal["created", "updated", "merged", "superseded_old", "duplicate", "queued_for_consent", "denied"]

DOCTOR_CHECKS = (
    "embed-missing",
    "normalize",
    "provenance",
    "self-facts",
    "subjects",
    "attribution",
    "names",
    "reclassify",
    "quality",
    "duplicates",
    "contradictions",
    "entities",
    "index",
    "ledger",
    "integrity",
)
"""What the doctor looks for, in its order."""
