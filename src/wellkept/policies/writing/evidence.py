"""Evidence: what a claim names, counts and dates must have been said, or follow from what was said."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.types import Decision
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"})


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Function words and the words for the speaker, without accents.
COMMON = _set(
    "the a an this that these those user users speaker assistant person people someone somebody he she they it his her "
    "their its him them and or but nor so as at by for from in into of off on onto out over to up with within without "
    "about above after against along among around before behind below between during since than through till toward "
    "under until upon via while when where who whom whose which what why how if then there here not no yes is are was "
    "were be been being am has have had having do does did done will would shall should can could may might must also "
    "too very more most less least much many some any each every all both several few other another own same such only "
    "just still already yet again always never often sometimes usually currently recently now today because although "
    "though unless whether i me my mine we us our ours you your yours one "
    "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren hat "
    "haben wird werden mit von zu zum zur im in am an auf fur bei nach aus seit bis als wenn weil dass nutzer nutzerin "
    "benutzer benutzerin person er sie es sein seine ihr ihre "
    "el la los las un una unos unas y o pero no es son era fue esta estan ha han tiene con de del al en por para desde "
    "hasta cuando porque que su sus usuario usuaria persona "
    "le les une des et ou mais ne pas est sont etait a ont avec du au aux dans pour depuis jusqu quand parce qui son "
    "sa ses leur l d utilisateur utilisatrice personne il elle "
    "lo gli i uno e ma non sono era ha hanno con di del della al alla nel nella da dal dalla per quando perche che suo "
    "sua utente "
    "os as um uma ou mas nao sao foi tem com do da dos das no na em ate porque seu usuario utilizador "
    "het een en of maar niet zijn was heeft hebben met van naar voor sinds tot wanneer omdat dat gebruiker "
    "i na w z do uzytkownik пользователь и в на с не"
)
UNCASED_COMMON = _set("用户 用戶 使用 ユー ーザ ザー 사용 용자 です ます した いる ある って という 喜欢 喜歡 居住")

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_FOREIGN = {
    "de": "null _ zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "es": "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "_ _ deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "_ _ due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "_ _ dois tres quatro cinco seis sete oito nove dez onze doze",
    "nl": "nul _ twee drie vier vijf zes zeven acht negen tien elf twaalf",
}

NUMBERS: Mapping[str, str] = {
    **{
        word: str(value)
        for row in (*_FOREIGN.values(), _UNITS)
        for value, word in enumerate(row.split())
        if word not in ("_", "once", "sei")
    },
    **{word: str(10 * value) for value, word in enumerate(_TENS.split(), start=2)},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    "twice": "2",
    "both": "2",
    "couple": "2",
    "twins": "2",
}


STEM_MIN = 4
"""Letters that two forms of one word share at least: "Kind" and "Kinder"."""
STEM_SHARE = 0.7
"""Of the longer one of two forms."""
UNCASED_SHARE = 0.5
"""Of the pairs of signs, in scripts without capitals, where names cannot be told from other words."""

_WORD = deferred(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ISO = deferred(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_NUMBER = deferred(r"\d+(?:[.,:]\d+)*")
_GROUPED = deferred(r"(?<=\d)[,.](?=\d{3}(?!\d))")
_SENTENCE_START = deferred(r"(?:^|[.!?:;]\s+|[\"'(\[])$")
_UNCASED = deferred(r"[\u0590-\u109f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


@frozen
class Grounds:
    """What a claim may rest on."""

    window: tuple[str, ...]
    """The messages that were read, the source last."""
    viewpoint: tuple[str, ...] = ()
    """Names that are known of the place it was said in: the speaker, the persona, people the speaker talks about."""
    derived: tuple[str, ...] = ()
    """What the date and person resolvers made of the window: ISO dates, names of months and days, names."""


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text: exactly, else without regard to case, quotation marks and spacing.

    >>> find("live  in BERLIN", "I live in Berlin now")
    (2, 16)
    """
    start = text.find(quote)
    if quote.strip() and start >= 0:
        return start, start + len(quote)
    parts = [re.escape(part) for part in _plain(quote).split()]
    match = re.search(r"\s+".join(parts), _plain(text)) if parts else None
    return (match.start(), match.end()) if match is not None else None


def check(content: str, quote: str, grounds: Grounds) -> Decision:
    """Whether a claim made from a quotation of the source has its evidence; the code says what is missing.

    >>> check("Alice has 3 cats", "I have 2 cats", Grounds(window=("I have 2 cats",), viewpoint=("Alice",))).reason
    'evidence_number'
    """
    if not grounds.window or find(quote, grounds.window[-1]) is None:
        return _missing("evidence_span")
    decision = ground(content, grounds)
    if decision.verdict == "pass" and not _shares_a_word(_ISO.sub(" ", content), quote, grounds):
        return _missing("evidence_words")
    return decision


