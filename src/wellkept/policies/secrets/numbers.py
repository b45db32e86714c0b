"""Finds numbers that prove themselves by a checksum or a form: payment cards, IBANs, social security, bank numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.lexicon import words
from wellkept.policies.secrets.shapes import Said, SecretSpan, known

_DIGIT_RUN: Final = deferred(r"(?<![\d+])\d+(?:[ \t.–-]{1,2}\d+)*")
# How people group card numbers; a table of other numbers is grouped otherwise.
_CARD_GROUPS: Final = frozenset(
    {
        (16,),
        (15,),
        (14,),
        (19,),
        (4, 4, 4, 4),
        (4, 6, 5),
        (4, 6, 4),
        (4, 4, 4, 4, 3),
        (8, 8),
        (4, 4, 8),
        (4, 12),
        (6, 10),
    }
)
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
    for entry in words(
        """no15 be16 dk18 fi18 fo18 gl18 nl18 mk19 si19 at20 ba20 ee20 kz20 lt20 lu20 xk20 ch21 hr21 li21 lv21 cr22 bg22
        bh22 de22 gb22 ge22 ie22 me22 rs22 va22 ae23 gi23 il23 iq23 om23 tl23 ad24 cz24 es24 md24 pk24 ro24 sa24 se24
        sk24 tn24 vg24 ly25 pt25 st25 is26 tr26 fr27 gr27 it27 mc27 mr27 sm27 al28 az28 by28 cy28 do28 gt28 hu28 lb28
        ni28 pl28 sv28 br29 eg29 ps29 qa29 ua29 jo30 kw30 mu30 mt31 sc31 lc32"""
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
_CVV_STEMS: Final = known(("cv", "verification", "on the back"))
_BANK_STEMS: Final = known((
    "account", "acct", "konto", "cuenta", "compte", "conta", "conto", "rekening", "checking", "savings", "routing",
    "aba", "rtn", "transit", "sort code",
))  # fmt: skip
NUMBER_STEMS: Final = _CVV_STEMS | _BANK_STEMS | {"ssn", "social"}
"""Without one of these no number is announced; the others show themselves by their form."""


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
    if not _CVV_STEMS.isdisjoint(said.stems):
        yield from _announced(_CVV, said.low, "cvv")
    if not _BANK_STEMS.isdisjoint(said.stems):
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
