"""Writing constraints: whether a text can stand alone as a memory, small repairs that make it so, and procedures."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import Patterns, has_single_spaces, word_set
from wellkept.values import frozen
from wellkept.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_RE = Patterns("writing/shape.txt")


def _words(heading: str) -> frozenset[str]:
    return word_set("writing/words.txt", heading)


LENGTH_MAX = 280
SENTENCES_MAX = 2
STEPS_MAX = 30

Verdict = Literal["pass", "repaired", "refuse"]

STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"})


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
    composed = unicodedata.normalize("NFC", text).translate(STRAIGHT)
    return _RE.spaces.sub(" ", _RE.unseen.sub("", composed)).strip()


def is_day_of_month(text: str, stop: int) -> bool:
    """Whether a full stop makes a number a day, as in "am 3. Mai", and ends nothing.

    >>> is_day_of_month("am 3. Mai", 4), is_day_of_month("Er ist 3. Maia ist 5.", 8)
    (True, False)
    """
    return text[max(stop - 1, 0) : stop].isdigit() and _RE.day_of_month.match(text, stop) is not None


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with its stop.

    >>> sentences("Dr. Silva lives in Porto. Her dog is 3.5 years old.")
    ('Dr. Silva lives in Porto.', 'Her dog is 3.5 years old.')
    """
    return tuple(part for _, part in _sentences(text, _RE.stop))


def spoken_sentences(text: str) -> tuple[tuple[int, str], ...]:
    """The sentences of a message as people type them, with the places where they begin.

    A stop and a space end a sentence, whatever letter follows; so does a line.

    >>> spoken_sentences("finally off shift. leftover jollof")
    ((0, 'finally off shift.'), (19, 'leftover jollof'))
    """
    return tuple(_sentences(text, _RE.spoken_stop))


def _sentences(text: str, ends: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    start = 0
    for stop in (*ends.finditer(text), None):
        if stop is not None:
            last = text[start : stop.start() + 1].rsplit(maxsplit=1)[-1:]
            word = last[0].lstrip("([\"'").casefold() if last else ""
            # A letter with a stop is an initial or an abbreviation: "J. Silva", "b. 1990".
            if word in _words("abbreviations") or _RE.initial.fullmatch(word) or is_day_of_month(text, stop.start()):
                continue
        part = text[start : stop.end() if stop else None]
        if part.strip():
            yield start + len(part) - len(part.lstrip()), part.strip()
        start = stop.end() if stop else start


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
    if _RE.placeholder.search(text):
        yield "quality_placeholder"
    if _RE.about_assistant.match(text):
        yield "quality_assistant"
    if text.endswith(("?", "？")):
        yield "quality_question"
    tokens = _tokens(text, draft.language)
    speaking = _words(f"speaking {draft.language}")
    if any(token.casefold() in speaking for _, token in tokens):
        yield "quality_person"
    if draft.language == "en" and _has_loose_pronoun(text, tokens):
        yield "quality_pronoun"
    if draft.kind is Kind.EPISODIC:
        yield from _episodic_faults(draft)


def _tokens(text: str, language: str) -> list[tuple[int, str]]:
    """The words outside quotation marks, with their places: what somebody else is quoted to say is theirs."""
    bare = re.sub(r'"[^"]*"', lambda quoted: " " * len(quoted[0]), text)
    found = [(match.start(), match[0]) for match in _RE.token.finditer(bare)]
    # "I" as a numeral ("World War I", "type I") and an initial ("I. Newton") speak of nobody.
    numerals = {match.start() for match in _RE.numeral_i.finditer(bare)} if language == "en" else set()
    return [(place, word) for place, word in found if place not in numerals]


def _has_loose_pronoun(text: str, tokens: list[tuple[int, str]]) -> bool:
    """A pronoun before which nobody was named has nothing to stand for."""
    first = tokens[0][1].casefold() if tokens else ""
    if first in _words("pointing"):
        return True
    for number, (place, token) in enumerate(tokens):
        if token.casefold() in _words("third person"):
            return not _names_somebody(text[:place], [word for _, word in tokens[:number]])
    return False


def _names_somebody(before: str, tokens: list[str]) -> bool:
    """Whether a name or a noun with its article stands there: "Alice", "the user", "a neighbour"."""
    folded = [token.casefold() for token in tokens]
    has_noun = any(token in _words("articles") for token in folded[:-1])
    openers = _words("openers") | _words("third person")
    has_name = any(token[:1].isupper() and low not in openers for token, low in zip(tokens, folded, strict=True))
    return has_noun or has_name or "@" in before


def _episodic_faults(draft: Draft) -> Iterator[str]:
    if _RE.dated.match(draft.text) is None:
        yield "quality_undated"
    if draft.language == "en" and not any(
        token.casefold().endswith("ed") or token.casefold() in _words("past") for _, token in _tokens(draft.text, "en")
    ):
        yield "quality_tense"


def _procedure(draft: Draft) -> Shaped:
    """Steps without their numbers, each an order; the numbers come back when they are shown."""
    steps = tuple(clean(_RE.numbered.sub("", step)).rstrip(" ;,") for step in draft.steps)
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
    first = _RE.token.search(step)
    if first is None:
        return False
    word = first[0].casefold()
    return word not in _words("no order") and not (word.endswith("ing") and word not in _words("ing verbs"))


# --- The steps of a procedure: read from a text with a title, and told in one line.


_ENDS = " \t\n.,:;"


def is_how_to(text: str) -> bool:
    """Whether a text begins as one that tells how something is done, and has what to do after a colon or line.

    >>> is_how_to("how to restart the router: unplug it, wait"), is_how_to("How to cook is my favourite book")
    (True, False)
    """
    begins = text.lstrip().casefold().startswith(("how to ", "remember how to "))
    return begins and (":" in text or "\n" in text.strip())


def parsed_steps(text: str) -> tuple[str, tuple[str, ...]]:
    r"""Title and steps of a text: numbered or listed lines, numbers within a line, else what a colon leads to.

    >>> parsed_steps("how to restart it: unplug it, wait, then plug it in")
    ('How to restart it', ('unplug it', 'wait', 'plug it in'))
    >>> parsed_steps("Deploy\n1. build\n2. push")
    ('How to Deploy', ('build', 'push'))
    """
    first, _, rest = text.strip().partition("\n")
    if rest.strip():
        head, told = ("", text.strip()) if _RE.item.match(first) else (first, rest)
        pieces = _RE.item.split(told) if _RE.item.search(told) else told.splitlines()
    elif item := _RE.inline_item.search(first):
        head, pieces = first[: item.start()], _RE.inline_item.split(first[item.start() :])
    else:
        head, _, told = first.partition(":")
        pieces = _RE.step_break.split(told)
    steps = tuple(step for piece in pieces if (step := _RE.then.sub("", piece.strip(_ENDS)).strip(_ENDS)))
    return _titled(head, steps), steps


def _titled(head: str, steps: Sequence[str]) -> str:
    title = _RE.lead.sub("", head).strip(_ENDS) or (steps[0] if steps else "")
    return f"How to {title}" if title else ""


def told_steps(title: str, steps: Sequence[str]) -> str:
    """A procedure in one line.

    >>> told_steps("How to deploy", ("build", "push"))
    'How to deploy: 1. build 2. push'
    """
    return " ".join([f"{title}:", *(f"{number}. {step}" for number, step in enumerate(steps, start=1))])
