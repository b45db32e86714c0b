"""A statement reduced to what two of them can be compared by: canonical words, subject, tense, negation, values."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from wellkept.judges.english.dates.calendar_words import MONTHS
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import Clause, Noun
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts
from wellkept.judges.english.questions.frames import Holder, holder_of, read
from wellkept.patterns import deferred
from wellkept.values import frozen

TEXT_MAX = 2000

_SUBJECT = r"((?-i:The user|[A-Z][\w'-]+))"
# Different ways to say one thing, brought to one way before words are compared.
_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (deferred(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\u2019", "'"),
        (r"\s*\(\d{4}-\d\d(?:-\d\d)?(?: to \d{4}-\d\d(?:-\d\d)?)?\)", ""),
        # What stands before the subject says the same behind the verb: "On Mondays Ana swims".
        (
            rf"^(on|in|at|every|each|during) ((?:the )?[\w'-]+(?: [\w'-]+)?),? {_SUBJECT} (?-i:(?=[a-z]))(.+)$",
            r"\3 \4 \1 \2",
        ),
        (r"\bon (mon|tues|wednes|thurs|fri|satur|sun)days\b", r"every \1day"),
        (r"\b(has|have|had) an? ([\w-]+) allergy\b", r"is allergic to \2"),
        (r"\b(has|have|had) an allergy to\b", "is allergic to"),
        (r"\b(has|have) ([\w-]+) intolerance\b", r"is \2 intolerant"),
        (r"\b(is|are) (?:a |an )?diabetic\b", "has diabetes"),
        (r"\b(is|are) asthmatic\b", "has asthma"),
        (r"\bworks? as (an?)\b", r"is \1"),
        (r"'s (?:job|profession|occupation) is (?:an? )?", " is a "),
        (r"\bis employed (?:by|at|with)\b|\bworks? (?:for|with)\b", "works at"),
        (r"\b(The user|[A-Z][\w-]+) has an? ([\w-]+) (?:named|called) ", r"\1's \2 is "),
        (r"'s name is\b|\b(?:is|are) (?:called|named)\b", " is"),
        (r"\bwould like to\b|\b'd like to\b", "wants to"),
        (r"\b(?:has|have) to\b|\bmust\b", "needs to"),
        (r"\bgoes by the nickname\b", "'s nickname is"),
        (
            r"\b(The user|[A-Z][\w-]+) uses (.+?) as (?:an? |the |his |her |their )?(editor|browser|ide)\b",
            r"\1's \3 is \2",
        ),
        (r"\b(The user|[A-Z][\w-]+) drives an? ([A-Z][\w ]*?)(?: car)?(?=[.,]|$)", r"\1's car is a \2"),
        (r"\b(The user|[A-Z][\w-]+) has an? ([A-Z][\w ]*?) (phone|car|laptop)\b", r"\1's \3 is a \2"),
        (r"\btakes the (bus|train|tram|subway|metro|car|bike|ferry) to work\b", r"goes to work by \1"),
        (r"\bcycles to work\b", "goes to work by bike"),
        (r"\bcomes from\b", "is from"),
        (r"\bcan(?:no|')t stand\b|\bcan not stand\b", "hates"),
        (r"\bcan't\b|\bcannot\b", "can not"),
        (r"(?<=\w )quit (?=\w)", "stopped "),
        (r"\bresides\b", "lives"),
        (r"\b(?:doesn't|does not|don't|do not) (?:really )?(?:like|enjoy)\b", "dislikes"),
        (r"\bis fond of\b|\bis into\b", "likes"),
        (r"\bprefers ([\w -]+?) to ([\w -]+)$", r"prefers \1 over \2"),
        (r"(?<=\d) years old\b", ""),
        (r"\b(\d{1,2})(?:st|nd|rd|th)(?: of)?\b", r"\1"),
        (r"\btime zone\b", "timezone"),
        (r"\bdaily\b", "every day"),
        (r"\beach\b", "every"),
        (r"(?<=\d)\s?([ap])\.?m\.?(?!\w)", r"\1m"),
        (r"\blearning to play\b", "learning"),
        (r"\bfluently\b", "fluent"),
        (r"\b(?:is|are) studying\b", "studies"),
        (r"\b(?:is|are) living\b", "lives"),
        (r"\b(?:is|are) working\b", "works"),
        (r"\b(?:has|have) decided\b", "decided"),
        (r"\b(plays?) the\b", r"\1"),
        (r"\b(jazz|pop|rock|classical|folk) music\b", r"\1"),
        (r"\b(?:no longer|not any ?more)\b", "not"),
        (r"\bno more\b", "no"),
        # What only makes a denial stronger says nothing more.
        (r",? (?:at all|in the least|in the slightest|whatsoever|one bit)(?=\W|$)", ""),
    )
)
_CANON = {
    word: name
    for name, members in {
        "love": "love adore", "like": "like enjoy", "hate": "hate detest loathe despise", "live": "live reside",
        "start": "start begin", "buy": "buy purchase", "quit": "quit stop", "afraid": "afraid scare frighten fear",
        "apartment": "apartment flat", "have": "have own", "film": "film movie", "bike": "bike bicycle",
        "child": "child kid", "wish": "want", "cook": "cook prepare",
    }.items()
    for word in members.split()
}  # fmt: skip
_DROPPED = lexicon.words(
    "a an the be is am are was were been being do does did really absolutely very quite so just also too currently now "
    "still always usually actually to of 's ' that which who will would anymore any at on in as by and or any more"
)
_KEPT_PREPOSITIONS = lexicon.words("from over without before after against for under with than about")
_NEGATIONS = lexicon.words("not n't never no nobody nothing none neither nor")
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_MUTUAL = deferred(r"\b(?:married to|siblings?|friends with|twins?|cousins?|engaged to|neighbou?rs?)\b")
_PAST_LIFE = deferred(r"\bused to\b|\bonce\b|\bformerly\b|\bpreviously\b|\bback then\b", re.IGNORECASE)
_UNSURE = deferred(
    r"\b(?:might|may|maybe|perhaps|probably|possibly|could|should|wants?|plans?|hopes?|wish(?:es)?|if|unless|used to"
    r"|needs? to|going to|will|considering|thinking)\b",
    re.IGNORECASE,
)


@frozen
class Statement:
    """What two statements are compared by. `tokens` are canonical words in order, function words left out."""

    plain: str
    tokens: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    subject: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    verb: str | None = None
    tense: str = ""
    mood: str = ""
    prepositions: tuple[str, ...] = ()
    head: str | None = None
    complement: tuple[str, ...] = ()
    is_negative: bool = False
    is_equation: bool = False
    is_mutual: bool = False
    is_list: bool = False
    is_complex: bool = False
    is_counted: bool = False
    is_singular_role: bool = False
    is_named: bool = False
    is_person: bool = False
    """The subject is somebody, and not something of theirs."""


def canonical(word: str) -> str:
    word = _NUMBERS.get(word, word)
    lemma = concepts.lemma(word)
    return _CANON.get(lemma, lemma)


def _rewritten(text: str) -> str:
    text = text[:TEXT_MAX].strip().rstrip(".!")
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return re.sub(r"\s+", " ", text).strip()


def _subject(noun: Noun | None, tokens: tuple[str, ...]) -> tuple[str, ...]:
    if noun is None:
        return tokens[:1]
    words = re.findall(r"[\w'@.-]+", noun.text.casefold().replace("'s", " "))
    return tuple(canonical(word) for word in words if word not in _DROPPED)


def _words(clause: Clause) -> tuple[str, ...]:
    found: list[str] = []
    for token in clause.tokens:
        if token.tag == "punctuation" or token.lower in _NEGATIONS:
            continue
        if token.lower in _DROPPED and token.lower not in _KEPT_PREPOSITIONS:
            continue
        is_name = token.tag in ("name", "handle")
        found.append(token.lower if is_name else canonical(token.lower.strip("'")))
    return tuple(found)


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """A text as one statement; what holds more than one is marked `is_complex` and compared as a whole."""
    rewritten = _rewritten(text)
    plain = re.sub(r"\W+", " ", rewritten.casefold()).strip()
    clauses = read(rewritten)
    if len(clauses) != 1 or clauses[0].verb is None:
        tokens = tuple(word for clause in clauses for word in _words(clause))
        return Statement(plain=plain, tokens=tokens, is_complex=True)
    clause = clauses[0]
    verb = clause.verb
    if verb is None:
        return Statement(plain=plain, is_complex=True)
    tokens = _words(clause)
    lowers = [token.lower for token in clause.tokens]
    complement = clause.complement.noun if clause.complement else None
    is_equation = verb.lemma == "be" and complement is not None and "than" not in lowers and not clause.phrases
    holder = holder_of(clause.subject)
    label = _label(clause, holder)
    return Statement(
        plain=plain,
        tokens=tokens,
        words=frozenset(tokens),
        subject=_subject(clause.subject, tokens),
        label=label,
        names=tuple(
            token.lower for token in clause.tokens if token.tag in ("name", "handle") and token.lower not in MONTHS
        ),
        numbers=_numbers(lowers),
        verb=verb.lemma,
        tense="past life" if _PAST_LIFE.search(text) else f"{verb.tense} {_aspect(verb.aspect, verb.lemma)}".strip(),
        mood=" ".join(sorted(concepts.lemma(found.casefold()) for found in _UNSURE.findall(rewritten))),
        prepositions=tuple(sorted(phrase.preposition or "" for phrase in clause.phrases)),
        head=_head(clause.object),
        complement=_complement(clause),
        is_negative=verb.is_negative or bool(_NEGATIONS & set(lowers)) or "anymore" in lowers,
        is_equation=is_equation,
        is_mutual=_MUTUAL.search(rewritten.casefold()) is not None,
        is_list=re.search(r"\band\b|,", rewritten) is not None,
        is_counted=clause.object is not None and bool(_numbers([*clause.object.modifiers[:1]])),
        is_singular_role=_is_singular_role(clause, holder, complement),
        is_named=_is_naming(clause, complement, label),
        is_person=holder.kind in ("asker", "person") and not label,
    )


def _aspect(aspect: str, lemma: str) -> str:
    """Being at it now is another thing than doing it at all, but for the lasting verbs the two mean the same."""
    lasting = {"live", "work", "study", "learn", "stay", "attend"}
    return "" if aspect == "simple" or (aspect == "progressive" and lemma in lasting) else aspect


def _numbers(words: list[str]) -> tuple[str, ...]:
    found = [_NUMBERS.get(word, word) for word in words]
    return tuple(sorted(word for word in found if re.match(r"[$€£¥₹]?\d", word)))


def _label(clause: Clause, holder: Holder) -> tuple[str, ...]:
    subject = clause.subject
    is_somebody = holder.kind in ("asker", "person")
    if subject is None or (is_somebody and (holder.start, holder.end) == (subject.start, subject.end)):
        return ()
    nouns = [noun for noun in (subject, subject.of) if noun is not None]
    return tuple(canonical(word) for noun in nouns for word in (*noun.modifiers, noun.head) if word)


def _head(noun: Noun | None) -> str | None:
    return canonical(noun.head) if noun is not None and noun.head else None


def _complement(clause: Clause) -> tuple[str, ...]:
    """The words after the verb, as they stand among the tokens."""
    return _words(replace(clause, tokens=tuple(token for token in clause.tokens if token.start >= clause.rest_start)))


def _is_singular_role(clause: Clause, holder: Holder, complement: Noun | None) -> bool:
    """A role that one person holds, said with the bare name of who holds it: "The user's boss is Lars"."""
    is_role = holder.kind == "person" and holder.relation in relations.SINGULAR and holder.name is None
    is_bare = complement is not None and complement.name is not None and not complement.modifiers
    return is_role and is_bare and clause.subject is not None


def _is_naming(clause: Clause, complement: Noun | None, label: tuple[str, ...]) -> bool:
    """A pet, child or relative given its name: "Mei's cat is Miso"."""
    subject = clause.subject
    if subject is None or complement is None or complement.name is None or complement.head:
        return False
    is_one = subject.relation is not None or bool(set(label) & (set(relations.PETS) | {"car", "boat", "team", "band"}))
    return is_one and not subject.is_plural and subject.name is None and complement.determiner is None
