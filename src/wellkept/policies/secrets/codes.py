"""Finds what opens, unlocks or confirms something: PINs, door codes, combinations, one-time and backup codes.

First the finer rules for English and its neighbours; then, for a dozen languages, a word that announces (a code, a
lock, a password) and near it, in the same clause, a value that has the shape of what it announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from wellkept.patterns import deferred
from wellkept.policies.secrets.shapes import (
    Form,
    Said,
    SecretSpan,
    forms_in,
    has_other_script,
    is_any_in,
    is_credential,
    worded,
)

# A code is typed as digits, perhaps in groups, perhaps with a closing key; what follows must not make it a quantity.
_UNITS: Final = r"(?!\s*<<units>>\b)"
_DIGITS: Final = (
    r"(?:(?<![a-z0-9_.,$€£+-])|(?<=\bg-))(?P<code>[*#]?(?:\d(?:[ .-]?\d){2,11}[#*]?[a-d]?|\d{2,4}[a-d]\d{1,4}))"
    rf"(?![\d:/%°]|[.,]\d|[a-z]){_UNITS}"
)
_SPELLED: Final = r"(?P<spelled><<spelled-digits>>(?:[\s,-]*<<spelled-digits>>){3,11})\b"
_NUMBER: Final = rf"(?:{_DIGITS}|{_SPELLED}|left\s(?P<turns>\d+,?\s(?:right|left)\s\d+(?:,?\s(?:right|left)\s\d+)*))"
_LINK: Final = (
    r"(?:\s*[:=：→|—–]\s*|\s*->\s*|['’]s\s|,?\s+(?:it['’]?s|it\sis|which\sis|c['’]est|namely)\s+(?:now\s)?|\s+-\s+|\s*[#(]\s*"
    r"|\s(?:is|was|are|reads|remains|becomes|will\sbe|has\sbeen|used\sto\sbe|happens\sto\sbe|ist|lautet|es|est|é|è|luidt|sont|son)\s"
    r"|\s(?:is|was|got|has\sbeen)?\s?(?:set|changed|reset|updated)\s(?:to|auf|a|en|in|para)\s|\s(?:to|as|of|no\.?|nr\.?|number)\s)"
)
_FILLERS: Final = r"(?:(?:now|still|currently|always|also|just|the|le|el|il|o|probably|again|number)\s)?"

_OTHER_CODE: Final = worded(r"<<other-codes>>\s*$")

_CODE_STEMS: Final = "code codice combin combo digits digo kombination"
_PARTS: Final = {
    "<CODE_ADJECTIVE>": r"(?:(?:\w+-digit|new|old|current|temporary|secret|private)\s)",
    "<CODE_ORIGIN>": r"(?:\s(?:for\sit|from|by|they|he|she|you|we|i|sent)\b[^.,;:!?\d\n]{0,40}?)",
    "<CONFIRM>": r"(?:log|sign|verify|confirm|finish|continue|complete|reset|activate|access|your)",
    "<FILLERS>": _FILLERS,
    "<LINK>": _LINK,
    "<LOCK_ITEM>": (
        r"(?:lock|padlock|keypad|safe|vault|lock-?box|suitcase|locker|phone|tablet|door|gate|alarm|elevator|lift|intercom)"
    ),
    "<LOCK_VERB>": r"(?:opens?|unlocks?|takes|needs|wants|is\s(?:opened|unlocked))",
    "<NOUN_PHRASE>": r"(?:\s[^\s.,;:=!?]+)",
    "<NUMBER>": _NUMBER,
    "<OTHER_RUSSIAN>": r"(?:города|страны|региона|товара|ошибки|цвета|валюты|программы|проекта)",
    "<PURPOSE>": (
        r"(?:\s(?:to|for)\s(?:get(?:ting)?\s(?:in|into|inside)|open(?:ing)?|enter(?:ing)?|unlock(?:ing)?|access(?:ing)?"
        r"|disarm(?:ing)?)\b[^.,;:!?\d\n]{0,40}?)"
    ),
    # At most eight words that tell what the code is for; no sentence border in between.
    "<SCOPE>": r"(?:\s[^\s.,;:=!?|]+){0,8}?",
    "<SPELLED>": _SPELLED,
    "<VALUE>": rf"{_LINK}{_FILLERS}{_NUMBER}",
}
_TYPED: Final = worded(
    r"\b(?:enter(?:ing)?|typ(?:e|ing)|punch(?:ing)?(?:\sin)?|key(?:ing)?\sin|press(?:ing)?|dial(?:ling)?|buzz|us(?:e|ing)"
    rf"|put(?:ting)?\sin|tap(?:ping)?(?:\sin)?)\s(?:in\s)?(?:the\s)?(?:code\s)?{_NUMBER}"
)
_OPENS: Final = worded(rf"{_NUMBER}\s(?:opens|unlocks|disarms|gets\syou\sin|works\s(?:for|on|at))\b")
_IS_CODE: Final = worded(
    rf"(?:g-)?{_NUMBER}\s?(?:\s(?:is|as|for|was)|[=:,–—-])\s(?:[^\s.,;:!?]+\s){{0,5}}?"
    rf"(?:pin|passcode|otp|<<code-words>>|one-time\spassword)\b"
)
_IS_CODE_STEMS: Final = ("pin", "otp", "time", *_CODE_STEMS.split())
_LOCK_NEARBY: Final = worded(r"\b<<locks>>\b|\bget\sin(?:to)?\b|\blet\syourself\sin\b")
_BACKUP: Final = deferred(
    r"\b(?:backup|recovery|scratch|emergency|rescue|reset|2fa|two-factor|restore)\s(?:\w+\s){0,2}?(?:codes?|keys?)\b"
    r"(?:\s(?:for|of|to)(?:\s[^\s.,;:=!?]+){1,5}?)?(?:\s*[:=]\s*|\s(?:is|are|was|were)\s|\s)(?P<code>\S.{3,160})"
)
_LETTERED: Final = deferred(
    r"\b(?:verification|security|login|one-time|2fa|guard|auth|authentication|reset|sign-in)\scode"
    r"(?:\s(?:for|they|i|from|you)\b[^.,;:!?\n]{0,40}?)?(?:\s?[:=]\s?|\s(?:is|was)\s)(?P<code>[a-z0-9]{5,10})\b"
)
_BACKUP_DIGITS_MIN: Final = 6
_BACKUP_STEMS: Final = ("backup", "recovery", "scratch", "emergency", "rescue", "reset", "2fa", "factor", "restore")
_STEMS: Final = tuple(
    """pin puk code combin kombin combo lock keypad safe vault open suitcase disarm gets otp tan authenticator time
        enter typ punch press dial buzz use using put tap takes needs digo codice geheimzahl digits p.i.n key 2fa mfa
        verification alarm gate door garage elevator lift intercom need ssn social""".split()
)
_SENTENCE_END: Final = deferred(r"[.!?;]\s+|\n\s*\n|(?<=[。！？])")
_HAS_DIGITS: Final = deferred(r"\d(?:\W?\d\W?\d|[a-z]|(?<=[a-z]\d)|(?<=left\s\d))")
_HAS_SPELLED: Final = worded(r"<<spelled-digits>>\s<<spelled-digits>>")


@cache
def _rules() -> tuple[Form, ...]:
    return forms_in("codes.txt", _PARTS)


def code_spans(said: Said) -> Iterator[SecretSpan]:
    """Numbers that open, unlock or confirm something."""
    if not _has_number(said.low):
        return
    if said.has_other_script or said.has(_STEMS):
        yield from _sentence_by_sentence(said.low)
    if said.has(_BACKUP_STEMS):
        yield from _backup_codes(said)


def _sentence_by_sentence(low: str) -> Iterator[SecretSpan]:
    start = 0
    for border in (*_SENTENCE_END.finditer(low), None):
        end = border.end() if border else len(low)
        sentence = low[start:end]
        if _has_number(sentence):
            yield from _in_sentence(sentence, start)
        start = end


def _has_number(part: str) -> bool:
    """Whether a part of the message may have a code, in digits or spelled out."""
    return _HAS_DIGITS.search(part) is not None or _HAS_SPELLED.search(part) is not None


def _keyword_start(match: re.Match[str]) -> int:
    """Where the word "code" or "pin" of a match begins, so that the word before it can be looked at."""
    word = re.search(r"code|pin|c(?:ó|o)digo|codice", match.group())
    return match.start() + (word.start() if word else 0)


def _span(match: re.Match[str], kind: str, offset: int = 0) -> SecretSpan:
    group = next(name for name, value in match.groupdict().items() if value is not None)
    return SecretSpan(start=offset + match.start(group), end=offset + match.end(group), kind=kind)


def _in_sentence(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that the sentence announces, or that are typed at or open something that it names."""
    is_foreign = has_other_script(sentence)
    for form in _rules():
        for match in form.pattern.finditer(sentence) if is_foreign or is_any_in(form.stems, sentence) else ():
            if not _OTHER_CODE.search(_before(sentence, _keyword_start(match))):
                yield _span(match, form.kind, offset)
    yield from _named(sentence, offset)
    if _LOCK_NEARBY.search(sentence):
        for pattern in (_TYPED, _OPENS):
            for match in pattern.finditer(sentence):
                yield _span(match, "door_code", offset)


