"""What every telling of one intent has in common: its deed and the things it is about."""

from __future__ import annotations

import re
from functools import lru_cache

from wellkept.judges.english.grammar.lexicon import words
from wellkept.judges.english.grammar.verbs import guess_form, verb_form
from wellkept.judges.english.todos.open_words import PASSING
from wellkept.judges.english.todos.things import is_same_thing
from wellkept.judges.english.todos.words import RECURRENCE
from wellkept.patterns import deferred
from wellkept.policies.words import query_terms, stop_words
from wellkept.values import frozen

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
call phone ring speak talk contact dial chat reach skype facetime consult telephone zoom video
send email mail post forward transfer deliver write text dispatch ship courier drop leave message
submit file send turn deliver enter upload hand lodge complete
return give bring take hand drop send mail post ship
try eat visit go test taste have
pay transfer settle repay wire give refund clear reimburse
buy get order purchase find pick grab acquire fetch collect score snag
fix repair mend sort sew glue patch solve replace unblock plug seal service
clean scrub wash wipe tidy vacuum hoover polish mop dust sweep clear rinse
book reserve schedule arrange make get buy order confirm
finish complete end read wrap conclude submit send
read finish
see visit meet consult attend catch
visit see meet stop drop attend
learn master memorise memorize pass
tell inform notify speak talk let update confess
cook bake make prepare fry roast grill boil
bake make cook
make get book arrange have bake cook prepare write
launch push deploy release ship publish start
review check look read approve merge proofread comment
prepare write make finish draft plan pack cook assemble compile
take drop bring deliver carry drive accompany leave have swallow
fetch collect get pick bring
cancel terminate end leave quit
sell flog
adopt bring get
tidy sort clean clear organise organize declutter empty
practise practice train rehearse play
exercise train run swim walk cycle lift
run jog sprint
walk stroll hike wander
swim bathe
renew extend replace update get
update revise rewrite refresh
renovate redo paint
invite ask
apply submit send
sign enrol enroll register join subscribe
sort get arrange fix solve organise organize settle
write send finish draft pen compose
paint redo repaint
plant sow
put install mount hang
hang put mount
wash clean do rinse scrub
apologise apologize sorry
cycle bike ride
find get hire locate
install set put
publish post release
register enrol enroll sign join
join enrol enroll register sign
check review look inspect test examine
mow cut trim
feed give
water soak drench sprinkle hose
organise organize plan arrange throw
watch see
eat have
drink have
ask talk speak
proofread check review correct read go
edit revise correct proofread review
draw sketch paint
sew stitch hem mend make
iron press
donate give drop bring take hand
study revise read review
assemble build put
build make construct assemble
change replace swap
replace change swap
translate render
meditate sit
pray worship
wrap pack
knit finish make
record film tape
measure weigh
test try check
help assist
thank write send
play practise practice
move shift carry
deliver bring take drop send hand
upload post share submit
print run
back copy save
drop leave take bring deliver hand
cut trim mow prune clip chop
trim cut prune mow clip
report tell inform notify flag write call fill
text message send write drop call
unpack empty
charge plug
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
    ("return", "call"): "call", ("give", "call"): "call", ("make", "call"): "call", ("write", "email"): "send",
    ("drop", "line"): "send", ("have", "look"): "check", ("take", "look"): "check", ("make", "reservation"): "book",
    ("make", "booking"): "book", ("fill", "in"): "submit", ("fill", "out"): "submit", ("put", "up"): "hang",
    ("go", "to"): "see", ("look", "at"): "see", ("sign", "up"): "sign",
}  # fmt: skip
_ALSO_SAME = {"email": "send", "post": "send", "mail": "send", "phone": "call", "ring": "call", "speak": "call",
              "talk": "call", "order": "buy", "get": "buy", "repair": "fix", "mend": "fix", "file": "submit",
              "visit": "see", "meet": "see", "reserve": "book", "schedule": "book", "arrange": "book", "write": "send",
              "collect": "fetch", "wash": "clean", "practice": "practise", "jog": "run", "swap": "replace",
              "bring": "take", "complete": "finish", "text": "send", "declutter": "tidy",
              "enrol": "sign", "enroll": "sign", "hoover": "clean", "vacuum": "clean", "scrub": "clean",
              "mop": "clean", "empty": "tidy", "quit": "cancel", "stitch": "sew", "revise": "study"}  # fmt: skip
