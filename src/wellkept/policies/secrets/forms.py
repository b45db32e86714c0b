"""Secrets that show themselves by their form: credentials, vendor tokens, card and bank numbers, seed phrases.

First a message as the rules read it, and its single words: a credential, a place-holder for one, a word that describes.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from wellkept.patterns import Patterns, data_lines, deferred, has_long_word, word_set

_RE: Final = Patterns("secrets/forms.txt", words="secrets/vocabulary.txt")


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
        self.digits = len(_RE.digit.findall(low))
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
    return not text.isascii() and _RE.other_script.search(text) is not None


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
    return len(value) <= _WORD_LENGTH_MAX and _RE.placeholder.fullmatch(value) is not None


def is_uuid(value: str) -> bool:
    return _RE.uuid.fullmatch(value) is not None


def is_hex(value: str, length_min: int) -> bool:
    return len(value) >= length_min and _RE.hex.fullmatch(value) is not None


def is_credential(word: str) -> bool:
    """Whether the word looks chosen as a password or made as a key: letters with digits, or with marks inside."""
    core = word.lstrip("`'\"*").rstrip(".,;:!?'\")*_~`")
    # Letters alone are a word, whatever else is asked of it.
    if core.isalpha() or len(word) < _CREDENTIAL_MIN or is_placeholder(word):
        return False
    if len(word) <= _WORD_LENGTH_MAX and (_RE.ordinary.fullmatch(word) or _RE.ordinary.fullmatch(core)):
        return False
    has_letter = any(letter.isalpha() for letter in core)
    has_digit = any(letter.isdigit() for letter in core)
    has_mark = _RE.marks.search(core[1:]) is not None
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
    words = [part for part in _RE.joints.split(body) if part.isalpha() and part[1:].islower()]
    if sum(map(len, words)) > len(body) / 2:
        return False
    classes = body.translate(_CLASS)
    if not {"a", "A", "0"} <= set(classes):
        return False
    turns = sum(one != two for one, two in pairwise(classes))
    return turns >= _TURNS_MIN * (len(body) - 1)


# --- Classes of secrets in a table, a row each.


class Form(NamedTuple):
    """A class of secrets: one of ``stems`` must stand in the lower-case text before ``pattern`` is tried."""

    kind: str
    stems: tuple[str, ...]
    pattern: re.Pattern[str]


def forms_in(table: str, patterns: Patterns) -> tuple[Form, ...]:
    """The rows of a file: kind | stems | pattern, in which `<<name>>` stands for one of the patterns."""
    rows = (line.split(" |", 2) for line in data_lines(f"secrets/{table}"))
    return tuple(
        Form(kind.strip(), tuple(stems.split()), deferred(partial(patterns.filled, pattern.strip())))
        for kind, stems, pattern in rows
    )


def span_of(match: re.Match[str], kind: str, offset: int = 0) -> SecretSpan:
    """The named part of a match, which is the secret, or all of it where no part is named."""
    group = next((name for name, value in match.groupdict().items() if value is not None), 0)
    return SecretSpan(start=offset + match.start(group), end=offset + match.end(group), kind=kind)


# --- Words that describe a password and do not give it.


# A passphrase may well begin with these.
_NO_GRAMMAR: Final = frozenset({"something", "nothing", "nobody"})


@cache
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
    return word in _predicates() or _RE.describing.fullmatch(word) is not None or word.endswith(("n't", "n’t"))


# --- Tokens, whose kinds stand in `tokens.txt`.


_PUBLIC_READ: Final = 200
# Every form has this many characters in one piece; most sentences have no such word.
_LONG_PIECE: Final = 12


@cache
def _forms() -> tuple[Form, ...]:
    return forms_in("tokens.txt", _RE)


def token_spans(said: Said) -> Iterator[SecretSpan]:
    """Every token that is a secret by its form alone."""
    is_key = "private" in said.low and _RE.private_key.search(said.low) is not None
    if not is_key and not has_long_word(said.low, _LONG_PIECE):
        return
    for form in _forms():
        if not form.stems or said.has(form.stems):
            spans = (span_of(match, form.kind) for match in form.pattern.finditer(said.text))
            yield from (span for span in spans if not is_placeholder(said.text[span.start : span.end]))
    if "basic" in said.low:
        yield from _basic_credentials(said)
    for token in _RE.long_token.finditer(said.text):
        start = max(0, token.start() - _PUBLIC_READ)
        is_public = _RE.public_value.match(token.group()) or _RE.public_before.search(said.text, start, token.start())
        if is_random(token.group()) and not is_public:
            yield SecretSpan(start=token.start(), end=token.end(), kind="high_entropy")


def _basic_credentials(said: Said) -> Iterator[SecretSpan]:
    for match in _RE.basic.finditer(said.low):
        try:
            decoded = base64.b64decode(said.text[match.start(1) : match.end(1)], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if ":" in decoded and decoded.isprintable():
            yield SecretSpan(start=match.start(1), end=match.end(1), kind="basic_auth")


# --- Numbers that prove themselves by a checksum or a form.


# How people group card numbers; a table of other numbers is grouped otherwise.
_CARD_GROUPS: Final = frozenset({
    (14,), (15,), (16,), (19,), (4, 12), (6, 10), (8, 8), (4, 4, 8), (4, 6, 4), (4, 6, 5), (4, 4, 4, 4),
    (4, 4, 4, 4, 3),
})  # fmt: skip
_CARD_DIGITS_MIN: Final = 14
_SSN_DIGITS: Final = 9
# An IBAN has two at least, every other number more.
_DIGITS_MIN: Final = 2

_COUNTRY: Final = 2


@cache
def _iban_lengths() -> dict[str, int]:
    """Country → letters and digits of its numbers."""
    return {entry[:2]: int(entry[2:]) for entry in word_list("iban lengths")}


@cache
def _numbers() -> tuple[Form, ...]:
    return forms_in("numbers.txt", _RE)


def number_spans(said: Said) -> Iterator[SecretSpan]:
    """Every number of these kinds; without enough digits in the text there is nothing to do."""
    if said.digits < _DIGITS_MIN:
        return
    if said.digits >= _CARD_DIGITS_MIN:
        yield from _cards(said.low)
    yield from _ibans(said.low)
    if said.digits >= _SSN_DIGITS:
        yield from (span_of(match, "ssn") for match in _RE.ssn.finditer(said.low))
    for form in _numbers():
        if said.has(form.stems):
            yield from (span_of(match, form.kind) for match in form.pattern.finditer(said.low))


def passes_luhn(digits: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        tens, ones = divmod(int(digit) * (1 + index % 2), 10)
        total += tens + ones
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Whether the digits are a card number of an issuer, with its length and check digit."""
    return _RE.card_issuers.fullmatch(digits) is not None and passes_luhn(digits)


