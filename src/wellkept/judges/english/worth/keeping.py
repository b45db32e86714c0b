"""Which clauses are facts worth keeping: statements about the speaker, their people, projects and things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.mutual import is_mutual
from wellkept.judges.english.people.named import is_person_name
from wellkept.judges.english.slots import dates
from wellkept.judges.english.slots.foods import is_limit
from wellkept.judges.english.worth import topics
from wellkept.judges.english.worth.orders import directive
from wellkept.judges.english.worth.own_things import LOCAL_THINGS, thing
from wellkept.judges.english.worth.soft_words import SOFT
from wellkept.judges.english.worth.speaking import speaker
from wellkept.judges.english.worth.textbook import is_textbook
from wellkept.judges.english.worth.weights import (
    LIKELY,
    NONE,
    SURE,
    TALK_VERBS,
    WEAK,
    Worth,
    is_deictic,
    is_not_asserted,
    is_opinion,
    is_public,
    leans_on_the_moment,
    says_nothing,
    speaks_to_assistant,
)
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun


_HEDGES = deferred(
    r"(?i)\b(?:maybe|perhaps|possibly|might|supposedly|allegedly|apparently|i guess|rumou?r|i suppose|not sure"
    r"|if only)\b"
)
_DOUBTS = deferred(r"(?i)\b(?:rumou?r|not sure|if only|i guess|i suppose)\b|^\W*(?:maybe|perhaps)\b")
_GENERAL = lexicon.words(
    "people someone somebody everyone everybody nobody anyone something anything everything nothing one others most "
    "many some "
    "developers everybody men women cats dogs kids-these-days folks"
)


def weigh(clause: Clause, *, known: frozenset[str], sentence: str) -> Worth:
    """Whether a clause of a user's message is a fact, for background reading."""
    if clause.type == "imperative":
        is_told_of_others = clause.conjunction in {"and", "but"}  # "They are my rock and always cheer me on"
        return Worth(confidence=NONE, reason="shared") if is_told_of_others else directive(clause)
    if clause.text.casefold().startswith(("having ", "being ")):
        return Worth(confidence=NONE, reason="general")
    if clause.type != "declarative" or clause.verb is None:
        return _fragment(clause)
    refusal = _refusal(clause, sentence)
    if refusal is not None:
        return Worth(confidence=NONE, reason=refusal)
    subject = clause.subject
    if subject is None:
        return _elided(clause, sentence)
    if is_limit(clause):
        return Worth(confidence=SURE, reason="limit")
    if subject.parts:
        kinds = [_about(part, clause, known) for part in subject.parts]
        return max(kinds, key=lambda item: item.confidence)
    if is_public(subject, clause, known, sentence) and not LOCAL_THINGS & set(sentence.casefold().split()):
        return Worth(confidence=NONE, reason="public")
    if is_textbook(subject, clause, known):
        return Worth(confidence=NONE, reason="public")
    return _about(subject, clause, known)


def _refusal(clause: Clause, sentence: str) -> str | None:
    verb = clause.verb
    if verb is None:
        return "no_verb"
    if clause.conjunction in lexicon.CONDITIONALS:
        return "conditional"
    if verb.modal in {"would", "could", "might", "may"} and not _is_wish(clause):
        return "hypothetical"
    if _HEDGES.search(clause.text) or _DOUBTS.search(sentence):
        return "hedged"
    if is_not_asserted(clause) or _has_loose_lead(clause):
        return "governed"
    if _is_gerund_subject(clause) or is_opinion(clause):
        return "general"
    if any(token.tag == "quoted" and not _is_title(token.text) for token in clause.tokens):
        return "quote"
    if verb.lemma not in _TO_ONESELF and any(token.lower in lexicon.REFLEXIVES for token in clause.tokens):
        return "reflexive"  # "I challenged myself"
    if clause.subject is not None and clause.subject.pronoun == "you":
        return "about_assistant"
    return "passing" if leans_on_the_moment(clause) or says_nothing(clause) else None


_TO_ONESELF = lexicon.words("hurt injure cut burn teach employ support call harm kill")
_SMALL = frozenset(("the", "of", "a", "an", "and", "in", "on", "to", "for", "at", "from", "with", "de", "la"))


def _is_title(quoted: str) -> bool:
    """Whether what stands in quotes is the name of a film or book, and not what somebody said."""
    words = re.findall(r"[^\W_][\w'’-]*", quoted)
    return len(words) <= 8 and all(word[:1].isupper() or word[:1].isdigit() or word in _SMALL for word in words)


def _is_gerund_subject(clause: Clause) -> bool:
    """For "Sharing our stories isn't easy": the doing is the subject, not what stands before the verb."""
    subject = clause.subject
    first = next(
        (token for token in clause.tokens if token.tag not in {"punctuation", "interjection", "adverb", "coordinator"}),
        None,
    )
    if (
        subject is None
        or first is None
        or clause.is_shared
        or first.form is None
        or "ing" not in first.form.forms
        or first.start > subject.start
    ):
        return False
    named = clause.complement.noun if clause.complement is not None else None
    if named is not None and named.owner is not None and named.owner.pronoun == "i":
        return False  # "Cooking and baking are my hobbies"
    return not any(token.text == "," and token.start < subject.start for token in clause.tokens)


