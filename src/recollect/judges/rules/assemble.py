"""Fills every field of a claim from a clause that was found worth keeping."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from recollect.judges.rules import kinds, times, traits
from recollect.judges.rules.entities import entities
from recollect.judges.rules.people import SPEAKER, people_after, reference, ties
from recollect.judges.rules.requests import Request, persona_address
from recollect.judges.rules.slots import Slot, correction, polarity, slot_of
from recollect.types import Claim, Evidence, Reference
from recollect.vocabulary import EventType, MemoryType, Polarity

if TYPE_CHECKING:
    from recollect.judges.base import Reading
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun
    from recollect.judges.rules.retelling import Voice

CONTENT_MAX = 280
_TIE_SLOTS = ("relation:", "spouse", "children")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A message while it is read: the whole text, the part that states facts, and how to retell it."""

    reading: Reading
    text: str
    body: str
    start: int
    """Where the body begins in the message."""
    voice: Voice
    request: Request | None
    language: str


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A clause retold."""

    clause: Clause
    content: str
    resolved: tuple[object, ...]
    confidence: float
    sentence: str


def claim(setting: Setting, draft: Draft) -> Claim:
    """The claim of a retold clause."""
    clause = draft.clause
    slot = slot_of(clause)
    introduced = ties(clause, setting.voice.discourse.known)
    subjects = _subjects(setting, draft, slot, introduced)
    return _fill(
        setting,
        clause,
        content=draft.content,
        quote=_quote(setting, clause.start, clause.end),
        slot=slot,
        subjects=subjects,
        introduces=introduced,
        confidence=draft.confidence,
        sentence=draft.sentence,
        span=(clause.start, clause.end),
    )


def _quote(setting: Setting, start: int, end: int) -> str:
    """The speaker's own words of a stretch of the body, as they stand in the message."""
    return setting.text[max(setting.start + start, 0) : setting.start + end]


def own_words(setting: Setting, clause: Clause | None, start: int, end: int) -> Claim:
    """A claim that keeps the speaker's words as they are."""
    text = (
        setting.body[start:end].strip().rstrip("?") if setting.request is not None else setting.body[start:end].strip()
    )
    is_english = setting.language == "en"
    slot = slot_of(clause) if clause is not None and is_english and clause.type != "question" else None
    introduced = ties(clause, setting.voice.discourse.known) if clause is not None and is_english else ()
    subjects: tuple[Reference, ...] = ()
    if clause is not None and is_english:
        draft = Draft(clause=clause, content=text, resolved=(), confidence=1.0, sentence=text)
        subjects = _subjects(setting, draft, slot, introduced)
    return _fill(
        setting,
        clause if is_english else None,
        content=text,
        quote=text,
        slot=slot,
        subjects=subjects,
        introduces=introduced,
        confidence=1.0,
        sentence=text,
        span=(start, end),
    )


def procedure(setting: Setting) -> Claim:
    """A claim that tells steps."""
    lines = [
        line
        for line in re.split(r"\n+|(?:^|\s)(?:\d{1,2}[.)]|[-*•])\s+|;\s*|,?\s+then\s+|(?<=[.!])\s+", setting.body)
        if line and line.strip(" .,:;")
    ]
    title, steps = (
        (lines[0], lines[1:]) if len(lines) > 1 and (":" in lines[0] or len(lines) > 2) else (setting.body, lines)
    )
    if ":" in title and title.split(":", 1)[1].strip():
        title, first = title.split(":", 1)
        steps = [first, *steps]
    clean = tuple(step.strip(" .,:;") for step in steps if step.strip(" .,:;"))
    content = re.sub(r"(?i)^to\s+", "How to ", title.strip(" .:"))
    filled = _fill(
        setting,
        None,
        content=content[:1].upper() + content[1:],
        quote=setting.body.strip(),
        slot=None,
        subjects=(),
        introduces=(),
        confidence=1.0,
        sentence=setting.body,
        span=(0, len(setting.body)),
        memory_type=MemoryType.PROCEDURAL,
    )
    return _with_steps(filled, clean)


