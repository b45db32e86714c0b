"""Short answers: the assistant's question says what is asked for, the speaker's words say what it is."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import JOB_HINTS, NOT_JOBS
from wellkept.judges.english.grammar.parser import parse, sentences
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.messages.rewording import Edit
from wellkept.judges.english.people import relations
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wellkept.types import Message


@frozen
class Asked:
    """A statement that waits for its value, and what may be its value."""

    before: str
    after: str = ""
    takes: str = "any"
    """"first": no more than up to a comma; "number"; "role": what somebody is; "any"."""


def filled(messages: Sequence[Message]) -> Edit | None:
    """What makes a statement of the last message's first words, where they answer the question before them."""
    *earlier, last = messages
    if not earlier or earlier[-1].role != "assistant":
        return None
    asked = _asked(earlier[-1].content, _spoken_of(earlier))
    return None if asked is None else _answered(asked, last.content)


def is_reply(question: str, text: str) -> bool:
    """Whether a text, however short, answers a question with something that may be kept."""
    asked = _asked(question, "dog" if _WHOSE.search(question) else None)
    return asked is not None and _answered(asked, text) is not None


# The answer


_NOTHING = deferred(
    r"(?i)^\W*(?:no|nope|nah|none|nothing|never|not (?:really|yet|sure|much|at all)|idk|dunno|don['’]?t know|no idea"
    r"|why|guess|secret|lol|haha+|ok(?:ay)?|thanks?|thx|ty|nvm|never ?mind|depends|whatever|good question|tbd|hmm+|um+"
    r"|maybe|i guess|both|all|everything|anything|neither|either|same|kind of|sort of|a lot|too (?:many|much)|what|who"
    r"|yes|yeah|yep|yup|sure|of course|always|sometimes|please|can|could|do|does|is|are|wait|actually|sorry|oh no"
    r"|stop|help|me)\b\W*(?=$|[,.;!?\n]|\w)"
)
_YES = deferred(r"(?i)^\W*(?:yes|yeah|yep|yup|sure|oh|well|um+|hmm+|so|haha+|lol|ok)\b[\s,!.…-]*")
_IT_IS = deferred(r"(?i)^(?:it['’]?s|that['’]?s|that would be|they['’]?re|i['’]?m on|just|only)\s+(?=\S)")
_END = deferred(
    r"[.!?;:\n(]+(?=\s|$)|(?<=\S)\s+[-–—]+\s+|(?<=\S)\s+(?:lol|haha+|xd|tbh|btw|but|though|tho|because|so|which|idk)\b"
)
_ASIDE = deferred(
    r"(?i)^\s*(?:but|well|though|so|lol|haha|you|i|we|he|she|it|they|my|his|her|our|that|this|don|do|why|what|how|where"
    r"|sadly|unfortunately|obviously|of course|thank|thanks|sorry|please|works?|can|the|nobody|everyone)\b"
)
_GOES_ON = deferred(r"(?i)[\s,]*(?:but|and|so)\b")
VALUE_WORDS_MAX = 14


def _answered(asked: Asked, text: str) -> Edit | None:
    begin = _YES.match(text)
    start = begin.end() if begin is not None else 0
    cut = _IT_IS.match(text[start:])
    start += cut.end() if cut is not None else 0
    said = text[start:]
    stop = _END.search(said)
    value = said[: stop.start()] if stop is not None else said
    if "?" in text[start : start + len(value) + 2] or not value.strip() or _NOTHING.match(value):
        return None
    value = _value(value, is_short=asked.takes in {"first", "number", "role"})
    if not _may_be(asked, value):
        return None
    article = _article(value) if asked.takes == "role" else ""
    told = f"{asked.before} {article}{value}{asked.after}"
    rest = said[len(value) :]
    end = start + len(value) + len(rest) - len(rest.lstrip(" ,"))
    is_open = bool(rest.strip(" ,.!")) and not rest.lstrip().startswith((".", "!"))
    joint = ", " if _GOES_ON.match(rest) else ". "
    return Edit(start=0, end=end, new=f"{told}{joint}" if is_open else told)


