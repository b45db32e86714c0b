"""Decides whether a text carries a secret that must never be stored, and where in the text it stands.

Pure and deterministic: the same text gives the same spans. ``docs/secrets.md`` says what is refused and what passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from wellkept.patterns import Patterns
from wellkept.policies.secrets import codes, forms, passwords
from wellkept.policies.secrets.disguise import compact_kind, encoded_parts, excerpts, folded, spaced_runs, views
from wellkept.policies.secrets.forms import Said, SecretSpan, is_credential

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

_RE: Final = Patterns("secrets/detector.txt")
REDACTED: Final = "(redacted)"
TRACE_LENGTH_MAX: Final = 200
"""Characters of a text in a trace; the rest is cut."""

_RULES: Final[tuple[Callable[[Said], Iterator[SecretSpan]], ...]] = (
    forms.token_spans,
    forms.number_spans,
    passwords.password_spans,
    codes.code_spans,
    passwords.key_spans,
    forms.seed_spans,
    passwords.foreign_spans,
    codes.announced_spans,
)
_DECODE_DEPTH_MAX: Final = 2
_LEET: Final = str.maketrans("4@310!5$7", "aaeioisst")
# An echo of a value is masked with it; shorter ones would hit ordinary words.
_ECHO_LENGTH_MIN: Final = 5
_MASK_ROUNDS: Final = 3

_SPLIT_MESSAGES: Final = 3
_SPLIT_READ: Final = 200
"""Characters of each message in which a secret that is split over them is looked for."""
# After these a message is complete, and what follows belongs to the next sentence.
_FINISHED: Final = (".", "!", "?", ";", ")", "…", "。", "！", "？")
# These go on over several lines, so that a second message may simply continue them.
_LONG_KINDS: Final = frozenset({"seed_phrase", "private_key"})
_PIECE_MIN: Final = 6


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
    return values.masked(_redacted(text, ((span.start, span.end) for span in spans)))


def _redacted(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with these places replaced; those that overlap are replaced as one."""
    pieces, last = [], 0
    for start, end in sorted(places):
        if start >= last:
            pieces += [text[last:start], REDACTED]
        last = max(last, end)
    return "".join([*pieces, text[last:]])


def echoes(texts: Iterable[str]) -> Echoes:
    """The secret values of several texts: who is told a password may repeat it without its name."""
    return Echoes(text[span.start : span.end] for text in texts for span in find_secrets(text))


def without_echo(text: str, told: str) -> str:
    """The text without the secrets that another text of the same exchange tells."""
    return echoes([told]).masked(text) if has_secret(told) else text


class Echoes:
    """Secret values, found wherever a text repeats them."""

    def __init__(self, values: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = {}
        """First letters → the values that begin so, the longest first: most places of a text begin none."""
        for value in sorted(set(values), key=len, reverse=True):
            if len(value) >= _ECHO_LENGTH_MIN:
                self._by_start.setdefault(value[:_ECHO_LENGTH_MIN], []).append(value)

    def masked(self, text: str) -> str:
        """The text with every one of the values replaced."""
        return _redacted(text, self._places(text)) if self._by_start else text

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        for start in range(len(text)):
            for value in self._by_start.get(text[start : start + _ECHO_LENGTH_MIN], ()):
                if text.startswith(value, start):
                    yield start, start + len(value)
                    break


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
            if not (tail[-1].isalnum() and _RE.first_word.match(head)):
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
    if not _RE.asked.search(before.lower()):
        return ()
    rest = _RE.other_half.match(text)
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
    halves = [half for half in _RE.piece.findall(before)[-2:] if is_credential(half)]
    for half in halves:
        for rest in list(_RE.piece.finditer(head))[:2]:
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
    words = [(word.start(), word.end(), word.group().translate(_LEET)) for word in _RE.leet_word.finditer(low)]
    changes = [word for word in words if low[word[0] : word[1]] != word[2]]
    for start, end, near in excerpts(low, changes):
        spoken = list(low[start:end])
        for first, last, word in near:
            spoken[first - start : last - start] = word
        yield start, Said(text=text[start:end], low="".join(spoken))
