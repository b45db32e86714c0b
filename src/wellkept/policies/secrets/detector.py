"""Decides whether a text carries a secret that must never be stored, and where in the text it stands.

Pure and deterministic: the same text gives the same spans. ``docs/secrets.md`` says what is refused and what passes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from wellkept.patterns import by_first_letter, deferred
from wellkept.policies.secrets.announced import announced_spans
from wellkept.policies.secrets.codes import code_spans
from wellkept.policies.secrets.disguise import View, encoded_parts, folded, is_plain, spaced_runs, views
from wellkept.policies.secrets.keys import KEY_STEMS, key_spans
from wellkept.policies.secrets.lexicon import SCRIPT_WORDS
from wellkept.policies.secrets.numbers import is_card, number_spans
from wellkept.policies.secrets.phrases import (
    DIGITS_MIN,
    FOREIGN_STEMS,
    PASSWORD_STEMS,
    foreign_spans,
    password_spans,
    trimmed,
)
from wellkept.policies.secrets.seeds import is_compact_phrase, seed_spans
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_credential
from wellkept.policies.secrets.signs import may_hold_secret
from wellkept.policies.secrets.tokens import token_spans

__all__ = [
    "REDACTED",
    "Echoes",
    "SecretSpan",
    "echoes",
    "find_secrets",
    "find_split_secrets",
    "has_secret",
    "has_split_secret",
    "mask",
    "redact",
]

REDACTED: Final = "(redacted)"
TRACE_LENGTH_MAX: Final = 200
"""Characters of a text in a trace; the rest is cut."""

_RULES: Final[tuple[tuple[Callable[[Said], Iterator[SecretSpan]], frozenset[str] | None], ...]] = (
    (token_spans, None),
    (number_spans, None),
    (password_spans, PASSWORD_STEMS),
    (code_spans, None),
    (key_spans, KEY_STEMS),
    (seed_spans, None),
    (foreign_spans, FOREIGN_STEMS),
    (announced_spans, None),
)
"""Each with the stems of which a text in Latin letters must have one, where it waits for a word."""
_DECODE_DEPTH_MAX: Final = 2
_LEET: Final = str.maketrans("4@310!5$7", "aaeioisst")
# A sign that a letter stands beside: without one no word is written so.
_LEET_SIGN: Final = deferred(r"[\d@$!](?:(?=[a-z])|(?<=[a-z].))")
_LEET_WORD: Final = deferred(
    r"(?<![a-z\d@$!])(?=[a-z]*(?:[\d@$]|![a-z]))(?=[\d@$!]*[a-z])[a-z\d@$!]{3,24}(?![a-z\d@$!])"
)
# An echo of a value is masked with it; shorter ones would hit ordinary words.
_ECHO_LENGTH_MIN: Final = 5
_MASK_ROUNDS: Final = 3

_SPLIT_MESSAGES: Final = 3
_SPLIT_READ: Final = 200
"""Characters of each message in which a secret that is split over them is looked for."""
_ASKED: Final = deferred(
    by_first_letter(
        r"pass(?:word|wort|code|phrase)|contrase|mot de passe|senha|wachtwoord|pin\b(?<=\bpin)|code\b(?<=\bcode)"
        r"|api key|token|secret|密码|пароль|パスワード"
    )
)
# After these a message is complete, and what follows belongs to the next sentence.
_FINISHED: Final = (".", "!", "?", ";", ")", "…", "。", "！", "？")
_OTHER_HALF: Final = deferred(
    r"(?i)\s*(?:it['’]?s|it is|that['’]?s|(?:and\s)?(?:the\s)?"
    r"(?P<half>(?:second|other|last|next)\s(?:part|half|bit)|rest)\s?(?:is|:|=))\s*"
)
_FIRST_WORD: Final = deferred(r"[A-Za-z][a-z]*[,'.!?]*(?:\s|$)")
# These go on over several lines, so that a second message may simply continue them.
_LONG_KINDS: Final = frozenset({"seed_phrase", "private_key"})
_PIECE_MIN: Final = 6
_PIECE: Final = deferred(rf"[A-Za-z0-9+/=_.:~-]{{{_PIECE_MIN},}}")


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """The secrets of a text in the order they stand, overlapping ones as one."""
    merged: list[SecretSpan] = []
    for span in sorted(_spans(text, 0)):
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            span = SecretSpan(start=last.start, end=max(last.end, span.end), kind=last.kind)  # noqa: PLW2901 -- joined with the one before
        merged.append(span)
    return tuple(merged)


def has_secret(text: str) -> bool:
    """Whether any part of the text is a secret; stops at the first."""
    return next(_spans(text, 0), None) is not None


def mask(text: str, previous: Sequence[str] = ()) -> str:
    """The text with each secret value replaced, and every other occurrence of the same value with it.

    ``previous`` are the messages before it, oldest first: the part of a split secret in this text is masked too.
    """
    masked = _masked(text, [*find_secrets(text), *find_split_secrets(previous, text)])
    # What a first secret hid may be another one: "… and the other is …".
    for _ in range(_MASK_ROUNDS):
        left = find_secrets(masked)
        if not left:
            break
        masked = _masked(masked, left)
    return masked


def _masked(text: str, spans: Sequence[SecretSpan]) -> str:
    values = Echoes(text[span.start : span.end] for span in spans)
    pieces, last = [], 0
    for span in sorted(spans):
        if span.start >= last:
            pieces += [text[last : span.start], REDACTED]
        last = max(last, span.end)
    return values.masked("".join([*pieces, text[last:]]))


def echoes(texts: Iterable[str]) -> Echoes:
    """The secret values of several texts: who is told a password may repeat it without its name."""
    return Echoes(text[span.start : span.end] for text in texts for span in find_secrets(text))


class Echoes:
    """Secret values, found in a text all at once: however many they are, each character is looked at once.

    An automaton after Aho and Corasick: a state is what of the values the last characters may be the beginning of.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._found = [0]
        """By state, how many of the last characters are a value; the longest counts."""
        self._fallback = [0]
        for value in values:
            if len(value) >= _ECHO_LENGTH_MIN:
                self._add(value)
        self._link()

    def _add(self, value: str) -> None:
        state = 0
        for letter in value:
            if letter not in self._next[state]:
                self._next[state][letter] = len(self._next)
                self._next.append({})
                self._found.append(0)
                self._fallback.append(0)
            state = self._next[state][letter]
        self._found[state] = len(value)

    def _link(self) -> None:
        waiting = deque(self._next[0].values())
        while waiting:
            state = waiting.popleft()
            for letter, after in self._next[state].items():
                shorter = self._step(self._fallback[state], letter)
                self._fallback[after] = shorter
                self._found[after] = max(self._found[after], self._found[shorter])
                waiting.append(after)

    def _step(self, state: int, letter: str) -> int:
        while state and letter not in self._next[state]:
            state = self._fallback[state]
        return self._next[state].get(letter, 0)

    def masked(self, text: str) -> str:
        """The text with every one of the values replaced; those that overlap are replaced as one."""
        if len(self._next) == 1:
            return text
        spans: list[tuple[int, int]] = []
        state = 0
        for end, letter in enumerate(text, start=1):
            state = self._step(state, letter)
            if self._found[state]:
                start = end - self._found[state]
                while spans and start < spans[-1][1]:
                    start = min(start, spans.pop()[0])
                spans.append((start, end))
        pieces, last = [], 0
        for start, end in spans:
            pieces += [text[last:start], REDACTED]
            last = end
        return "".join([*pieces, text[last:]])


