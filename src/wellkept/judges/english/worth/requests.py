"""Explicit requests to remember, in many wordings: what is to be kept, until when, for whom, and how private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    import re

Audience = Literal["me", "everyone", "project"]


@frozen
class Request:
    """A request to remember. `payload` is what to keep, in the speaker's words; `start` is its place in the message."""

    payload: str
    start: int
    duration: str | None = None
    """The words that say for how long: "for 2 weeks", "until Friday"."""
    persona: str | None = None
    """Whom it was said to alone: "just between us, Coach: …"."""
    is_confidential: bool = False
    audience: Audience | None = None
    """For whom the speaker wants it kept, when they say so."""
    is_procedure: bool = False
    """"Remember how to …": the payload tells steps."""


_POLITE = (
    r"(?:(?:ok(?:ay)?|hey|hi|hello|so|also|and|oh|btw|by the way|well|yes|great|thanks|alright|now|one more thing|ps"
    r"|fyi)[,.!:]*\s+"
    r"|\w+[,:]\s+(?=please|remember|don)"
    r"|(?:can|could|would|will) (?:you|u) (?:please |pls |kindly |also |just )*|(?:please|pls|plz|kindly|also|just"
    r"|do|always)[,]?\s+"
    r"|(?:i(?:['’]d| would) (?:like|love|want) (?:you |for you )?to\s+|i (?:want|need) you to\s+|you should\s+"
    r"|you (?:need|have) to\s+"
    r"|it(?:['’]s| is) important (?:to|that you)\s+|make sure (?:to|you|that you)\s+|be sure to\s+|try to\s+"
    r"|let(?:['’]s| us)\s+))*"
)
_VERB = (
    r"(?:remember|memori[sz]e|don['’]?t (?:ever )?forget|do not (?:ever )?forget|never forget|keep (?:(?:this|that"
    r"|it) )?in (?:mind|memory)|bear (?:(?:this|that) )?in mind"
    r"|(?:make|take) (?:a )?(?:mental |quick |little )?notes?|note down|note(?! to (?:my)?self\b)"
    r"|jot (?:down|this down)|write (?:down"
    r"|this down)|record"
    r"|(?!keep (?:it|this|that|things) (?:very |really )?(?:short|brief|simple|formal|casual|concise|light"
    r"|friendly|polite))"
    r"(?:save|store|add|put|keep|log|commit|file)(?! (?:this|that|it) (?:on my|to yourself|between)\b)"
    r"(?= (?:this|that|it|the following"
    r"|in memory|to memory|to your"
    r"|a note|down|for later|my|the fact|as a memory))"
    r"|save|store)"
)
_LINK = (
    r"(?:\s+(?:this(?! (?:week|weekend|month|quarter|year|morning|afternoon|evening)\b)"
    r"|it|these|the following|these (?:things|facts|details)|a (?:memory|note)|a few things|something"
    r"|one thing"
    r"|(?:this |the )?(?:info|information|fact|note|detail)))?"
    r"(?:\s+(?:down|away|in (?:your )?memory|to (?:your |the )?memory|in your (?:notes|memory)|as a memory|for (?:me"
    r"|us|later|next time"
    r"|future reference|the future|everyone|everybody|the team|the group|the project|all of us|this project"
    r"|this chat)))*"
    r"(?:\s+(?P<duration>(?:(?:just |only )?for|until|till|through|(?:just |only )?(?:this|today|tonight)\b)"
    r"[^,:;.]{0,40}?)"
    r"(?=\s+that\b|\s*:|\s*,|\s+-\s))?"
    r"(?:\s*[:,;\-–—]+\s*(?:that\s+)?|\s+(?:that|of|about|the fact that|how)\s+(?=\S)|\s+|$)"
)
_LEADING = deferred(rf"(?is)^\s*{_POLITE}{_VERB}{_LINK}")
_NOTE_TO_SELF = deferred(
    r"(?is)^\s*(?:for the record|for your (?:information|records|reference|memory)|for (?:future )?reference"
    r"|(?:note|memo|reminder) to (?:my)?self|nts|reminder|fyi"
    r"|just so you (?:know|remember)|so you (?:know|remember)|important|memo|todo remember|to remember"
    r"|fact)\s*[:,\-–—]+\s*(?:that\s+)?"
)
_ASKED = r"(?:remember|memori[sz]e|don['’]?t forget|save|note|store|keep in mind|make a note of|write down|keep)"
_ASKED_THING = r"(?: (?:that|this|it|that down|this down|it down|that in mind|this in mind|it in mind))"
_TRAILING = deferred(
    # After a pause; or asked for politely; or with what is to be kept, where nobody is said to do it. "My new store!"
    # asks for nothing.
    r"(?is)(?:[,;.!\-–—]+\s*(?:and |so |but )?(?:please |pls |plz )*(?:can you |could you )?(?:do )?"
    rf"{_ASKED}{_ASKED_THING}?"
    rf"|\s+(?:and |so |but )?(?:please |pls |plz |can you |could you )+(?:do )?{_ASKED}{_ASKED_THING}?"
    r"|(?<!\bi)(?<!\bwe)(?<!\byou)(?<!\bthey)(?<!\bto)(?<!\bcan)(?<!['’]t)(?<!\bstill)(?<!\bwill)"
    rf"\s+(?:and |so |but )?{_ASKED}{_ASKED_THING})"
    r"(?: (?:for me|for later|for next time|for the future|please|pls|ok|okay|for us|for everyone|for the project"
    r"|for the team))*\s*[.!?]*\s*$"
)
_FOREIGN = deferred(
    r"(?is)^\s*(?:bitte |por favor,? |s'il (?:te|vous) plaît,? |stp,? |per favore,? |hey,? |hallo,? |hola,? )*(?:"
    r"(?:merk(?:e)? dir|erinner(?:e)? dich(?: daran)?|vergiss (?:bitte )?nicht|notier(?:e)?(?: dir)?|speicher(?:e)?"
    r"|behalte(?: im kopf)?|denk daran)"
    r"(?: bitte)?(?: (?P<dauer>für \w+ (?:paar )?\w+))?(?:,? dass|:|,)?"
    r"|(?:recuerda(?:me)?|acuérdate(?: de)?|no (?:te )?olvides|anota|guarda(?: esto)?|ten en cuenta|apunta)(?: que|:"
    r"|,)?"
    r"|(?:souviens[- ]toi(?: de)?|rappelle[- ]toi(?: de)?|retiens(?: bien)?|n['’]oublie(?:z)? pas"
    r"|note(?:z)?(?: bien)?|mémorise|garde en (?:tête|mémoire))(?: ceci)?(?: que| qu['’](?=\w)|:|,)?"
    r"|(?:ricorda(?:ti)?(?: di)?|non dimenticare|annota|memorizza|tieni a mente|segna(?:ti)?)(?: che|:|,)?"
    r"|(?:lembre(?:-se)?(?: de)?|lembra(?:-te)?|não (?:se )?esqueça(?: de)?|anote|guarde|memorize|lembra)(?: que|:"
    r"|,)?"
    r"|(?:onthoud|vergeet niet|noteer)(?: dat|:|,)?|(?:zapamiętaj|pamiętaj)(?:,? że|:|,)?|(?:kom ihåg)(?: att|:|,)?"
    r"|(?:запомни|помни|не забудь)(?:те)?(?:,? что|:|,)?|(?:hatırla|unutma)(?: ki|:|,)?|(?:记住|記住"
    r"|请记住|記得|记得|別忘了|别忘了)[：:，, ]*"
    r"|(?:覚えて(?:おいて)?(?:ください)?)[:：、, ]*|(?:기억해(?: ?줘)?)[:,： ]*|(?:تذكر|تذكّر)(?: أن|:|،)?"
    r")\s*(?=\S)"
)
_FOREIGN_END = deferred(
    r"(?s)[、，,\s]*(?:(?:って|と|を)?覚えて(?:おいて)?(?:ね|ください)?|(?:라고|다고)? ?기억해(?: ?줘)?)[。.!！]*\s*$"
)
_RECALLING = deferred(
    r"(?is)^\s*(?:(?:do|did|can|could|would|will) (?:you|u|i|we) (?:still |even |also |please )?(?:remember|recall"
    r"|forget)\b(?! (?:that|this|to|my|i|i'm|me as|it|for)\b).*"
    r"|(?:do|did) (?:you|u|i|we) (?:still |even |also )?(?:remember|recall|forget|note|save)\b.*"
    r"|what do you remember\b.*|remember (?:when|how (?:we|i|you|funny|great))\b.*|remember(?: me)?\s*[?!.]*\s*$"
    r"|(?:can|could) you (?:remember|recall) (?:what|who|when|where|how|which|if|whether|my name\?|anything)\b.*"
    r"|i (?:don['’]?t |can['’]?t |do not |cannot |still |vaguely )?(?:remember|recall)\b.*|i (?:forgot|forget)\b.*"
    r"|(?:save|store|note|record|log|add) (?:the |my |a |an )?(?:file|document|draft|changes|game|world|date|image"
    r"|code)\b.*)$"
)
_REMIND = deferred(r"(?i)^\s*(?:please )?remind me\b")
_BETWEEN_US = (
    r"(?:(?:this (?:is|stays|one stays) |keep (?:this|it|that) |let['’]?s keep (?:this|it) |please )*(?:just |only "
    r"|strictly )?"
    r"(?:between (?:us|you and me|the two of us)|in confidence|confidential(?:ly)?|to yourself|for you(?: alone"
    r"| only)?"
    r"|for your (?:ears|eyes) only|off the record)"
    r"|(?:please )?(?:don['’]?t|do not) tell (?:the others?|the other \w+|any(?:one|body)(?: else)?))"
)
_NAMED = r"(?P<persona>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)"
_NO_NAMES = (
    r"(?:remember|note|save|store|memori[sz]e|please|listen|look|hey|ok(?:ay)?|so|and|but|yes|no|well|psst|this"
    r"|don['’]?t|keep|just|only)"
)
_CONFIDING = (
    deferred(rf"(?is)^\s*{_BETWEEN_US}(?:\s*[,\-–—]?\s*{_NAMED})?\s*[:,\-–—.]+\s*(?:but\s+)?"),
    deferred(
        rf"(?is)^\s*(?:hey |psst,? "
        rf"|so )?(?!{_NO_NAMES}\b){_NAMED}\s*[,:\-–—]\s*{_BETWEEN_US}\s*[:,\-–—.]+\s*(?:but\s+)?"
    ),
    deferred(rf"(?is)^\s*(?:this (?:is|one is) )?(?:just |only |strictly )+for {_NAMED}\s*[:,\-–—.]+\s*"),
)
"""How a confidence opens: the words, whom they are said to, or both in either order."""
_EVERYONE = deferred(r"(?i)\bfor (?:everyone|everybody|all of us|the (?:team|group|whole \w+)|this chat|us all)\b")
_PROJECT = deferred(r"(?i)\bfor (?:the|this|our) project\b")
_ME = deferred(r"(?i)\bfor (?:me|myself)\b(?! to)")
_PROCEDURE = deferred(
    r"(?i)\b(?:remember|note|save|memori[sz]e|store) (?:this )?(?:how (?:to|we|i)\b|the (?:steps|procedure|process"
    r"|workflow|recipe) (?:for|to|of)\b)"
)


