"""Tells at a glance that no secret can stand in a text: ordinary words, and none of them one that a rule waits for."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from wellkept.patterns import by_first_letter, deferred
from wellkept.policies.secrets.announced import may_announce
from wellkept.policies.secrets.codes import CODE_SIGNS, SPELLED_STEMS
from wellkept.policies.secrets.disguise import HIDDEN, LATIN, SCRIPTS, encoded_parts, has_row
from wellkept.policies.secrets.keys import KEY_STEMS
from wellkept.policies.secrets.lexicon import EVERYDAY_WORDS, SCRIPT_WORDS
from wellkept.policies.secrets.numbers import NUMBER_STEMS
from wellkept.policies.secrets.phrases import FOREIGN_KEYS, FOREIGN_STEMS, PASSWORD_STEMS
from wellkept.policies.secrets.seeds import NAMED_STEMS, PHRASE_WORDS_MIN, WORD_ROOM

if TYPE_CHECKING:
    from collections.abc import Iterable

# With the marks that stand on letters of their own script only.
_SCRIPT: Final = f"{SCRIPTS}\u0900-\u0965\u0970-\u097f\u0e01-\u0e4e"


def _ordinary(word: str) -> re.Pattern[str]:
    """Such words with single gaps, and no two letters alone side by side, as where they are written one by one."""
    # A word that was read once is not read in another way, or many words would take for ever.
    whole = rf"(?>(?:{word})(?!\S))"
    return deferred(rf"{whole}(?:(?: |\n\n?)(?!\S\s+\S\s){whole})*+")


# A word is a short number, or letters of one script: too short for a token, with capitals inside only where it is too
# short for base64 as well, and with no sign inside but one hyphen or apostrophe.
_ASCII: Final = _ordinary(
    r"""["(]?(?:(?:[A-Za-z][a-z]{0,18}|[A-Za-z]{2,9})(?:['-][A-Za-z]{1,9})?|\d{1,4}(?:[.,:]\d{1,3})?)[.,;:!?)"]{0,3}|[&-]"""
)
_ANY: Final = _ordinary(
    rf"""["(“«¿¡]?(?:(?:[A-Za-z{LATIN}][a-z{LATIN}]{{0,18}}|[A-Za-z{LATIN}]{{2,9}})(?:['’-][A-Za-z{LATIN}]{{1,9}})?"""
    rf"""|\d{{1,4}}(?:[.,:]\d{{1,3}})?|[{_SCRIPT}]+)(?:[.,;:!?)"”»]{{0,3}}|…)|[–—&-]"""
)
# Without a gap a text is read with gaps for its signs and before its capitals.
_JOINED: Final = deferred(r"\..*\.|…|[a-z][A-Z]")
_BARE: Final = {
    code: unicodedata.normalize("NFD", chr(code))[0]
    for first, last in re.findall("(.)-(.)", LATIN)
    for code in range(ord(first), ord(last) + 1)
}
"""Letters without their accents: with them, too, a word may be hidden."""


def _one_of(stems: frozenset[str], *patterns: str) -> re.Pattern[str]:
    return deferred(by_first_letter("|".join([*map(re.escape, sorted(stems)), *patterns]).translate(_BARE)))


_DIGITS: Final = sorted(SPELLED_STEMS)
_ANNOUNCED: Final = (
    PASSWORD_STEMS | KEY_STEMS | FOREIGN_STEMS | NAMED_STEMS | {*HIDDEN, "private", "eyj", "gizli anahtar"}
)
_SPELLED: Final = rf"\s(?={'|'.join(_DIGITS)})" + r"(?:(?<=" + r"\s)|(?<=".join(_DIGITS) + r"\s))"
_ANNOUNCING: Final = _one_of(_ANNOUNCED, r"basic\s+[a-z0-9+/]{8}", _SPELLED)
_DIGIT: Final = deferred(r"\d")
_HEX: Final = deferred("[0-9A-Fa-f]" + "[0-9A-Fa-f][ :]?+[0-9A-Fa-f]" * 6 + "[0-9A-Fa-f]")
_SEVERAL_DIGITS: Final = deferred(r"\d\W?\d\W?\d|left\s\d")
_SPELLED_DIGIT: Final = f"(?:{by_first_letter('|'.join(_DIGITS))})"
_NUMBERED: Final = _one_of(
    NUMBER_STEMS, CODE_SIGNS, r"\d\d{3}\W{0,2}\d{4}", rf"{_SPELLED_DIGIT}[\s,-]*{_SPELLED_DIGIT}"
)
_IN_SCRIPT: Final = deferred(f"[{_SCRIPT}]")
_LATIN_WORD: Final = deferred(r"[!-~]{3}")
_SCRIPT_SIGN: Final = deferred(f"{SCRIPT_WORDS}|{FOREIGN_KEYS.pattern}")
_SEED_ROW: Final = deferred(r"(?<![A-Za-z])" + r"[A-Za-z]{3,8}+[^A-Za-z]++" * (PHRASE_WORDS_MIN - 1) + r"[A-Za-z]{3,8}")
_SEED_ROW_MIN: Final = WORD_ROOM * PHRASE_WORDS_MIN - 1
# Whatever else it is, base64 has a capital or goes on over lines.
_CODED_MIN: Final = 10
_CODED: Final = deferred(rf"(?=[A-Za-z-]{{{_CODED_MIN}}})[a-z-]*[A-Z]|[A-Za-z-]{{8}}\n")


