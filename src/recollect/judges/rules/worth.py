"""Which clauses are facts worth keeping: statements about the speaker, their people, projects and things."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations, topics
from recollect.judges.rules.orders import directive
from recollect.judges.rules.people import is_person_name, is_team
from recollect.judges.rules.speaking import speaker
from recollect.judges.rules.weights import (
    CHANGEABLE,
    LIKELY,
    NONE,
    SURE,
    TALK_VERBS,
    WEAK,
    Worth,
    is_deictic,
    is_kept,
    is_opinion,
    is_public,
    leans_on_the_moment,
    says_nothing,
    speaks_to_assistant,
)
from recollect.patterns import deferred

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun


_HEDGES = deferred(
    r"(?i)\b(?:maybe|perhaps|possibly|might|supposedly|allegedly|apparently|i guess|rumou?r|i suppose|not sure"
    r"|if only)\b"
)
_GENERAL = lexicon.words(
    "people someone somebody everyone everybody nobody anyone something anything everything nothing one others most "
    "many some "
    "developers everybody men women cats dogs kids-these-days folks"
)
_LOCAL_THINGS = topics.WORK | lexicon.words(
    "key keys router wifi password-not spare passport remote charger umbrella toolbox ladder car bike parking gate "
    "door alarm thermostat boiler plumber fuse "
    "wedding party anniversary appointment flight trip train rent lease mortgage landlord apartment flat house "
    "office cabin garage gym class lesson choir band "
    "school daycare exam interview recital game tournament rehearsal concert dinner picnic bbq reunion funeral "
    "surgery vet visa contract insurance"
)


def weigh(clause: Clause, *, known: frozenset[str], sentence: str) -> Worth:
    """Whether a clause of a user's message is a fact, for background reading."""
    if clause.type == "imperative":
        is_told_of_others = clause.conjunction in {"and", "but"}  # "They are my rock and always cheer me on"
        return Worth(confidence=NONE, reason="shared") if is_told_of_others else directive(clause)
    if clause.is_elided and clause.text.casefold().startswith(("having ", "being ")):
        return Worth(confidence=NONE, reason="general")
    if clause.type != "declarative" or clause.verb is None:
        return _fragment(clause)
    refusal = _refusal(clause, sentence)
    if refusal is not None:
        return Worth(confidence=NONE, reason=refusal)
    subject = clause.subject
    if subject is None:
        return _elided(clause)
    if subject.parts:
        kinds = [_about(part, clause, known) for part in subject.parts]
        return max(kinds, key=lambda item: item.confidence)
    if is_public(subject, clause, known, sentence) and not _LOCAL_THINGS & set(sentence.casefold().split()):
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
    if _HEDGES.search(sentence):
        return "hedged"
    if set(clause.lead) & {"hoping", "hope", "wish", "wishing", "glad", "imagine", "pretend"} or _has_loose_lead(
        clause
    ):
        return "governed"
    if _is_gerund_subject(clause) or is_opinion(clause):
        return "general"
    if any(token.tag == "quoted" for token in clause.tokens):
        return "quote"
    if clause.subject is not None and clause.subject.pronoun == "you":
        return "about_assistant"
    return "passing" if leans_on_the_moment(clause) or says_nothing(clause) else None


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
    return not any(token.text == "," and token.start < subject.start for token in clause.tokens)


