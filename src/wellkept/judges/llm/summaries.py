"""Summaries by a model: what goes to it, and which of its lines may be kept. What was not said is in no summary."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.judges.english.worth import traits
from wellkept.judges.llm.notices import Rejected, note
from wellkept.policies import summaries
from wellkept.policies.secrets import detector
from wellkept.policies.summaries import SPINE_SECTIONS
from wellkept.policies.words import clipped, query_terms
from wellkept.policies.writing import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellkept.judges.llm.schema import LineForm, RollingForm, SessionForm, SpineForm
    from wellkept.policies.summaries import Parts, SpineLine, Talk

MESSAGE_CHARACTERS_MAX = 1_000
TONE_WORDS_MAX = 3
SPINE_FACTS_MAX = 60
SHARE_SAID_MIN = 0.6
"""Of the telling words of a line: it may word what was said in its own way, and say nothing else."""


def shown(talk: Talk) -> Talk:
    """What of a talk a model may see: no message that tries to instruct it, none at great length."""
    kept = (one for one in talk.messages if one.role in ("user", "assistant") and not traits.is_suspect(one.content))
    return replace(talk, messages=tuple(replace(one, content=one.content[:MESSAGE_CHARACTERS_MAX]) for one in kept))


def rows(talk: Talk, previous: Sequence[str] = ()) -> Iterator[dict[str, object]]:
    """A talk as rows for the prompt."""
    yield {"user": talk.speaker, "people": list(talk.names)}
    if previous:
        yield {"before": list(previous)}
    for message in talk.messages:
        named = {} if message.speaker is None else {"speaker": message.speaker}
        yield {"role": message.role, **named, "message": message.content}


def rolling(form: RollingForm, previous: str, talk: Talk) -> str | None:
    """What is open, by the todos, and the words that the model chose, as they were said; None when none were said."""
    before = summaries.told_lines(previous)
    chosen: dict[str, None] = {}
    for quote in form.quotes:
        said = quote.strip() if quote.strip() in before else _said(quote, talk)
        fault = "evidence_span" if said is None else _fault(said)
        if said is None or fault is not None:
            note(Rejected(operation="rolling", reason=fault or "evidence_span"))
        elif len(said.split()) >= summaries.WORDS_MIN:
            chosen[clipped(said, summaries.SENTENCE_MAX)] = None
    return summaries.rolled(previous, talk, tuple(chosen)) if chosen else None


def session(form: SessionForm, ruled: Parts, talk: Talk) -> Parts | None:
    """The model's lines that have their evidence, beside the todos that rules know; None when no line has any."""
    sources: dict[str, str] = {}
    first = _line(form.one_liner, talk, sources, summaries.ONE_LINER_MAX) if form.one_liner else None
    mattered = _lines(form.what_mattered, talk, sources)
    if first is None and not mattered:
        return None
    left_open = [*ruled.open_loops, *_lines(form.open_loops, talk, sources)]
    people = [*ruled.people, *(name for name in form.people if _is_named(name, talk))]
    return replace(
        ruled,
        one_liner=first or mattered[0],
        what_mattered=summaries.summary_items(mattered),
        open_loops=summaries.summary_items(left_open),
        people=summaries.summary_items(people),
        tone=_tone(form.tone) or ruled.tone,
        sources=sources,
    )


def spine_rows(candidates: Mapping[str, Sequence[SpineLine]]) -> Iterator[dict[str, object]]:
    """The facts as rows for the prompt, numbered through."""
    for number, (section, line) in enumerate(_numbered(candidates)):
        yield {"number": number, "section": section, "fact": line.text}


