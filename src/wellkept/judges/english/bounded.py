"""Reads as much of a message as can be read; what was asked to be kept and is too long for that is kept as said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english import extract as extraction
from wellkept.judges.english.wording import assemble
from wellkept.policies.words import legible
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.base import Reading
    from wellkept.policies.words import Legible
    from wellkept.types import Claim


def extract(reading: Reading) -> tuple[Claim, ...]:
    """The facts in the last message of the reading."""
    if not reading.messages:
        return ()
    read = legible(reading.messages[-1].content)
    messages = tuple(changed(one, content=legible(one.content).text) for one in reading.messages)
    claims = extraction.extract(changed(reading, messages=messages)) if read.text.strip() else ()
    is_kept = reading.is_explicit and reading.messages[-1].role == "user"
    unread = [_as_said(reading, start, end) for start, end in read.unread] if is_kept else []
    return (*(_in_place(claim, read) for claim in claims), *unread) if read.kept else (*claims, *unread)


def _in_place(claim: Claim, read: Legible) -> Claim:
    start, end = read.place(claim.evidence.start, min(claim.evidence.end, len(read.text)))
    return changed(claim, evidence=changed(claim.evidence, start=start, end=end))


def _as_said(reading: Reading, start: int, end: int) -> Claim:
    text = reading.messages[-1].content
    setting = extraction.setting_of(reading, text, text, 0, None)
    return assemble.own_words(setting, None, start, end)
