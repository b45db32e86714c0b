"""Fills every field of a claim from a clause that was found worth keeping."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wellkept.judges.english.dates import times
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.entities import entities
from wellkept.judges.english.people.grievances import is_held_against
from wellkept.judges.english.people.named import SPEAKER, people_after, reference, ties
from wellkept.judges.english.people.partings import ended_tie, partings
from wellkept.judges.english.slots import amounts, disposals, foreign
from wellkept.judges.english.slots.dates import is_visit
from wellkept.judges.english.slots.fact_keys import Slot, correction, polarity, slot_of
from wellkept.judges.english.slots.favorites import turned
from wellkept.judges.english.slots.foods import disagrees
from wellkept.judges.english.worth import errands, kinds, passing, traits
from wellkept.judges.english.worth.requests import Request, persona_address
from wellkept.judges.english.worth.turning_points import is_entry
from wellkept.patterns import deferred
from wellkept.types import Claim, Evidence, Reference
from wellkept.values import changed, frozen
from wellkept.vocabulary import EventType, MemoryType

if TYPE_CHECKING:
    from wellkept.judges.base import Reading
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.wording.retelling import Voice

_TIE_SLOTS = ("relation:", "spouse", "children")


@frozen
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


@frozen
class Draft:
    """A clause retold."""

    clause: Clause
    content: str
    resolved: tuple[object, ...]
    confidence: float
    sentence: str


@frozen
class _Finding:
    """What was read of one fact, before its traits are added."""

    content: str
    quote: str
    sentence: str
    span: tuple[int, int]
    clause: Clause | None = None
    slot: Slot | None = None
    subjects: tuple[Reference, ...] = ()
    introduces: tuple[Reference, ...] = ()
    confidence: float = 1.0
    memory_type: MemoryType | None = None


def claim(setting: Setting, draft: Draft) -> Claim:
    """The claim of a retold clause."""
    clause = draft.clause
    slot = slot_of(clause, setting.voice.discourse.known)
    introduced = ties(clause, setting.voice.discourse.known)
    finding = _Finding(
        content=draft.content,
        quote=_quote(setting, clause.start, clause.end),
        sentence=draft.sentence,
        span=(clause.start, clause.end),
        clause=clause,
        slot=slot,
        subjects=_subjects(setting, draft, slot, introduced),
        introduces=introduced,
        confidence=draft.confidence,
    )
    return _fill(setting, finding)


def _quote(setting: Setting, start: int, end: int) -> str:
    """The speaker's own words of a stretch of the body, as they stand in the message."""
    return setting.text[max(setting.start + start, 0) : setting.start + end]


def own_words(setting: Setting, clause: Clause | None, start: int, end: int) -> Claim:
    """A claim that keeps the speaker's words as they are, but for those that only announce them."""
    text = re.sub(" {2,}", " ", setting.body[start:end].strip())
    if setting.request is not None:
        text = text.rstrip("?")
    finding = _Finding(content=text, quote=text, sentence=text, span=(start, end))
    filled = foreign.told(text, setting.language) if setting.language != "en" else None
    if filled is not None:
        named = () if filled.relative is None else (filled.relative,)
        about = foreign.subjects(filled)
        finding = changed(finding, slot=filled.slot, subjects=about, introduces=named)
    if clause is None or setting.language != "en":
        return _fill(setting, finding)
    is_loose = clause.subject is not None and clause.subject.pronoun not in {None, "i", "we"}
    known = setting.voice.discourse.known
    slot = slot_of(clause, known) if clause.type != "question" and not is_loose else None
    introduced = ties(clause, setting.voice.discourse.known)
    draft = Draft(clause=clause, content=text, resolved=(), confidence=1.0, sentence=text)
    subjects = _subjects(setting, draft, slot, introduced)
    return _fill(setting, changed(finding, clause=clause, slot=slot, subjects=subjects, introduces=introduced))


def procedure(setting: Setting) -> Claim:
    """A claim that tells steps."""
    lines = [line for line in _STEP_BREAK.split(setting.body) if line and line.strip(" .,:;")]
    has_title = len(lines) > 1 and (":" in lines[0] or len(lines) > 2)
    title, steps = (lines[0], lines[1:]) if has_title else (setting.body, lines)
    if ":" in title and title.split(":", 1)[1].strip():
        title, first = title.split(":", 1)
        steps = [first, *steps]
    content = re.sub(r"(?i)^to\s+", "How to ", title.strip(" .:"))
    finding = _Finding(
        content=content[:1].upper() + content[1:],
        quote=setting.body.strip(),
        sentence=setting.body,
        span=(0, len(setting.body)),
        memory_type=MemoryType.PROCEDURAL,
    )
    bare = (re.sub(r"(?i)^(?:and\s+)?then\s+", "", step.strip(" .,:;")) for step in steps)
    clean = tuple(step for step in bare if step)
    return changed(_fill(setting, finding), steps=clean, category="procedural")


_STEP_BREAK = deferred(
    r"\n+(?:\s*(?:\d{1,2}[.)]|[-*•])\s+)?|(?:^|\s)(?:\d{1,2}[.)]|[-*•])\s+|;\s*|,?\s+then\s+|(?<=[.!])\s+"
)