def _with_steps(filled: Claim, steps: tuple[str, ...]) -> Claim:
    from dataclasses import replace

    return replace(filled, steps=steps, category="procedural")


def _fill(
    setting: Setting,
    clause: Clause | None,
    *,
    content: str,
    quote: str,
    slot: Slot | None,
    subjects: tuple[Reference, ...],
    introduces: tuple[Reference, ...],
    confidence: float,
    sentence: str,
    span: tuple[int, int],
    memory_type: MemoryType | None = None,
) -> Claim:
    reading = setting.reading
    turn = polarity(clause, slot) if clause is not None else "assert"
    fixed = correction(sentence)
    kind = memory_type or kinds.type_of(clause, slot, subjects, content, polarity=turn)
    private_text = f"{content} {quote}"
    sensitivity = traits.sensitivity_of(private_text)
    found = entities(clause, subjects, content)
    refs = tuple(ref for ref, _ in found)
    is_project = bool(refs) and refs[0].startswith("project:")
    own = not any(not who.is_speaker for who in subjects)
    event_type, _ = traits.event_type_of(sentence, has_slot=slot is not None, is_declarative=True)
    dated, event_at, valid_from = _times(content, kind, reading.now)
    is_closed = setting.request.is_confidential if setting.request is not None else False
    return Claim(
        content=dated[:4000],
        quote=quote,
        language=setting.language,
        type=kind,
        kind=kinds.kind_of(kind, clause),
        event_type=EventType.CORRECTION if fixed.is_correction else event_type,
        category=traits.category_of(kind, slot, content, is_project=is_project),
        subjects=subjects,
        introduces=introduces,
        entity_refs=refs,
        entity_label=found[0][1] if found else None,
        subtype=traits.subtype_of(kind, refs, content),
        slot=slot.name if slot is not None else None,
        value=slot.value if slot is not None else None,
        cardinality=slot.cardinality if slot is not None else "many",
        polarity=cast("Polarity", turn),
        is_correction=fixed.is_correction,
        corrects=fixed.corrects,
        sensitivity=sensitivity,
        portable=traits.portable_of(kind, f"{content} {sentence}"),
        confidential=is_closed or traits.is_confidential(setting.text),
        only_persona=_only_persona(setting),
        importance=traits.importance_of(kind, slot, content, sensitivity=sensitivity, is_own=own),
        confidence=confidence,
        event_at=event_at,
        valid_from=valid_from,
        expires_at=_expiry(setting),
        is_suspect=traits.is_suspect(setting.text),
        evidence=Evidence(
            message_id=reading.messages[-1].id, start=max(setting.start + span[0], 0), end=setting.start + span[1]
        ),
    )


def _only_persona(setting: Setting) -> bool:
    """A confidence that is addressed to the persona the speaker is talking to."""
    addressed = (
        setting.request.persona
        if setting.request is not None and setting.request.persona
        else persona_address(setting.text)
    )
    if addressed is None:
        return False
    return setting.reading.persona is None or addressed.casefold() == setting.reading.persona.casefold()


def _times(content: str, kind: MemoryType, now: datetime | None) -> tuple[str, datetime | None, datetime | None]:
    if now is None:
        return content, None, None
    found = times.mentions(content, now)
    if not found:
        return content, None, None
    first = found[0]
    is_since = re.search(r"(?i)\b(?:since|as of|from|starting)\s+$", content[: first.start]) is not None
    event_at = first.from_.astimezone(UTC) if kind in {MemoryType.EVENT, MemoryType.TASK, MemoryType.CONTEXT} else None
    valid_from = (
        first.from_.astimezone(UTC)
        if is_since or (kind is MemoryType.IDENTITY and first.from_ <= now and first.is_relative)
        else None
    )
    return times.annotate(content, now), event_at, valid_from