def _in_one_word(stems: frozenset[str]) -> frozenset[str]:
    """The longest word of each stem: whatever has none of these is no part of a stem that is told by it."""
    return frozenset(max(stem.split(), key=len) for stem in stems)


_ANNOUNCING_WORD: Final = _one_of(_in_one_word(_ANNOUNCED), "basic", *(rf"{digit}(?<!\S{digit})" for digit in _DIGITS))
_NUMBERED_PARTS: Final = sorted(_in_one_word(frozenset(stem for stem in NUMBER_STEMS if " " in stem)))
# Two letters alone after a gap.
_ALONE: Final = deferred(r" \S \S ")
_STARTER_MAX: Final = 5
"""Letters of the words that are known with a capital, too: few longer ones begin a sentence."""


@cache
def _everyday() -> frozenset[str]:
    words = EVERYDAY_WORDS.split()
    return frozenset([*words, *(word.capitalize() for word in words if len(word) <= _STARTER_MAX)])


def _is_everyday(text: str) -> bool:
    """Whether it is seen that no secret can stand in a text of ASCII: everyday words, and others that tell of none."""
    words = text.split(" ")
    known = _everyday()
    # In their order, so that what stood side by side still does.
    others = [word for word in words if word not in known]
    rare = " ".join(others)
    if (others and not _ASCII.fullmatch(rare)) or "\n" in rare or len(words) == 1:
        return False
    sizes = [*map(len, words)]
    if sizes.count(1) > 1 and _ALONE.search(text):
        return False
    low = rare.lower()
    if low != rare and [word for word in others if len(word) >= _CODED_MIN and not word.islower()]:
        return False
    if _ANNOUNCING_WORD.search(low) or _has_seed_row(text):
        return False
    if not _DIGIT.search(low):
        return True
    if _has_groups(text, sizes):
        return False
    if not _SEVERAL_DIGITS.search(low):
        return True
    is_numbered = _NUMBERED.search(low) is not None or any(part in low for part in _NUMBERED_PARTS)
    return not (is_numbered and _NUMBERED.search(text.lower()))


def may_hold_secret(text: str) -> bool:
    """Whether a rule may find something in the text, plain or in disguise; of most texts it is seen that none can.

    >>> may_hold_secret("I met 312 people on my way to work"), may_hold_secret("I met 4471 people at the gate")
    (False, True)
    """
    is_ascii = text.isascii()
    if may_announce(text.lower()):
        return True
    if is_ascii and _is_everyday(text):
        return False
    if not (_ASCII if is_ascii else _ANY).fullmatch(text) or (" " not in text and _JOINED.search(text)):
        return True
    low = text.lower()
    if not is_ascii:
        if _IN_SCRIPT.search(text) and (
            _SEVERAL_DIGITS.search(text) or (_LATIN_WORD.search(text) and _SCRIPT_SIGN.search(low))
        ):
            return True
        low = low.translate(_BARE)
    if _ANNOUNCING.search(low) or (_DIGIT.search(low) and _may_hold_number(text, low)):
        return True
    return _has_seed_row(text) or (_CODED.search(text) is not None and any(True for _ in encoded_parts(text)))


def _may_hold_number(text: str, low: str) -> bool:
    if _has_groups(text, map(len, text.split())):
        return True
    return _SEVERAL_DIGITS.search(low) is not None and _NUMBERED.search(low) is not None


def _has_groups(text: str, sizes: Iterable[int]) -> bool:
    """Whether digits or letters stand in groups of the same size, as in a number or a key that is written so."""
    return has_row(sizes) or _HEX.search(text) is not None


def _has_seed_row(text: str) -> bool:
    return len(text) >= _SEED_ROW_MIN and _SEED_ROW.search(text) is not None
