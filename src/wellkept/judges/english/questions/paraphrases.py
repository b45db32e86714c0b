"""Questions that mean another one: each turn of phrase becomes the question that the slots and concepts know."""

from __future__ import annotations

import re
from collections.abc import Callable

from wellkept.patterns import deferred

_WHO = r"(?P<who>[Ii]|[Ww]e|(?:[Mm]y|[Oo]ur) [\w'-]+(?: [\w'-]+)?|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
_SOMEBODY = r"(?P<who>(?:[Mm]y|[Oo]ur) [\w'-]+(?: [\w'-]+)?|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
_SERVING = r"(?:cook|serv|mak|giv|feed|order|bring|bak|prepar|offer)\w*"
_REFUSED = r"(?:won't|will not|can't|cannot|can not|mustn't|must not|shouldn't|should not|doesn't|does not|never)"


def _owner(who: str) -> str:
    return {"i": "my", "we": "our"}.get(who.casefold(), f"{who}'s")


def _does(who: str) -> str:
    return "do" if who.casefold() in {"i", "we"} else "does"


Turn = Callable[[re.Match[str]], str]
_SPARED = r"(?:\b(?:avoid|not|without|skip|leave out|careful|keep in mind)|n't)\b"
_ASKED_FOOD = (
    r"(?:what|which (?:foods?|things?|dish(?:es)?)|(?:is there )?(?:a|any|some|any ?thing|something)(?: \w+)?)"
)
_HERE = r"(?:flat|apartment|room|place|home|unit)"
_TURNS: tuple[tuple[re.Pattern[str], Turn], ...] = (
    # Who stands over whom
    (
        deferred(rf"(?i:^\W*who(?:m)? (?:do|does)) {_WHO} (?i:report|answer) to\b"),
        lambda m: f"who is {_owner(m['who'])} boss",
    ),
    (deferred(r"(?i)^\W*who(?:'s| is) (?:in charge of|above|over) (?:me|us)\b.*"), lambda _: "who is my boss"),
    # What one must not eat
    (
        deferred(rf"(?i:^.*{_SPARED}.*\b{_SERVING}(?: (?:for|to))?) {_SOMEBODY}\W*$"),
        lambda m: f"what does {m['who']} avoid",
    ),
    (
        deferred(
            rf"(?i:^\W*{_ASKED_FOOD}(?: that)?(?: {_REFUSED})?) {_SOMEBODY} "
            rf"(?i:(?:{_REFUSED} )?(?:eat|touch|have|tolerate))\W*$"
        ),
        lambda m: f"what does {m['who']} avoid" if re.search(_REFUSED, m[0], re.IGNORECASE) else m[0],
    ),
    (deferred(r"(?i)\boff[- ]limits (?:for|to)\b.*?\bme\b"), lambda _: "avoided by me"),
    # What somebody did for a living
    (
        deferred(rf"(?i:^\W*what did) {_WHO} (?i:do before (?:\w+ )?(?:retir\w+|stopp\w+|quit)\b.*)"),
        lambda m: f"what job did {m['who']} have",
    ),
    # Where somebody learns, lives, comes from
    (
        deferred(rf"(?i:^\W*where (?:do|does)) {_WHO} (?i:go to (?:school|university|college|uni|kindergarten))\b"),
        lambda m: f"which school {_does(m['who'])} {m['who']} attend",
    ),
    (
        deferred(rf"(?i:^\W*where(?:'s| is| are)) {_WHO} (?i:based|living|located|staying)\b"),
        lambda m: f"where {_does(m['who'])} {m['who']} live",
    ),
    (deferred(rf"(?i)\b(?:is|'s) (?:my|our) {_HERE} on\b"), lambda _: "do I live on"),
    (deferred(r"(?i)\boriginally\b"), lambda _: ""),
    # What one is called
    (
        deferred(
            r"(?i)^\W*(?:what|how) (?:(?:should|do|can|may|will|would|must) (?:you|i)(?: be)? "
            r"(?:call(?:ed)?|address(?:ed)?|name)(?: me)?|(?:do|should) i go by|(?:do|would) i (?:like|want|prefer) to"
            r" be (?:called|addressed))(?: by)?\b"
        ),
        lambda _: "what am I called",
    ),
    # When something is
    (
        deferred(
            r"(?i)^\W*(?:when|(?:at )?what time|(?:on )?(?:what|which) day) (?:do|does|will) (?P<what>(?:the|my|our|his"
            r"|her|their|[^\W\d]\w*['’]s) [^?]+?) (?:take place|happen|start|begin|kick off)(?= now\b|\W*$)"
        ),
        lambda m: f"when is {m['what']}",
    ),
    # Which hand
    (
        deferred(rf"(?i:^\W*(?:which|what) hand (?:do|does)) {_WHO} (?i:write|draw|throw|eat|use|play)\b.*"),
        lambda m: f"what handed {'am' if m['who'].casefold() == 'i' else 'is'} {m['who']}",
    ),
    # Money put by
    (deferred(r"(?i)\b(?:putting|setting|put|set) (?:some )?money (?:aside|away|by)\b"), lambda _: "saving"),
    # Who lives beside, who is closest, who is whose
    (deferred(r"(?i)^\W*who lives next door\b(?: to (?:me|us))?"), lambda _: "who is my neighbor"),
    (
        deferred(r"(?i)\b(?:man|woman|guy|lady|girl|person|people|family|couple|bloke) next door\b"),
        lambda _: "neighbor",
    ),
    (deferred(r"(?i)\bmy closest (?:friend|mate|pal)\b"), lambda _: "my best friend"),
    (deferred(r"(?i)\b(?:looks?|looking|looked) after\b|\b(?:takes?|taking|took) care of\b"), lambda _: "minds"),
)
_HAPPENED = deferred(
    rf"(?i:^\W*(?:(?:what(?:'s| has| is)? (?:ever )?(?:happened|wrong|the matter|become)(?: (?:to|with|of)))"
    rf"|what(?:'s| is) (?:the )?(?:news|latest) (?:from|about|with|of)"
    rf"|how did)) {_SOMEBODY}(?i:(?: (?:get|become) (?:hurt|injured|sick|ill|better))?)\W*$"
)
_DOING = deferred(
    rf"(?i:^\W*(?:what(?:'s| is| has| are)|how(?:'s| is| are))) {_SOMEBODY} "
    r"(?i:(?:been )?(?:up to|doing|busy with|working on|occupied with|getting up to|getting on))"
    r"(?i:(?: (?:these days|lately|now|nowadays|at the moment|right now|recently|currently|today))*)\W*$"
)


def meant(question: str) -> str:
    """The question in the words that slots and concepts know.

    >>> meant("Who do I report to?")
    'who is my boss?'
    >>> meant("Anything I should avoid cooking for Tom?")
    'what does Tom avoid'
    """
    for pattern, turn in _TURNS:
        question = pattern.sub(turn, question)
    return question


def happened_to(question: str) -> str | None:
    """Whom a question asks news of: "What happened to Chidi?"."""
    found = _HAPPENED.match(question)
    return None if found is None else found["who"]


def done_by(question: str) -> str | None:
    """Whose doings a question asks for: "What's my sister up to these days?"."""
    found = _DOING.match(question)
    return None if found is None else found["who"]
