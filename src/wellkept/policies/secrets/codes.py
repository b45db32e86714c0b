"""Finds what opens, unlocks or confirms something: PINs, door codes, combinations, one-time and backup codes.

First the finer rules for English and its neighbours; then, for a dozen languages, a word that announces (a code, a
lock, a password) and near it, in the same clause, a value that has the shape of what it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from wellkept.patterns import Patterns
from wellkept.policies.secrets.forms import (
    Form,
    Said,
    SecretSpan,
    forms_in,
    has_other_script,
    is_any_in,
    is_credential,
    span_of,
    word_list,
)

_RE: Final = Patterns("secrets/codes.txt", words="secrets/vocabulary.txt")
_BACKUP_DIGITS_MIN: Final = 6


@cache
def _rules() -> tuple[Form, ...]:
    return forms_in("announced_codes.txt", _RE)


def code_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers that open, unlock or confirm something."""
    if not _has_number(said.low):
        return
    if said.has_other_script or said.has(word_list("code stems")):
        yield from _sentence_by_sentence(said.low)
    if said.has(word_list("backup stems")):
        yield from _backup_codes(said)


def _sentence_by_sentence(low: str) -> Iterator[SecretSpan]:
    start = 0
    for border in (*_RE.sentence_end.finditer(low), None):
        end = border.end() if border else len(low)
        sentence = low[start:end]
        if _has_number(sentence):
            yield from _in_sentence(sentence, start)
        start = end


def _has_number(part: str) -> bool:
    """Whether a part of the message may have a code, in digits or spelled out."""
    return _RE.has_digits.search(part) is not None or _RE.has_spelled.search(part) is not None


def _keyword_start(match: re.Match[str]) -> int:
    """Where the word "code" or "pin" of a match begins, so that the word before it can be looked at."""
    word = re.search(r"code|pin|c(?:ó|o)digo|codice", match.group())
    return match.start() + (word.start() if word else 0)


