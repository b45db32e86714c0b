"""Words that ask for the same thing: near-synonyms, kinds with their members, and what a verb says about its object."""

from __future__ import annotations

import re
from functools import lru_cache

from wellkept.judges.english.grammar.lexicon import words
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concept_words, search_words
from wellkept.patterns import deferred

_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (deferred(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\bfor a living\b|\bfor work\b", "job"),
        (
            r"^\W*what (?:do|does|did) (?P<who>(?:my |our |the )?[\w'-]+(?: (?!to\b)[\w'-]+){0,2}?) do\W*$",
            r"what job does \g<who> have",
        ),
        (r"\bearns? (?:my|your|his|her|their) living\b", "job"),
        (r"\b(?:grew|grows?|growing|grown) up\b", "raised"),
        (r"\bget up\b|\bgets up\b", "wake"),
        (r"\bwork(?:s|ed|ing)? out\b", "exercise"),
        (r"\bgave up\b|\bgives? up\b|\bgiven up\b", "quit"),
        (r"\bpassed away\b|\bpass away\b", "die"),
        (r"\b(?:like|love|enjoy|likes|loves)\b(?P<middle>.{0,30}?) (?:the )?(?:most|best)\b", r"favorite \g<middle>"),
        (r"\bbest[- ]lik(?:ed|ing)\b", "favorite"),
        (r"\bstar sign\b|\bzodiac sign\b", "zodiac"),
        (r"\bmother tongue\b", "native language"),
        (r"\bblood group\b", "blood type"),
        (r"\bcan(?:no|')t stand\b|\bcannot stand\b|\bcan not stand\b", "hate"),
        (r"\b(?:doe?s?n't|does not|do not) (?:like|love|enjoy)\b", "dislike"),
        (r"(?<=\d )years? old\b|\b(?<=\w )years old\b", "age"),
        (r"\b(?:would|'d) (?P<who>i|we|he|she|they|my \w+|[A-Z]\w+) (?:like|love) to\b", r"do \g<who> want to"),
        (r"\b(?:would|'d) (?:like|love) to\b", "wants to"),
        (r"\b(?:is|was) it (?:that )?(?=i\b|my\b|we\b)", ""),
        (r"\blittle girl\b", "daughter"),
        (r"\blittle boy\b", "son"),
    )
)


def _table(text: str) -> dict[str, frozenset[str]]:
    rows = (row.split(":", 1) for row in text.replace("\n ", " ").strip().splitlines())
    return {name.strip(): frozenset(members.split()) for name, members in rows}


SYNONYMS = _table(concept_words.SYNONYMS)
KINDS = _table(concept_words.KINDS)
VERB_OBJECTS = _table(concept_words.VERB_OBJECTS)
STATED_AS = _table(search_words.STATED_AS)
NEAR = _table(search_words.NEAR)
NEAR_KINDS = _table(search_words.NEAR_KINDS)
_MEDICATION = deferred(
    r"\w{2,}(?:formin|pril|statin|zole|pam|olol|cillin|oxetine|sartan|mycin|profen|idone|aline|thyroxine|caine|triptan"
    r"|pram|farin|gliptin|parin|tadine|rizine|codone|phylline|dronate|lukast|olone|isone|umab|ximab|setron)"
)
_SCHOOL = deferred(r"\w*(?:schule|school|skole|skola|gymnasium|lyc[ée]e|kita|kindergarten|academy|college)")
_OCCUPATION = deferred(
    r"(?:engineer|teacher|nurse|lawyer|architect|doctor|pilot|chef|cook|farmer|baker|judge|clerk|captain|carpenter"
    r"|designer|developer|programmer|writer|painter|plumber|driver|manager|director|professor|scientist|officer|dj"
    r"|\w+(?:ologist|ician|ographer|iatrist|ector|smith|keeper|maker|wright|monger|ant)|\w{3,}ist|luthier|illustrator"
    r"|headmaster|fisherman|fireman|policeman|paramedic|midwife|vet|barista|waiter|waitress|translator|actor|actress"
    r"|musician|student|consultant|analyst|researcher|librarian|soldier|sailor|tailor|butcher|mechanic|founder|ceo)$"
)
# Words in -ist, -ant and so on that name no trade.
_NO_OCCUPATION = words("exist resist consist insist mist list fist wrist twist giant important constant elephant")