def _has_loose_lead(clause: Clause) -> bool:
    """A noun before the subject that is no time: the clause hangs on something that was not understood."""
    start = clause.subject.start if clause.subject is not None else clause.start
    return any(
        item.preposition is None
        and item.end <= start
        and item.noun is not None
        and item.noun.head not in lexicon.TIME_NOUNS
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
    return _thing(subject, clause)


def _is_generic_relation(subject: Noun) -> bool:
    return (
        subject.handle is None
        and subject.owner is None
        and subject.name is None
        and subject.determiner in {None, "a", "an", "the", "some", "every"}
        and subject.head not in relations.KIN_NAMES
    )


def _pronoun(subject: Noun, clause: Clause) -> Worth:
    if subject.pronoun == "i":
        return speaker(clause)
    if subject.pronoun == "we":
        if clause.verb is not None and clause.verb.lemma in {"talk", "discuss", "speak", "chat"} | TALK_VERBS - {
            "agree",
            "expect",
        }:
            return Worth(confidence=NONE, reason="meta")
        if clause.verb is not None and (
            clause.verb.modal in {"can", "should"}
            or (clause.object is None and clause.complement is None and not clause.phrases)
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


def _owned(subject: Noun) -> Worth:
    owner = subject.owner
    if owner is None or owner.pronoun in {"you", "it"}:
        return Worth(confidence=NONE, reason="about_assistant")
    if owner.pronoun in {"he", "she", "they"}:
        return Worth(confidence=LIKELY - 0.05, reason="resolved_person")
    if subject.head in {
        "point",
        "question",
        "guess",
        "bad",
        "pleasure",
        "code",
        "understanding",
        "concern",
        "turn",
        "assumption",
        "hope",
        "problem",
        "issue",
        "mistake",
        "fault",
        "essay",
        "prompt",
        "script",
        "wifi",
        "internet",
        "character",
        "avatar",
        "message",
    }:
        return Worth(confidence=NONE, reason="talk")
    if owner.pronoun in {"i", "we"} or owner.relation is not None or owner.name is not None or owner.handle is not None:
        return Worth(confidence=SURE, reason="owned")
    return Worth(confidence=NONE, reason="general")


def _named(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    if is_person_name(subject, known):
        name = (subject.name or "").split()[0].casefold()
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
        return _thing(subject, clause)
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


def _thing(subject: Noun, clause: Clause) -> Worth:
    """Things of the speaker's world that have no owner in words: the launch, the standup, the spare key."""
    words = {subject.head, *subject.modifiers, *(subject.text.casefold().split())}
    if subject.determiner is None and words & {"favorite", "favourite"}:
        return Worth(confidence=LIKELY, reason="note")
    if clause.verb is not None and clause.verb.lemma in {"live", "sit", "be", "stay", "hang"} and is_kept(clause):
        return Worth(confidence=LIKELY, reason="kept")
    if is_team(subject) and subject.determiner in {"our", "my", "the"}:
        return Worth(confidence=LIKELY, reason="team")
    if not words & _LOCAL_THINGS or subject.determiner in {
        "a",
        "an",
        "every",
        "some",
        "this",
        "that",
        "these",
        "those",
        "any",
    }:
        return Worth(confidence=NONE, reason="general")
    verb = clause.verb
    if not clause.rest.strip():
        return Worth(confidence=NONE, reason="passing")
    if verb is None or (
        verb.tense == "past"
        and not verb.is_passive
        and verb.lemma not in {"move", "change", "start", "switch", "migrate"}
    ):
        return Worth(confidence=NONE, reason="passing")
    is_adjective = clause.complement is not None and clause.complement.kind == "adjective" and not clause.phrases
    if is_adjective or topics.TECH_TROUBLE.search(clause.text):
        return Worth(confidence=NONE, reason="passing")
    if subject.determiner is None and not (words & topics.WORK):
        return (
            Worth(confidence=0.75, reason="thing")
            if CHANGEABLE.search(clause.rest)
            else Worth(confidence=NONE, reason="general")
        )
    return Worth(confidence=LIKELY, reason="thing")


_WISHES = deferred(r"(?i)(?:an?|fun|safe)\b.*\b(?:day|night|evening|weekend|week|one|time|trip|holiday|flight|rest)\b")


def _elided(clause: Clause) -> Worth:
    verb = clause.verb
    if verb is not None and verb.form == "have" and _WISHES.match(clause.rest):
        # "Have a great day!" wishes.
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
        return (
            Worth(confidence=0.72, reason="elided")
            if verb.lemma in {"work", "feel", "learn", "move", "plan", "train", "study", "live"}
            or clause.text.casefold().startswith("looking for")
            else Worth(confidence=NONE, reason="talk")
        )
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
            in {"allergic", "vegan", "vegetarian", "pregnant", "lactose-intolerant", "intolerant", "diabetic"}
            or (
                complement.text.casefold().split()[0]
                in {"happy", "tired", "exhausted", "excited", "sad", "stressed", "hungry", "sick"}
                and len(clause.text.split()) >= 2
            )
        )
    ):
        return Worth(confidence=0.75, reason="fragment")
    return Worth(confidence=NONE, reason="fragment")
