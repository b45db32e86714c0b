"""Endings and changes: "no longer smokes" says that somebody smoked, "moved to Rome" that it was elsewhere before."""

from __future__ import annotations

from wellkept.patterns import deferred

_NO_LONGER = deferred(r"(?i)\bno longer ")
_NOT_ANY_MORE = deferred(
    r"(?i)\b(?P<be>is|are|am|was|were|has|have|can|could|will|would|does|do|did)(?:n['’]t| not) "
    r"(?P<rest>.+?)[ ,]+any ?(?:more|longer)\b"
)
_GAVE_UP = deferred(r"(?i)\b(?:has |have )?(?:stopped|quit|quitted|gave up|given up|ceased)(?= \w+ing\b)")
_USED_TO = deferred(r"(?i)\bused to ")
_CHANGE = deferred(
    r"(?i)\b(?:now|nowadays|these days|no longer|any ?more|since|from now on|as of|moved|moving|switched|changed"
    r"|became|started|joined|left|quit|new|gave up|given up|gave away|sold|cancell?ed|stopped|retired|returned"
    r"|went (?:up|down)|raised|lowered|postponed|rescheduled|delayed|pushed|shifted|slipped|brought forward"
    r"|put (?:off|back)|instead|not until|increased|reduced|(?:cut|dropped|fell|rose|grew|sank|jumped|climbed) to"
    r"|gone (?:up|down)|took over|taken over|renamed|upgraded|downgraded)\b|n['’]t until\b"
)


def tells_change(content: str) -> bool:
    """Whether a statement itself says that something was different before."""
    return _CHANGE.search(content) is not None


def as_it_was(content: str) -> str | None:
    """The statement that an ending takes back, as far as grammar needs it; None: it ends nothing."""
    if _NO_LONGER.search(content):
        return _NO_LONGER.sub("", content, count=1)
    if _NOT_ANY_MORE.search(content):
        return _NOT_ANY_MORE.sub(lambda found: f"{found['be']} {found['rest']}", content, count=1)
    if _GAVE_UP.search(content):
        return _GAVE_UP.sub("is", content, count=1)
    if _USED_TO.search(content):
        return _USED_TO.sub("", content, count=1)
    return None


_AHEAD = deferred(r"(?i)^(?P<what>[^,.;]{3,40}?) (?:will|is going to) be (?=\S)")


def come_true(content: str) -> str | None:
    """What was announced of somebody's new address, boss or job, as it is said when it is so; None: it announces none.

    >>> come_true("The user's new address will be Storgata 9"), come_true("The user will be late")
    ("The user's address is Storgata 9", None)
    """
    found = _AHEAD.match(content)
    if found is None or " new " not in found["what"]:
        return None
    return f"{found['what'].replace(' new ', ' ', 1)} is {content[found.end() :]}"