def passes_mod97(iban: str) -> bool:
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97 == 1


def _cards(low: str) -> Iterator[SecretSpan]:
    for run in _RE.digit_run.finditer(low):
        if len(run.group()) < _CARD_DIGITS_MIN:
            continue
        groups = list(re.finditer(r"\d+", run.group()))
        sizes = [len(group.group()) for group in groups]
        for first in range(len(groups)):
            for last in range(first, min(first + 5, len(groups))):
                if tuple(sizes[first : last + 1]) not in _CARD_GROUPS:
                    continue
                digits = "".join(group.group() for group in groups[first : last + 1])
                if is_card(digits):
                    start, end = groups[first].start(), groups[last].end()
                    yield SecretSpan(start=run.start() + start, end=run.start() + end, kind="payment_card")


def _ibans(low: str) -> Iterator[SecretSpan]:
    for match in _RE.iban.finditer(low):
        start = match.start() - _COUNTRY
        length = _iban_lengths().get(low[start : match.start()])
        if length is None:
            continue
        window = low[start : start + 2 * length]
        counts = list(accumulate(letter.isalnum() and letter.isascii() for letter in window))
        end = next((index + 1 for index, count in enumerate(counts) if count == length), 0)
        candidate = window[:end].replace(" ", "").replace("-", "")
        if end and candidate.isalnum() and candidate.isascii() and passes_mod97(candidate):
            yield SecretSpan(start=start, end=start + end, kind="iban")