def _value(said: str, *, is_short: bool) -> str:
    """As much of the answer as is one value: no aside, and of a date, a name or a number nothing behind it."""
    parts = re.split(r",(?!\d)", said)
    kept = parts[0]
    for part in parts[1:]:
        is_more = re.match(r"(?i)\s*(?:at|in|near|with|and|from|for|on)\b", part) is not None
        if _ASIDE.match(part) or part.casefold().strip().endswith("ly") or (is_short and not is_more):
            break
        kept += f",{part}"
    return kept.rstrip()


def _may_be(asked: Asked, value: str) -> bool:
    words = value.casefold().split()
    if not words or len(words) > VALUE_WORDS_MAX:
        return False
    told = parse(value)
    is_clause = any(one.type == "declarative" and one.subject is not None and one.verb is not None for one in told)
    if is_clause and words[0] in _SUBJECTS:
        return False
    if asked.takes == "number":
        return words[0][:1].isdigit() or words[0] in lexicon.NUMBER_WORDS or words[0] in {"about", "almost", "nearly"}
    if asked.takes == "role":
        is_role = any(_is_role(word.strip(".!")) for word in words[:4])
        return is_role and words[0] not in _SUBJECTS
    return words[0] not in {"i", "you", "we", "they"}


_DONE_TOO = lexicon.words("nurse cook coach judge guide tutor host model intern lead barber butcher shepherd")


def _is_role(word: str) -> bool:
    form = verb_form(word)
    is_verb = form is not None and "base" in form.forms and word not in _DONE_TOO
    return JOB_HINTS.search(word) is not None and word not in NOT_JOBS and not is_verb


_SUBJECTS = lexicon.words("i you he she it we they my our his her their this that there the")


def _article(value: str) -> str:
    first = value.split(maxsplit=1)[0].casefold()
    if first in {"a", "an", "the", "my", "in", "at"} or first.endswith("ing"):
        return ""
    return "an " if first[0] in "aeio" else "a "


# The question


_LEAD = deferred(
    r"(?i)^(?:(?:and|so|oh|ah|nice|great|wow|cool|lovely|also|then|but|may i ask|can i ask|tell me)[,!]?\s+)+"
)
_TAIL = deferred(r"(?i),? (?:yourself|too|as well|at home|of your own|by the way|if i may ask|exactly|again|then)$")
_WHOSE = deferred(r"(?i)\b(?:his|her|its|their) name\b|\b(?:he|she|it) called\b|\b(?:name|call) (?:him|her|it)\b")
_PEOPLE_BEFORE = 6


def _spoken_of(earlier: Sequence[Message]) -> str | None:
    """The animal or relative without a name that the speaker spoke of last: "we got a dog"."""
    for message in reversed(earlier[-_PEOPLE_BEFORE:]):
        if message.role == "user":
            words = re.findall(r"[^\W\d_][\w-]*", message.content.casefold())
            kind = next((word for word in reversed(words) if word in relations.PETS), None)
            kin = next(
                (word for own, word in itertools.pairwise(words) if own in {"my", "our"} and word in _KIN),
                None,
            )
            if kind is not None or kin is not None:
                return kind or kin
    return None


_KIN = frozenset(relations.CANONICAL)


@lru_cache(maxsize=64)
def _asked(text: str, spoken_of: str | None) -> Asked | None:
    """What the last sentence of a text asks for, of what is worth keeping."""
    last = sentences(text)[-1].text if text.strip() else ""
    if not last.endswith("?"):
        return None
    question = _TAIL.sub("", _LEAD.sub("", last).rstrip("? ").strip())
    if "," in question:
        question = question.rsplit(",", 1)[-1].strip() if question.count(",") == 1 else question
    for pattern, make in _QUESTIONS:
        found = pattern.match(question)
        if found is not None:
            return make(found, spoken_of)
    return None


def _mine(words: str) -> str:
    """The assistant's "you" as the speaker says it."""
    turned = re.sub(r"(?i)\byour\b", "my", words.strip())
    turned = re.sub(r"(?i)^the (?=(?:cat|dog|baby|puppy|kitten|boy|girl|rabbit|parrot|bird)\b)", "my ", turned)
    return re.sub(r"(?i)\byou\b", "I", turned)


def _be(subject: str) -> str:
    return "am" if subject == "I" else "are" if subject.casefold() in {"they", "we"} else "is"


def _third(verb: str, subject: str) -> str:
    if subject.casefold() in {"i", "we", "they"}:
        return verb
    return "goes" if verb == "go" else "does" if verb == "do" else "studies" if verb == "study" else f"{verb}s"


