"""Standing orders: how the speaker wants to be answered, always, never and from now on; what to do now is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import sentences
from wellkept.judges.english.grammar.verbs import third_person, verb_form
from wellkept.judges.english.slots.fact_keys import manner_of
from wellkept.judges.english.slots.values import Slot
from wellkept.judges.english.wording import assemble
from wellkept.judges.english.worth.weights import LIKELY
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug
from wellkept.values import changed, frozen
from wellkept.vocabulary import EventType, MemoryType

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from wellkept.judges.english.wording.assemble import Setting
    from wellkept.judges.english.worth.requests import Request
    from wellkept.types import Claim

# What an assistant does when it answers.
_DOING = lexicon.words(
    "answer reply respond use write speak talk address mention apologise apologize start begin end say swear curse "
    "repeat ask show cite give explain translate summarise summarize list include add quote joke assume guess "
    "interrupt share format be keep make tell suggest recommend lecture flatter sugarcoat praise correct put convert "
    "spell sign greet refer insert patronise patronize call avoid bring send structure phrase sound act"
)
_MANNERLY = lexicon.words(
    "use apologise apologize swear curse joke lecture interrupt flatter sugarcoat patronise patronize start begin end "
    "address sign greet assume guess repeat praise"
)
"""What is only ever a manner: whoever forbids it once forbids it for good."""
_LEAD = (
    r"(?:(?:and|also|but|so|ok|okay|hey|hi|oh|well|actually|please|pls|just|kindly|from now on|in (?:the )?future"
    r"|going forward|for the future|again|by the way|btw|one more thing)[,:;.!]*\s+)*"
)
_FRAME = (
    r"(?P<frame>(?:you (?:should|must|need to|have to|ought to|can|may)"
    r"|i(?:['’]d| would)? (?:really |much )?(?:like|want|need|prefer|love)(?: for)? you to"
    r"|i(?:['’]d| would) (?:really |much )?(?:rather|prefer) (?:that )?you"
    r"|(?:i(?:['’]d| would) (?:really |much )?(?:like|prefer|love|appreciate) it"
    r"|it(?:['’]d| would) (?:be|help me?) ?(?:great|nice|good|better|lovely|helpful)?) if you(?: could| would)?"
    r"|(?:make|be) sure (?:to|you)|(?:can|could|would|will) you(?: please)?(?: mind)?)\s+)?"
)
_NOT = r"(?P<not>(?:don['’]?t|do not|didn['’]?t|did not|never|stop|stopped|quit|not|no longer)(?: ever)?\s+)?"
_ORDER = deferred(
    rf"(?is)^\s*{_LEAD}{_FRAME}(?:always |please )*{_NOT}(?:(?:always|please|just|also|ever|only|kindly) )*"
    r"(?P<verb>[a-z-]+)\b\s*(?P<rest>[^\n]*?)\s*$"
)
_TAIL = deferred(
    r"(?i)(?:(?:^|,?\s+)(?:please|pls|from now on|in (?:the )?future|going forward|any ?more|again|ok(?:ay)?|thanks"
    r"|thank you|at all|ever|now)|[.!?]+)+$"
)
_STANDING = deferred(
    r"(?i)\b(?:always|never|ever|from now on|in (?:the )?future|every time|whenever|going forward|at all times"
    r"|any ?more)\b"
)
_NO_MORE = deferred(
    rf"(?is)^\s*{_LEAD}no more (?P<what>(?:[a-z-]+ ){{0,2}}?(?P<part>[a-z]+(?: (?:points|marks|talk))?))"
    r"(?:,? (?:please|pls|from now on|thanks|thank you|ok(?:ay)?|for me))*[\s.!]*$"
)
_PARTS = {
    "emojis emoticons smileys tables headings headers markdown jargon metaphors footnotes links hashtags abbreviations "
    "acronyms italics gifs slang capitals": "use",
    "jokes puns apologies comments suggestions recommendations": "make",
    "questions follow-ups": "ask",
    "explanations compliments flattery praise lectures advice caveats disclaimers warnings summaries sermons": "give",
}
_DOING_PART = {part: verb for parts, verb in _PARTS.items() for part in parts.split()} | {
    "bullet points": "use", "exclamation marks": "use", "small talk": "make",
}  # fmt: skip
"""What answers are made of, and what an assistant does that puts it there."""
_PART = deferred(rf"(?i)\b(?:{'|'.join(_DOING_PART)})\b")
_PERMITTED = deferred(r"(?i)^you (?:can|may)\b.*\bagain\b")
_MANNER = deferred(
    r"(?i)\b(?:answers?|replies|responses?|explanations?|brief(?:ly)?|concise(?:ly)?|short(?:er)?|formal(?:ly)?"
    r"|casual(?:ly)?|informal(?:ly)?|emojis?|bullet points?|tone|metric|imperial|units|spelling|jargon|polite(?:ly)?"
    r"|blunt(?:ly)?|direct(?:ly)?|honest(?:ly)?|gentle|gently|step by step|plain (?:english|words|language)|celsius"
    r"|fahrenheit|kilomet\w+|in (?:british |american |simple |plain )?[A-Z][a-z]+|exclamation marks?)\b"
)
_OF_THE_TASK = deferred(
    r"(?i)\b(?:this|that|these|those|it|the|following|yet|first|until|him|her|them|today|tonight|tomorrow|above|below"
    r"|for now|once|paragraphs?|essay|email|letter|poem|story|list of|function|about)\b"
)
_YOUR = deferred(r"(?i)\byour (?:\w+ )?(?:answers?|replies|responses?|messages?|explanations?|sentences)\b")
_CHEERING = deferred(r"(?i)(?:give (?:up|in)|say never|keep (?:going|up|on|fighting)|tell (?:any|no|every)\w+)\b")
_OF_OTHERS = deferred(r"(?i)\bmy\b|\bto (?!me\b)|\bfor (?!me\b)")
RULES = "rule:"
NAME_WORDS = 4


@frozen
class Order:
    """One standing order: where it stands, what is wanted in the third person, and the slot it fills."""

    start: int
    end: int
    wanted: str
    """For "does not want the assistant to use emojis": the words after the speaker's name."""
    slot: Slot