def redact(text: str) -> str:
    """The text for a trace: nothing of it when it carries a secret, else its first 200 characters."""
    if has_secret(text):
        return REDACTED
    return text if len(text) <= TRACE_LENGTH_MAX else f"{text[:TRACE_LENGTH_MAX]}... (truncated)"


def has_split_secret(previous: Sequence[str], text: str) -> bool:
    """Whether the text completes a secret that the messages before it, oldest first, began."""
    return bool(find_split_secrets(previous, text))


def find_split_secrets(previous: Sequence[str], text: str) -> tuple[SecretSpan, ...]:
    """The parts of ``text`` that belong to a secret only together with the messages before it, oldest first."""
    head = text[:_SPLIT_READ]
    tails = _tails(previous)
    if not tails or not head.strip():
        return ()
    found = {*_answered(tails[0], text), *_continued(tails[0], head)}
    for tail in tails:
        # A finished sentence has no value to come; a number and the first word of the next sentence are no token.
        if not tail.endswith(_FINISHED) or tail.endswith("..."):
            found.update(_across(f"{tail} ", head))
            if not (tail[-1].isalnum() and _FIRST_WORD.match(head)):
                found.update(_across(tail, head))
    return tuple(sorted(found))


def _tails(previous: Sequence[str]) -> list[str]:
    """The end of the message before; and of the two and three messages before, as one, where they are short."""
    tails: list[str] = []
    for message in reversed(previous[-_SPLIT_MESSAGES:]):
        whole = f"{message.strip()} {tails[-1]}" if tails else message.strip()
        if not whole or (tails and len(whole) > _SPLIT_READ):
            break
        tails.append(whole[-_SPLIT_READ:])
    return tails