def _in_sentence(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that the sentence announces, or that are typed at or open something that it names."""
    is_foreign = has_other_script(sentence)
    for form in _rules():
        for match in form.pattern.finditer(sentence) if is_foreign or is_any_in(form.stems, sentence) else ():
            if not _RE.other_code.search(_before(sentence, _keyword_start(match))):
                yield span_of(match, form.kind, offset)
    yield from _named(sentence, offset)
    if _RE.lock_nearby.search(sentence):
        for pattern in (_RE.typed, _RE.opens):
            for match in pattern.finditer(sentence):
                yield span_of(match, "door_code", offset)


def _named(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that are said to be a code after them, and codes of a login."""
    if is_any_in(word_list("named code stems"), sentence):
        for match in _RE.is_code.finditer(sentence):
            if not _RE.other_code.search(match.group().rsplit(" ", 1)[0] + " "):
                yield span_of(match, "one_time_code", offset)
    if "code" in sentence:
        yield from _lettered(sentence, offset)


def _lettered(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Codes of digits and letters, where the sentence says that they are for a login."""
    for match in _RE.lettered.finditer(sentence):
        if any(map(str.isdigit, match["code"])) and not match["code"].isdigit():
            yield span_of(match, "one_time_code", offset)


def _backup_codes(said: Said) -> Iterator[SecretSpan]:
    for match in _RE.backup.finditer(said.low):
        start = match.start("code")
        for token in re.finditer(r"[^\s,;]+", said.text[start : match.end("code")]):
            value = token.group().rstrip(".")
            if is_credential(value) or (value.isdigit() and len(value) >= _BACKUP_DIGITS_MIN):
                yield SecretSpan(
                    start=start + token.start(), end=start + token.start() + len(value), kind="backup_code"
                )


# --- In any of a dozen languages: a word that announces, and a value of its shape near it.


_NEAR_MAX: Final = 45
_BEHIND_MAX: Final = 25
_READ_MAX: Final = 60
_CHOSEN_MAX: Final = 30


def announced_spans(said: Said) -> Iterator[SecretSpan]:
    """Values that stand near a word that announces them, in their shape."""
    for pattern in (_RE.spelled_code, *((_RE.turns, _RE.short) if said.digits else ())):
        for found in pattern.finditer(said.low):
            yield span_of(found, "unlocking")
    for found in _RE.asked.finditer(said.low) if "?" in said.low else ():
        if said.text[found.start("code")].isupper() or is_credential(found["code"]):
            yield span_of(found, "unlocking")
    for sign, pattern in (("/", _RE.pair), ("@", _RE.account)):
        for found in pattern.finditer(said.text) if sign in said.text else ():
            if is_credential(found["code"].rstrip(".,;")) and "/" not in found["code"]:
                yield span_of(found, "unlocking")
    for clause in _RE.clause.finditer(said.low) if said.digits else ():
        if _RE.digit.search(clause.group()):
            yield from _numbers(clause)
            yield from _credentials(said, clause)


def _numbers(clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Numbers in the shape of a code, shortly after a word for a code, or for what is opened and how."""
    text, numbers = clause.group(), list(_RE.shaped.finditer(clause.group()))
    if not numbers or not _RE.around.search(text):
        return
    is_private = _RE.private_word.search(text) is not None
    for found in numbers:
        start, end = found.span()
        is_within = text[start - 1 : start].isalnum() and text[start - 1 : start].isascii()
        if is_within or _RE.counted.match(text, end):
            continue
        words = list(_RE.around.finditer(text, max(0, start - _READ_MAX), end + _READ_MAX))
        if words and _opens(text, found, words, is_private=is_private):
            yield span_of(found, "unlocking", clause.start())


def _opens(text: str, found: re.Match[str], words: Sequence[re.Match[str]], *, is_private: bool) -> bool:
    """Whether a number is given as what opens something, not as a year, a count or the name of a thing."""
    before, after = _before(text, found.start()), text[found.end() : found.end() + _READ_MAX]
    near = [word for word in words if _is_shortly_before(text, word, found)]
    is_linked = _RE.opener.search(before) is not None
    stands_alone = any(not text[word.end() : found.start()].strip(" ,:：-はの是") for word in near)
    is_named = _RE.after_a_name.search(before) is not None and not is_linked
    if is_named or (_RE.year.fullmatch(found["code"]) and not (is_linked or stands_alone)):
        return False
    is_grouped = not found["code"].strip("#*").isalnum()
    is_ours = is_grouped or is_private
    is_strong = any(word["strong"] or (word["plain"] and is_ours and _is_of_ours(text, word)) for word in near)
    is_lock = any(word["weak"] for word in near) and (is_linked or stands_alone)
    is_behind = any(word["strong"] and 0 <= word.start() - found.end() <= _BEHIND_MAX for word in words)
    return is_strong or (is_lock and _RE.after_lock.match(after) is not None) or (is_grouped and is_behind)


def _before(text: str, end: int) -> str:
    """As much of the text before a place as the rules read."""
    return text[max(0, end - _READ_MAX) : end]


def _is_shortly_before(text: str, word: re.Match[str], found: re.Match[str]) -> bool:
    is_near = 0 <= found.start() - word.end() <= _NEAR_MAX
    return is_near and not _RE.digit.search(text[word.end() : found.start()])


def _is_of_ours(text: str, word: re.Match[str]) -> bool:
    """Whether it is no area code, error code or other code that everybody may know."""
    return _RE.other_code.search(_before(text, word.start()).rstrip()) is None


def _credentials(said: Said, clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Words in the shape of a password, shortly after a word for one in the same clause."""
    text, at = said.text[clause.start() : clause.end()], clause.start()
    for word in _RE.word.finditer(clause.group()):
        for found in _RE.token.finditer(text, word.end(), min(len(text), word.end() + _READ_MAX)):
            value = found["code"].lstrip("=:").rstrip(".,;:?")
            digits = sum(letter.isdigit() for letter in value)
            is_marked = _RE.mark.search(value[1:]) is not None and digits > 0
            is_chosen = digits >= 1 and value[:1].isalpha() and value[-1:].isdigit()
            if not is_credential(value) or not (is_marked or is_chosen) or "%" in value or len(value) > _CHOSEN_MAX:
                continue
            if not is_marked and _RE.named_for.search(_before(text, found.start()).lower()):
                continue
            start = at + found.start() + found["code"].index(value)
            yield SecretSpan(start=start, end=start + len(value), kind="unlocking")