def orders(text: str) -> tuple[Order, ...]:
    """The standing orders in a text.

    >>> [one.wanted for one in orders("Stop calling me buddy.")]
    ['does not want the assistant to call {me} buddy']
    >>> [one.wanted for one in orders("Always cite your sources!")]
    ["wants the assistant to cite the assistant's sources"]
    >>> orders("Write me a poem"), orders("Never been to Rome"), orders("Don't use the oven")
    ((), (), ())
    """
    return tuple(_orders(text)) if _HINT.search(text) else ()


_HINT = deferred(
    r"(?i)\b(?:always|never|don['’]?t|do not|stop|quit|from now on|in (?:the )?future|going forward|you to|you should"
    r"|you must|you can|you may|rather you|if you|you mind|no more|please|keep|be|write|answer|reply|respond|speak"
    r"|talk|explain|address|use|avoid)\b"
)


def asked(request: Request) -> tuple[Order, ...]:
    """The standing order that a request to remember is, with the words that ask for it: "remember to be brief"."""
    if request.is_procedure or request.is_confidential or request.persona is not None:
        return ()
    is_to = request.payload.casefold().startswith("to ")
    found = orders(request.payload[3:] if is_to else request.payload)
    if len(found) != 1 or (is_to and _MANNER.search(found[0].wanted) is None):
        return ()
    return (changed(found[0], start=0, end=request.start + len(request.payload)),)


def without(text: str, ordered: Iterable[Order]) -> str:
    """The text with a full stop and blanks for each order."""
    for order in ordered:
        text = f"{text[: order.start]}{'.':{order.end - order.start}}{text[order.end :]}"
    return text


def _orders(text: str) -> Iterator[Order]:
    for sentence in sentences(text):
        found = _ORDER.match(sentence.text) if sentence.kind == "prose" else None
        order = _order(found, sentence.text) if found is not None else None
        order = order or _unwanted(sentence.text)
        if order is not None:
            yield Order(start=sentence.start, end=sentence.end, wanted=order[0], slot=order[1])


def _unwanted(sentence: str) -> tuple[str, Slot] | None:
    """For "No more jokes, please": what answers are to be without."""
    found = _NO_MORE.match(sentence) if "no more" in sentence.casefold() else None
    verb = _DOING_PART.get(found["part"].casefold()) if found is not None else None
    if found is None or verb is None:
        return None
    told = f"{verb} {found['what'].casefold()}"
    return f"does not want the assistant to {told}", Slot(name=f"{RULES}{slug(told)}", value="no")