def _across(before: str, head: str) -> tuple[SecretSpan, ...]:
    """Secrets of the joined text that neither side has alone, as parts of the later side."""
    together = find_secrets(before + head)
    if not together:
        return ()
    border = len(before)
    alone = {(span.start, span.end) for span in find_secrets(before)}
    alone |= {(span.start + border, span.end + border) for span in find_secrets(head)}
    is_torn = before[-1] != " "
    new = [
        span
        for span in together
        if (span.start < border < span.end and (is_torn or span.kind in _LONG_KINDS))
        or not ((is_torn and span.end <= border) or any(start < span.end and span.start < end for start, end in alone))
    ]
    # A value given before its name ("hunter2", then "is my password") stands wholly in the earlier message.
    return tuple(
        SecretSpan(start=max(0, span.start - border), end=max(span.end - border, 0) or len(head), kind=span.kind)
        for span in new
    )


def _answered(before: str, text: str) -> tuple[SecretSpan, ...]:
    """A lone credential or number after a message that speaks of a password or code, or "the other half" of it."""
    if not _ASKED.search(before.lower()):
        return ()
    rest = _OTHER_HALF.match(text)
    value = trimmed(text[rest.end() :].strip() if rest else text.strip())
    is_number = value.replace(" ", "").replace("-", "").isdigit() and len(value) >= DIGITS_MIN
    is_half = rest is not None and rest.group("half") is not None and " " not in value
    if not (is_number or is_half or (" " not in value and is_credential(value))):
        return ()
    start = text.index(value)
    return (SecretSpan(start=start, end=start + len(value), kind="split"),)


def _continued(before: str, head: str) -> tuple[SecretSpan, ...]:
    """Two halves of a token, each with words around it."""
    # A piece has a digit or a mark, without which it is no credential.
    if not [word for word in before.split() if len(word) >= _PIECE_MIN and not word.isalpha()]:
        return ()
    halves = [half for half in _PIECE.findall(before)[-2:] if is_credential(half)]
    for half in halves:
        for rest in list(_PIECE.finditer(head))[:2]:
            joined = half + rest.group()
            if any(True for _ in token_spans(Said(text=joined, low=joined.lower()))):
                return (SecretSpan(start=rest.start(), end=rest.end(), kind="split"),)
    return ()


def _spans(text: str, depth: int) -> Iterator[SecretSpan]:
    if not may_hold_secret(text):
        return
    base = folded(text)
    yield from _told(text) if base.places is None and is_plain(text) else _disguised(base)
    if depth < _DECODE_DEPTH_MAX:
        yield from _encoded(base, depth)


def _told(text: str) -> Iterator[SecretSpan]:
    """What the rules find in one view of a text."""
    for said in _readings(text):
        for rule, stems in _RULES:
            if stems is None or said.has_other_script or not stems.isdisjoint(said.stems):
                yield from rule(said)


def _disguised(base: View) -> Iterator[SecretSpan]:
    for view in views(base):
        yield from _told(view.text) if view.places is None else map(view.origin, _told(view.text))
    for run in spaced_runs(base.text):
        kind = compact_kind("".join(run.group().split()))
        if kind:
            yield base.origin(SecretSpan(start=run.start(), end=run.end(), kind=kind))