def _expiry(setting: Setting) -> datetime | None:
    """Until when it is to be kept, for explicit requests that say so."""
    now = setting.reading.now
    if now is None or not setting.reading.is_explicit:
        return None
    request = setting.request
    if request is not None and request.duration:
        return times.expiry(f"remember {request.duration}", now)[0]
    return times.expiry(setting.text, now)[0]


def _subjects(
    setting: Setting, draft: Draft, slot: Slot | None, introduced: tuple[Reference, ...]
) -> tuple[Reference, ...]:
    """Who the claim is about, in the order of mention; the speaker only beside others."""
    known = setting.voice.discourse.known
    clause = draft.clause
    subject = clause.subject
    if introduced and _is_tie(slot, clause):
        # The tie is the speaker's: whoever is named later in the same relation takes the place.
        return _ordered([introduced[0].of or SPEAKER, *introduced])
    if slot is not None and _is_speakers_own(slot, clause):
        return ()
    found = _acting(subject, known) if subject is not None else []
    found.extend(who for who in draft.resolved if isinstance(who, Reference))
    is_own = subject is None or subject.pronoun in {"i", "we"} or _is_owned_by_speaker(subject)
    if subject is None or (is_own and not found):
        found.insert(0, SPEAKER)
    for noun in people_after(clause, known):
        who = reference(noun, known=known)
        if who is not None and not who.is_speaker and _is_about(noun, clause):
            found.append(who)
    named = [setting.voice.discourse.named(who) for who in found]
    return _ordered([_tied(who, introduced) for who in named])


def _is_tie(slot: Slot | None, clause: Clause) -> bool:
    is_slot = slot is not None and slot.name.startswith(_TIE_SLOTS)
    return is_slot and clause.verb is not None and clause.verb.lemma != "marry"


def _is_speakers_own(slot: Slot, clause: Clause) -> bool:
    """Names and pets of the speaker name nobody else, though a name stands in them."""
    subject = clause.subject
    if slot.name in {"name", "preferred_name", "nickname", "pronouns"}:
        return subject is None or subject.pronoun in {"i", "everyone", "everybody"}
    if not slot.name.startswith("pet:"):
        return False
    has_owner = (
        subject is not None and subject.name is not None and clause.verb is not None and clause.verb.lemma == "have"
    )
    return not has_owner and (subject is None or subject.relation is None)


def _is_owned_by_speaker(subject: Noun) -> bool:
    return subject.owner is not None and subject.owner.pronoun in {"i", "we"} and subject.relation is None


def _acting(subject: Noun, known: frozenset[str]) -> list[Reference]:
    """The people that the subject names; pronouns are resolved elsewhere."""
    found: list[Reference] = []
    for part in subject.parts or (subject,):
        if part.pronoun in {"he", "she", "they"}:
            continue
        who = SPEAKER if part.pronoun == "we" else reference(part, known=known)
        if who is not None:
            found.append(who)
    return found


def _is_about(noun: Noun, clause: Clause) -> bool:
    """Whether a person after the verb is one the fact is about, and not part of a place or thing."""
    return clause.verb is None or clause.verb.lemma not in {"work", "live"} or noun.relation is not None


def _tied(who: Reference, introduced: tuple[Reference, ...]) -> Reference:
    """A bare name with the relation that the same clause gives it."""
    if who.relation is None and who.name is not None:
        return next((tie for tie in introduced if tie.name == who.name), who)
    return who


def _ordered(found: list[Reference]) -> tuple[Reference, ...]:
    unique: list[Reference] = []
    for who in found:
        if not any(
            (who.is_speaker and other.is_speaker)
            or (who.name is not None and who.name == other.name)
            or who == other
            or (who.relation is not None and who.relation == other.relation and who.of == other.of and who.name is None)
            for other in unique
        ):
            unique.append(who)
    if all(who.is_speaker for who in unique):
        return ()
    return tuple(unique)


__all__ = ["CONTENT_MAX", "Draft", "Setting", "claim", "own_words", "procedure"]
