"""Reads the value after "my password is": a credential, a quotation, plain words, or only a description of it."""

from __future__ import annotations

from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.lexicon import ADVERBS, is_function_word, is_predicate
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_credential, is_placeholder

_QUOTES: Final = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "„": "“”",
    "«": "»",
    "‘": "’",
    "「": "」",
    "『": "』",
    "”": "”",
}
_QUOTED_LENGTH_MAX: Final = 120
# A word is judged by its beginning; the span still ends where the word does.
_TOKEN_READ: Final = 400
_TOKEN: Final = deferred(rf"[^\s<]{{1,{_TOKEN_READ}}}")
_TOKEN_REST: Final = deferred(r"[^\s<]*")
_GAP: Final = deferred(r"\s+")
_TRAILING: Final = ".,;:'\")]}?”»’"
_CLAUSE: Final = deferred(r"(?:[^.!?;:,\n]|[.!?;:,](?=\S)){0,200}")
_NEW_CLAUSE: Final = deferred(
    r"\s(?:and|but|so|or|because|which|since|as|in case)"
    r"\s(?:i|you|we|he|she|it|they|don['’]t|please|feel|keep|let|my)\b"
)
_DIGIT_GROUPS: Final = deferred(r"\d{2,6}(?:[ -]\d{2,6})+(?![\w-]|\s?[a-z]+\b)")
_LIST: Final = deferred(r"\s*(?:,|/|(?:and|or|to|y|und|et|e)(?=\s))?\s*")
# "is a sentence: …" promises the value itself.
_ANNOUNCED: Final = deferred(
    r"^(?:a|an|the|this|my)?\s?(?:\w+\s)?(?:sentence|phrase|word|following|line|title|name|this)s?$"
)
_NAMED: Final = deferred(r"\s*(?:[:=]|,\s(?:i\.e\.|namely|it['’]s|which is)?)\s*(\S+)")
# "is 12 characters long" counts, "is 4471" tells.
DIGITS_MIN: Final = 4
# A passphrase of four words may open with "like" or "very"; a description is mostly such words.
_CONTENT_SHARE_MIN: Final = 0.7
_WORDS_READ: Final = 6
_PHRASE_MIN: Final = 3
WORD_MIN: Final = 3
"""Characters; a shorter word is no password."""


def value_span(said: Said, start: int, *, kind: str, weak: bool) -> SecretSpan | None:
    """The value that begins at ``start``, if it is one; ``weak`` lets ordinary words be values too."""
    if said.text[start : start + 1] in _QUOTES and start < len(said.text):
        return _quoted(said, start, kind=kind, weak=weak)
    token = _TOKEN.match(said.text, start)
    while token and token.group().lower().strip(",") in ADVERBS:
        gap = _GAP.match(said.text, token.end())
        token = _TOKEN.match(said.text, gap.end()) if gap else None
    if token is None:
        return None
    value = trimmed(token.group())
    if is_placeholder(value) or is_placeholder(token.group()):
        return None
    groups = _DIGIT_GROUPS.match(said.text, token.start())
    if groups:
        return SecretSpan(start=groups.start(), end=groups.end(), kind=kind)
    if is_value(value):
        end = token.start() + len(value)
        if len(value) == _TOKEN_READ:
            end = next(_TOKEN_REST.finditer(said.text, end)).end()
        return SecretSpan(start=token.start(), end=_list_end(said.text, end), kind=kind)
    clause = _clause(said.text, token.start())
    if weak and len(value) >= WORD_MIN and any(map(str.isalnum, value)) and not describes(clause, kind=kind):
        return SecretSpan(start=token.start(), end=token.start() + max(len(clause), len(value)), kind=kind)
    return _after_description(said, token.start(), clause, kind=kind, weak=weak)


def _after_description(said: Said, start: int, clause: str, *, kind: str, weak: bool) -> SecretSpan | None:
    """The value after a description: "the same as always: Tiger99", "a sentence: …"."""
    named = _NAMED.match(said.text, start + len(clause))
    if named is None:
        return None
    if weak and _ANNOUNCED.search(clause.lower()):
        return value_span(said, named.start(1), kind=kind, weak=True)
    if not is_credential(trimmed(named.group(1))):
        return None
    return SecretSpan(start=named.start(1), end=named.end(1), kind=kind)


def trimmed(token: str) -> str:
    """The word without the punctuation of its sentence; an exclamation mark may belong to a password and stays."""
    return token.rstrip(_TRAILING)


def is_value(word: str) -> bool:
    return is_credential(word) or (word.isdigit() and len(word) >= DIGITS_MIN)


def describes(clause: str, *, kind: str) -> bool:
    """Whether the words describe a password ("too short", "on the fridge") instead of giving one."""
    words = clause.lower().split()
    if not words:
        return True
    if not is_predicate(words[0]):
        goes_on = len(words) > 1 and (words[1] in {"to", "than"} or words[0].endswith("ing"))
        return words[0].isdigit() or goes_on
    read = words[:_WORDS_READ]
    content = [word for word in read if not is_predicate(word)]
    if kind == "passphrase":
        return len(words) < _PHRASE_MIN or len(content) < _CONTENT_SHARE_MIN * (len(read) - 1)
    # "correct horse battery staple" opens like a description and goes on like none.
    return is_function_word(words[0]) or len(words) < _PHRASE_MIN or len(content) < len(read) - 1


def _quoted(said: Said, start: int, *, kind: str, weak: bool) -> SecretSpan | None:
    found = [said.text.find(closer, start + 1, start + _QUOTED_LENGTH_MAX) for closer in _QUOTES[said.text[start]]]
    ends = [end for end in found if end > 0]
    inside = said.text[start + 1 : min(ends)] if ends else ""
    if ends and not inside.strip():
        return None
    if not ends:
        return value_span(said, start + 1, kind=kind, weak=weak) if start + 1 < len(said.text) else None
    if is_placeholder(inside) or (not is_value(inside) and (not weak or _quotes_description(inside, kind=kind))):
        return None
    return SecretSpan(start=start + 1, end=start + 1 + len(inside), kind=kind)


def _quotes_description(inside: str, *, kind: str) -> bool:
    """A quotation of four words is a phrase to type, unless hardly one of them says anything."""
    content = [word for word in inside.lower().split() if not is_predicate(word)]
    return describes(inside, kind=kind) and (inside.count(" ") < _PHRASE_MIN or len(content) <= 1)


def _list_end(text: str, end: int) -> int:
    """Where a list of values ends: "Tiger99 and Lion88" is one secret."""
    while gap := _LIST.match(text, end):
        token = _TOKEN.match(text, gap.end())
        value = trimmed(token.group()) if token else ""
        if not token or not is_credential(value):
            break
        end = token.start() + len(value)
    return end


def _clause(text: str, start: int) -> str:
    """The words from ``start`` to where another clause begins."""
    match = _CLAUSE.match(text, start)
    clause = match.group() if match else ""
    border = _NEW_CLAUSE.search(clause.lower())
    return (clause[: border.start()] if border else clause).rstrip()
