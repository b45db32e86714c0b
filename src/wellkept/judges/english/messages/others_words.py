"""Words in a message that are not the speaker's own: quotations, drafts of letters, what was pasted in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.patterns import deferred

if TYPE_CHECKING:
    import re

_QUOTED = deferred(r"[\"“„«](?P<inside>[^\"“”„«»\n]{12,600})[\"”«»]")
_ENDS = deferred(r"[.!?](?=\s)")
# A request for a text, and where the text begins.
_WRITING = deferred(
    r"(?i)\b(?:writ(?:e|ing)|draft|e-?mail|mail|letter|message|reply|post|caption|essay|bio|cv|resume|rewrite|rephrase"
    r"|proofread|polish|shorten|formal|polite|translate|tone|linkedin|cover letter)\b"
)
_LETTER = deferred(
    r"(?i)(?:^|(?<=[.!?:\n]\s)|(?<=[\n:]))(?:dear|to whom it may concern)\b[^.!?\n]{0,30},(?=\s).*"
    r"|(?:(?<=:\s)|(?<=\n))(?:hi|hello|hey)\b[^.!?\n]{0,30},(?=\s).*"
    r"|(?<=\bsomething like:).*|(?<=\blike this:).*|(?<=\bthe draft:).*"
)
_PASTED = deferred(
    r"(?i)\b(?:past(?:ing|ed)|copied|forwarded|quot(?:e|ing)|"
    r"the (?:text|e-?mail|mail|message|letter|post|caption|review|note|sign|headline) (?:is|was|says|said|reads|goes)"
    r"|(?:he|she|they|it) (?:wrote|writes|replied|texted|posted))(?: (?:this|me|back|that))?\s*:.*"
)


def own_words(text: str) -> str:
    """The same text, letter for letter in length, with blanks for letters to others, and quotations as one sentence.

    >>> own_words("make it formal: Dear Sir, I live in Bonn.").strip()
    'make it formal:'
    """
    text = _QUOTED.sub(lambda found: _ENDS.sub(",", found[0]), text) if '"' in text or "“" in text else text
    text = _PASTED.sub(_blank, text)
    return _LETTER.sub(_blank, text) if _WRITING.search(text) is not None else text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
