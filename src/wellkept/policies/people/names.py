"""Names as people write, say and mishear them: normal forms, slugs, sounds, nicknames, and how alike two names are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred, word_lists, word_set
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable


@cache
def _formals() -> dict[str, frozenset[str]]:
    """Short form → the names it is short for."""
    found: dict[str, set[str]] = {}
    for entry in word_lists("people/names.txt")["short forms"]:
        full, _, shorts = entry.partition(": ")
        for short in shorts.split():
            found.setdefault(short, set()).add(full)
    return {short: frozenset(names) for short, names in found.items()}


@cache
def _groups() -> dict[str, int]:
    return {
        word: number
        for number, group in enumerate(word_lists("people/names.txt")["spellings"])
        for word in group.split()
    }


def _list(heading: str) -> frozenset[str]:
    return word_set("people/names.txt", heading)


@cache
def _transliterated() -> dict[int, str]:
    """Letters that are no Latin ones, or special ones → how they are written in plain Latin ones."""
    return {ord(entry[0]): entry[1:] for entry in _list("transliterated")}


@cache
def _pairs_apart() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in word_lists("people/names.txt")["apart"])


def are_spellings(one: str, other: str) -> bool:
    """Whether two folded words are one name in two spellings or languages: Mohammed, Muhammad."""
    return one in _groups() and _groups()[one] == _groups().get(other)


def is_short_of(short: str, full: str) -> bool:
    """Whether a folded word is a usual short form of another, in any of its spellings."""
    return any(full == formal or are_spellings(full, formal) for formal in _formals().get(short, ()))


def share_formal(one: str, other: str) -> bool:
    """Whether two folded words are short for the same name: Liz and Beth."""
    return bool(_formals().get(one, frozenset()) & _formals().get(other, frozenset()))


def are_apart(one: str, other: str) -> bool:
    """Whether two folded words are known to be two names although they sound alike: Marie and Mary."""
    return frozenset((one, other)) in _pairs_apart()


Gender = Literal["female", "male"]

_HONORIFICS = deferred(r"(?:[-‐‑–\s](?:san|chan|kun|sama|sensei|senpai|ssi|nim|ji|bey|hanim|abi|abla))$")
_HAN_HONORIFICS = deferred(r"(?<=[㐀-鿿぀-ヿ가-힯])\s*(?:さん|くん|ちゃん|様|さま|先生|君|씨|님|老师|老師|女士|小姐)$")
_REMEMBERED = 32_768
_CUT_KEPT_MIN = 4
_CUT_LOST_MIN = 3
_LONG_WORD = 7
_SHORT_WORD = 4
_ENDEARED_MAX = 5
_ALIKE_MIN = 0.85
_EXPANDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "ñ": "ny"})
_GREEK_PAIRS = (("ου", "u"), ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("ευ", "ev"), ("αυ", "av"))
_INVISIBLE = deferred(r"[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_APOSTROPHES = deferred(r"['’‘`´ʼʹʻ]")
_LEADING = deferred(r"^(?:(?:my|the)\s+|@+)+")
_SPACES = deferred(r"[\s_\-‐‑‒–—]+")
_UNDERSCORES = deferred(r"_+")
_PLAIN_SIGNS = {code: " " if chr(code) in " _-" else None for code in range(128) if not chr(code).isalnum()}
"""Of ASCII: what stands between words, and signs that go."""
_HYPHENS = deferred(r"[-‐‑‒–]")
_POSSESSIVE = deferred(r"(?:['’]s|(?<=s)['’])$")


def _clean(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


@lru_cache(maxsize=_REMEMBERED)
def normalise(text: str) -> str:
    """The form in which names, aliases and handles are compared exactly.

    >>> normalise("  My  Wife "), normalise("@Bob"), normalise("STRASSE") == normalise("Straße")
    ('wife', 'bob', True)
    """
    plain = _POSSESSIVE.sub("", _clean(_clean(text).casefold()))
    return _LEADING.sub("", plain).strip(' \t.,;:!?"“”()')


def slug(text: str) -> str:
    """Lower case; punctuation goes, runs of spaces, hyphens and underscores become one underscore.

    >>> slug("Dr. Jane O'Brien"), slug("Austin, Texas"), slug("Jean-Luc"), slug("...")
    ('dr_jane_obrien', 'austin_texas', 'jean_luc', '')
    """
    if text.isascii() and text.isprintable():
        return "_".join(text.lower().translate(_PLAIN_SIGNS).split())
    spaced = _SPACES.sub("_", unicodedata.normalize("NFC", _clean(text).lower()))
    kept = "".join(sign for sign in spaced if sign == "_" or unicodedata.category(sign)[0] in "LNM")
    # A mark may stand beside its letter only now, without the sign that was between them.
    return _UNDERSCORES.sub("_", unicodedata.normalize("NFC", kept)).strip("_")


@frozen
class Titled:
    """A name without its titles and honorifics, and the gender that they tell."""

    bare: str
    gender: Gender | None = None


@cache
def _titles() -> dict[str, Gender | None]:
    genders: tuple[Gender | None, ...] = (None, "male", "female")
    return {title: gender for gender in genders for title in _list(f"{gender or 'other'} titles")}


@lru_cache(maxsize=_REMEMBERED)
def untitled(name: str) -> Titled:
    """Take titles off, as long as something stays.

    >>> untitled("Frau Dr. Müller"), untitled("Tanaka-san").bare, untitled("Doc").bare
    (Titled(bare='Müller', gender='female'), 'Tanaka', 'Doc')
    """
    bare = _HAN_HONORIFICS.sub("", _clean(name))
    folded_end = _HONORIFICS.search(bare.casefold())
    if folded_end is not None and folded_end.start() > 1:
        bare = bare[: folded_end.start()]
    words, gender = bare.split(" "), None
    while len(words) > 1:
        key = _strip_marks(words[0].casefold().rstrip("."))
        if key not in _titles() or (key in _list("titles with a dot") and not words[0].endswith(".")):
            break
        gender = gender or _titles()[key]
        words = words[1:]
    return Titled(bare=" ".join(words), gender=gender)


def _strip_marks(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if not unicodedata.combining(sign)))


def _latin(text: str) -> str:
    lowered = text.casefold().replace("й", "й")
    greek = _strip_marks(lowered) if re.search(r"[α-ωά-ώ]", lowered) else lowered
    for pair, sound_of_it in _GREEK_PAIRS:
        greek = greek.replace(pair, sound_of_it)
    return _strip_marks(greek.translate(_transliterated()))


@lru_cache(maxsize=_REMEMBERED)
def spellings(name: str) -> frozenset[str]:
    """The ways a name is written without its marks: Müller is Muller and Mueller, Søren is Soren and Soeren.

    Letters of scripts without a table stay as they are.
    """
    plain = _APOSTROPHES.sub("", _clean(name).casefold()).replace(".", " ")
    lowered = " ".join(plain.replace("ё", "е").split()), " ".join(plain.split())
    composed = unicodedata.normalize("NFC", lowered[1])
    return frozenset({*(_latin(one) for one in lowered), _latin(composed.translate(_EXPANDED))})


def _units(name: str) -> tuple[str, ...]:
    """The words of a name; a hyphenated word is one unit, "Abu Omar" is one, a comma turns the order back."""
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma and given.strip() else name
    words = _HYPHENS.sub("-", ordered.replace(",", " ")).split()
    units: list[str] = []
    for word in words:
        if units and units[-1] in _list("compounding"):
            units[-1] = f"{units[-1]}-{word}"
        else:
            units.append(word.strip("-"))
    essential = [unit for unit in units if unit not in _list("particles")]
    return tuple(unit for unit in (essential or units) if unit)


def _halves(unit: str) -> tuple[str, ...]:
    return tuple(part for part in unit.split("-") if part)


class Likeness(IntEnum):
    """How alike a said name is to a held one, weakest first."""

    NONE = 0
    VARIANT = 1
    """Sounds alike and is written alike: worth a question, not an answer."""
    SOUND = 2
    """Another spelling of the same sound: Sara and Sarah, Erik and Eric."""
    NICKNAME = 3
    SHORT = 4
    """A part of the name: John and John Smith, J. Smith and John Smith."""
    EQUAL = 5


_SOUNDS = tuple(
    (deferred(pattern), replacement)
    for pattern, replacement in (
        (r"sch", "sh"), (r"tch", "ch"), (r"ph", "f"), (r"ck", "k"), (r"kh", "k"), (r"th", "t"), (r"dj", "j"),
        (r"q[uvw]", "kv"),
        (r"q", "k"), (r"c(?=[eiy])", "s"), (r"c(?!h)", "k"), (r"ks", "x"), (r"ee", "i"), (r"oo|ou", "u"),
        (r"w", "v"), (r"y", "i"), (r"(?<=[^cs])h", ""), (r"(.)\1+", r"\1"), (r"ei$", "i"), (r"(?<=..)ie$", "i"),
        (r"(?<=[klmnstv])j(?=[aeo])", "i"),
    )
)  # fmt: skip
_CHANGED_ENDING = deferred(r"^[aeiou]{0,2}$")
_DERIVED_TAIL = deferred(
    r"^(?:[aeiou]|n|s|os|us|in[aeo]?|ett[aeo]?|ell[aeo]?|it[ao]|an[aeo]|ia|io|ine|iane|son|sen|ez|es|ov|ova|ovic|ovich"
    r"|ski|ska|sky|ian|yan|idis|akis|man|mann|ton|escu|enko|uk|ou|lin|line|lyn|len|lene|belle?|bella|mary|marie|lina)$"
)
_LATIN = deferred(r"^[a-z]+$")


@lru_cache(maxsize=_REMEMBERED)
def sound(word: str) -> str:
    """A word as it is spoken, vowels kept: equal for Sophia and Sofia, not for Mukesh and Makesh."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=_REMEMBERED)
