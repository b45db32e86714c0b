"""What every telling of one intent has in common: its deed and the things it is about."""

from __future__ import annotations

from functools import lru_cache

from recollect.judges.rules.lexicon import words
from recollect.judges.rules.todo_open_words import PASSING
from recollect.judges.rules.todo_words import RECURRENCE
from recollect.judges.rules.verbs import guess_form, verb_form
from recollect.patterns import deferred
from recollect.policies.words import STOP_WORDS, query_terms
from recollect.values import frozen

KEY_WORDS_MAX = 8
STEM_MIN = 4
STEM_MAX = 5
_LIGHT = frozenset(
    {
        "go", "make", "do", "take", "get", "have", "be", "finish", "start", "try", "thing", "maybe", "today", "think",
        "want", "would", "need", "must",
    }
)  # fmt: skip
_ALIKE = {"phone": "call", "ring": "call", "talk": "call", "fix": "repair", "letter": "write", "complete": "finish"}
_DEEDS = """
call phone ring speak talk contact dial chat reach skype facetime consult
send email mail post forward transfer deliver write text dispatch
submit file send turn deliver enter upload hand lodge
return give bring take hand drop
pay transfer settle repay wire give refund
buy get order purchase find pick grab acquire fetch collect
fix repair mend sort sew glue patch solve replace
clean scrub wash wipe tidy vacuum hoover polish mop dust
book reserve schedule arrange make get
finish complete end read wrap
read finish
see visit meet consult attend
learn master
tell inform notify speak talk
cook bake make prepare
take drop bring deliver carry
fetch collect get pick
cancel terminate end
sell flog
adopt bring get
tidy sort clean clear organise organize declutter
practise practice train rehearse
exercise train run swim walk
run jog
walk stroll hike
renew extend
renovate redo paint
invite ask
apply submit send
sign
sort get arrange fix solve organise organize settle
write send finish draft
paint redo repaint
plant sow
put install mount hang
wash clean do
apologise apologize sorry
cycle bike ride
find get hire locate
pack
install set put
publish post release
register enrol enroll sign
check review look
mow cut trim
bake make
feed give
organise organize plan arrange
confirm
watch see
eat have
drink have
ask talk speak
finish send submit
learn pass
proofread check review correct read go
read finish
draw sketch paint
"""
"""A line is one deed in other words: the first is what was meant, the others tell that it was done."""


def _by_first(lines: list[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        first = line.split()[0]
        found[first] = found.get(first, frozenset()) | words(line)
    return found


_SAME_DEED = _by_first(_DEEDS.strip().splitlines())
_BY_PARTICLE = {
    ("hand", "in"): "submit", ("turn", "in"): "submit", ("send", "in"): "submit", ("give", "back"): "return",
    ("take", "back"): "return", ("bring", "back"): "return", ("pay", "back"): "pay", ("get", "back"): "return",
    ("pick", "up"): "fetch", ("ring", "up"): "call", ("call", "up"): "call", ("write", "to"): "send",
    ("drop", "off"): "take", ("clear", "out"): "tidy", ("sort", "out"): "tidy", ("go", "see"): "see",
    ("go", "to"): "see", ("look", "at"): "see", ("sign", "up"): "sign",
}  # fmt: skip
_ALSO_SAME = {"email": "send", "post": "send", "mail": "send", "phone": "call", "ring": "call", "speak": "call",
              "talk": "call", "order": "buy", "get": "buy", "repair": "fix", "mend": "fix", "file": "submit",
              "visit": "see", "meet": "see", "reserve": "book", "schedule": "book", "arrange": "book", "write": "send",
              "collect": "fetch", "wash": "clean", "practice": "practise", "jog": "run", "swap": "replace",
              "bring": "take", "complete": "finish", "text": "send", "bake": "cook", "declutter": "tidy"}  # fmt: skip
_PARTICLES = words("in out on off up down back away")
_LEADING = words(
    "maybe perhaps possibly probably i we i'll i'd i'm to go and just still also finally really try start might could "
    "should want need have must would like love will be going thinking about of considering please remember"
)
# "before work", "by ten": when it is to be done, not what with.
_ADJUNCT = deferred(r"\b(?:before|after|until|till|by|at|during)\b")
_WORD = deferred(r"[^\W_]+(?:'[^\W_]+)?")


@frozen
class Deed:
    """A todo taken apart: what is to be done, in any of its words, and what with."""

    verb: str
    first: str
    """The verb as it was said."""
    verbs: frozenset[str]
    things: tuple[str, ...]
    particles: frozenset[str] = frozenset()
    """"out" of "take out the bins": where the things are when it is done."""


def key_of(text: str) -> str:
    """The words of an intent without dates, repetition and light verbs, in order."""
    bare = PASSING.sub(" ", RECURRENCE.sub(" ", text))
    terms = query_terms(bare) or query_terms(text)
    roots = {root(term) for term in terms}
    telling = roots - _LIGHT - STOP_WORDS
    return " ".join(sorted(telling or roots)[:KEY_WORDS_MAX])


@lru_cache(maxsize=1024)
def root(word: str) -> str:
    """A word as it is compared: a verb's lemma, one name for what is alike."""
    base = lemma(word)
    return _ALIKE.get(base, base)


def lemma(word: str) -> str:
    """The base of a verb's form; any other word is its own."""
    form = verb_form(word)
    if form is not None:
        return form.lemma
    if word.endswith("ied") and len(word) > STEM_MAX:
        return word[:-3] + "y"
    return guess_form(word).lemma if word.endswith("ed") and len(word) > STEM_MAX else word


@lru_cache(maxsize=1024)
def deed_of(todo: str) -> Deed:
    """The deed that a todo asks for."""
    bare = PASSING.sub(" ", RECURRENCE.sub(" ", todo.replace("’", "'")))
    told = [word.casefold() for word in _WORD.findall(bare)]
    while len(told) > 1 and told[0] in _LEADING:
        told = told[1:]
    first = lemma(told[0]) if told else ""
    particles = _ADJUNCT.split(" ".join(told[1:]), maxsplit=1)[0].split() if len(told) > 1 else []
    verb = next((_BY_PARTICLE[first, one] for one in particles if (first, one) in _BY_PARTICLE), None)
    verb = verb or _ALSO_SAME.get(first, first)
    verbs = _SAME_DEED.get(verb, frozenset({verb})) | {first}
    things = [lemma(term) for term in query_terms(" ".join(particles)) if term not in STOP_WORDS]
    return Deed(
        verb=verb,
        first=first,
        verbs=verbs,
        things=tuple(thing for thing in dict.fromkeys(things) if thing != "back"),
        particles=_PARTICLES & set(particles),
    )


def is_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: "meditate" and "meditation"."""
    shared = min(len(one), len(other), STEM_MAX)
    return one == other or (shared >= STEM_MIN and one[:shared] == other[:shared])