def _fill(setting: Setting, finding: _Finding) -> Claim:
    reading, clause = setting.reading, finding.clause
    slot = finding.slot or _ended_tie(clause)
    content, sentence = _without_the_wrong(finding.content), finding.sentence
    turn = polarity(clause, slot) if clause is not None else "assert"
    fixed = correction(sentence)
    gone = disposals.ended(clause) if clause is not None and not fixed.corrects else None
    kind = finding.memory_type or kinds.type_of(clause, slot, finding.subjects, content, polarity=turn)
    sensitivity = traits.sensitivity_of(f"{content} {finding.quote}")
    found = entities(clause, finding.subjects, content)
    refs = tuple(ref for ref, _ in found)
    is_own = all(who.is_speaker for who in finding.subjects)
    event_type, _ = traits.event_type_of(sentence, has_slot=slot is not None, is_declarative=True)
    is_plan = slot is not None and slot.name == "goals"
    dated, event_at, valid_from = _times(content, MemoryType.EVENT if is_plan else kind, reading.now)
    is_project = bool(refs) and refs[0].startswith("project:")
    is_closed = setting.request is not None and setting.request.is_confidential
    start, end = finding.span
    ended = partings(clause) if clause is not None else ()
    travels = errands.is_portable(kind, f"{content} {sentence}", clause, slot)
    is_against = is_held_against((content, finding.quote), finding.subjects, reading.speaker)
    is_ours = clause is not None and errands.is_of_us(clause, setting.voice)
    return Claim(
        content=dated,
        quote=finding.quote,
        language=setting.language,
        type=kind,
        kind=kinds.kind_of(kind, clause),
        event_type=EventType.CORRECTION if fixed.is_correction else event_type,
        category=traits.category_of(kind, slot, content, is_project=is_project),
        subjects=finding.subjects,
        introduces=() if ended else finding.introduces,
        ends=ended,
        entity_refs=refs,
        entity_label=found[0][1] if found else None,
        subtype=traits.subtype_of(kind, refs, content),
        slot=slot.name if slot is not None else None,
        value=slot.value if slot is not None else None,
        cardinality=slot.cardinality if slot is not None else "many",
        polarity=turn,
        is_correction=fixed.is_correction,
        corrects=fixed.corrects or gone,
        sensitivity=sensitivity,
        portable=travels and not is_against,
        is_of_us=is_ours and not is_against,
        is_going_on=not travels and kind in _GOING_ON and not is_against,
        confidential=is_closed or traits.is_confidential(setting.text),
        only_persona=_only_persona(setting),
        importance=traits.importance_of(kind, slot, content, sensitivity=sensitivity, is_own=is_own),
        confidence=finding.confidence,
        event_at=event_at,
        valid_from=valid_from,
        expires_at=_expiry(setting, finding, kind, content),
        is_suspect=traits.is_suspect(setting.text),
        evidence=Evidence(
            message_id=reading.messages[-1].id,
            start=max(setting.start + start, 0),
            end=max(setting.start + end, 0),
        ),
    )


_GOING_ON = frozenset((MemoryType.CONTEXT, MemoryType.EVENT, MemoryType.KNOWLEDGE))
"""What can be going on in a chat; a task and a mood are somebody's own."""
_WRONG = deferred(r"(?i),\s*(?:and )?not\s+(?:[^,.;!?]|[.,](?=\d)){1,60}$")


def _without_the_wrong(content: str) -> str:
    """For "on 4 March, not 3 March": what was wrong is no part of the fact."""
    return _WRONG.sub("", content) if "," in content else content


def _ended_tie(clause: Clause | None) -> Slot | None:
    """For "she's not my boss any more": whoever held the place."""
    ended = ended_tie(clause) if clause is not None else None
    return Slot(name=f"relation:{ended.relation}") if ended is not None else None


def _only_persona(setting: Setting) -> bool:
    """A confidence stays with the persona it is told to; one that names somebody else is for no persona."""
    addressed = (
        setting.request.persona
        if setting.request is not None and setting.request.persona
        else persona_address(setting.text)
    )
    if addressed is None:
        return setting.reading.persona is not None and traits.is_confidential(setting.text)
    return setting.reading.persona is None or addressed.casefold() == setting.reading.persona.casefold()


_SINCE = deferred(r"(?i)\b(?:since|as of|from|starting|seit|desde|depuis|à partir de)\s")
_SINCE_BEFORE = deferred(rf"{_SINCE.pattern}+$")


def _times(content: str, kind: MemoryType, now: datetime | None) -> tuple[str, datetime | None, datetime | None]:
    if now is None:
        return content, None, None
    found = times.mentions(content, now)
    if not found:
        return content, None, None
    first = found[0]
    is_since = bool(_SINCE_BEFORE.search(content[: first.start]) or _SINCE.match(first.text))
    event_at = first.from_.astimezone(UTC) if kind in {MemoryType.EVENT, MemoryType.TASK, MemoryType.CONTEXT} else None
    valid_from = (
        first.from_.astimezone(UTC) if is_since or (kind is MemoryType.IDENTITY and first.from_ <= now) else None
    )
    return times.annotate(content, now), event_at, valid_from


