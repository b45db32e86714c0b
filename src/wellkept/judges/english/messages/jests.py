"""Words that take back what was said just before, because it was not meant: "jk", "nah I made that up"."""

from __future__ import annotations

from wellkept.patterns import deferred

_OPENING = r"(?:(?:lol|lmao|ha(?:ha)*|he(?:he)*|nah|no|nope|ok(?:ay)?|omg|oops|sorry|well|but|and|wait|xd)\b[\s,.!]*)*"
_TAKEN_BACK = deferred(
    rf"(?i)^\W*{_OPENING}(?:j/?k\b|(?:i['’]?m |i am |i was |was |only |just )*(?:kidding|joking)\b(?! aside)"
    r"|(?<!no )jokes?(?: lang| only)?\W*$|joke lang|char(?:ot|r)?\W*$|(?:that|it) was (?:just |only )?a (?:joke|lie)"
    r"|i (?:just |totally )?(?:made (?:that|it|this)(?: all)? up|lied|invented (?:that|it))"
    r"|none of (?:that|this) (?:is|was) true|(?:that|it)(?:['’]s| is| was)(?: not|n['’]t) (?:actually )?true\W*$"
    r"|psych\W*$)"
)


def takes_back(text: str) -> bool:
    """Whether a message says of the one before that it was a joke.

    >>> takes_back("jk jk, I just forgot where I parked"), takes_back("I'm moving to Mars, jk"), takes_back("no joke")
    (True, False, False)
    """
    return _TAKEN_BACK.search(text) is not None