_NOUNS = (
    r"(?:(?:first|last|full|middle|middle|maiden|nick)?\s?name|nickname|birthday|bday|date of birth|age|job|profession"
    r"|occupation|role|job title|employer|company|school|university|college|major|degree|field|subject|speciality"
    r"|favou?rite [\w ]+|[\w ]{0,12}size|height|weight|city|home ?town|country|time ?zone|nationality|native language"
    r"|mother tongue|first language|phone|car|bike|breed|manager|boss|supervisor|advisor|adviser|partner|wife|husband"
    r"|girlfriend|boyfriend|doctor|gp|vet|dentist|therapist|landlord|landlady|roommate|flatmate|best friend|coach"
    r"|teacher|anniversary|blood type|diet|pronouns|star sign|zodiac sign|team|position|instrument|hobby|hobbies|sport"
    r"|shift|rent|commute|band|project|thesis|dissertation|research)"
)
_DATES = (
    r"(?:wedding|flight|appointment|interview|exam|surgery|operation|due date|deadline|defen[cs]e|conference|trip"
    r"|graduation|move|recital|concert|race|marathon|birthday|anniversary|check-?up|delivery|exhibition|opening|start"
    r" date|last day|first day)"
)
_NAME = r"(?-i:[A-Z])[\w'’-]+"
_WHO = (
    rf"(?P<who>you|he|she|they|{_NAME}|(?:your|his|her|their) [\w' ’-]{{2,30}}"
    r"|the (?:cat|dog|baby|puppy|kitten))"
)
_OWNED = rf"(?P<who>(?:(?:your|his|her|their|(?-i:[A-Z])[\w-]+['’]s|the \w+['’]s)(?: [\w-]+['’]s)?) {_NOUNS})"
_LASTING = (
    r"(?P<verb>study|teach|drive|play|speak|eat|drink|use|write|collect|take|work on|research|support|practi[sc]e|own"
    r"|make|sell|grow|listen to|specialise in|specialize in|major in|code in|program in|sing|paint|build|run|bake)"
)
_AT = {"live": "in", "work": "at", "study": "at", "teach": "at", "grow up": "in", "train": "at", "stay": "in"}


def _owned(found: re.Match[str], _: str | None) -> Asked:
    whose = _mine(found["who"])
    is_many = re.search(r"(?i)(?:hobbies|pronouns)$", whose) is not None
    takes = (
        "any" if re.search(r"(?i)(?:favou?rite|size|hobb|pronouns|diet|thesis|research|project)", whose) else "first"
    )
    return Asked(before=f"{whose} {'are' if is_many else 'is'}", takes=takes)


def _named(_: re.Match[str], spoken_of: str | None) -> Asked | None:
    return None if spoken_of is None else Asked(before=f"my {spoken_of}'s name is", takes="first")


def _where(found: re.Match[str], _: str | None) -> Asked:
    who, verb = _mine(found["who"]), found["verb"].casefold()
    if verb in {"come from", "from", "originally from"}:
        return Asked(before=f"{who} {_be(who)} from", takes="first")
    base = {"based": "live", "located": "live", "living": "live", "working": "work", "studying": "study"}.get(
        verb, verb
    )
    is_past = re.search(r"(?i)\bdid\b", found[0]) is not None
    said = {"grow up": "grew up"}.get(base, base) if is_past else _third(base, who)
    return Asked(before=f"{who} {said} {_AT.get(base, 'in')}", takes="first")


def _does(found: re.Match[str], _: str | None) -> Asked:
    who, verb = _mine(found["who"]), found["verb"]
    first, _, rest = verb.partition(" ")
    return Asked(before=f"{who} {_third(first, who)}{f' {rest}' if rest else ''}")


def _works_as(found: re.Match[str], _: str | None) -> Asked:
    who = _mine(found["who"])
    return Asked(before=f"{who} {_be(who)}", takes="role")


def _is_doing(found: re.Match[str], _: str | None) -> Asked:
    who = _mine(found["who"])
    return Asked(before=f"{who} {_be(who)} {found['verb']}")


def _counted(found: re.Match[str], _: str | None) -> Asked:
    who = _mine(found["who"])
    return Asked(before=f"{who} {'have' if who == 'I' else 'has'}", after=f" {found['what']}", takes="number")


