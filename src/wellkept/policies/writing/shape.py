"""Writing constraints: whether a text can stand alone as a memory, and the small repairs that make it so."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred, has_single_spaces
from wellkept.policies.writing import shape_words as words
from wellkept.values import frozen
from wellkept.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTH_MAX = 280
SENTENCES_MAX = 2
STEPS_MAX = 30

Verdict = Literal["pass", "repaired", "refuse"]

_UNSEEN = deferred(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)
_SPACES = deferred(r"\s+")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"})

# A stop ends a sentence when something else begins after it: "Dr. Silva" and "3.5 km" go on.
_STOP = deferred(r"[.!?]+[\"')\]]*\s+(?=[\"'(\[]?[^\W\d_a-z]|[\"'(\[]?\d)|[。！？]+\s*(?=\S)")
_INITIAL = deferred(r"[^\W\d_]\.")
_TOKEN = deferred(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_DATED = deferred(r"On \d{4}-\d{2}-\d{2}\b")
_NUMBERED = deferred(r"^\s*(?:step\s+)?\d{1,2}\s*[.):]\s*|^\s*[-*•]\s+", re.IGNORECASE)


@frozen
class Draft:
    """A text that somebody wants to keep."""

    text: str
    kind: Kind = Kind.SEMANTIC
    language: str = "en"
    """Pronouns are known in a few languages; elsewhere only length and form are held."""
    steps: tuple[str, ...] = ()
    """Of a procedure."""


@frozen
class Shaped:
    """The text as it may be kept, what was done to it, and the code that says why."""

    text: str
    verdict: Verdict
    reason: str
    steps: tuple[str, ...] = ()


def clean(text: str) -> str:
    """NFC, straight quotes, single spaces, no control or bidi characters."""
    if has_single_spaces(text):
        return text.strip()
    composed = unicodedata.normalize("NFC", text).translate(_STRAIGHT)
    return _SPACES.sub(" ", _UNSEEN.sub("", composed)).strip()


_DAY_OF_MONTH = deferred(
    r"\. (?:januar|jänner|februar|märz|marts|mars|april|mai|maj|juni|juli|august|september|oktober|november|dezember"
    r"|desember|december)\b",
    re.IGNORECASE,
)


def is_day_of_month(text: str, stop: int) -> bool:
    """Whether a full stop makes a number a day, as in "am 3. Mai", and ends nothing.

    >>> is_day_of_month("am 3. Mai", 4), is_day_of_month("Er ist 3. Maia ist 5.", 8)
    (True, False)
    """
    return text[max(stop - 1, 0) : stop].isdigit() and _DAY_OF_MONTH.match(text, stop) is not None


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with its stop.

    >>> sentences("Dr. Silva lives in Porto. Her dog is 3.5 years old.")
    ('Dr. Silva lives in Porto.', 'Her dog is 3.5 years old.')
    """
    found: list[str] = []
    start = 0
    for stop in _STOP.finditer(text):
        last = text[start : stop.start() + 1].rsplit(maxsplit=1)[-1].lstrip("([\"'").casefold()
        # A letter with a stop is an initial or an abbreviation: "J. Silva", "b. 1990".
        if last in words.ABBREVIATIONS or _INITIAL.fullmatch(last) or is_day_of_month(text, stop.start()):
            continue
        found.append(text[start : stop.end()].strip())
        start = stop.end()
    return tuple(part for part in (*found, text[start:].strip()) if part)


_SPOKEN_STOP = deferred(r"[.!?…]+[\"'”’)\]]*\s+|\n+")


def spoken_sentences(text: str) -> tuple[tuple[int, str], ...]:
    """The sentences of a message as people type them, with the places where they begin.

    A stop and a space end a sentence, whatever letter follows; so does a line.

    >>> spoken_sentences("finally off shift. leftover jollof")
    ((0, 'finally off shift.'), (19, 'leftover jollof'))
    """
    found: list[tuple[int, str]] = []
    start = 0
    for stop in _SPOKEN_STOP.finditer(text):
        last = text[start : stop.start() + 1].rsplit(maxsplit=1)[-1:]
        word = last[0].lstrip("([\"'").casefold() if last else ""
        if word in words.ABBREVIATIONS or _INITIAL.fullmatch(word) or is_day_of_month(text, stop.start()):
            continue
        found.append((start, text[start : stop.end()]))
        start = stop.end()
    found.append((start, text[start:]))
    return tuple((at + len(one) - len(one.lstrip()), one.strip()) for at, one in found if one.strip())