def recognise(text: str) -> Request | None:
    """The request in a message, or None when the message does not ask for anything to be remembered."""
    if not text.strip() or _RECALLING.match(text) or _REMIND.match(text):
        return None
    persona = _confiding(text)
    begin = persona.end() if persona is not None else 0
    body = text[begin:]
    leading = _LEADING.match(body) or _NOTE_TO_SELF.match(body) or _FOREIGN.match(body)
    trailing = (
        (_TRAILING.search(body, _tail(body)) or _FOREIGN_END.search(body, _tail(body))) if leading is None else None
    )
    if leading is None and trailing is None:
        return None
    start, end = (leading.end(), len(body)) if leading is not None else (0, trailing.start())  # type: ignore[union-attr]  # one of the two is there
    wrapper = body[:start] if leading is not None else body[end:]
    payload = body[start:end].strip()
    if not payload.strip(" .!?:;,"):
        return None
    inner = _confiding(payload)
    if persona is None and inner is not None:
        persona, payload, start = inner, payload[inner.end() :], start + inner.end()
    start += len(body[start:end]) - len(body[start:end].lstrip())
    groups = leading.groupdict() if leading is not None else {}
    # Its patterns take long to compile, and most messages ask for nothing to be kept.
    from wellkept.judges.english.people import secrecy

    return Request(
        payload=payload.strip(),
        start=begin + start,
        duration=groups.get("duration") or groups.get("dauer"),
        persona=persona.group("persona") if persona is not None else None,
        is_confidential=persona is not None or secrecy.CONFIDENTIAL.search(text) is not None,
        audience=_audience(wrapper),
        is_procedure=_PROCEDURE.search(text) is not None,
    )


