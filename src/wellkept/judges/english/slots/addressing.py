"""How somebody wants to be addressed, by name, pronouns or in a language: said in many ways, meant in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import sentences
from wellkept.judges.english.worth.topics import LANGUAGES
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    import re

_NAME = r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof)\.? )?(?-i:[^\W\d_a-zß-ÿ])[\w'’-]*(?: (?-i:[^\W\d_a-zß-ÿ])[\w'’-]*){0,2})"
_PRONOUNS = (
    r"(?P<pronouns>(?:she|he|they|ze|zie|xe|ey|fae|it|any)(?:\s?/\s?\w+){1,3}"
    r"|(?:sie|er|ella|él|elle|elles?|il|iel|lei|lui|ela|ele|zij|hij|hen|die|ona|on|она|он)(?:\s?/\s?\w+){0,3})"
)
_SPOKEN = r"(?P<language>(?-i:[A-Z])[a-z]{3,})"
_BEFORE = r"^(?:(?P<before>.*?)(?:[,;:–—]\s*(?:but |so |and |aber |pero |mais |ma |mas |maar )?|\s(?:but|so|and)\s))?"
_LEAD = (
    r"(?:(?:hi|hello|hey|well|actually|oh|also|ok(?:ay)?|btw|by the way|please|pls|from now on|just|in future|bitte"
    r"|hallo|hola|por favor|bonjour|salut|ciao|per favore|olá|oi|hoi|alsjeblieft)[,.!]*\s+)*"
)
_TAIL = (
    r"(?:,?\s+(?:please|pls|from now on|from today|if you (?:like|want|prefer|will|don['’]t mind)|instead|now"
    r"|these days|if that['’]s (?:ok(?:ay)?|fine|alright|all right)|for short|thanks|thank you|every(?:one|body) does"
    r"|when you (?:talk|speak|write) (?:to|with) me|with me|for me|not \w+|bitte"
    r"|ab (?:jetzt|sofort)|por favor|si quieres|a partir de ahora|s['’]il (?:te|vous) plaît|si tu veux|per favore"
    r"|se vuoi|d['’]ora in poi|a partir de agora|se quiser|alsjeblieft|voortaan))*\s*[.!?]*\s*$"
)
_CALL = r"(?:call|address|refer to)"
_ASKED = (
    rf"(?:(?:you|u) (?:can|may|could|should) (?:just |also |always |simply )?{_CALL} me (?:as |by )?"
    rf"|(?:can|could|would|will) (?:you|u) (?:please |just |kindly )*{_CALL} me (?:as )?"
    rf"|i(?:['’]d| would)? (?:really |much )?(?:like|prefer|want|rather|love) (?:for )?you (?:to )?{_CALL}(?:ed)? me "
    r"(?:as )?|i(?:['’]d| would)? (?:really |much )?(?:like|prefer|want|rather|love) (?:to be|being|be) "
    r"(?:called|addressed as|known as|referred to as) "
    r"|(?:address|refer to) me (?:as|by|with|using) |call me |(?:would|do) you mind calling me )"
)
_FORMS = (
    rf"{_ASKED}{_NAME}",
    (
        rf"(?:{_ASKED}|(?:i )?(?:use|go by|prefer) (?:the )?(?:pronouns )?|(?:my )?(?:preferred )?pronouns"
        rf"(?: are|:| =)\s*|(?:(?:can|could|would) you )?(?:please )?use (?:the pronouns )?)?{_PRONOUNS}(?: pronouns?)?"
    ),
    (
        r"(?:(?:can|could) (?:we|you) |let['’]s |i(?:['’]d| would)? (?:really |much )?(?:(?:prefer|rather) (?:to )?"
        r"|(?:like|prefer|want|rather|love) (?:it if |that |for )?(?:we|us|you) (?:to )?))?(?:please )?"
        r"(?:speak|spoke|talk|talked|chat|write|wrote|answer|reply|switch to|switched to)"
        rf"(?: (?:to|with) (?:me|each other))?(?: in)? {_SPOKEN}"
    ),
    rf"(?:my|the) preferred language is {_SPOKEN}",
    # German, Spanish, French, Italian, Portuguese, Dutch.
    rf"(?:du kannst|sie können|ihr könnt) mich (?:gerne? |einfach |auch )*{_NAME} nennen",
    rf"nenn(?:e|t|en sie)? mich (?:bitte |einfach |lieber )*{_NAME}",
    rf"(?:puedes|podéis|puede) llamarme {_NAME}",
    rf"ll[aá]m(?:a|e|en)me {_NAME}",
    rf"(?:tu peux|vous pouvez) m['’]appeler {_NAME}",
    rf"appel(?:le|ez)[- ]moi {_NAME}",
    rf"(?:puoi|può|potete) chiamarmi {_NAME}",
    rf"chiam(?:a|ate)mi {_NAME}",
    rf"(?:voc[eê] )?pode(?:s)? (?:me chamar|chamar-me)(?: de)? {_NAME}",
    rf"(?:me cham[ae]|cham[ae]-me)(?: de)? {_NAME}",
    rf"(?:je kunt|je mag|u kunt|u mag) me (?:gewoon )?{_NAME} noemen",
    rf"noem me (?:maar |gewoon )?{_NAME}",
    (
        rf"(?:meine pronomen sind|mis pronombres son|mes pronoms sont|i miei pronomi sono|(?:os )?meus pronomes são"
        rf"|mijn voornaamwoorden zijn) {_PRONOUNS}"
    ),
)
_WISHES = tuple(deferred(rf"(?is){_BEFORE}{_LEAD}{form}{_TAIL}") for form in _FORMS)
_HINT = deferred(
    r"(?i)\b(?:call|address|refer to) me\b|call(?:ed|ing) me\b|\bto be (?:addressed|known|referred)"
    r"|\b(?:being|be) called|\w\s?/\s?\w|pronoun|pronom|mich\b"
    r"|(?:speak|spoke|talk|talked|chat|write|wrote|answer|reply|language|switch(?:ed)? to)\b"
    r"|ll[aá]m\w+me\b|m['’]appeler|[- ]moi\b|chiam\w+mi\b|me cham|cham\w+(?: |-)me|\bme\b.*\bnoemen|\bnoem me\b"
    r"|voornaamwoorden"
)
# "Call me crazy", "you can call me Tuesday": said of the speaker, or of a telephone.
_NO_NAMES = lexicon.words(
    "crazy mad silly stupid naive paranoid picky lazy cynical sentimental biased boring weird insane dramatic a an the "
    "old-fashioned old back later tomorrow tonight today anytime any now when if whenever after before at on in by "
    "from maybe monday tuesday wednesday thursday friday saturday sunday morning noon soon again asap i you we names "
    "out up that this it what whatever anything as to for with over then once during every first right"
)
_CALLED = deferred(r"(?i)\bcall me (\S+)")
_GOES_BY = deferred(rf"(?i)^{_LEAD}i (?:usually |mostly )?go by {_NAME}{_TAIL}")
_TYPED_SMALL = deferred(r"\b((?:call|called|address|refer to) me (?:as )?|be called |being called |go by )(\w)")


@frozen
class Wish:
    """A wish in plain words, and where it stands in the text."""

    text: str
    start: int
    end: int


def is_no_name(word: str) -> bool:
    """Whether "call me …" with this word asks for no name.

    >>> is_no_name("crazy"), is_no_name("Max")
    (True, False)
    """
    return word.casefold().split(" ", 1)[0] in _NO_NAMES


def is_idiom(text: str) -> bool:
    """Whether a sentence calls its speaker something that is no name: "call me old-fashioned, but …"."""
    found = _CALLED.search(text)
    return found is not None and is_no_name(found[1].strip(",.;:!?"))


def is_wish(text: str) -> bool:
    """Whether a text says how its speaker wants to be addressed."""
    return bool(wishes(text)) or _GOES_BY.match(_typed(text)) is not None


def wishes(text: str) -> tuple[Wish, ...]:
    """The wishes in a text.

    >>> [one.text for one in wishes("My name is Alexandra, but you can call me Alex.")]
    ['Please call me Alex.']
    >>> [one.text for one in wishes("Du kannst mich Max nennen!")]
    ['Please call me Max.']
    >>> wishes("You can call me back tomorrow")
    ()
    """
    if not _HINT.search(text):
        return ()
    told = ((sentence, _told(sentence.text)) for sentence in sentences(_typed(text)))
    return tuple(
        Wish(text=plain, start=sentence.start + max(0, found.end("before")), end=sentence.end)
        for sentence, (found, plain) in ((one, match) for one, match in told if match is not None)
    )


def _typed(text: str) -> str:
    """The text with a capital for the name that somebody who types none has given."""
    return _TYPED_SMALL.sub(lambda found: found[1] + found[2].upper(), text) if text.islower() else text


def _told(sentence: str) -> tuple[re.Match[str], str] | None:
    for form in _WISHES:
        found = form.match(sentence)
        plain = _plain(found.groupdict()) if found is not None else None
        if found is not None and plain is not None:
            return found, plain
    return None


def _plain(groups: dict[str, str | None]) -> str | None:
    """As the grammar reads it."""
    name, pronouns, spoken = groups.get("name"), groups.get("pronouns"), groups.get("language")
    if name is not None:
        return None if is_no_name(name) else f"Please call me {name}."
    if pronouns is not None:
        return f"My pronouns are {pronouns.casefold().replace(' ', '')}."
    if spoken is not None and spoken.casefold() in LANGUAGES:
        return f"Please answer in {spoken}."
    return None