def _has_loose_lead(clause: Clause) -> bool:
    """A noun before the subject that is no time: the clause hangs on something that was not understood."""
    start = clause.subject.start if clause.subject is not None else clause.start
    return any(
        item.preposition is None
        and item.end <= start
        and item.noun is not None
        and item.noun.head not in lexicon.TIME_NOUNS
        and (item.noun.name or "").casefold() not in lexicon.TIME_NOUNS
        and item.noun.determiner is not None
        for item in clause.phrases
    )


def _is_wish(clause: Clause) -> bool:
    """For "I'd love to visit …", "I would rather …": a preference, not a supposition."""
    verb = clause.verb
    return (
        verb is not None
        and verb.modal == "would"
        and ((verb.lemma in {"love", "like", "prefer"} and clause.complement is not None) or "rather" in clause.adverbs)
        and not re.search(r"(?i)\b(?:if|you|know|help|to see your|to hear)\b", clause.text)
    )


def _about(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    if subject.pronoun is not None:
        return _pronoun(subject, clause)
    if subject.owner is not None and subject.owner.pronoun in {"you", "it"}:
        return Worth(confidence=NONE, reason="about_assistant")
    if dates.is_visit(clause):
        return Worth(confidence=LIKELY, reason="appointed")
    if subject.relation is not None or subject.handle is not None:
        return (
            Worth(confidence=SURE, reason="person")
            if not _is_generic_relation(subject)
            else Worth(confidence=NONE, reason="general")
        )
    if subject.owner is not None:
        return _owned(subject)
    if subject.name is not None:
        return _named(subject, clause, known)
    if subject.head == "name" and subject.determiner is None and clause.verb is not None and clause.verb.text == "is":
        return Worth(confidence=NONE, reason="vague")  # "name is Aasha": whose? "Name's Dale" is one's own
    return thing(subject, clause)


def _is_generic_relation(subject: Noun) -> bool:
    return (
        subject.handle is None
        and subject.owner is None
        and subject.name is None
        and subject.determiner in {None, "a", "an", "the", "some", "every"}
        and subject.head not in relations.KIN_NAMES
    )


_CHATTING = frozenset(("talk", "discuss", "speak", "chat"))


def _pronoun(subject: Noun, clause: Clause) -> Worth:
    if subject.pronoun == "i":
        return speaker(clause)
    if subject.pronoun == "we":
        is_language = clause.object is not None and clause.verb is not None and clause.verb.lemma == "speak"
        if (
            clause.verb is not None
            and not is_language
            and clause.verb.lemma
            in _CHATTING
            | TALK_VERBS
            - {
                "agree",
                "expect",
            }
        ):
            return Worth(confidence=NONE, reason="meta")
        if clause.verb is not None and (
            clause.verb.modal in {"can", "should"}
            or is_mutual(clause)
            or (
                clause.object is None
                and clause.complement is None
                and not clause.phrases
                and not any(token.tag == "number" for token in clause.tokens)
            )
        ):
            return Worth(confidence=NONE, reason="vague")
        return Worth(confidence=LIKELY + 0.05, reason="we")
    if subject.pronoun in {"he", "she", "they"}:
        return (
            Worth(confidence=LIKELY, reason="resolved_person")
            if clause.verb and clause.verb.lemma not in TALK_VERBS
            else Worth(confidence=NONE, reason="hearsay")
        )
    if subject.pronoun in {"nobody", "noone"} or subject.pronoun in _GENERAL:
        is_close = (
            subject.pronoun in {"everyone", "everybody"} and clause.verb is not None and clause.verb.lemma == "call"
        )
        return (
            Worth(confidence=LIKELY, reason="everyone_calls") if is_close else Worth(confidence=NONE, reason="general")
        )
    return Worth(confidence=NONE, reason="loose_pronoun")


_OF_TALK = lexicon.words(
    "point advice tip suggestion recommendation question guess bad pleasure code understanding concern turn "
    "assumption hope problem issue mistake fault essay prompt script regex query function wifi internet "
    "character avatar message"
)


def _owned(subject: Noun) -> Worth:
    owner = subject.owner
    if owner is None or owner.pronoun in {"you", "it"}:
        return Worth(confidence=NONE, reason="about_assistant")
    if owner.pronoun in {"he", "she", "they"}:
        return Worth(confidence=LIKELY - 0.05, reason="resolved_person")
    if subject.head in _OF_TALK:
        return Worth(confidence=NONE, reason="talk")
    is_pets = owner.head in relations.PETS and owner.owner is not None and owner.owner.pronoun in {"i", "we"}
    is_somebodys = owner.relation is not None or owner.name is not None or owner.handle is not None
    if owner.pronoun in {"i", "we"} or is_somebodys or is_pets:
        return Worth(confidence=SURE, reason="owned")
    return Worth(confidence=NONE, reason="general")


def _named(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    if is_person_name(subject, known):
        name = (subject.name or "").split()[0].casefold()
        if name in SOFT:
            return Worth(confidence=NONE, reason="general")  # "Progress is progress"
        if clause.verb is not None and not _agrees_with_one(clause) and name not in lexicon.FIRST_NAMES:
            return Worth(confidence=NONE, reason="general")
        is_sure = name in lexicon.FIRST_NAMES or (subject.name or "").casefold() in known
        if (
            not is_sure
            and clause.verb is not None
            and clause.verb.lemma == "be"
            and clause.complement is not None
            and clause.complement.kind == "adjective"
            and not clause.phrases
            and clause.verb.tense == "past"
        ):
            return Worth(confidence=WEAK, reason="maybe_person")
        return Worth(confidence=SURE if is_sure else LIKELY, reason="person")
    if "project" in subject.text.casefold():
        return Worth(confidence=LIKELY, reason="project")
    if subject.head in topics.WORK or (subject.name or "").casefold() in topics.WORK & {
        "api",
        "ci",
        "qa",
        "staging",
        "prod",
        "production",
    }:
        return thing(subject, clause)
    if (subject.determiner == "the" and dates.told(clause) is not None) or dates.is_moved(clause):
        return Worth(confidence=LIKELY, reason="appointed")  # "the Diwali party is on Friday"
    return Worth(confidence=NONE, reason="general")


def _agrees_with_one(clause: Clause) -> bool:
    """Whether the verb can go with one person: "Setbacks are", "Setbacks can" cannot be told to."""
    verb = clause.verb
    first = verb.text.split()[0].casefold() if verb is not None and verb.text else ""
    return first not in {"are", "have", "were", "do", "'re", "can", "could", "should", "must", "don't"} and not (
        verb is not None
        and verb.tense == "present"
        and verb.form == verb.lemma
        and verb.modal is None
        and first == verb.form
        and first != "be"
    )


_GOING_ON = lexicon.words("work feel learn move plan train study live start")


def _elided(clause: Clause, sentence: str) -> Worth:
    verb = clause.verb
    if clause.text.casefold().startswith(("got it", "got you", "got ya", "bit of")):
        return Worth(confidence=NONE, reason="talk")
    if (
        verb is not None
        and verb.lemma == "need"
        and clause.object is not None
        and clause.object.determiner in {"a", "an"}
    ):
        return Worth(confidence=NONE, reason="request")
    if verb is not None and verb.form == "have" and not any(token.tag == "number" for token in clause.tokens):
        # "Have a great day!" wishes; "have 2 cats" tells.
        return Worth(confidence=NONE, reason="talk")
    if (
        verb is not None
        and verb.lemma in {"work", "need"}
        and verb.form.endswith("s")
        and clause.rest.strip()
        and clause.rest.casefold() != "for me"
    ):
        return Worth(confidence=0.75, reason="elided")
    if (
        verb is None
        or verb.modal is not None
        or verb.is_negative
        or (verb.form != verb.lemma and verb.form.endswith("s"))  # "Helps me relax": it does
        or clause.rest.casefold().startswith("by ")  # "Surrounded by friends, …"
        or verb.lemma in TALK_VERBS | {"make", "sound", "look", "depend", "work", "hope", "let", "go", "talk", "like"}
        or not clause.rest.strip()
    ):
        return Worth(confidence=NONE, reason="talk")
    if verb.form == "been" or (
        clause.object is not None
        and clause.object.determiner is None
        and clause.object.owner is None
        and clause.object.name is None
        and verb.tense == "past"
        and verb.form.endswith("ed")
    ):
        return Worth(confidence=NONE, reason="talk")
    if verb.form.endswith("ing") and verb.tense == "present" and verb.text.split()[0].casefold() == verb.form:
        is_first = sentence.casefold().lstrip().startswith(clause.text.casefold()[:12])
        is_going_on = clause.conjunction is None and verb.lemma in _GOING_ON and is_first
        is_seeking = clause.text.casefold().startswith("looking for")
        return Worth(confidence=0.72 if is_going_on or is_seeking else NONE, reason="elided")
    if speaks_to_assistant(clause) or (
        clause.object is not None and (clause.object.pronoun is not None or is_deictic(clause.object))
    ):
        return Worth(confidence=NONE, reason="talk")
    return Worth(confidence=0.75, reason="elided")


def _fragment(clause: Clause) -> Worth:
    """For "Allergic to peanuts", "so happy right now": no subject and no verb, yet about the speaker."""
    complement = clause.complement
    if (
        clause.type == "fragment"
        and complement is not None
        and complement.kind == "adjective"
        and (
            complement.text.casefold().split()[-1]
            in {
                "divorced",
                "widowed",
                "retired",
                "allergic",
                "vegan",
                "vegetarian",
                "pregnant",
                "lactose-intolerant",
                "intolerant",
                "diabetic",
            }
            or (
                complement.text.casefold().split()[0]
                in {"happy", "tired", "exhausted", "sad", "stressed", "hungry", "sick"}
                and len(clause.text.split()) >= 2
                and " to " not in f" {clause.text.casefold()} "  # "Happy to help"
            )
        )
    ):
        return Worth(confidence=0.75, reason="fragment")
    return Worth(confidence=NONE, reason="fragment")
