"""Decides whether a text carries a secret that must never be stored, and where in the text it stands.

Pure and deterministic: the same text gives the same spans. ``docs/secrets.md`` says what is refused and what passes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from wellkept.patterns import by_first_letter, deferred
from wellkept.policies.secrets import codes, forms, keys, passwords
from wellkept.policies.secrets.disguise import compact_kind, encoded_parts, excerpts, folded, spaced_runs, views
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_credential

__all__ = [
    "REDACTED",
    "Echoes",
    "SecretSpan",
    "cut",
    "echoes",
    "find_secrets",
    "find_split_secrets",
    "has_secret",
    "has_split_secret",
    "mask",
    "redact",
    "without_echo",
]

REDACTED: Final = "(redacted)"
TRACE_LENGTH_MAX: Final = 200
"""Characters of a text in a trace; the rest is cut."""

_RULES: Final[tuple[Callable[[Said], Iterator[SecretSpan]], ...]] = (
    forms.token_spans,
    forms.number_spans,
    passwords.password_spans,
    codes.code_spans,
    keys.key_spans,
    forms.seed_spans,
    passwords.foreign_spans,
    codes.announced_spans,
)
_DECODE_DEPTH_MAX: Final = 2
_LEET: Final = str.maketrans("4@310!5$7", "aaeioisst")
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


class _SecretFound(ValueError):
    """Raised instead of an answer, so that no cache ever holds a text with a secret in it."""


def has_secret(text: str) -> bool:
    """Whether any part of the text is a secret; stops at the first.

    >>> has_secret("The monkey ate my keyboard"), has_secret("My password is Tiger99")
    (False, True)
    """
    try:
        _require_clean(text)
    except _SecretFound:
        return True
    return False


@lru_cache(maxsize=4096)
def _require_clean(text: str) -> None:
    """Remembered, because the same texts are looked at again and again."""
    if next(_spans(text, 0), None) is not None:
        raise _SecretFound


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


def without_echo(text: str, told: str) -> str:
    """The text without the secrets that another text of the same exchange tells."""
    return echoes([told]).masked(text) if has_secret(told) else text


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
    return REDACTED if has_secret(text) else cut(text)


def cut(text: str) -> str:
    """As much of a text as a trace shows."""
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
    value = passwords.trimmed(text[rest.end() :].strip() if rest else text.strip())
    is_number = value.replace(" ", "").replace("-", "").isdigit() and len(value) >= passwords.DIGITS_MIN
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
            if any(True for _ in forms.token_spans(Said(text=joined, low=joined.lower()))):
                return (SecretSpan(start=rest.start(), end=rest.end(), kind="split"),)
    return ()


def _spans(text: str, depth: int) -> Iterator[SecretSpan]:
    base = folded(text)
    for view in views(base):
        yield from map(view.origin, _told(view.text))
    for run in spaced_runs(base.text):
        kind = compact_kind("".join(run.group().split()))
        if kind:
            yield base.origin(SecretSpan(start=run.start(), end=run.end(), kind=kind))
    for start, end, opened in encoded_parts(base.text) if depth < _DECODE_DEPTH_MAX else ():
        inner = next(_spans(opened, depth + 1), None)
        if inner:
            yield base.origin(SecretSpan(start=start, end=end, kind=inner.kind))


def _told(text: str) -> Iterator[SecretSpan]:
    """What the rules find in one view of a text."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(letter if len(letter.lower()) != 1 else letter.lower() for letter in text)
    for start, said in ((0, Said(text=text, low=low)), *_spoken(text, low)):
        for rule in _RULES:
            for span in rule(said):
                yield SecretSpan(start=start + span.start, end=start + span.end, kind=span.kind) if start else span


def _spoken(text: str, low: str) -> Iterator[tuple[int, Said]]:
    """The parts of a text in which digits stand among letters, with the letters that they may be read as."""
    words = [(word.start(), word.end(), word.group().translate(_LEET)) for word in _LEET_WORD.finditer(low)]
    changes = [word for word in words if low[word[0] : word[1]] != word[2]]
    for start, end, near in excerpts(low, changes):
        spoken = list(low[start:end])
        for first, last, word in near:
            spoken[first - start : last - start] = word
        yield start, Said(text=text[start:end], low="".join(spoken))
