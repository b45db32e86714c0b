"""Finds secrets that show themselves by their form: vendor tokens, key blocks, card and bank numbers, seed phrases."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final

from wellkept.patterns import deferred, has_long_word
from wellkept.policies.secrets.shapes import Form, Said, SecretSpan, forms_in, is_placeholder, is_predicate, is_random

# --- Tokens, whose kinds stand in `tokens.txt`.


_LETTERS: Final = {
    "<W>": "[A-Za-z0-9_-]", "<A>": "[A-Za-z0-9]", "<H>": "[0-9a-fA-F]", "<B>": "(?<![A-Za-z0-9_])",
}  # fmt: skip
_LONG_TOKEN: Final = deferred(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_BASIC: Final = deferred(r"basic\s+([a-z0-9+/]{8,}={0,2})")
# A public key, a checksum or a link may look random and tells no secret.
_PUBLIC_BEFORE: Final = deferred(r"(?:ssh-[a-z0-9]+\s|sha\d{3}-|ecdsa-\S+\s|://\S*|data:\S*|[?&][\w-]+=)$")
# Checksums, and wallet addresses, which are made to be given away.
_PUBLIC: Final = deferred(r"sha\d{3}-|[13][1-9A-HJ-NP-Za-km-z]{25,34}$|bc1[a-z0-9]{25,}$")
_PUBLIC_READ: Final = 200
# Every form has this many characters in one piece; most sentences have no such word.
_LONG_PIECE: Final = 12
_PRIVATE_KEY: Final = deferred(r"private\s*key")


@cache
def _forms() -> tuple[Form, ...]:
    return forms_in("tokens.txt", _LETTERS)


def token_spans(said: Said) -> Iterator[SecretSpan]:
    """Every token that is a secret by its form alone."""
    is_key = "private" in said.low and _PRIVATE_KEY.search(said.low) is not None
    if not is_key and not has_long_word(said.low, _LONG_PIECE):
        return
    for form in _forms():
        if not form.stems or said.has(form.stems):
            yield from _matches(form, said.text)
    if "basic" in said.low:
        yield from _basic_credentials(said)
    for token in _LONG_TOKEN.finditer(said.text):
        start = max(0, token.start() - _PUBLIC_READ)
        is_public = _PUBLIC.match(token.group()) or _PUBLIC_BEFORE.search(said.text, start, token.start())
        if is_random(token.group()) and not is_public:
            yield SecretSpan(start=token.start(), end=token.end(), kind="high_entropy")


def _matches(form: Form, text: str) -> Iterator[SecretSpan]:
    for match in form.pattern.finditer(text):
        groups = [name for name, value in match.groupdict().items() if value is not None]
        group = groups[0] if groups else 0
        if not is_placeholder(match.group(group)):
            yield SecretSpan(start=match.start(group), end=match.end(group), kind=form.kind)


def _basic_credentials(said: Said) -> Iterator[SecretSpan]:
    for match in _BASIC.finditer(said.low):
        try:
            decoded = base64.b64decode(said.text[match.start(1) : match.end(1)], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if ":" in decoded and decoded.isprintable():
            yield SecretSpan(start=match.start(1), end=match.end(1), kind="basic_auth")


# --- Numbers that prove themselves by a checksum or a form.


_DIGIT_RUN: Final = deferred(r"(?<![\d+])\d+(?:[ \t.–-]{1,2}\d+)*")
# How people group card numbers; a table of other numbers is grouped otherwise.
_CARD_GROUPS: Final = frozenset({
    (14,), (15,), (16,), (19,), (4, 12), (6, 10), (8, 8), (4, 4, 8), (4, 6, 4), (4, 6, 5), (4, 4, 4, 4),
    (4, 4, 4, 4, 3),
})  # fmt: skip
_CARD_ISSUERS: Final = deferred(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14}(?:\d{3})?|(?:50|5[6-9]|6[0-9])\d{14}(?:\d{3})?"
)
_CARD_DIGITS_MIN: Final = 14
_SSN_DIGITS: Final = 9
# An IBAN has two at least, every other number more.
_DIGITS_MIN: Final = 2

# Found by its digits, which stand in few places; the two letters of the country stand before them.
_IBAN: Final = deferred(r"\d\d(?<=[a-z]{2}\d\d)(?=(?:[ -]?[a-z0-9]){11,30})")
_COUNTRY: Final = 2
_IBAN_LENGTHS: Final = {
    entry[:2]: int(entry[2:])
    for entry in (
        """no15 be16 dk18 fi18 fo18 gl18 nl18 mk19 si19 at20 ba20 ee20 kz20 lt20 lu20 xk20 ch21 hr21 li21 lv21 cr22 bg22
        bh22 de22 gb22 ge22 ie22 me22 rs22 va22 ae23 gi23 il23 iq23 om23 tl23 ad24 cz24 es24 md24 pk24 ro24 sa24 se24
        sk24 tn24 vg24 ly25 pt25 st25 is26 tr26 fr27 gr27 it27 mc27 mr27 sm27 al28 az28 by28 cy28 do28 gt28 hu28 lb28
        ni28 pl28 sv28 br29 eg29 ps29 qa29 ua29 jo30 kw30 mu30 mt31 sc31 lc32""".split()
    )
}

_SSN: Final = deferred(r"(?<![\d-])(?!000|666|9)\d{3}([-–‑])(?!00)\d\d\1(?!0000)\d{4}(?![\d-])")
_SSN_ANNOUNCED: Final = deferred(
    r"(?:\bssn|social[\s-]security|\bsocial\b(?=\s(?:is|number|:)))[^\d\n.]{0,30}(\d{3}[-–. ]?\d\d[-–. ]?\d{4})(?!\d)"
)
_ROUTING: Final = deferred(r"(?:routing|\baba\b|\brtn\b|transit)[^\d\n.]{0,30}(\d{9})(?!\d)")
_ACCOUNT: Final = deferred(
    r"(?:(?:account|acct|kontonummer|konto|cuenta|compte|conta|conto|rekening)(?:[\s.]*(?:no|nr|num|number|nummer|#))?"
    r"|bank account|checking|savings|sort code)[^\d\n.]{0,25}?(?<![\w$€£-])"
    r"(\d(?:[ -]?\d){5,16})(?![\d,.]\d|\s*(?:users|people|dollars|euros|followers|customers))"
)
_CVV: Final = deferred(
    r"(?:\bcv[vc]2?\b|\bcvn\b|card verification (?:value|code|number)|(?:digits|code|number) on the back)"
    r"[^\d\n.]{0,25}(\d(?: ?\d){2,3})(?!\d)"
)
_CVV_STEMS: Final = ("cv", "verification", "on the back")
_BANK_STEMS: Final = (
    "account", "acct", "konto", "cuenta", "compte", "conta", "conto", "rekening", "checking", "savings", "routing",
    "aba", "rtn", "transit", "sort code",
)  # fmt: skip


def number_spans(said: Said) -> Iterator[SecretSpan]:
    """Every number of these kinds; without enough digits in the text there is nothing to do."""
    if said.digits < _DIGITS_MIN:
        return
    if said.digits >= _CARD_DIGITS_MIN:
        yield from _cards(said.low)
    yield from _ibans(said.low)
    if said.digits >= _SSN_DIGITS:
        for match in _SSN.finditer(said.low):
            yield SecretSpan(start=match.start(), end=match.end(), kind="ssn")
    if "ssn" in said.low or "social" in said.low:
        yield from _announced(_SSN_ANNOUNCED, said.low, "ssn")
    if said.has(_CVV_STEMS):
        yield from _announced(_CVV, said.low, "cvv")
    if said.has(_BANK_STEMS):
        yield from _announced(_ACCOUNT, said.low, "bank_account")
        yield from _announced(_ROUTING, said.low, "bank_account")


def passes_luhn(digits: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        tens, ones = divmod(int(digit) * (1 + index % 2), 10)
        total += tens + ones
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """Whether the digits are a card number of an issuer, with its length and check digit."""
    return _CARD_ISSUERS.fullmatch(digits) is not None and passes_luhn(digits)


def passes_mod97(iban: str) -> bool:
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97 == 1


def _announced(pattern: re.Pattern[str], low: str, kind: str) -> Iterator[SecretSpan]:
    for match in pattern.finditer(low):
        yield SecretSpan(start=match.start(1), end=match.end(1), kind=kind)


def _cards(low: str) -> Iterator[SecretSpan]:
    for run in _DIGIT_RUN.finditer(low):
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
    for match in _IBAN.finditer(low):
        start = match.start() - _COUNTRY
        length = _IBAN_LENGTHS.get(low[start : match.start()])
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
_WORD: Final = deferred(r"[a-z]+")
# Between two words of a phrase: spaces, commas, numbering, line breaks.
_BETWEEN: Final = deferred(r"[\s,;|/·•-]{1,6}(?:\(?\d{1,2}[.):=-]?\s{0,3})?|\s*\d{1,2}[.):]\s{0,3}")
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
    if said.low.count(" ") + said.low.count("\n") + said.low.count(",") < _NAMED_WORDS_MIN - 1:
        return
    row: list[re.Match[str]] = []
    for word in _WORD.finditer(said.low):
        if word.group() not in _seed_words():
            yield from _judged(row, least)
            row = []
            continue
        if row and not _BETWEEN.fullmatch(said.low, row[-1].end(), word.start()):
            yield from _judged(row, least)
            row = []
        row.append(word)
    yield from _judged(row, least)


def _has_row(low: str, least: int) -> bool:
    """A quick look: enough list words after one another, whatever stands between them."""
    row, listed = 0, _seed_words()
    if len([word for word in _WORD.findall(low) if word in listed]) < least:
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
