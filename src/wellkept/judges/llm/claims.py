"""From a form that a model filled in to claims: only what is well formed, evidenced and no instruction passes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from wellkept.judges.english import RulesJudge, privacy
from wellkept.judges.english.dates import times
from wellkept.judges.english.grammar.language import guess
from wellkept.judges.english.people.entities import entities
from wellkept.judges.english.slots.values import MANY, normal
from wellkept.judges.llm.notices import Rejected, note
from wellkept.policies.people import references
from wellkept.policies.secrets import detector
from wellkept.policies.writing import evidence, keys, shape
from wellkept.types import Claim, Evidence, Subtype
from wellkept.values import frozen
from wellkept.vocabulary import EventType, Kind, MemoryType, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.judges.base import Reading
    from wellkept.judges.llm.schema import FactForm
    from wellkept.types import Message, Reference

_STRICTNESS: Mapping[Sensitivity, int] = {level: place for place, level in enumerate(Sensitivity)}
_SLOT = re.compile(
    r"(?:favorite|pet|relation):[\w -]{1,40}|project:[\w-]{1,60}:(?:status|deadline)|name|nickname|preferred_name|tone"
    r"|goals|pronouns|city|country|timezone|language|job|employer|birthday|age|spouse|car|phone-model|editor|units"
    r"|likes|dislikes|allergies|skills|languages|children"
)
_SPEAKER = re.compile(r"(?i)(?:the )?(?:user|speaker)|me|myself|i")
# What the model says beyond these stays the speaker's own: name and work come from the rules' reading of the words.
_IMPORTANCE_MAX = 2.0
_DATED_TYPES = frozenset((MemoryType.EVENT, MemoryType.TASK, MemoryType.CONTEXT))


@frozen
class Source:
    """The message that is read, what may count as evidence, and what the rules read in it."""

    reading: Reading
    message: Message
    grounds: evidence.Grounds
    ruled: tuple[Claim, ...]
    rules: RulesJudge


def source_of(reading: Reading, window: Sequence[Message], ruled: tuple[Claim, ...], rules: RulesJudge) -> Source:
    """What a model's facts about the last message are held against. `window` is what the model was shown."""
    texts = tuple(message.content for message in window)
    named = [reading.speaker, reading.persona, *reading.people, *(message.speaker for message in window)]
    grounds = evidence.Grounds(
        window=texts,
        viewpoint=tuple(name for name in named if name),
        derived=tuple(word for text in texts for word in _resolved(text, reading.now)),
    )
    return Source(reading=reading, message=reading.messages[-1], grounds=grounds, ruled=ruled, rules=rules)


def _resolved(text: str, now: datetime | None) -> Iterator[str]:
    """The dates that the words of a text mean, in the ways they may be written."""
    for mention in () if now is None else times.mentions(text, now):
        yield mention.bracket
        yield f"{mention.from_:%Y-%m-%d %B %A}"


def claims(facts: Sequence[FactForm], source: Source) -> tuple[Claim, ...]:
    """The facts that pass, as claims; of each that does not, a notice. What was asked for in words is never lost."""
    passed: dict[str, Claim] = {}
    for fact in facts:
        claim = _claim(fact, source)
        if claim is not None:
            passed.setdefault(keys.normalised(claim.content), claim)
    read = tuple(passed.values())
    if not source.reading.is_explicit:
        return read
    return (*read, *(claim for claim in source.ruled if not _is_covered(claim, read)))


def _is_covered(claim: Claim, by: Sequence[Claim]) -> bool:
    return any(other.evidence.start < claim.evidence.end and claim.evidence.start < other.evidence.end for other in by)


def _claim(fact: FactForm, source: Source) -> Claim | None:
    language = guess(fact.quote)
    shaped = shape.shape(shape.Draft(text=fact.content, language=language))
    span = evidence.find(fact.quote.strip(), source.message.content)
    fault = _fault(shaped, fact, source)
    if fault is not None or span is None:
        note(Rejected(operation="extract", reason=fault or "evidence_span"))
        return None
    return _filled(fact, shaped.text, span, source)


def _fault(shaped: shape.Shaped, fact: FactForm, source: Source) -> str | None:
    """Why a fact may not pass, by code; None when it may."""
    if shaped.verdict == "refuse":
        return shaped.reason
    told = " ".join((shaped.text, fact.value or "", *fact.about))
    if privacy.is_suspect(told):
        return "suspect_instruction"
    if detector.has_secret(told):
        return "privacy_deny_sensitive"
    decision = evidence.check(shaped.text, fact.quote.strip(), source.grounds)
    return decision.reason if decision.verdict == "refuse" else None