def _index(*tables: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table in tables:
        for name, members in table.items():
            for member in members:
                found.setdefault(member, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


_SYNONYM_OF = _index(SYNONYMS)
_NEAR_TO = _index(NEAR)
_KIND_OF = _index(KINDS)
_IRREGULAR_NOUNS = {
    "children": "child", "kids": "kid", "people": "person", "men": "man", "women": "woman", "teeth": "tooth",
    "feet": "foot", "mice": "mouse", "wives": "wife", "lives": "live", "knives": "knife", "leaves": "leave",
    "news": "news", "called": "name",
    "named": "name", "glasses": "glasses", "favourite": "favorite", "colour": "color", "colours": "color",
    "neighbour": "neighbor", "mum": "mother", "mom": "mother", "dad": "father", "kid": "child", "flat": "apartment",
    "movie": "film", "bicycle": "bike", "favorites": "favorite", "organise": "organize", "tv": "television",
}  # fmt: skip
_KEEP = words("meeting wedding training reading cooking swimming building painting clothing left rent lens")


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """The dictionary form of a lower-case word: the verb's base, the noun's singular."""
    if word in _IRREGULAR_NOUNS:
        return _IRREGULAR_NOUNS[word]
    if word in _KEEP:
        return word
    relation = relations.CANONICAL.get(word) or relations.PLURALS.get(word)
    if relation is not None and word not in relations.WEAK:
        return relation
    # "travelling" is "traveling".
    form = verb_form(word) or (verb_form(word.replace("ll", "l")) if word.endswith(("lling", "lled")) else None)
    if form is not None:
        return form.lemma
    return singular(word)


def singular(word: str) -> str:
    """A plural noun without its ending; any other word as it is."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "atoes", "eroes", "choes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=8192)
def asked_by(word: str) -> frozenset[str]:
    """The keys that satisfy a word of a question: itself and its near-synonyms' concepts."""
    base = lemma(word)
    return frozenset({base}) | _SYNONYM_OF.get(base, frozenset()) | _SYNONYM_OF.get(word, frozenset())


@lru_cache(maxsize=8192)
def offered_by(word: str) -> frozenset[str]:
    """The keys that a word of a fact offers: what satisfies it, its kinds, and the kinds its verb takes."""
    base = lemma(word)
    keys = set(asked_by(word)) | _KIND_OF.get(base, frozenset()) | _KIND_OF.get(word, frozenset())
    for kind in VERB_OBJECTS.get(base, frozenset()):
        keys |= asked_by(kind)
    for kind in _KIND_OF.get(base, frozenset()):
        keys |= asked_by(kind)
    if base.endswith("ed") and "-" in base:
        keys |= asked_by(base.rsplit("-", 1)[-1])  # "left-handed" tells of a hand
    if _SCHOOL.fullmatch(base):
        keys |= asked_by("school")
    if base in relations.PETS:
        keys |= {relations.PETS[base], "pet"}
    if _MEDICATION.fullmatch(base):
        keys |= {"medication"} | asked_by("medication")
    return frozenset(keys)


def is_occupation(word: str) -> bool:
    """Whether a noun names what somebody does for a living, by its form."""
    return word not in _NO_OCCUPATION and _OCCUPATION.fullmatch(word) is not None


def plain(text: str) -> str:
    """The text with set phrases replaced by the one word that they mean."""
    text = text.replace("\u2019", "'")
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    return text


def neighbours(word: str) -> tuple[str, ...]:
    """Words to search for beside a word of a question, in a fixed order.

    First how statements put it ("employer" is told as "works at"), then its synonyms, then the members of its kind.
    """
    base = lemma(word)
    near = dict.fromkeys((base, *sorted(asked_by(word) | _NEAR_TO.get(base, frozenset()))))
    found = [one for name in (word, base) for one in sorted(STATED_AS.get(name, frozenset()))]
    for table in (SYNONYMS, NEAR, KINDS, NEAR_KINDS):
        found += [one for name in near for one in sorted(table.get(name, frozenset()))]
    return tuple(dict.fromkeys(one for one in found if one not in (word, base)))
