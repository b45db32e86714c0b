"""Tells at a glance that no secret can stand in a text: ordinary words, and none of them one that a rule waits for."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from recollect.patterns import by_first_letter, deferred
from recollect.policies.secret_codes import CODE_SIGNS, SPELLED_STEMS
from recollect.policies.secret_disguise import GROUP_SIZES, HIDDEN, encoded_parts
from recollect.policies.secret_keys import KEY_STEMS
from recollect.policies.secret_languages import FOREIGN_KEYS, FOREIGN_STEMS
from recollect.policies.secret_lexicon import SCRIPT_WORDS
from recollect.policies.secret_numbers import NUMBER_STEMS
from recollect.policies.secret_phrases import PASSWORD_STEMS
from recollect.policies.secret_seeds import NAMED_STEMS

# Letters that are read as nothing but themselves: not invisible, not styled, not like a letter of another script.
_ACCENTED: Final = "À-įĴ-ľŁ-ňŊ-žẠ-ỹ"
_SCRIPT: Final = (
    "א-ת\u060c\u061f\u0621-\u064a\u0900-\u0965\u0970-\u097f\u0e01-\u0e4e、。「」『』ぁ-ゖァ-ヾ㐀-䶿一-鿿가-힣"
)
# A short number, or letters of one script with a capital at the front at most: too short for a token, and with no sign
# inside but one hyphen or apostrophe.
_WORD: Final = (
    rf"""(?:["(“«¿¡]?(?:[A-Za-z{_ACCENTED}][a-z{_ACCENTED}]{{0,18}}(?:['’-][A-Za-z{_ACCENTED}][a-z{_ACCENTED}]{{0,8}})?"""
    rf"""|[A-Z]{{2,9}}|\d{{1,4}}(?:[.,:]\d{{1,3}})?|[{_SCRIPT}]+)[.,;:!?)"”»]{{0,3}}|[–—&-])"""
)
_ORDINARY: Final = deferred(rf"{_WORD}(?:(?: |\n\n?)(?!\S\s+\S\s){_WORD})*")
"""Words with single gaps, and no two letters alone beside one another, as when a word is written letter by letter."""
_BARE: Final = {
    code: unicodedata.normalize("NFD", chr(code))[0]
    for first, last in re.findall("(.)-(.)", _ACCENTED)
    for code in range(ord(first), ord(last) + 1)
}
"""Letters without their accents: with them, too, a word may be hidden."""


def _one_of(stems: frozenset[str], *patterns: str) -> re.Pattern[str]:
    return deferred(by_first_letter("|".join([*map(re.escape, sorted(stems)), *patterns]).translate(_BARE)))


_ANNOUNCING: Final = _one_of(
    PASSWORD_STEMS | KEY_STEMS | FOREIGN_STEMS | NAMED_STEMS | {*HIDDEN, "private", "eyj", "gizli anahtar"},
    r"basic\s+[a-z0-9+/]{8}",
    *(rf"{digit}\s(?:{'|'.join(SPELLED_STEMS)})" for digit in SPELLED_STEMS),
)
_DIGIT: Final = deferred(r"\d")
_GROUPS: Final = deferred(
    r"[0-9A-Fa-f]{2}(?:[ :]?[0-9A-Fa-f]{2}){6}|(?<!\S)(?:"
    + "|".join(rf"\S{{{size}}}(?:\s+\S{{{size}}}){{3}}(?!\S)" for size in GROUP_SIZES)
    + ")"
)
_SEVERAL_DIGITS: Final = deferred(r"\d\W?\d\W?\d|left\s\d")
_NUMBERED: Final = _one_of(NUMBER_STEMS, CODE_SIGNS, r"\d{4}\W{0,2}\d{4}")
_IN_SCRIPT: Final = deferred(f"[{_SCRIPT}]")
_LATIN_WORD: Final = deferred(r"[!-~]{3}")
_SCRIPT_SIGN: Final = deferred(f"{SCRIPT_WORDS}|{FOREIGN_KEYS.pattern}")
_SEED_ROW: Final = deferred(r"(?<![A-Za-z])(?:[A-Za-z]{3,8}[^A-Za-z]+){11}[A-Za-z]{3,8}")
_SEED_ROW_MIN: Final = 47
# Whatever else it is, base64 has a capital or goes on over lines.
_CODED: Final = deferred(r"[A-Z][a-z-]{9}|[a-z]-[A-Z]|[A-Za-z-]{8}\n")


def may_hold_secret(text: str) -> bool:
    """Whether a rule may find something in the text, plain or in disguise; of most texts it is seen that none can.

    >>> may_hold_secret("I met 312 people on my way to work"), may_hold_secret("I met 4471 people at the gate")
    (False, True)
    """
    if not _ORDINARY.fullmatch(text) or (" " not in text and text.count(".") > 1):
        return True
    low = text.lower()
    if not text.isascii():
        if _IN_SCRIPT.search(text) and (
            _SEVERAL_DIGITS.search(text) or (_LATIN_WORD.search(text) and _SCRIPT_SIGN.search(low))
        ):
            return True
        low = low.translate(_BARE)
    if _ANNOUNCING.search(low) or (_DIGIT.search(low) and _may_hold_number(text, low)):
        return True
    if len(text) >= _SEED_ROW_MIN and _SEED_ROW.search(text):
        return True
    return _CODED.search(text) is not None and any(True for _ in encoded_parts(text))


def _may_hold_number(text: str, low: str) -> bool:
    if _GROUPS.search(text):
        return True
    return _SEVERAL_DIGITS.search(low) is not None and _NUMBERED.search(low) is not None
