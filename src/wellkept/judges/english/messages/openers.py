"""Words that only announce a correction, before a whole statement or behind it: "no wait, …", "…, I mean"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.parser import parse
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    import re

_FILLERS = r"(?:(?:oh|ah+|hmm?|uh|um|er+|well|ok(?:ay)?|and|but|so)\b[\s,.…]*)*"
# These are nothing else; a blank is enough behind them.
_PLAIN = (
    r"(?:no|nope),? wait|wait,? (?:no|actually|sorry)|(?:hold|hang) on(?: a (?:second|sec|minute|moment))?"
    r"|(?:scratch|strike) that|i mean(?:t)?(?: to (?:say|write|type))?(?: that)?|actually"
    r"|let me (?:correct|fix|rephrase) (?:that|this|it|myself)|(?:i )?correct(?:ing)? myself|i misspoke"
    r"|i (?:was|got (?:it|that)) wrong|my (?:bad|mistake|apologies)"
)
# These turn what was said, whatever slot it fills; "actually" may add to it.
_FIRM = deferred(
    r"(?i)\b(?:no|nope|wait|scratch that|strike that|i mean(?:t)?|correct(?:ion|ing)?|misspoke|wrong|mistake|typo"
    r"|rather|sorry|oops|whoops|my bad)\b"
)
# These begin other sentences, too ("sorry to hear that"): a stop has to follow.
_STOPPED = r"no|nope|wait|sorry|apologies|oops|whoops|(?:or )?rather|(?:small |quick )?correction|edit|update|typo"
_OPENER = deferred(
    rf"(?i)(?:^|(?<=[.!?]\s)|(?<=\n))\s*{_FILLERS}"
    rf"(?:(?:{_PLAIN})\b[\s,.:;!…–—-]+|(?:{_STOPPED})\b\s*[,.:;!…–—-]+\s*)+(?=\S)"
)
_CLOSER = deferred(
    r"(?i)(?:(?<!\bwhat)[\s,;–—-]+i mean(?:t)?|\s*[,;–—-]\s*(?:sorry|rather|actually|oops|correction|my (?:bad|mistake)"
    r"|i misspoke))[\s.!]*$"
)


@frozen
class Announced:
    """A message with blanks for what announces a correction in it, and from where on it corrects."""

    text: str
    start: int | None = None
    is_firm: bool = False
    """It takes something back: "scratch that", and not only "actually"."""


def unopened(body: str) -> Announced:
    """The same text, letter for letter in length, without the words around a whole statement that corrects another.

    >>> unopened("No wait, Ines lives in Braga").text.strip()
    'Ines lives in Braga'
    >>> unopened("Sorry, 87").start is None
    True
    """
    start: int | None = None
    is_firm = False
    for found in list(_OPENER.finditer(body)):
        if _is_statement(body[found.end() :]):
            body, start = _blanked(body, found), found.end() if start is None else start
            is_firm = is_firm or _FIRM.search(found[0]) is not None
    closer = _CLOSER.search(body)
    if closer is not None and _is_statement(body[: closer.start()]):
        is_firm = is_firm or _FIRM.search(closer[0]) is not None
        return Announced(text=_blanked(body, closer), start=start or 0, is_firm=is_firm)
    return Announced(text=body, start=start, is_firm=is_firm)


def with_closer_first(text: str) -> str:
    """For "sorry, 87 I mean" says "I mean 87"."""
    closer = _CLOSER.search(text)
    if closer is None or not text[: closer.start()].strip():
        return text
    opener = _OPENER.match(text)
    begin = opener.end() if opener is not None and opener.end() < closer.start() else 0
    return f"I mean {text[begin : closer.start()].strip()}"


def _is_statement(text: str) -> bool:
    said = parse(text)
    if not said or said[0].verb is None:
        return False
    return (said[0].type == "declarative" and said[0].subject is not None) or said[0].verb.modal == "let's"


def _blanked(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]}{' ' * (found.end() - found.start())}{text[found.end() :]}"


def unlabelled(text: str, speaker: str | None) -> str:
    """The message with a leading "Name:" of the speaker blanked, so that places stay the same."""
    if speaker is None or not text.startswith(f"{speaker}:"):
        return text
    return " " * (len(speaker) + 1) + text[len(speaker) + 1 :]