def spine(form: SpineForm, candidates: Mapping[str, Sequence[SpineLine]]) -> Mapping[str, tuple[SpineLine, ...]] | None:
    """The facts the model chose, in its order; its wording where that adds nothing. None when it chose none."""
    numbered = list(_numbered(candidates))
    found: dict[str, dict[str, SpineLine]] = {name: {} for name in SPINE_SECTIONS}
    for chosen in form.facts:
        if not 0 <= chosen.number < len(numbered):
            note(Rejected(operation="spine", reason="evidence_span"))
            continue
        section, line = numbered[chosen.number]
        found[section].setdefault(line.memory_id, replace(line, text=_worded(chosen.text, line.text)))
    kept = {name: tuple(lines.values()) for name, lines in found.items() if lines}
    return kept or None


def _numbered(candidates: Mapping[str, Sequence[SpineLine]]) -> Iterator[tuple[str, SpineLine]]:
    pairs = [(section, line) for section, lines in candidates.items() for line in lines]
    yield from pairs[:SPINE_FACTS_MAX]


def _worded(text: str, fact: str) -> str:
    told = " ".join(text.split())
    if not told or len(told) >= len(fact):
        return fact
    # Fewer words of the fact, and none beside them.
    is_shorter = set(query_terms(told)) <= set(query_terms(fact))
    fault = _fault(told) if is_shorter else "evidence_words"
    if fault is not None:
        note(Rejected(operation="spine", reason=fault))
    return fact if fault is not None else told


def _lines(forms: Sequence[LineForm], talk: Talk, sources: dict[str, str]) -> list[str]:
    found = (_line(form, talk, sources, summaries.ITEM_MAX) for form in forms[: summaries.ITEMS_MAX])
    return [line for line in found if line is not None]


def _line(form: LineForm, talk: Talk, sources: dict[str, str], length_max: int) -> str | None:
    """The line if its quote was said and it says no more than was said; the quote is kept as its source."""
    text, said = clipped(" ".join(form.text.split()), length_max), _said(form.quote, talk)
    spoken = tuple(message.content for message in talk.messages)
    names = (*talk.names, *([talk.speaker] if talk.speaker else []))
    decision = evidence.ground(text, evidence.Grounds(window=spoken, viewpoint=names))
    fault = "quality_empty" if not text else "evidence_span" if said is None else None
    if fault is None and decision.verdict == "refuse":
        fault = decision.reason
    if fault is None and _share_said(text, names, talk) < SHARE_SAID_MIN:
        fault = "evidence_words"
    fault = fault or _fault(text)
    if fault is not None or said is None:
        note(Rejected(operation="session", reason=fault or "evidence_span"))
        return None
    sources[text] = said
    return text


def _share_said(text: str, names: Sequence[str], talk: Talk) -> float:
    """Of the telling words of a line, those that the user said."""
    known = set(query_terms(" ".join((*names, "the user"))))
    told = [term for term in query_terms(text) if term not in known]
    heard = {term for one in talk.messages if one.role == "user" for term in query_terms(one.content)}
    return sum(term in heard for term in told) / len(told) if told else 1.0


def _said(quote: str, talk: Talk) -> str | None:
    """The words of a user that a quote repeats, and who said them unless that is the user of the talk."""
    for message in reversed(talk.messages):
        span = evidence.find(quote.strip(), message.content) if message.role == "user" and quote.strip() else None
        if span is not None:
            return summaries.attributed(message.content[span[0] : span[1]].strip(), message)
    return None


def _fault(text: str) -> str | None:
    if traits.is_suspect(text):
        return "suspect_instruction"
    return "privacy_deny_sensitive" if detector.has_secret(text) else None


def _is_named(name: str, talk: Talk) -> bool:
    spoken = tuple(message.content for message in talk.messages if message.role == "user")
    return bool(name.strip()) and evidence.is_said(name, evidence.Grounds(window=spoken))


def _tone(tone: str) -> str:
    words = tone.split()
    is_plain = 0 < len(words) <= TONE_WORDS_MAX and all(word.strip(",-").isalpha() for word in words)
    return clipped(" ".join(words), summaries.TONE_MAX) if is_plain else ""