def shape(draft: Draft) -> Shaped:
    """Hold a text to the constraints of its kind: kept as it is, trimmed at a sentence, or refused with a code.

    >>> shape(Draft(text="Alice is allergic to peanuts.")).verdict
    'pass'
    >>> shape(Draft(text="I am allergic to peanuts.")).reason
    'quality_person'
    """
    text = clean(draft.text)
    if draft.kind is Kind.PROCEDURAL:
        return _procedure(replace(draft, text=text))
    trimmed = _trimmed(text)
    if trimmed is None:
        return Shaped(text=text, verdict="refuse", reason="quality_too_long" if text else "quality_empty")
    fault = next(_faults(replace(draft, text=trimmed)), None)
    if fault is not None:
        return Shaped(text=trimmed, verdict="refuse", reason=fault)
    if trimmed == text:
        return Shaped(text=text, verdict="pass", reason="well_formed")
    return Shaped(text=trimmed, verdict="repaired", reason="trimmed")


def _trimmed(text: str) -> str | None:
    """As many of the first sentences as are allowed; None when even the first is too long, or there is none."""
    kept = ""
    for sentence in sentences(text)[:SENTENCES_MAX]:
        longer = f"{kept} {sentence}".strip()
        if len(longer) > LENGTH_MAX:
            break
        kept = longer
    return kept or None


def _faults(draft: Draft) -> Iterator[str]:
    """What is wrong with a text, by code, the gravest first."""
    text = draft.text
    if words.PLACEHOLDER.search(text):
        yield "quality_placeholder"
    if words.ABOUT_ASSISTANT.match(text):
        yield "quality_assistant"
    if text.endswith(("?", "？")):
        yield "quality_question"
    tokens = _tokens(text, draft.language)
    if any(token.casefold() in words.SPEAKING.get(draft.language, frozenset()) for _, token in tokens):
        yield "quality_person"
    if draft.language == "en" and _has_loose_pronoun(text, tokens):
        yield "quality_pronoun"
    if draft.kind is Kind.EPISODIC:
        yield from _episodic_faults(draft)


def _tokens(text: str, language: str) -> list[tuple[int, str]]:
    """The words outside quotation marks, with their places: what somebody else is quoted to say is theirs."""
    bare = re.sub(r'"[^"]*"', lambda quoted: " " * len(quoted[0]), text)
    found = [(match.start(), match[0]) for match in _TOKEN.finditer(bare)]
    # "I" as a numeral ("World War I", "type I") and an initial ("I. Newton") speak of nobody.
    numerals = {match.start() for match in words.NUMERAL_I.finditer(bare)} if language == "en" else set()
    return [(place, word) for place, word in found if place not in numerals]


def _has_loose_pronoun(text: str, tokens: list[tuple[int, str]]) -> bool:
    """A pronoun before which nobody was named has nothing to stand for."""
    first = tokens[0][1].casefold() if tokens else ""
    if first in words.POINTING:
        return True
    for number, (place, token) in enumerate(tokens):
        if token.casefold() in words.THIRD_PERSON:
            return not _names_somebody(text[:place], [word for _, word in tokens[:number]])
    return False


def _names_somebody(before: str, tokens: list[str]) -> bool:
    """Whether a name or a noun with its article stands there: "Alice", "the user", "a neighbour"."""
    folded = [token.casefold() for token in tokens]
    has_noun = any(token in words.ARTICLES for token in folded[:-1])
    has_name = any(token[:1].isupper() and low not in words.OPENERS for token, low in zip(tokens, folded, strict=True))
    return has_noun or has_name or "@" in before


def _episodic_faults(draft: Draft) -> Iterator[str]:
    if _DATED.match(draft.text) is None:
        yield "quality_undated"
    if draft.language == "en" and not any(
        token.casefold().endswith("ed") or token.casefold() in words.PAST for _, token in _tokens(draft.text, "en")
    ):
        yield "quality_tense"


def _procedure(draft: Draft) -> Shaped:
    """Steps without their numbers, each an order; the numbers come back when they are shown."""
    steps = tuple(clean(_NUMBERED.sub("", step)).rstrip(" ;,") for step in draft.steps)
    if not draft.text or len(draft.text) > LENGTH_MAX:
        return Shaped(text=draft.text, verdict="refuse", reason="quality_too_long" if draft.text else "quality_empty")
    if not steps or len(steps) > STEPS_MAX or not all(steps):
        return Shaped(text=draft.text, verdict="refuse", reason="quality_steps")
    if draft.language == "en" and not all(_is_order(step) for step in steps):
        return Shaped(text=draft.text, verdict="refuse", reason="quality_imperative")
    is_same = steps == draft.steps
    return Shaped(
        text=draft.text,
        verdict="pass" if is_same else "repaired",
        reason="well_formed" if is_same else "renumbered",
        steps=steps,
    )


def _is_order(step: str) -> bool:
    """Begins with a verb, as far as the words that begin no order can tell."""
    first = _TOKEN.search(step)
    if first is None:
        return False
    word = first[0].casefold()
    return word not in words.NO_ORDER and not (word.endswith("ing") and word not in words.ING_VERBS)