_NAMES_NOTHING = (
    "that this it these those to of about for from with in on at by how if and or but so the a an my your our his her "
    "their its i me we us you he him she they them am is are was were be been s m re dass que qu de di che dat att ki "
    "что że daß"
)
_NOTHING = deferred(rf"(?i)(?:(?:{_NAMES_NOTHING.replace(' ', '|')})\b|[^\w])*$")
_REMINDER = deferred(rf"(?is)^\s*{_POLITE}remind (?:me|us)\b")
_FORGETTING = deferred(r"(?i)\s*(?:please\s+|can you\s+|could you\s+)*forget(?![\w'’-]|\s+to\b)")


def is_bare(text: str) -> bool:
    """Whether a text asks to remember and does not say what.

    >>> is_bare("remember to"), is_bare("merk dir, dass"), is_bare("Remember that I like tea")
    (True, True, False)
    """
    # The forms of other languages want something after them: a dot is nothing.
    asked = _LEADING.match(text) or _REMINDER.match(text) or _FOREIGN.match(f"{text} .")
    return asked is not None and _NOTHING.match(text, asked.end()) is not None


def is_to_forget(text: str) -> bool:
    """Whether a text asks to forget something, be it inside a request to remember; "don't forget" does not.

    >>> is_to_forget("Forget that I like tea"), is_to_forget("Forget-me-nots are blue")
    (True, False)
    """
    asked = recognise(text)
    return _FORGETTING.match(text if asked is None else asked.payload) is not None