def _expiry(setting: Setting, finding: _Finding, kind: MemoryType, content: str) -> datetime | None:
    """Until when it is to be kept: for explicit requests as they say, else as long as it can hold."""
    now, request, said = setting.reading.now, setting.request, setting.text
    if now is None:
        return None
    if not setting.reading.is_explicit and request is None:
        return passing.until(finding.clause, finding.slot, kind, content, said=said, now=now)
    if not setting.reading.is_explicit:
        return passing.carried(content, said, now)
    asked = f"remember {request.duration}" if request is not None and request.duration else said
    return times.expiry(asked, now)[0] or passing.carried(content, said, now)


def _subjects(
    setting: Setting, draft: Draft, slot: Slot | None, introduced: tuple[Reference, ...]
) -> tuple[Reference, ...]:
    """Who the claim is about, in the order of mention; the speaker only beside others."""
    known = setting.voice.discourse.known
    clause = draft.clause
    subject = turned(clause) or clause.subject
    ended = ended_tie(clause)
    if ended is not None:
        return _ordered([SPEAKER, ended])
    tie = _tie(slot, clause, introduced)
    if tie is not None:
        # The tie is the speaker's: whoever is named later in the same relation takes the place.
        return _ordered([tie.of or SPEAKER, tie, *introduced])
    if slot is not None and (slot.name.startswith("project:") or _is_speakers_own(slot, clause) or is_visit(clause)):
        return ()
    found = _acting(subject, known) if subject is not None and not disagrees(clause) else []
    if draft.resolved:
        groups = setting.voice.discourse.mentions.groups
        found.extend(one for who in draft.resolved if isinstance(who, Reference) for one in groups.get(who, (who,)))
    is_own = subject is None or subject.pronoun in {"i", "we"} or _is_owned_by_speaker(subject)
    if subject is None or (is_own and not found):
        found.insert(0, SPEAKER)
    names_nobody = slot is not None and slot.name.startswith(("favorite:", "pet:"))
    for noun in () if names_nobody else people_after(clause, known):
        who = reference(noun, known=known)
        if who is not None and not who.is_speaker and _is_about(noun, clause):
            found.append(who)
    if introduced and clause.verb is not None and clause.verb.lemma in {"have", "get"}:
        found = [SPEAKER, *found, *introduced] if is_own else [*found, *introduced]
    if len(found) == 1 and found[0].is_speaker:
        return ()
    return _ordered([_tied(setting.voice.discourse.named(who), introduced) for who in found])


def _tie(slot: Slot | None, clause: Clause, introduced: tuple[Reference, ...]) -> Reference | None:
    """The relation that the clause tells of; the children of "my sister Ana has two kids" are not the speaker's."""
    is_slot = slot is not None and slot.name.startswith(_TIE_SLOTS)
    if slot is None or not introduced or not is_slot or clause.verb is None or clause.verb.lemma == "marry":
        return None
    named = next((tie for tie in introduced if (tie.name or "").casefold() == slot.value), None)
    is_counted = slot.name == "children" and introduced[0].relation not in relations.CHILDREN
    return named or (None if is_counted else introduced[0])


def _is_speakers_own(slot: Slot, clause: Clause) -> bool:
    """Names and pets of the speaker name nobody else, though a name stands in them."""
    subject = clause.subject
    if amounts.is_speakers(slot, clause):
        return True
    if slot.name == "job" and clause.verb is not None and clause.verb.lemma in {"make", "join", "get"}:
        return clause.verb.lemma == "make" or subject is None or subject.pronoun == "i"
    if slot.name in {"name", "preferred_name", "nickname", "pronouns"}:
        return subject is None or subject.pronoun in {"i", "everyone", "everybody"} or _is_owned_by_speaker(subject)
    if not slot.name.startswith("pet:"):
        return False
    has_owner = (
        subject is not None and subject.name is not None and clause.verb is not None and clause.verb.lemma == "have"
    )
    return not has_owner and (subject is None or (subject.relation is None and not _is_somebody_elses(subject)))


def _is_somebody_elses(noun: Noun) -> bool:
    """Whether somebody with a name, or somebody of the speaker's, owns it: "Ravi's rabbit", "my sister's cat"."""
    owner = noun.owner
    while owner is not None:
        if owner.name is not None or owner.relation is not None or owner.pronoun in {"he", "she", "they"}:
            return True
        owner = owner.owner
    return False


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
    is_place = clause.verb is not None and (clause.verb.lemma in {"work", "live"} or is_entry(clause))
    return not is_place or noun.relation is not None


def _tied(who: Reference, introduced: tuple[Reference, ...]) -> Reference:
    """A bare name with the relation that the same clause gives it."""
    if who.relation is None and who.name is not None:
        return next((tie for tie in introduced if tie.name == who.name), who)
    return who


def _ordered(found: list[Reference]) -> tuple[Reference, ...]:
    if not [who for who in found if not who.is_speaker]:
        return ()
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
    return tuple(unique)


__all__ = ["Draft", "Setting", "claim", "own_words", "procedure"]