def _filled(fact: FactForm, content: str, span: tuple[int, int], source: Source) -> Claim:
    start, end = span
    text, reading = source.message.content, source.reading
    base, asked = _structure(span, source), _asked(source)
    kind = base.type if base.slot is not None else MemoryType(fact.type)
    dated, event_at = _dated(content, kind, reading.now)
    subjects = _subjects(fact, base, source)
    found = entities(None, subjects, content)
    refs = base.entity_refs or tuple(ref for ref, _ in found)
    levels = (Sensitivity(fact.sensitivity), base.sensitivity, privacy.sensitivity_of(f"{content} {text[start:end]}"))
    level = max(levels, key=_STRICTNESS.__getitem__)
    return replace(
        _with_slot(fact, base, text[start:end]),
        content=dated,
        quote=text[start:end],
        language=guess(text[start:end]),
        type=kind,
        kind=base.kind if base.kind is not Kind.PROCEDURAL else Kind.SEMANTIC,
        event_type=base.event_type if base.event_type is EventType.CORRECTION else EventType(fact.event_type),
        subjects=subjects,
        entity_refs=refs,
        entity_label=base.entity_label or (found[0][1] if found else None),
        subtype=Subtype(entity_type=fact.entity_type, fact_type=fact.fact_type),
        sensitivity=level,
        portable=fact.portable and base.portable and (level is Sensitivity.PUBLIC or not subjects),
        confidential=base.confidential or privacy.is_confidential(text),
        importance=max(base.importance, min(fact.importance, _IMPORTANCE_MAX)),
        confidence=fact.confidence,
        event_at=event_at or base.event_at,
        is_suspect=privacy.is_suspect(text),
        evidence=Evidence(message_id=source.message.id, start=start, end=end),
        expires_at=asked.expires_at or base.expires_at,
        only_persona=asked.only_persona,
    )


def _asked(source: Source) -> Claim:
    """What an explicit request says of itself: until when, and for whom alone."""
    is_asked = source.reading.is_explicit and source.ruled
    return source.ruled[0] if is_asked else Claim(content="")


def _structure(span: tuple[int, int], source: Source) -> Claim:
    """What the rules read in the quoted words: slots and people are named by both judges in the same way."""
    quoted = source.message.content[span[0] : span[1]]
    near = [claim for claim in source.ruled if claim.evidence.start < span[1] and span[0] < claim.evidence.end]
    if len(near) == 1:
        return near[0]
    message = replace(source.message, content=quoted)
    alone = replace(source.reading, messages=(*source.reading.messages[:-1], message), is_explicit=True)
    read = source.rules.extract(alone)
    return read[0] if len(read) == 1 else Claim(content=quoted)


def _with_slot(fact: FactForm, base: Claim, quoted: str) -> Claim:
    """The rules' slot where they found one, else the model's, if its value was said in these words."""
    slot, value = (fact.slot or "").strip().casefold(), normal(fact.value)
    is_said = value is not None and f" {keys.normalised(value)} " in f" {keys.normalised(quoted)} "
    wrong = keys.normalised(fact.corrects or "")
    corrects = base.corrects or (fact.corrects if wrong and wrong in keys.normalised(quoted) else None)
    changed = replace(base, corrects=corrects, is_correction=base.is_correction or fact.event_type == "correction")
    if base.slot is not None or not is_said or _SLOT.fullmatch(slot) is None:
        return changed if base.slot is not None or not fact.ends else replace(changed, polarity="retract")
    return replace(
        changed,
        slot=slot,
        value=value,
        cardinality="many" if slot in MANY else "one",
        polarity="retract" if fact.ends else base.polarity,
    )


def _subjects(fact: FactForm, base: Claim, source: Source) -> tuple[Reference, ...]:
    """Whom the rules found, else whom the model names, as far as they were named."""
    if base.subjects:
        return base.subjects
    mine = (source.reading.speaker or "").casefold()
    named = [name.strip() for name in fact.about if not _SPEAKER.fullmatch(name.strip())]
    others = [name for name in named if name and name.casefold() != mine and evidence.is_said(name, source.grounds)]
    return tuple(references.parse(name) for name in others)


def _dated(content: str, kind: MemoryType, now: datetime | None) -> tuple[str, datetime | None]:
    """The content with the dates that its words mean, and the first of them for what happens on a day."""
    found = times.mentions(content, now) if now is not None else ()
    if now is None or not found:
        return content, None
    annotated = times.annotate(content, now)
    event_at = found[0].from_.astimezone(UTC) if kind in _DATED_TYPES else None
    return (annotated if len(annotated) <= shape.LENGTH_MAX else content), event_at
