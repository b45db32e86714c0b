"""Whether a retold statement stands by itself: it reads back as what was said, and its verb lacks nothing."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.grammar.verbs import NOUN_FIRST, is_verb
from wellkept.judges.english.slots import dates
from wellkept.judges.english.wording.retelling import steps
from wellkept.judges.english.worth.turning_points import is_outcome
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.grammar.tokens import Token

_UNFINISHED = lexicon.words(
    "of and or but the a an than as between into because so if when my our who which whose where "
    "what especially including like"
)
"""A statement that ends with one of these was cut."""
_NEEDS_OBJECT = lexicon.words(
    "get make take give bring buy need want have find put send use receive enjoy love like hate build create update "
    "modify suggest mention recommend provide"
)
"""Verbs that say nothing without what they are done to."""
_WITH_WHAT = lexicon.words("play practice practise study do train")
_ONLY_WHEN = deferred(
    r"(?i)(?:for (?:about |over |almost |around )?(?:an? |\w+ )?(?:years?|months?|weeks?|days?|while)|since|every|a lot"
    r"|lately|more|longer|farther|hard)\b"
)
_WH = frozenset(("what", "where", "who", "which", "how", "why"))
_STAND_INS = deferred(
    r"(?i)\b(?:last|other|same|previous|first|next|new) one\b|\bthe \w+ one$|\b(?:last|previous) (?:chat|talk)\b"
)
_FINITE = deferred(r"(?i)(?:is|are|was|were|has|will|would)\b")
_AMONG = deferred(r"(?i)\b(?:each other|one another|apart|together)\b")
_RENAMING = frozenset(("name", "call"))
"""Their objects are read as a tie, not as what is done."""


def is_whole(content: str, clause: Clause, speaker: str) -> bool:
    """Whether the retold clause is a sentence of its own with the verb that was said and all that the verb needs.

    `speaker` is what stands for the speaker in it.
    """
    words = content.casefold().split()
    if (
        words[-1] in _UNFINISHED
        or words[-2:] == ["and", "since"]
        or (words[-2:-1] and words[-2] in _WH)
        or _STAND_INS.search(content)
    ):
        return False
    if clause.type == "imperative":
        return True
    if "the assistant" in content.casefold():
        return False
    is_torn = (
        _is_scrap(clause) or _lacks_object(clause) or _is_among_one(clause) or _runs_on(clause) or _has_two(clause)
    )
    return not is_torn and _reads_back(content, clause, speaker)


def _has_two(clause: Clause) -> bool:
    """For "he has a whole field the king": what is had is one thing, and what is called after it is somebody."""
    verb, first, second = clause.verb, clause.indirect, clause.object
    if verb is None or verb.lemma not in {"have", "own", "need"} or first is None or second is None:
        return False
    between = clause.text[first.end - clause.start : second.start - clause.start]
    return not between.strip() and second.determiner == "the" and second.of is None


def _reads_back(content: str, clause: Clause, speaker: str) -> bool:
    """For "Caroline got was helpful", "Tara being in the water": read again, it is another sentence, or none."""
    verb = clause.verb
    if verb is None or verb.lemma in _RENAMING or not (verb.lemma == "be" or is_verb(verb.form)):
        return True  # a verb that no list has is found after "I" alone
    # In the first person it is read best: "the user's mum and the user's dad live in Croydon" has two verbs.
    own = re.sub(rf"(?i)\b{re.escape(speaker)}(['’]s?)?(?!\w)", lambda found: "my" if found[1] else "I", content)
    first = parse(own)[0]
    return first.type == "declarative" and first.verb is not None and first.verb.lemma == verb.lemma


def _lacks_object(clause: Clause) -> bool:
    """For the "I get from my family" of "the love I get from my family", and "we played every weekend"."""
    verb = clause.verb
    if verb is None or verb.is_passive or verb.particle is not None:
        return False
    verbal = clause.complement.lemma if clause.complement is not None else None
    is_bare = verbal in _WITH_WHAT and len(clause.rest.split()) == 1  # "I just started playing"
    is_somewhere = any(
        item.preposition in {"at", "in", "with", "for"} and _is_thing(item.noun) for item in clause.phrases
    )
    if is_bare or (verb.lemma in _WITH_WHAT and _ONLY_WHEN.match(clause.rest) and not is_somewhere):
        return True
    if verb.lemma == "meet" and clause.object is None and clause.subject is not None:
        return clause.subject.pronoun in {"i", "we"} and not any(item.preposition == "with" for item in clause.phrases)
    if verb.lemma == "put" and not clause.phrases:
        return True  # "she puts cinnamon"
    is_taking_over = verb.lemma == "take" and clause.rest.casefold().startswith("over ")
    if verb.lemma not in _NEEDS_OBJECT or is_taking_over or is_outcome(clause):
        return False
    thing = clause.object
    is_of_phrase = thing is not None and any(
        item.preposition in {"without", "by"} and item.end <= thing.start for item in clause.phrases
    )
    if is_of_phrase:
        return True  # "modified without affecting the rest"
    if clause.object is not None or clause.indirect is not None or clause.complement is not None or clause.inner:
        return False
    after = next((token for token in clause.tokens if token.start >= verb.end and token.tag != "adverb"), None)
    if verb.lemma == "get" and after is not None and after.form is not None and "participle" in after.form.forms:
        return False  # "I got engaged last night"
    return not clause.rest.strip() or (bool(clause.phrases) and clause.rest.startswith(clause.phrases[0].text))


def _is_thing(noun: Noun | None) -> bool:
    return noun is not None and noun.head not in lexicon.TIME_NOUNS


def _is_scrap(clause: Clause) -> bool:
    """For "my 2020 hiring practices", "Always been fond of maps", "… and supported by friends", without their verb."""
    subject, verb = clause.subject, clause.verb
    if verb is None:
        return False
    is_thing = subject is not None and bool(subject.head) and subject.relation is None
    is_noun = is_thing and not clause.rest.strip(" .!") and verb.tense == "present" and verb.modal is None
    been = [token for token in clause.tokens if token.lower in {"been", "being"} and token.end <= verb.start]
    is_undergone = clause.is_shared and verb.form.endswith("ed") and clause.rest.startswith("by ")
    is_off = is_noun and dates.told(clause) is not None  # "the gala has been called off" lacks nothing
    return (is_noun and not is_off) or is_undergone or (subject is None and bool(been))


def _runs_on(clause: Clause) -> bool:
    """For "the help I got was kind", and "we roast marshmallows, tell stories", which told of one would not agree."""
    subject, verb = clause.subject, clause.verb
    if verb is not None and verb.lemma not in {"be", "have", "do"} and _FINITE.match(clause.rest):
        return True
    if verb is not None and verb.aspect == "simple" and verb.form.endswith("ing") and verb.form != verb.lemma:
        return True  # "I not exceeding the limit"
    is_retold = subject is None or subject.pronoun in {"i", "we"}
    if not is_retold or verb is None or verb.tense != "present" or verb.modal is not None:
        return False
    return any(
        comma.text == "," and after.form is not None and "base" in after.form.forms and _is_no_noun(after)
        for comma, after in itertools.pairwise(clause.tokens)
    )


def _is_no_noun(token: Token) -> bool:
    return token.tag == "word" and token.form is not None and token.form.lemma not in NOUN_FIRST


def _is_among_one(clause: Clause) -> bool:
    """For "we enjoy each other's company", which nobody can do alone."""
    subject = clause.subject
    is_one = subject is None or subject.pronoun in {"i", "we"} or not (subject.parts or subject.is_plural)
    is_pair = clause.verb is not None and clause.verb.lemma == "be"  # "we've been together six years"
    return is_one and not is_pair and _AMONG.search(clause.text) is not None


def loses_words(clause: Clause, content: str) -> bool:
    """Whether a word that was asked to be kept is not in the retelling; people and verbs are retold in other words."""
    folded = content.casefold()
    lost = [
        token
        for token in clause.tokens
        if token.tag in {"word", "name", "number"}
        and token.lower[:4] not in folded
        and token.lower not in lexicon.INTERJECTIONS
    ]
    if not lost:
        return False
    exempt = [
        (step.start, step.end)
        for noun in clause.nouns
        for step in steps(noun)
        if step.relation is not None or step.pronoun is not None
    ]
    if clause.verb is not None:
        exempt.append((clause.verb.start, clause.verb.end))
    return any(not any(start <= token.start < end for start, end in exempt) for token in lost)