_HOW_OFTEN = words(
    "a an per each every other single second third last first the of on in at during and or time times day days "
    "daily night "
    "nights nightly morning mornings evening evenings afternoon afternoons noon lunch lunchtime hour hours week "
    "weeks weekly "
    "weekday weekdays weeknight weeknights weekend weekends month months monthly year years yearly bedtime meal "
    "breakfast "
    "dinner quarter fortnight spring summer autumn winter birthday payday minute minutes one two three four five "
    "six seven "
    "eight nine ten twenty thirty few several once twice half monday mondays tuesday tuesdays wednesday "
    "wednesdays thursday "
    "thursdays friday fridays saturday saturdays sunday sundays from now here today forward going school work "
    "long all round "
    "clock end start beginning couple once least"
)
_CAUSING = frozenset({"get", "have"})
_DONE_BY_OTHERS = words("cut done made sewn put taken built drawn redone shorn dyed")
_DETERMINERS = words("the a an my our some that this his her their")
_NO_THINGS = words("back new old some own big little small nice good next last few couple")
_VAGUE = words("bug problem issu issue error fault thing stuff matter situation")
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
    is_habit: bool = False
    is_served: bool = False
    """Others do it: "get the bikes serviced"."""
    particles: frozenset[str] = frozenset()
    """"out" of "take out the bins": where the things are when it is done."""


def key_of(text: str) -> str:
    """The words of an intent without dates, repetition and light verbs, in order."""
    bare = PASSING.sub(" ", RECURRENCE.sub(" ", text))
    terms = query_terms(bare) or query_terms(text)
    roots = {root(term) for term in terms}
    telling = roots - _LIGHT - stop_words()
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
    is_past = word.endswith("ed") and not word.endswith("eed") and len(word) >= STEM_MAX
    return guess_form(word).lemma if is_past else word


@lru_cache(maxsize=1024)
def deed_of(todo: str) -> Deed:
    """The deed that a todo asks for."""
    bare = PASSING.sub(" ", RECURRENCE.sub(_counted, todo.replace("’", "'")))
    told = [word.casefold() for word in _WORD.findall(bare)]
    while len(told) > 1 and told[0] in _LEADING and told[1] not in _DETERMINERS:
        told = told[1:]
    plain = told
    told = _caused(told[1:] if told[0:1] == ["finish"] and len(told) > 2 and told[1].endswith("ing") else told)
    first = lemma(told[0]) if told else ""
    particles = _ADJUNCT.split(" ".join(told[1:]), maxsplit=1)[0].split() if len(told) > 1 else []
    verb = next((_BY_PARTICLE[first, one] for one in particles if (first, one) in _BY_PARTICLE), None)
    verb = verb or _ALSO_SAME.get(first, first)
    verbs = _SAME_DEED.get(verb, frozenset({verb})) | {first}
    things = [compared(term) for term in query_terms(" ".join(particles)) if term not in stop_words()]
    things = [thing for thing in things if thing not in _VAGUE] or things
    return Deed(
        verb=verb,
        first=first,
        verbs=verbs,
        things=tuple(thing for thing in dict.fromkeys(things) if thing not in _NO_THINGS),
        is_served=told != plain and plain[0] in _CAUSING,
        is_habit=RECURRENCE.search(todo) is not None,
        # "in" of "hand in the form", not of "visit Grandpa in hospital".
        particles=_PARTICLES & {*particles[:1], *particles[-1:]},
    )


def _counted(found: re.Match[str]) -> str:
    """What is counted in "10,000 steps a day"; how often and when is another matter."""
    kept = (word for word in _WORD.findall(found[0]) if word.isalpha() and word.casefold() not in _HOW_OFTEN)
    return f" {' '.join(kept)} "


def _caused(told: list[str]) -> list[str]:
    """What one has done by others is the deed: "get the bikes serviced" is servicing them."""
    is_caused = len(told) > 2 and told[0] in _CAUSING
    form = guess_form(told[-1]) if is_caused and (told[-1].endswith("ed") or told[-1] in _DONE_BY_OTHERS) else None
    return [form.lemma, *told[1:-1]] if form is not None and "participle" in form.forms else told


def compared(term: str) -> str:
    """A term of the index as it is compared: "appli" is "apply"."""
    return lemma(term[:-1] + "y" if term.endswith("i") and len(term) > STEM_MIN else term)


def is_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one, or names of one thing: "meditate" and "meditation", "gift" and "present"."""
    shared = min(len(one), len(other), STEM_MAX)
    is_stem = one in (f"{other}e", other) or other == f"{one}e"
    return is_stem or (shared >= STEM_MIN and one[:shared] == other[:shared]) or is_same_thing(one, other)