def _encoded(base: View, depth: int) -> Iterator[SecretSpan]:
    for start, end, opened in encoded_parts(base.text):
        inner = next(_spans(opened, depth + 1), None)
        if inner:
            yield base.origin(SecretSpan(start=start, end=end, kind=inner.kind))


def _readings(text: str) -> Iterator[Said]:
    """The text as it stands and, where digits stand among letters, with the letters they may be read as."""
    low = text.lower()
    if not text.isascii() and len(low) != len(text):
        low = "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    plain = Said(text=text, low=low)
    yield plain
    if _LEET_SIGN.search(low):
        spoken = _LEET_WORD.sub(lambda word: word.group().translate(_LEET), low)
        if spoken != low:
            yield Said(text=text, low=spoken)


# --- Letters that were written one by one without word gaps, read as one long word: "m y p a s s w o r d i s …".


_PASSWORD: Final = deferred(
    rf"""(?x)pass(?:word|wort|wr?d|phrase|code|ord)|pwd|contrase[ñn]a|motdepasse|mdp|senha|palavra-?passe|wachtwoord|kennwort|parolad
|has[łl]o|l[öo]senord|salasana|heslo|[şs]ifre|jelsz|parola|k?atasandi|m[ậa]tkh[ẩa]u|(?:wpa2?|wifi|wep|network|shared)key
|psk=|pass[=:]|clave|chiave|memorableword|(?:(?<![a-z])|my|id|the)pw|pw(?:is|[:=])|securitykey|requirepass|sshpass|adgangskode
|kodeord|login:|{SCRIPT_WORDS}"""
)
_OTHER_THING: Final = deferred(r"^(?:manager|reset|policy|protected|field|s?$)")
_NUMBERED: Final = deferred(
    r"pin|puk|code|c[óo]digo|codice|combo|combination|cv[vc]|otp|tan|safe|vault|lock|keypad|gate|door|unlock|verif|account|acct"
    r"|routing|aba|ssn|social|konto|alarm|security|authenticator|backup|recovery|threedigits|opens|signin|logi?n|sortcode"
    r"|checking|savings|shows|код|пин|коддоступа|番号|コード|验证码|elevator|iban|card|left\d+,?right"
)
_DIGITS: Final = deferred(r"\d(?:[-#.]?\d){2,}")
_SPELLED: Final = deferred(r"left\d+,?right\d|(?:zero|one|two|three|four|five|six|seven|eight|nine){4,}")
_KEYED: Final = deferred(
    r"key|token|secret|bearer|auth|licen[sc]e|serial|hash|cookie|session|credential|creds|login|logi?nas|user|seed|basic|sid=|(?:recovery|backup)codes?"
)
_ANSWERED: Final = deferred(r"(?:security|secret)(?:question|answer)|answerto")
_RANDOM_LENGTH_MIN: Final = 5
_ANSWERED_LENGTH_MIN: Final = 21
_REST_MIN: Final = 5


def compact_kind(run: str) -> str | None:
    """The class of the secret in a run of letters without gaps, or nothing.

    Nobody writes letter by letter around the word "password" without a reason, so little else is asked for.
    """
    low = run.lower()
    word = _PASSWORD.search(low)
    if word and len(low) - len(word.group()) >= _REST_MIN and not _OTHER_THING.match(low[word.end() :]):
        return "password"
    if word and any(map(str.isdigit, low[: word.start()])):
        return "password"
    if _NUMBERED.search(low) and (_DIGITS.search(low) or _SPELLED.search(low)):
        return "code"
    keyed = _KEYED.search(low)
    if keyed and _has_key(run[keyed.end() :]):
        return "api_key"
    if _ANSWERED.search(low) and len(low) >= _ANSWERED_LENGTH_MIN:
        return "security_answer"
    if any(is_card(digits[:size]) for digits in re.findall(r"\d{15,}", low) for size in (15, 16)):
        return "payment_card"
    letters = re.sub(r"[^a-z]", "", low)
    return "seed_phrase" if is_compact_phrase(letters) else None


def _has_key(rest: str) -> bool:
    digits = sum(map(str.isdigit, rest))
    return len(rest) >= _RANDOM_LENGTH_MIN and digits > 1
