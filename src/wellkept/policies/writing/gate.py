"""The write gate: the checks every statement passes before it is stored, in order; the first refusal wins."""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import word_set
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.writing.keys import normalised
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import EventType, Kind, Space

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from wellkept.types import Claim
    from wellkept.vocabulary import Source

WritePolicy = Literal["none", "minimal", "normal", "aggressive"]

CONTENT_MAX = 4_000
SEARCHED_MAX = 5 * CONTENT_MAX
"""Characters of a text that is too long anyway in which a secret is looked for."""
SUBJECTS_MAX = 10
CONTENT_MIN = 8
"""Characters; an extracted fact shorter than this says nothing that a reader could use."""

REFUSALS: Mapping[str, str] = {
    "empty_content": "There is nothing to remember in that text.",
    "content_too_long": f"Memory content may have at most {CONTENT_MAX} characters.",
    "too_many_subjects": f"A memory may be about at most {SUBJECTS_MAX} people.",
    "privacy_deny_sensitive": "Memory content contains potential secrets and cannot be stored",
    "privacy_deny_pattern": "The privacy policy does not let this be stored.",
    "privacy_deny_profile_key": "The privacy policy does not keep this in the profile.",
    "write_space_disallowed": "This viewpoint may not write to that space.",
    "write_policy_none": "The write policy stores nothing.",
    "write_policy_minimal": "The write policy stores only preferences, decisions, facts and corrections.",
    "write_policy_context": "The write policy does not store passing context.",
    "policy_deny_event_type": "The policy does not store this type of event.",
    "policy_deny_promotion": "The policy does not make this kind of memory from this type of event.",
    "policy_low_signal": "That says nothing worth remembering.",
    "suspect_instruction": "Instructions to a model are not stored from tools or models.",
    "forget_request": "That asks to forget something: `forget` takes a memory out by its id, and this stores nothing.",
    "ambiguous": 'That name fits more than one person you know; say which one, such as "my brother John".',
    "first_person_protection": "The person concerned said otherwise, and their own word stands.",
    "quality_confidence": "Too uncertain to be stored.",
    "quality_length": "Too short to be useful.",
}

ALLOWED = Decision(verdict="pass", reason="allowed")


@frozen
class GateOptions:
    """What the gate lets through."""

    write_policy: WritePolicy = "normal"
    allow_event_types: frozenset[EventType] = frozenset()
    """Empty: all."""
    deny_event_types: frozenset[EventType] = frozenset()
    deny_patterns: tuple[str, ...] = ()
    """Regular expressions; a text that one of them finds is refused."""
    confidence_min: float = 0.7
    write_spaces: frozenset[Space] = frozenset({Space.USER, Space.CHAT, Space.SESSION, Space.PROJECT})
    profile_keys: frozenset[str] | None = None
    """Slots that the profile may hold; None: all."""
    promotion: Mapping[Kind, Collection[EventType]] = field(default_factory=dict)
    """Which event types may become a memory of a kind; a kind that is not named takes all."""
    keeps_context: bool = True
    """Whether the write policy `normal` stores passing context as facts."""


@frozen
class Attempt:
    """A statement at the gate."""

    claim: Claim
    space: Space
    source: Source = "user"
    is_explicit: bool = True
    about: int = 0
    """How many people the caller names as its subjects."""
    is_turn: bool = False
    """Said in a conversation that is recorded whole: as good as asked for, but small talk is left out."""


def admit_text(text: str) -> Decision:
    """Before anything reads it: is there a text at all, of a size, without a secret in it?"""
    if not text.strip():
        return _refused("empty_content")
    if has_secret(text[:SEARCHED_MAX]):
        return _refused("privacy_deny_sensitive")
    if len(text) > CONTENT_MAX:
        return _refused("content_too_long")
    return ALLOWED


def admit(attempt: Attempt, options: GateOptions) -> Decision:
    """Whether a statement may be stored."""
    code = _privacy(attempt, options) or _policy(attempt, options) or _quality(attempt, options) or _caps(attempt)
    return ALLOWED if code is None else _refused(code)


def _refused(code: str) -> Decision:
    return Decision(verdict="refuse", reason=code)


def _privacy(attempt: Attempt, options: GateOptions) -> str | None:
    claim = attempt.claim
    for text in (claim.content, claim.quote or "", claim.value or "", *claim.steps):
        if text and has_secret(text):
            return "privacy_deny_sensitive"
    if options.deny_patterns and (is_denied(claim.content, options) or is_denied(claim.quote or "", options)):
        return "privacy_deny_pattern"
    if claim.kind is Kind.PROFILE and options.profile_keys is not None and claim.slot not in options.profile_keys:
        return "privacy_deny_profile_key"
    return "suspect_instruction" if claim.is_suspect and attempt.source in ("ai", "tool") else None


def is_denied(text: str, options: GateOptions) -> bool:
    """Whether a configured pattern finds something in the text."""
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in options.deny_patterns)


def _policy(attempt: Attempt, options: GateOptions) -> str | None:
    if attempt.space not in options.write_spaces:
        return "write_space_disallowed"
    if options.write_policy == "none":
        return "write_policy_none"
    event, kind = attempt.claim.event_type, attempt.claim.kind
    is_fact = kind is not Kind.SHORT_TERM
    # Turns are the conversation itself; what is kept of it beyond the window is what the write policies are about.
    code = _write_policy(attempt, options) if is_fact else None
    if code is not None:
        return code
    if event in options.deny_event_types or (options.allow_event_types and event not in options.allow_event_types):
        return "policy_deny_event_type"
    if kind in options.promotion and event not in options.promotion[kind]:
        return "policy_deny_promotion"
    is_told = is_fact and (attempt.is_turn or not attempt.is_explicit)
    return "policy_low_signal" if is_told and is_low_signal(attempt.claim.content) else None


def _write_policy(attempt: Attempt, options: GateOptions) -> str | None:
    event, policy = attempt.claim.event_type, options.write_policy
    if policy == "minimal" and event in (EventType.CONTEXT, EventType.EXECUTION):
        return "write_policy_minimal"
    is_passing = event is EventType.CONTEXT and not options.keeps_context
    # Small talk has a code of its own, which says more.
    is_refused = policy == "normal" and is_passing and not is_low_signal(attempt.claim.content)
    return "write_policy_context" if is_refused else None


def _quality(attempt: Attempt, options: GateOptions) -> str | None:
    if attempt.is_explicit or attempt.claim.kind is Kind.PROCEDURAL:
        return None
    if attempt.claim.confidence < options.confidence_min:
        return "quality_confidence"
    return "quality_length" if len(attempt.claim.content) < CONTENT_MIN else None


def _caps(attempt: Attempt) -> str | None:
    claim = attempt.claim
    if not claim.content or claim.content.isspace():
        return "empty_content"
    if len(claim.content) > CONTENT_MAX or (claim.quote and len(claim.quote) > CONTENT_MAX):
        return "content_too_long"
    is_crowd = attempt.about > SUBJECTS_MAX or len(claim.subjects) > SUBJECTS_MAX
    return "too_many_subjects" if is_crowd else None


def is_low_signal(text: str) -> bool:
    """Nothing but greetings, thanks and assent.

    >>> is_low_signal("ok, thanks!"), is_low_signal("I like tea")
    (True, False)
    """
    return word_set("writing/words.txt", "low signal").issuperset(normalised(text).split())
