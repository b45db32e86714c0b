"""A message as the rules read it, and its single words: a credential, a place-holder for one, a word that describes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final, NamedTuple

from wellkept.patterns import deferred
from wellkept.policies.words import word_lists, word_set


@dataclass(frozen=True, kw_only=True, order=True)
class SecretSpan:
    """A secret value in a text, from ``start`` up to ``end``; ``kind`` names its class, never its content."""

    start: int
    end: int
    kind: str


class Said:
    """A message as the rules read it: ``text`` with its case, ``low`` in lower case, equally long.

    In a second reading ``low`` has letters where the writer put digits ("p4ssw0rd"); values are taken from ``text``.
    What several rules ask of it is looked up once.
    """

    __slots__ = ("digits", "has_other_script", "low", "text")

    def __init__(self, *, text: str, low: str) -> None:
        self.text = text
        self.low = low
        self.digits = len(_DIGIT.findall(low))
        """How many there are."""
        self.has_other_script = has_other_script(low)

    def has(self, stems: Iterable[str]) -> bool:
        """Whether one of these stands in it, as a word or in one."""
        return is_any_in(stems, self.low)


def is_any_in(stems: Iterable[str], low: str) -> bool:
    """Whether one of the stems stands in a text in lower case."""
    for stem in stems:  # noqa: SIM110 -- a generator takes twice as long
        if stem in low:
            return True
    return False


def has_other_script(text: str) -> bool:
    """Whether letters stand in it that are not Latin."""
    return not text.isascii() and _OTHER_SCRIPT.search(text) is not None


_DIGIT: Final = deferred(r"\d")
_OTHER_SCRIPT: Final = deferred(r"[^\x00-\u024f]")
# Characters that people put into passwords and seldom into words.
_MARKS: Final = deferred(r"[@#$%^&*+=~?!<>{}|\\_]")
_ORDINARY: Final = deferred(
    r"""(?xi)
      \#?\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|s|am|pm|h|hrs?|mins?|sec|ms|[kcm]?m|[km]?g|lbs?|oz|[kmgt]i?b|[kmg]?hz|px|pt|x
        |k|bit|fps|rpm|[km]?w|kwh|m?ah|%|°?[a-f]|er|e|º|ª|€|eur|usd|in|ft|mph|kmh)?                # 10th, 5pm, 16GB
      | [€$£#]\d[\d.,]*k?
      | \d{1,2}h\d{2} | v?\d+(?:\.\d+)+(?:[a-z]+\d*)? | \d{4}-\d\d-\d\dt?[\d:.+z-]*            # versions, dates
      | [\w.+-]+@[\w-]+(?:\.[\w-]+)+ | @[\w.-]+ | \#[a-z_]+\d?                                   # mail, handles
      | (?:https?://|www\.)\S+ | [~.]?/[\w./-]+ | [a-z]:\\\S* | [a-z_-]+(?:\.[a-z_-]+)*\.[a-z]{2,4} # links, paths
      | (?:1|last|dash)pass(?:word)? | keepassx?c?\d?
      | (?:sha|md|aes|rsa|hs|rs|es|utf|base|wpa|wep|ipv|oauth|argon|ed|mp|ps|ec|win|windows|iphone|ipad|galaxy|pixel
        |python|web|covid|usb|cat|rj|type|ios|macos|php|iso|din|rfc|cve|kb|[a-z])-?\d{1,5}[a-z]?(?:-\d+)*
      | [234]fa | mfa | [a-z]+(?:[_.][a-z]+)+ | [a-z_]+=(?:true|false|none|[a-z_.]+\(|[\"'(\[{]).*  # names in code
      """
)  # fmt: skip
_PLACEHOLDER: Final = deferred(
    r"""(?xi)
      [*•●.xX_\-#?…]+ | <[^>]*>?.* | \[[^\]]*\]?.* | \$?\{.* | \$[a-z_]\w*(?:\}|\)|$).* | \$\(.* | %[a-z_]+%?.*
      | .*\(redacted\).* | \(?\[?(?:redacted|masked|hidden|removed|omitted|secret|censored|filtered|private)\]?\)?
      | (?:your|my|the|some|a|example|insert|change|replace|enter)[_-]?(?:own[_-]?)?
        (?:password|passwd|pass|secret|token|key|pwd|api[_-]?key|here|value|this|me)\w*
      | your[_-][a-z_-]+ | [a-z_-]+[_-]here
      | (?:none|null|nil|undefined|true|false|str|string|int|bool|bytes|text|(?:var)?char(?:\(\S*)?|any|secretstr
        |optional(?:\[\S*)?|field|void|empty|blank|n/?a|tbd|todo|unset|env|self|input|getpass|prompt)\b[\])},;.]*
      | (?:os|process|env|config|settings|self|this|args|request|req|params|secrets|vault|data|form|event|ctx)\.\S*
      | [a-z_][\w.]*[(\[].* | [a-z_]+_(?:password|token|key|secret)\b.*
      | (?:confirm|hashed|encrypted|user|new|old)\w*password.*
      """
)  # fmt: skip
_HEX: Final = deferred(r"(?:0x)?[0-9a-fA-F]+")
_UUID: Final = deferred(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_JOINTS: Final = deferred(r"[+/_-]")
_CLASS: Final = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_", "a" * 26 + "A" * 26 + "0" * 10 + "+" * 4
)

# A longer word is no file name, version or place-holder, and need not be compared with them.
_WORD_LENGTH_MAX: Final = 100
_CREDENTIAL_MIN: Final = 4
_NUMBER_WITH_MARKS_MIN: Final = 6
_KEY_WITHOUT_DIGITS_MIN: Final = 20
RANDOM_LENGTH_MIN: Final = 24
# Random base64 changes between lower case, upper case and digits at about six of ten characters, names at two of ten.
_TURNS_MIN: Final = 0.34
_DIFFERENT_MIN: Final = 13


def is_placeholder(value: str) -> bool:
    """Whether the value only stands for a secret: ``<password>``, ``${TOKEN}``, ``****``, a call, a type, a mask."""
    return len(value) <= _WORD_LENGTH_MAX and _PLACEHOLDER.fullmatch(value) is not None


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_hex(value: str, length_min: int) -> bool:
    return len(value) >= length_min and _HEX.fullmatch(value) is not None


def is_credential(word: str) -> bool:
    """Whether the word looks chosen as a password or made as a key: letters with digits, or with marks inside."""
    core = word.lstrip("`'\"*").rstrip(".,;:!?'\")*_~`")
    # Letters alone are a word, whatever else is asked of it.
    if core.isalpha() or len(word) < _CREDENTIAL_MIN or is_placeholder(word):
        return False
    if len(word) <= _WORD_LENGTH_MAX and (_ORDINARY.fullmatch(word) or _ORDINARY.fullmatch(core)):
        return False
    has_letter = any(letter.isalpha() for letter in core)
    has_digit = any(letter.isdigit() for letter in core)
    has_mark = _MARKS.search(core[1:]) is not None
    return (has_letter and (has_digit or has_mark)) or (has_digit and has_mark and len(word) >= _NUMBER_WITH_MARKS_MIN)


def is_key_like(value: str, *, length_min: int = 8) -> bool:
    """Whether the value could have been issued by a machine: long enough, in one piece, with digits among letters."""
    if len(value) < length_min or is_placeholder(value) or value.startswith(("ssh-", "AAAA", "http")):
        return False
    return (
        is_credential(value)
        or is_hex(value, 16)
        or is_uuid(value)
        or (len(value) >= _KEY_WITHOUT_DIGITS_MIN and "." not in value)
    )


def is_random(token: str) -> bool:
    """Whether the characters have no order that a name, a path or a number has; digits alone or hex never do."""
    body = token.rstrip("=")
    if len(body) < RANDOM_LENGTH_MIN or len(set(body)) < _DIFFERENT_MIN or is_hex(body, 1) or is_uuid(body):
        return False
    # Words joined by signs: "I%27ve+updated+my+…", a path, a slug.
    words = [part for part in _JOINTS.split(body) if part.isalpha() and part[1:].islower()]
    if sum(map(len, words)) > len(body) / 2:
        return False
    classes = body.translate(_CLASS)
    if not {"a", "A", "0"} <= set(classes):
        return False
    turns = sum(one != two for one, two in pairwise(classes))
    return turns >= _TURNS_MIN * (len(body) - 1)


# --- Patterns whose words stand in `vocabulary.txt`.


_WORDS: Final = deferred("<<([^<>]+)>>")


def worded(template: str) -> re.Pattern[str]:
    """A pattern in which `<<heading>>` stands for the words of that list."""
    return deferred(lambda: _filled(template))


def alternatives(heading: str) -> str:
    """The words of a list, as alternatives."""
    return "|".join(_filled(" ".join(word_lists("secrets/vocabulary.txt")[heading])).split())


def _filled(template: str) -> str:
    return _WORDS.sub(lambda found: f"(?:{alternatives(found[1])})", template)


class Form(NamedTuple):
    """A class of secrets: one of ``stems`` must stand in the lower-case text before ``pattern`` is tried."""

    kind: str
    stems: tuple[str, ...]
    pattern: re.Pattern[str]


def forms_in(table: str, parts: Mapping[str, str]) -> tuple[Form, ...]:
    """The rows of a file: kind | stems | pattern, in which each name of a part stands for it."""
    found: list[Form] = []
    for line in (resources.files("wellkept.policies.secrets") / table).read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        kind, stems, pattern = (cell.strip() for cell in line.split(" |", 2))
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        found.append(Form(kind, tuple(stems.split()), worded(pattern)))
    return tuple(found)


# --- Words that describe a password and do not give it.


_DESCRIBING: Final = deferred(r"[a-z]{4,}(?:ed|able|ible|less|ally|tely|ntly|edly|[ai]bly|ously|ively|fully|ily)")
# A passphrase may well begin with these.
_NO_GRAMMAR: Final = frozenset({"something", "nothing", "nobody"})


def word_list(heading: str) -> frozenset[str]:
    """A list of `words.txt`."""
    return word_set("secrets/words.txt", heading)


@cache
def _predicates() -> frozenset[str]:
    return word_list("function") | word_list("states") | word_list("other languages")


def is_function_word(word: str) -> bool:
    """Whether a lower-case word is one of grammar."""
    return word in word_list("function") and word not in _NO_GRAMMAR


def is_predicate(word: str) -> bool:
    """Whether a lower-case word after "my password is" describes the password and does not give it."""
    word = word.strip(".,;:!?…\"'’”)(}]*`")
    word = word.removesuffix("'s").removesuffix("’s")
    return word in _predicates() or _DESCRIBING.fullmatch(word) is not None or word.endswith(("n't", "n’t"))
