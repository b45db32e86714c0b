"""What changes a life: told as a plan it is a fact as well as an intent."""

from __future__ import annotations

from recollect.gated import gated

_CHANGES = gated(
    r"(?i)\b(?:(?:mov|relocat|emigrat|immigrat)(?:e|es|ing) (?:to|in|out|into|abroad|back|from|house)"
    r"|marr(?:y|ies|ying)|(?:get|gets|getting) (?:married|engaged|divorced)|retir(?:e|es|ing)|graduat(?:e|es|ing)"
    r"|(?:start|starts|starting|begin|begins|beginning|join|joining|quit|quitting|leave|leaving|tak(?:e|es|ing))"
    r"(?: up| on)? (?:[\w'-]+ ){0,4}?(?:job|position|role|apprenticeship|internship|phd|degree|studies|university"
    r"|college|school|team|company|firm|leave)"
    r"|(?:have|has|having|expect|expects|expecting|undergo|undergoing) (?:[\w'-]+ ){0,3}?(?:baby|babies|child|children"
    r"|kids?|twins|surgery|operation|transplant)|adopt(?:s|ing)?)\b"
)


def changes_a_life(text: str) -> bool:
    """Whether a plan tells how somebody will live from then on.

    >>> changes_a_life("I'm starting a new job at Bosch on Monday"), changes_a_life("I'm going to call Dad on Monday")
    (True, False)
    """
    return _CHANGES.search(text) is not None
