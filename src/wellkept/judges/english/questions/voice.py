"""Stored facts said to the one who asks: "The user's favorite color is blue" becomes "Your favorite color is blue."."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar import language
from wellkept.judges.english.grammar.parser import Clause, Noun
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.questions.frames import is_asker, read
from wellkept.patterns import deferred

_TO_YOU = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "we": "you", "us": "you",
    "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
_OWN = {"his": "your", "her": "your", "their": "your", "himself": "yourself", "herself": "yourself",
        "themself": "yourself", "themselves": "yourself"}  # fmt: skip
_VERBS = {
    "is": "are", "am": "are", "was": "were", "has": "have", "does": "do", "'s": "are", "'m": "are", "isn't": "aren't",
    "wasn't": "weren't", "hasn't": "haven't", "doesn't": "don't",
}  # fmt: skip
_USER = deferred(r"\b(?:the|this) user(?:'s)?(?!\w)", re.IGNORECASE)
_FIRST = deferred(
    r"(?<![\w'.-])(?:I'm|I've|I'd|I'll|I|me|my|mine|myself|we're|we've|we'll|we|us|our|ours|ourselves)(?![\w'])",
    re.IGNORECASE,
)
_FIRST_VERB = deferred(r"(?<![\w'.-])(?:(?P<am>I am\b|I'm\b)|(?P<was>I was\b)|(?P<wasnt>I wasn't\b))", re.IGNORECASE)


def _replacements(clause: Clause, asker: str | None) -> list[tuple[int, int, str]]:
    """Verbs to change in a clause whose subject is the asker: third person becomes second."""
    changes: list[tuple[int, int, str]] = []
    for inner in clause.inner:
        changes += _replacements(inner, asker)
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or not _names_asker(subject, asker):
        return changes
    changes += _verb_change(verb.text, verb.start)
    return changes


def _verb_change(text: str, start: int) -> list[tuple[int, int, str]]:
    """The first word of a verb group in the form that "you" takes."""
    found = re.match(r"'?[\w'-]+", text)
    if found is None:
        return []
    word = found[0].casefold()
    if word in _VERBS:
        plain = _VERBS[word]
        return [(start, start + found.end(), f" {plain}" if word.startswith("'") else plain)]
    negated = re.match(r"(is|was|has|does)(n't)$", word)
    if negated:
        return [(start, start + found.end(), _VERBS[negated[1]] + "n't")]
    form = verb_form(word)
    if form is not None and "s" in form.forms and word != form.lemma:
        return [(start, start + found.end(), form.lemma)]
    if form is None and re.search(r"[^s]s$", word):
        return [(start, start + found.end(), found[0][:-1])]
    return []


def _names_asker(noun: Noun, asker: str | None) -> bool:
    if noun.parts:
        return False
    if is_asker(noun):
        return noun.pronoun is None
    is_bare_name = noun.name is not None and not noun.relation and not noun.head
    return bool(asker and is_bare_name and (noun.name or "").casefold() == asker.casefold())


def _own_pronouns(clause: Clause, text: str, asker: str | None) -> list[tuple[int, int, str]]:
    """Pronouns in the asker's own clause are the asker's when nobody else is there: "The user lost her keys"."""
    if clause.subject is None or not (_names_asker(clause.subject, asker)):
        return []
    others = [
        noun
        for noun in (clause.object, clause.indirect, *(phrase.noun for phrase in clause.phrases))
        if noun is not None and (noun.name or noun.relation)
    ]
    if others:
        return []
    return [
        (token.start, token.end, _OWN[token.lower])
        for token in clause.tokens
        if token.lower in _OWN and token.start >= clause.subject.end and text[token.start : token.end]
    ]


def to_second_person(content: str, *, asker: str | None = None) -> str:
    """The sentence as said to the asker: verbs, possessives and reflexives follow. `asker` is their name, if known."""
    text = content.replace("\u2019", "'").strip()
    changes: list[tuple[int, int, str]] = []
    for clause in read(text):
        changes += _replacements(clause, asker)
        changes += _own_pronouns(clause, text, asker)
    for match in _USER.finditer(text):
        changes.append((match.start(), match.end(), "your" if match[0].endswith("'s") else "you"))
    if asker:
        for match in re.finditer(rf"(?<!\w){re.escape(asker)}('s)?(?!\w)", text):
            changes.append((match.start(), match.end(), "your" if match[1] else "you"))
    if language.guess(text) == "en":  # the "me" of "Me llamo Ana" is no English pronoun
        changes += _first_person(text)
    return _sentence(_apply(text, changes))


_TO_ME = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself"}
_YOU = deferred(
    r"(?<!\w)(?:(?P<are>you are)|(?P<arent>you aren't)|(?P<were>you were)|(?P<werent>you weren't)"
    r"|(?P<object>(?<=\w )you(?=[.,;!?]|$|\s+(?:and|to|in|at|on|for|with|about|every|a|an|the)\b))"
    r"|(?P<word>you|your|yours|yourself))(?!\w)",
    re.IGNORECASE,
)
_ME = {"are": "I am", "arent": "I'm not", "were": "I was", "werent": "I wasn't", "object": "me"}


def to_first_person(content: str, *, speaker: str | None = None) -> str:
    """A stored fact as its speaker says it: "The user's dentist is in Turin" becomes "My dentist is in Turin."."""
    found = re.escape(speaker) if speaker else None
    if not _USER.search(content) and (found is None or re.search(rf"(?<!\w){found}(?!\w)", content) is None):
        return content
    said = _YOU.sub(
        lambda one: _ME.get(one.lastgroup or "", "") or _TO_ME[one[0].casefold()],
        to_second_person(content, asker=speaker),
    )
    return said[:1].upper() + said[1:]


def _first_person(text: str) -> list[tuple[int, int, str]]:
    verbs = {"am": "you are", "was": "you were", "wasnt": "you weren't"}
    changes = [(match.start(), match.end(), verbs[match.lastgroup or "am"]) for match in _FIRST_VERB.finditer(text)]
    for match in _FIRST.finditer(text):
        word = match[0].casefold()
        head, _, tail = word.partition("'")
        replacement = _TO_YOU.get(head, head) + (f"'{tail}" if tail else "")
        changes.append((match.start(), match.end(), "you are" if word == "i'm" else replacement))
    return changes


def _apply(text: str, changes: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, replacement in sorted(changes, key=lambda change: (change[0], -change[1])):
        if start < position:
            continue
        pieces += [text[position:start], replacement]
        position = end
    return re.sub(r"\s{2,}", " ", "".join([*pieces, text[position:]]))


def _sentence(text: str) -> str:
    """The text with a capital first and a full stop last."""
    text = text.strip().rstrip(",;: ")
    if not text:
        return text
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?…。" else ".")