def phonetic(word: str) -> str:
    """The consonants of a word as they are spoken (Metaphone); empty for scripts it does not know."""
    import jellyfish

    latin = _latin(word)
    return jellyfish.metaphone(latin) if _LATIN.match(latin) else ""


def _differ_in_ending(one: str, other: str) -> bool:
    """Paul and Paula, Maria and Mario, Julia and Julian: what differs is the ending that makes another name."""
    stem = 0
    while stem < min(len(one), len(other)) and one[stem] == other[stem]:
        stem += 1
    return all(_CHANGED_ENDING.match(tail) or _DERIVED_TAIL.match(tail) for tail in (one[stem:], other[stem:]))


def _is_cut(one: str, other: str) -> bool:
    """Magda of Magdalena: at least four letters stay, and what is cut off is no ending that makes another name."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    lost = len(long) - len(short)
    if len(short) < _CUT_KEPT_MIN or lost < _CUT_LOST_MIN or not long.startswith(short):
        return False
    return not _DERIVED_TAIL.match(long[len(short) :])


def is_endearing(one: str, other: str) -> bool:
    """Bobby of Bob, Lizzie of Liz, Katie of Kate: an ending of endearment, the last letter often doubled."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    stem = short.removesuffix("e") if len(short) > _CUT_LOST_MIN else short
    if len(short) > _ENDEARED_MAX or not long.startswith(stem):
        return False
    return long[len(stem) :].removeprefix(stem[-1]) in _list("endearing") or long[len(stem) :] in _list("endearing")