# --- Wallet seed phrases: a row of words that all stand in the BIP-39 list.


_PHRASE_WORDS_MIN: Final = 12
# Named as a seed phrase, fewer words in a row are enough.
_NAMED_WORDS_MIN: Final = 6
_SEED_STEMS: Final = (
    "seed", "mnemonic", "recovery phrase", "wallet", "secret phrase", "backup phrase", "metamask", "ledger", "trezor",
)  # fmt: skip
_AROUND_WORD: Final = "0123456789.,;:|/()·•-=\"'!?"
# A sentence has "the", "is" and "of"; of the list's own words only few are of that kind.
_GRAMMAR_SHARE_MAX: Final = 0.34
_COMPACT_LETTERS_MIN: Final = 40
_COMPACT_LETTERS_MAX: Final = 300
_WORD_LENGTHS: Final = range(3, 9)
_WORD_ROOM: Final = _WORD_LENGTHS.start + 1
"""Characters that a word of a row takes at least, with the gap after it."""


@cache
def _seed_words() -> frozenset[str]:
    # It opens a file, which importing the package must not.
    from wellkept.policies.secrets.seed_words import SEED_WORDS

    return frozenset(SEED_WORDS.split())


def seed_spans(said: Said) -> Iterator[SecretSpan]:
    """Rows of list words; what is merely a sentence breaks the row at its first other word."""
    least = _NAMED_WORDS_MIN if said.has(_SEED_STEMS) else _PHRASE_WORDS_MIN
    if len(said.low) < _WORD_ROOM * least - 1 or not _has_row(said.low, least):
        return
    row: list[re.Match[str]] = []
    for word in _RE.listed_word.finditer(said.low):
        is_listed = word.group() in _seed_words()
        if row and not (is_listed and _RE.between.fullmatch(said.low, row[-1].end(), word.start())):
            yield from _judged(row, least)
            row = []
        if is_listed:
            row.append(word)
    yield from _judged(row, least)


def _has_row(low: str, least: int) -> bool:
    """A quick look: enough list words after one another, whatever stands between them."""
    row, listed = 0, _seed_words()
    if len([word for word in _RE.listed_word.findall(low) if word in listed]) < least:
        return False
    for token in low.replace(",", " ").split():
        word = token.strip(_AROUND_WORD)
        if word in listed:
            row += 1
            if row >= least:
                return True
        elif word:
            row = 0
    return False


def is_compact_phrase(letters: str) -> bool:
    """Whether letters without gaps can be cut into twelve or more list words."""
    if len(letters) < _COMPACT_LETTERS_MIN:
        return False
    letters = letters[:_COMPACT_LETTERS_MAX]
    for start in range(min(24, len(letters))):
        best = {start: 0}
        for position in range(start, len(letters)):
            if position not in best:
                continue
            for length in _WORD_LENGTHS:
                end = position + length
                if end <= len(letters) and letters[position:end] in _seed_words():
                    best[end] = max(best.get(end, 0), best[position] + 1)
        if max(best.values()) >= _PHRASE_WORDS_MIN:
            return True
    return False


def _judged(row: list[re.Match[str]], least: int) -> Iterator[SecretSpan]:
    if len(row) < least:
        return
    grammar = sum(is_predicate(word.group()) for word in row)
    if grammar <= _GRAMMAR_SHARE_MAX * len(row):
        yield SecretSpan(start=row[0].start(), end=row[-1].end(), kind="seed_phrase")