def _named(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Numbers that are said to be a code after them, and codes of a login."""
    if is_any_in(_IS_CODE_STEMS, sentence):
        for match in _IS_CODE.finditer(sentence):
            if not _OTHER_CODE.search(match.group().rsplit(" ", 1)[0] + " "):
                yield _span(match, "one_time_code", offset)
    if "code" in sentence:
        yield from _lettered(sentence, offset)


def _lettered(sentence: str, offset: int) -> Iterator[SecretSpan]:
    """Codes of digits and letters, where the sentence says that they are for a login."""
    for match in _LETTERED.finditer(sentence):
        code = match.group("code")
        if any(map(str.isdigit, code)) and not code.isdigit():
            yield SecretSpan(start=offset + match.start("code"), end=offset + match.end("code"), kind="one_time_code")


def _backup_codes(said: Said) -> Iterator[SecretSpan]:
    for match in _BACKUP.finditer(said.low):
        start = match.start("code")
        for token in re.finditer(r"[^\s,;]+", said.text[start : match.end("code")]):
            value = token.group().rstrip(".")
            if is_credential(value) or (value.isdigit() and len(value) >= _BACKUP_DIGITS_MIN):
                yield SecretSpan(
                    start=start + token.start(), end=start + token.start() + len(value), kind="backup_code"
                )


# --- In any of a dozen languages: a word that announces, and a value of its shape near it.


_CODE_DIGITS: Final = (
    r"(?P<code>(?:\d{4,8}|\d{2}[a-zа-я]\d{2,4}|\d{4}[a-z]|\d{3,4}[ -]\d{3,4}|\d(?:[ -]\d){2,7}"
    r"|\d{1,2}(?:-\d{1,2}){2})[#*]?)"
    r"(?![a-z\dа-я]|[:/%°]|[.,]\d|-\d)"
)
_YEAR: Final = deferred(r"(?:1[5-9]|20)\d\d")
_COUNTED: Final = worded(rf"{_UNITS[3:-1]}|\s*<<other-units>>")
_NUMBERED: Final = worded(r"(?<![^\W\d_])<<numbered>>\s*$")
_WITH: Final = worded(r"<<openers>>\s*$")
_AFTER_LOCK: Final = deferred(
    r"\s*(?:$|[.!,;。！#*]|(?:and|then|und|puis|et|y|e|en|to|ile|で|解除|press|hash|on)(?![^\W\d_])|で|解)"
)
_CLAUSE: Final = deferred(r"(?:[^.!?;\n。！？]|[.!?](?=[^\s.!?]))+")
_SHAPED: Final = deferred(_CODE_DIGITS)
_NEAR_MAX: Final = 45
_BEHIND_MAX: Final = 25
_AROUND: Final = worded(
    r"(?P<plain><<plain-codes-in-any-language>>)|(?P<strong><<codes-in-any-language>>)|(?P<weak><<what-is-opened>>)"
)
_PRIVATE: Final = worded(r"<<what-is-opened>>|(?<![^\W\d_])<<private>>(?![^\W\d_])|смс|резерв\w*|карт\w*|تحقق|الباب")
_TURN: Final = (
    r"(?:\d{1,2}\s(?:(?:to the|à|a la|a|w|na|nach)\s)?<<directions>>|[左右]\s?\d{1,2}|<<directions>>\s\d{1,2})"
)
_TURNS: Final = worded(rf"(?P<code>{_TURN}(?:[\s,;、，]*(?:(?:then|and|und|puis|y|e|en|dann)\s)?{_TURN}){{2,}})")
_SPELLED_CODE: Final = worded(
    r"<<codes-in-any-language>>[^.!?;\n\d]{0,20}?(?<![^\W\d_])(?P<code><<digits-in-any-language>>(?:[\s,-]+<<digits-in-any-language>>){3,11})(?![^\W\d_])"
    r"|(?:密码|密碼|暗証番号)[是は]?\s?(?P<script>[零〇一二三四五六七八九]{4,8})"
)
_SHORT: Final = worded(
    r"<<words-for-a-password>>(?:\s(?:of|for|do|del?|vom|van|от)\s\S+)?\s?<<verbs>>?\s*(?P<code>\d{1,12})(?=\s*(?:$|[.!;。]|です|だ))"
)
_ASKED: Final = worded(r"<<words-for-a-password>>[^.!?;\n]{0,40}\?\s*(?P<code>[^\s?.!]+[^\s]*)\s*$")
_PAIR: Final = deferred(r"(?:^|[:\s])(?P<user>[\w.@+-]{2,40})\s?/\s(?P<code>\S{6,40})")
_ACCOUNT: Final = deferred(
    r"(?<!\S)(?!(?:mailto|sip|xmpp|acct|https?):)[\w.-]{2,30}:(?P<code>[^\s:@/]{4,40})@[\w-]+(?:\.[\w-]+)*"
)
_WORD: Final = worded(
    r"<<words-for-a-password>>|(?<![^\W\d_])(?:ssh(?=\s)|root|admin|unlocks|log in|inloggen|einloggen)(?![^\W\d_])"
)
_TOKEN: Final = deferred(r"(?P<code>[^\s「」『』()\"“”‘’,、，]{5,40})")
_MARK: Final = deferred(r"[!#$&*_+=]")
_NAMED_FOR: Final = deferred(
    r"(?:for|on|für|pour|para|per|voor|для|için|the|my|our|his|her|an?|un|una|le|la|el|il|mein)\s$"
)
_READ_MAX: Final = 60
_CHOSEN_MAX: Final = 30
_DIGIT: Final = deferred(r"\d")


def announced_spans(said: Said) -> Iterator[SecretSpan]:
    """Values that stand near a word that announces them, in their shape."""
    for pattern in (_SPELLED_CODE, *((_TURNS, _SHORT) if said.digits else ())):
        for found in pattern.finditer(said.low):
            yield _unlocking(found, "script" if found.groupdict().get("script") else "code")
    for found in _ASKED.finditer(said.low) if "?" in said.low else ():
        if said.text[found.start("code")].isupper() or is_credential(found["code"]):
            yield _unlocking(found)
    for sign, pattern in (("/", _PAIR), ("@", _ACCOUNT)):
        for found in pattern.finditer(said.text) if sign in said.text else ():
            if is_credential(found["code"].rstrip(".,;")) and "/" not in found["code"]:
                yield _unlocking(found)
    for clause in _CLAUSE.finditer(said.low) if said.digits else ():
        if _DIGIT.search(clause.group()):
            yield from _numbers(clause)
            yield from _credentials(said, clause)


def _unlocking(found: re.Match[str], group: str = "code", offset: int = 0) -> SecretSpan:
    return SecretSpan(start=found.start(group) + offset, end=found.end(group) + offset, kind="unlocking")


def _numbers(clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Numbers in the shape of a code, shortly after a word for a code, or for what is opened and how."""
    text, numbers = clause.group(), list(_SHAPED.finditer(clause.group()))
    if not numbers or not _AROUND.search(text):
        return
    is_private = _PRIVATE.search(text) is not None
    for found in numbers:
        start, end = found.span()
        is_within = text[start - 1 : start].isalnum() and text[start - 1 : start].isascii()
        if is_within or _COUNTED.match(text, end):
            continue
        words = list(_AROUND.finditer(text, max(0, start - _READ_MAX), end + _READ_MAX))
        if words and _opens(text, found, words, is_private=is_private):
            yield _unlocking(found, offset=clause.start())


def _opens(text: str, found: re.Match[str], words: Sequence[re.Match[str]], *, is_private: bool) -> bool:
    """Whether a number is given as what opens something, not as a year, a count or the name of a thing."""
    before, after = _before(text, found.start()), text[found.end() : found.end() + _READ_MAX]
    near = [word for word in words if _is_shortly_before(text, word, found)]
    is_linked = _WITH.search(before) is not None
    stands_alone = any(not text[word.end() : found.start()].strip(" ,:：-はの是") for word in near)
    is_named = _NUMBERED.search(before) is not None and not is_linked
    if is_named or (_YEAR.fullmatch(found["code"]) and not (is_linked or stands_alone)):
        return False
    is_grouped = not found["code"].strip("#*").isalnum()
    is_ours = is_grouped or is_private
    is_strong = any(word["strong"] or (word["plain"] and is_ours and _is_of_ours(text, word)) for word in near)
    is_lock = any(word["weak"] for word in near) and (is_linked or stands_alone)
    is_behind = any(word["strong"] and 0 <= word.start() - found.end() <= _BEHIND_MAX for word in words)
    return is_strong or (is_lock and _AFTER_LOCK.match(after) is not None) or (is_grouped and is_behind)


def _before(text: str, end: int) -> str:
    """As much of the text before a place as the rules read."""
    return text[max(0, end - _READ_MAX) : end]


def _is_shortly_before(text: str, word: re.Match[str], found: re.Match[str]) -> bool:
    is_near = 0 <= found.start() - word.end() <= _NEAR_MAX
    return is_near and not _DIGIT.search(text[word.end() : found.start()])


def _is_of_ours(text: str, word: re.Match[str]) -> bool:
    """Whether it is no area code, error code or other code that everybody may know."""
    return _OTHER_CODE.search(_before(text, word.start()).rstrip()) is None


def _credentials(said: Said, clause: re.Match[str]) -> Iterator[SecretSpan]:
    """Words in the shape of a password, shortly after a word for one in the same clause."""
    text, at = said.text[clause.start() : clause.end()], clause.start()
    for word in _WORD.finditer(clause.group()):
        for found in _TOKEN.finditer(text, word.end(), min(len(text), word.end() + _READ_MAX)):
            value = found["code"].lstrip("=:").rstrip(".,;:?")
            digits = sum(letter.isdigit() for letter in value)
            is_marked = _MARK.search(value[1:]) is not None and digits > 0
            is_chosen = digits >= 1 and value[:1].isalpha() and value[-1:].isdigit()
            if not is_credential(value) or not (is_marked or is_chosen) or "%" in value or len(value) > _CHOSEN_MAX:
                continue
            if not is_marked and _NAMED_FOR.search(_before(text, found.start()).lower()):
                continue
            start = at + found.start() + found["code"].index(value)
            yield SecretSpan(start=start, end=start + len(value), kind="unlocking")