def _sounds_alike(one: str, other: str) -> Likeness:
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    if sound(one) == sound(other) and not are_apart(one, other):
        # Of three letters, one makes another name: Ali and Aly.
        return Likeness.SOUND if max(len(one), len(other)) >= _SHORT_WORD else Likeness.VARIANT
    if not phonetic(one) or phonetic(one) != phonetic(other) or _differ_in_ending(one, other):
        return Likeness.NONE
    same_frame = one[0] == other[0] and one[-1] == other[-1] and min(len(one), len(other)) >= _LONG_WORD
    if same_frame and Levenshtein.normalized_similarity(one, other) >= _ALIKE_MIN and not are_apart(one, other):
        return Likeness.SOUND
    return Likeness.VARIANT if JaroWinkler.similarity(one, other) >= _ALIKE_MIN else Likeness.NONE


@lru_cache(maxsize=_REMEMBERED)
def _word_likeness(one: str, other: str) -> Likeness:
    if one == other or "".join(_halves(one)) == "".join(_halves(other)):
        return Likeness.EQUAL
    if not _LATIN.match(one) or not _LATIN.match(other):
        return Likeness.NONE
    if 1 in (len(one), len(other)):
        return Likeness.SHORT if one[0] == other[0] else Likeness.NONE
    if are_spellings(one, other):
        return Likeness.SOUND
    if is_short_of(one, other) or is_short_of(other, one) or _is_cut(one, other) or is_endearing(one, other):
        return Likeness.NICKNAME
    heard = _sounds_alike(one, other)
    return Likeness.VARIANT if heard is Likeness.NONE and share_formal(one, other) else heard