def ground(content: str, grounds: Grounds) -> Decision:
    """Whether the names, numbers and dates of a text were said, whatever it was made from."""
    said = (*grounds.window, *grounds.viewpoint, *grounds.derived)
    if any(date not in " ".join(said) for date in _ISO.findall(content)):
        return _missing("evidence_date")
    undated = _ISO.sub(" ", content)
    # Of a date only the year is a number that may stand alone.
    if not _numbers(undated) <= _numbers(_ISO.sub(lambda date: date[0][:4], " ".join(said)), is_source=True):
        return _missing("evidence_number")
    if any(not _is_said(name, said) for name in _names(undated)) or not _is_said_uncased(undated, said):
        return _missing("evidence_name")
    return Decision(verdict="pass", reason="evidenced")


def is_said(name: str, grounds: Grounds) -> bool:
    """Whether every word of a name was said or is known of the place; function words need no saying."""
    said = (*grounds.window, *grounds.viewpoint, *grounds.derived)
    return all(_is_said(word, said) for word in _folded(name) if word not in COMMON)


def _missing(code: str) -> Decision:
    return Decision(verdict="refuse", reason=code)


def _plain(text: str) -> str:
    """For comparing places: one character stays one character."""
    straight = text.translate(STRAIGHT)
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in straight)


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and possessive endings."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    found = (match[0].replace("’", "'").casefold() for match in _WORD.finditer(bare))
    return tuple(re.sub(r"'s?$", "", word) for word in found)


def _names(content: str) -> Iterator[str]:
    """Capitalised words. The first of a sentence is one only if no common word begins so."""
    for match in _WORD.finditer(content):
        word = match[0]
        if not any(sign.isupper() for sign in word):
            continue
        folded = _folded(word)
        is_first = _SENTENCE_START.search(content[: match.start()]) is not None
        is_common = all(part in COMMON for part in folded)
        if not (is_first and is_common):
            yield word


def _is_said(word: str, said: Iterable[str]) -> bool:
    parts = [part for whole in _folded(word) for part in re.split(r"[-.']", whole) if part]
    heard = {part for text in said for whole in _folded(text) for part in (whole, *re.split(r"[-.']", whole))}
    return all(_is_heard(part, heard) for part in parts)


def _is_heard(part: str, heard: set[str]) -> bool:
    return part in heard or any(_are_forms(part, other) for other in heard)


def _are_forms(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike and differ in an ending."""
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    longer = max(len(one), len(other))
    if shared == longer - 1 and "s" in (one[shared:], other[shared:]):
        return True
    return shared >= min(STEM_MIN, longer) and shared >= STEM_SHARE * longer


def _is_said_uncased(content: str, said: Iterable[str]) -> bool:
    heard = " ".join(said)
    pairs = [run[at : at + 2] for run in _UNCASED.findall(content) for at in range(len(run) - 1)]
    pairs = [pair for pair in pairs if pair not in UNCASED_COMMON]
    return not pairs or sum(pair in heard for pair in pairs) >= UNCASED_SHARE * len(pairs)


def _numbers(text: str, *, is_source: bool = False) -> frozenset[str]:
    """The values of numbers in digits and words. In a source "a" counts as one, and parts of a number count too."""
    ungrouped = _GROUPED.sub("", text)
    found = {_value(match[0]) for match in _NUMBER.finditer(ungrouped)}
    found |= {NUMBERS[word] for whole in _folded(text) for word in whole.split("-") if word in NUMBERS}
    if is_source:
        found |= {part.lstrip("0") or "0" for number in _NUMBER.findall(text) for part in re.split(r"[.,:]", number)}
        found.add("1")
    else:
        found -= {"1"}
    return frozenset(found)


def _value(number: str) -> str:
    return re.sub(r"(?<=\d)[.,:]0+$", "", number).lstrip("0") or "0"


def _shares_a_word(content: str, quote: str, grounds: Grounds) -> bool:
    """Whether a claim has anything of its quotation in it beside the names of the place."""
    if _UNCASED.search(content):
        return True
    known = {part for text in grounds.viewpoint for part in _folded(text)}
    heard = {part for part in _folded(quote) if part not in COMMON}
    told = [part for part in _folded(content) if part not in COMMON and part not in known]
    return not told or not heard or any(_is_heard(part, heard) for part in told)