def _order(found: re.Match[str], sentence: str) -> tuple[str, Slot] | None:
    verb, is_not = found["verb"].casefold(), (found["not"] or "").strip().casefold()
    frame = (found["frame"] or "").strip().casefold()
    if is_not.startswith(("stop", "quit")) or frame.endswith("mind"):
        form = verb_form(verb)
        verb = form.lemma if form is not None and verb.endswith("ing") else _plain(verb)
    elif frame.endswith(" you"):
        form = verb_form(verb)  # "I'd rather you answered"
        verb = form.lemma if form is not None else verb
    rest = _TAIL.sub("", found["rest"])
    if verb not in _DOING or not _is_standing(found, sentence, verb, rest):
        return None
    is_again = _PERMITTED.match(sentence.strip()) is not None
    told = f"{verb} {_told(rest)}".strip()
    label = slug(" ".join(told.replace("{me}", "me").split()[: NAME_WORDS + 1]))
    if is_not.startswith("never"):
        wanted = f"wants the assistant to never {told}"
    else:
        wanted = f"{'does not want' if is_not else 'wants'} the assistant to {told}"
    if is_again:
        wanted = f"lets the assistant {told} again"
    rule = Slot(name=f"{RULES}{label}", value="no" if is_not and not is_again else "yes")
    return wanted, (manner_of(f"{verb} {rest}") or rule) if not is_not else rule


def _is_standing(found: re.Match[str], sentence: str, verb: str, rest: str) -> bool:
    """Whether it holds from now on: it says so, forbids a manner, or asks for one."""
    frame = (found["frame"] or "").strip().casefold()
    if not rest and verb not in {"swear", "curse", "joke", "apologise", "apologize", "lecture", "interrupt"}:
        return False
    if _PERMITTED.match(sentence.strip()):
        return _OF_THE_TASK.search(rest) is None
    if frame.startswith(("you can", "you may")):
        return False
    is_now = _OF_THE_TASK.search(rest) is not None and _YOUR.search(rest) is None
    if (verb == "be" and _MANNER.search(rest) is None) or _CHEERING.match(f"{verb} {rest}"):
        return False
    if verb == "call":
        return bool(found["not"]) and rest.casefold().startswith("me ") and len(rest.split()) <= NAME_WORDS
    if _STANDING.search(sentence):
        return True
    if frame.startswith(("can ", "could ", "would ", "will ")):
        return False
    is_habit = (found["not"] or "").casefold().startswith(("stop", "quit"))
    is_part = verb in _DOING_PART.values() and _PART.search(rest) is not None
    is_refused = bool(found["not"]) and (is_habit or verb in _MANNERLY or is_part)
    is_short = verb == "keep" and rest.casefold().startswith("it ")
    is_manner = _MANNER.search(rest) is not None and _OF_OTHERS.search(rest) is None
    return (not is_now or is_short) and (is_refused or is_manner)


def _plain(word: str) -> str:
    """The verb of an "-ing" that no list has."""
    stem = word.removesuffix("ing")
    return next((one for one in (stem, f"{stem}e", stem[:-1]) if one in _DOING), stem)


_PERSONS = {
    "me": "{me}", "my": "{my}", "i": "{me}", "myself": "{me}", "you": "the assistant", "your": "the assistant's",
    "yourself": "itself",
}  # fmt: skip
_PERSON = deferred(r"(?i)\b(?P<who>me|my|i|myself|you|your|yourself)\b(?!['’])(?P<verb> [a-z]+)?")


def _told(rest: str) -> str:
    return _PERSON.sub(_third, rest)


def _third(found: re.Match[str]) -> str:
    who, verb = found["who"].casefold(), (found["verb"] or "").strip()
    if who in {"i", "you"} and verb and not verb.endswith("ly") and verb not in _UNBENT:
        verb = {"are": "is", "am": "is", "have": "has"}.get(verb, third_person(verb))
    return f"{_PERSONS[who]}{' ' if verb else ''}{verb}"


_UNBENT = lexicon.words("can could will would should may might must always never ever and or to in on at with by for")


def claim_of(order: Order, setting: Setting) -> Claim:
    """The claim of a standing order: how the speaker wants to be answered."""
    voice = setting.voice
    told = f"{voice.label} {order.wanted}".format(me=voice.spoken("me"), my=voice.spoken("my"))
    return changed(
        assemble.own_words(setting, None, order.start, order.end),
        content=f"{told[:1].upper()}{told[1:]}",
        type=MemoryType.PREFERENCE,
        event_type=EventType.PREFERENCE,
        category="preferences",
        slot=order.slot.name,
        value=order.slot.value,
        cardinality="one",
        confidence=LIKELY,
    )