def _partner(word: str, others: list[str], *, is_alone: bool) -> tuple[Likeness, str]:
    """The word that is most alike; half of a hyphenated word is a part of it only beside another that fits."""
    found = max(((_word_likeness(word, other), other) for other in others), key=lambda pair: pair[0])
    if found[0] is not Likeness.NONE:
        return found
    for other in others:
        if "-" in f"{word}{other}" and (word in _halves(other) or other in _halves(word)):
            return (Likeness.VARIANT if is_alone else Likeness.SHORT), other
    return found


def _pair_up(few: tuple[str, ...], many: tuple[str, ...]) -> tuple[Likeness, ...]:
    """The best partner of each word, each used once; empty when some word has none."""
    left = list(many)
    found: list[Likeness] = []
    for word in few:
        alike, partner = _partner(word, left, is_alone=len(few) == 1)
        if alike is Likeness.NONE:
            return ()
        left.remove(partner)
        found.append(alike)
    return tuple(found)


@dataclass(frozen=True)
class _Form:
    """One spelling of a name, taken apart once."""

    units: tuple[str, ...]
    joined: str
    halves: tuple[str, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=_REMEMBERED)
def _forms(name: str) -> tuple[_Form, ...]:
    """The spellings of a name without its titles."""
    found = []
    for spelt in sorted(spellings(untitled(name).bare)):
        units = _units(spelt)
        words = tuple("".join(_halves(unit)) for unit in units)
        halves = tuple(sorted(half for unit in units for half in _halves(unit)))
        found.append(_Form(units=units, joined="".join(words), halves=halves, words=tuple(sorted(words))))
    return tuple(found)


def _form_likeness(one: _Form, other: _Form) -> Likeness:
    if not one.units or not other.units:
        return Likeness.NONE
    if one.joined == other.joined or one.halves == other.halves or one.words == other.words:
        return Likeness.EQUAL
    # Of as many words the one with fewer letters, so that which of the names was said makes no difference.
    few, many = sorted((one.units, other.units), key=lambda units: (len(units), sum(map(len, units)), units))
    pairs = _pair_up(few, many)
    if not pairs or all(len(word) == 1 for word in few):
        return Likeness.NONE
    weakest = min(pairs)
    return Likeness.SHORT if weakest is Likeness.EQUAL else weakest


@lru_cache(maxsize=_REMEMBERED)
def likeness(said: str, held: str) -> Likeness:
    """How alike two names are, titles aside, in the best of their spellings."""
    return max(_form_likeness(one, other) for one in _forms(said) for other in _forms(held))


def is_full(name: str) -> bool:
    """Whether a name has several words, as given and family name."""
    return any(len(form.units) > 1 for form in _forms(name))


def is_titled(name: str) -> bool:
    """Whether a title or honorific belongs to the name as it stands."""
    return untitled(name).bare != _clean(name)


def begins(short: str, full: str) -> bool:
    """Whether a single word begins the first word of a name: Ed of Eduardo Silva."""
    return any(
        len(one.units) == 1 and len(one.joined) > 1 and other.units[:1] and other.units[0].startswith(one.joined)
        for one in _forms(short)
        for other in _forms(full)
    )


def is_longest(word: str, name: str) -> bool:
    """Whether a name is longer than every word of another."""
    return all(len(word) > len(unit) for form in _forms(name) for unit in form.units)


def is_part_of(short: str, full: str) -> bool:
    """Whether a name is only a part of another: John, J. Smith of John Smith; Krause of Frau Krause."""
    if is_titled(full) and not is_titled(short) and likeness(short, full) is Likeness.EQUAL:
        return True
    return any(_is_part(one.units, other.units) for one in _forms(short) for other in _forms(full))


def _is_part(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    left = list(many)
    for word in few:
        partner = next((other for other in left if word == other or (len(word) == 1 and other[0] == word)), None)
        if partner is None:
            return False
        left.remove(partner)
    return few != many


def is_named(text: str, names: Iterable[str | None]) -> bool:
    """Whether one of these names stands in the text.

    >>> is_named("May lives in Oslo", ["May"]), is_named("The release is in May", ["May"])
    (True, False)
    """
    pattern = any_of(names)
    return pattern is not None and re.search(pattern, text) is not None


def any_of(names: Iterable[str | None]) -> str | None:
    """A pattern for any of these names as words of their own, the longest first; None without a name."""
    known = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True))
    # Not the month: "in May", "May 3".
    return rf"(?<![\w@-])(?<!\b[Ii]n )(?:{known})(?![\w-])(?! \d)" if known else None