def _confiding(text: str) -> re.Match[str] | None:
    for form in _CONFIDING:
        found = form.match(text)
        if found is not None:
            return found
    return None


def _tail(body: str) -> int:
    """Where to look for a request at the end: it is short, and runs of signs before it cost time."""
    return max(0, len(body) - 160)


def _audience(wrapper: str) -> Audience | None:
    if _EVERYONE.search(wrapper):
        return "everyone"
    if _PROJECT.search(wrapper):
        return "project"
    return "me" if _ME.search(wrapper) else None


def persona_address(text: str) -> str | None:
    """The persona that a confidence is addressed to: "Just between us, Coach: …" gives "Coach"."""
    match = _confiding(text)
    return match.group("persona") if match is not None else None


def without_confidence(text: str) -> tuple[str, int]:
    """The text without an opening such as "between us:", and how many characters that took."""
    match = _confiding(text)
    return (text[match.end() :], match.end()) if match is not None and match.end() < len(text) else (text, 0)


_THAT = deferred(r"(?i)\s*(?:that|to remember(?: that)?)\s+(?=\S)")
_THAT_IS = deferred(r"(?i)\s*that(?:['’]s| (?:is|was)\b)")


def without_that(text: str) -> tuple[str, int]:
    """What was asked to be remembered without the "that" before it, and how many letters are gone."""
    match = _THAT.match(text)
    cut = match.end() if match is not None and not _THAT_IS.match(text) else 0
    return text[cut:], cut


_TO_DO = deferred(r"(?i)to (?:always |never )?[a-z]+\b")
_OF_ASSISTANT = deferred(r"(?i)to (?:always |never )?(?:call me|use|write|answer|speak|reply|respond|avoid)\b")
_NEED = "I need"


TO_SELF = deferred(r"(?i)^\W*(?:(?:quick |little )?(?:note|memo|reminder) to (?:my)?self|nts)\b")
"""What one tells oneself: what is to be done, or what is so."""


def is_task(body: str) -> bool:
    """Whether it is something to do that is to be remembered: "to buy milk"."""
    return _TO_DO.match(body) is not None


def as_task(body: str, start: int) -> tuple[str, int]:
    """For "Remember to buy milk" is a task of the speaker; "remember to call me Bob" an order."""
    if _OF_ASSISTANT.match(body):
        return body[3:], start + 3
    return f"{_NEED} {body}", start - len(_NEED) - 1