def _has(found: re.Match[str], _: str | None) -> Asked | None:
    what = found["what"].casefold()
    who = _mine(found["who"]) if found.groupdict().get("who") else "I"
    if "allerg" in what:
        return Asked(before=f"{who} {_be(who)} allergic to")
    return Asked(before=f"{who} {'have' if who == 'I' else 'has'}")


def _said_of(template: str, takes: str = "any") -> Callable[[re.Match[str], str | None], Asked]:
    def make(found: re.Match[str], _: str | None) -> Asked:
        who = _mine(found["who"]) if "who" in found.groupdict() else "I"
        return Asked(before=template.format(who=who, be=_be(who)), takes=takes)

    return make


def _tall(found: re.Match[str], _: str | None) -> Asked:
    who = _mine(found["who"])
    return Asked(before=f"{who} {_be(who)}", after=" tall", takes="number")


def _together(found: re.Match[str], _: str | None) -> Asked:
    return Asked(before=f"we have been {found['what']} for")


_NOW = r"(?: now| these days| at the moment| right now)?"
_HAD = (
    r"(?P<what>(?:brothers?|sisters?|siblings|kids|children|pets?|animals|cats?|dogs?|grandchildren|grandkids|family"
    r"|allergies|food allergies|dietary restrictions)(?: or [\w ]+)?)"
)
_KINDS = r"(?P<what>kids|children|siblings|brothers|sisters|cats|dogs|pets|grandchildren|grandkids)"
_BASED = r"(?P<verb>based|located|living|working|studying|originally from|from)"
_PLACED = r"(?P<verb>live|work|study|teach|grow up|come from|train)"
_DOING = r"(?P<verb>studying|learning|majoring in|teaching|researching|working on|training for)"
_MEDICINE = r"(?:anything|any(?:thing for it| medication| medicine| meds))[\w ]*"
_TIMES = rf"(?P<who>(?:your|the|his|her) (?:\w+ )?{_DATES})"
_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str | None], Asked | None]], ...] = tuple(
    (deferred(rf"(?i){pattern}$"), make)
    for pattern, make in (
        (r"what(?:['’]s| is) (?:his|her|its|their) name", _named),
        (r"what(?:['’]s| is| are)(?: (?:he|she|it|they)) called", _named),
        (r"what (?:did|will) you (?:name|call) (?:him|her|it|them)", _named),
        (rf"(?:what|who|when|which|how)(?:['’]s| is| are|['’]re| was) {_OWNED}", _owned),
        (rf"(?:when|what time|what day|where)(?:['’]s| is) {_TIMES}", _said_of("{who} is", "first")),
        (rf"how old (?:are|is) {_WHO}(?: now)?", _said_of("{who} {be}", "number")),
        (rf"how tall (?:are|is) {_WHO}", _tall),
        (rf"where (?:are|is) {_WHO} {_BASED}{_NOW}", _where),
        (rf"where (?:do|does|did) {_WHO} {_PLACED}{_NOW}", _where),
        (rf"what (?:do|does) {_WHO} do(?: for (?:work|a living))?", _works_as),
        (rf"what (?:kind of |sort of )?(?:work|job) (?:do|does) {_WHO} (?:do|have)", _works_as),
        (rf"what (?:are|is) {_WHO} {_DOING}", _is_doing),
        (rf"(?:what|which|who)(?: [\w ]{{3,20}})? (?:do|does) {_WHO} {_LASTING}", _does),
        (rf"how many {_KINDS} (?:do|does) {_WHO} have", _counted),
        (rf"(?:do|does) {_WHO} have (?:any |a )?{_HAD}", _has),
        (rf"(?:any|got any|have any) {_HAD}(?: (?:i should|to|back|at)[\w ]*)?", _has),
        (rf"(?:are|is) {_WHO} allergic to (?:anything|something|any[\w ]+)", _said_of("{who} {be} allergic to")),
        (r"(?:what )?(?:medications?|meds|medicine) (?:are you on|do you take)", _said_of("I take")),
        (rf"(?:do you take|are you taking|are you on) {_MEDICINE}", _said_of("I take")),
        (r"how long have you (?:two )?been (?P<what>together|married|dating|engaged)", _together),
        (rf"who(?:['’]s| is) (?P<who>{_NAME}(?: {_NAME})?)", _said_of("{who} is")),
    )
)
