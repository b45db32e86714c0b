"""Statements about the speaker: which tell of a life, and which only keep the talk going."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import privacy
from wellkept.judges.english.slots.endings import as_it_was
from wellkept.judges.english.worth.weights import (
    CHANGEABLE,
    LIKELY,
    NONE,
    SKILLS,
    SURE,
    TALK_OBJECTS,
    TALK_STATES,
    TALK_VERBS,
    WEAK,
    Worth,
    is_ability,
    is_deictic,
    speaks_to_assistant,
)
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause


def speaker(clause: Clause) -> Worth:
    """What a statement with "I" as its subject weighs."""
    verb = clause.verb
    if verb is None:
        return Worth(confidence=NONE, reason="no_verb")
    rest = clause.rest.strip()
    if verb.lemma in TALK_VERBS and not _perceives(clause):
        return Worth(confidence=NONE, reason="talk")
    if speaks_to_assistant(clause):
        return Worth(confidence=NONE, reason="meta")
    if verb.lemma == "be" and not verb.is_passive:
        return _speaker_is(clause, rest)
    if not rest and verb.lemma not in _ALONE and as_it_was(clause.text) is None and not is_ability(clause):
        return Worth(confidence=NONE, reason="vague")
    if verb.lemma == "feel":
        return Worth(confidence=LIKELY, reason="feeling")
    if _points_at_talk(clause, rest):
        return Worth(confidence=NONE, reason="deictic")
    return _by_mood(clause, rest)


def _perceives(clause: Clause) -> bool:
    """Verbs such as "see" that are talk alone, but tell something with an object: "I see a therapist"."""
    verb, thing = clause.verb, clause.object
    if verb is not None and verb.lemma == "try" and verb.aspect == "progressive" and clause.complement is not None:
        return clause.complement.lemma in _AIMS
    if verb is not None and verb.lemma == "try" and verb.tense == "past" and not verb.is_negative:
        is_doing = clause.complement is not None and clause.complement.kind == "gerund"
        return is_doing or (thing is not None and thing.pronoun is None and thing.head not in TALK_OBJECTS)
    if verb is None or verb.lemma not in {"see", "hear"}:
        return False
    if verb.lemma == "see" and verb.aspect == "progressive":
        return bool(clause.rest.strip())
    return (
        thing is not None
        and (bool(thing.head) or thing.name is not None)
        and thing.determiner in {"a", "an", "my", None}
        and thing.head not in TALK_OBJECTS
    )


def _points_at_talk(clause: Clause, rest: str) -> bool:
    """The object is something of the conversation: "it", "the second option", "a question"."""
    verb, thing = clause.verb, clause.object
    if verb is None or thing is None or re.match(r"(?i)it (?:when|if|that)\b", rest):
        return False
    if thing.pronoun in _POINTERS or is_deictic(thing):
        return True
    if verb.lemma == "need" and verb.modal is None and thing.determiner in {"a", "an", "some"} and thing.owner is None:
        # "I need a recipe" is asked of the assistant.
        return True
    return thing.head in TALK_OBJECTS and thing.owner is None and verb.lemma in _HOLDING


def _by_mood(clause: Clause, rest: str) -> Worth:
    """Plans, abilities and wishes weigh less than what is or was."""
    verb = clause.verb
    if verb is None:
        return Worth(confidence=NONE, reason="no_verb")
    if verb.modal in {"will", "going to"} and (
        not _has_substance(clause) or not (CHANGEABLE.search(clause.text) or clause.phrases)
    ):
        return Worth(confidence=NONE, reason="vague")
    if verb.modal == "able to" or (verb.lemma == "do" and _DOING_WELL.search(rest)):
        return Worth(confidence=WEAK, reason="vague")
    if verb.modal == "can" and not verb.is_negative and verb.lemma not in SKILLS:
        return Worth(confidence=WEAK, reason="ability")
    asked = clause.complement.lemma if clause.complement is not None else None
    if verb.lemma in {"want", "like", "love"} and asked in _ASKS and (verb.lemma == "want" or verb.modal == "would"):
        return Worth(confidence=NONE, reason="request")
    if verb.lemma == "want" and verb.tense == "past":
        return Worth(confidence=WEAK, reason="past_wish")
    return Worth(confidence=SURE, reason="speaker")


_ALONE = lexicon.words("smoke snore relapse volunteer freelance meditate drink commute retire knit ski surf")
_AIMS = lexicon.words("learn quit lose become save stop conceive adopt move gain grow practice read exercise meditate")
_ASKS = lexicon.words(
    "know ask order see hear check add talk discuss understand find book thank share say tell confirm dive make ensure "
    "clarify verify compare calculate solve"
)
_POINTERS = lexicon.words("it this that these those you one them")
_HOLDING = lexicon.words("have get need want see take find make choose")
_DOING_WELL = deferred(r"(?i)\b(?:best|my thing|okay|ok|fine|well|great|good)\b")


def _speaker_is(clause: Clause, rest: str) -> Worth:
    verb = clause.verb
    words = rest.casefold().strip(" .!").split()
    if not words:
        return Worth(confidence=NONE, reason="vague")
    if (
        words[0] in TALK_STATES
        and not (
            words[0] in {"good", "in", "interested", "late", "back", "lost"}
            and len(words) > 2
            and words[1] in {"at", "in"}
        )
        and words[0] != "in"
    ):
        return Worth(confidence=NONE, reason="talk")
    feelings = {
        "relieved",
        "tempted",
        "pumped",
        "determined",
        "keen",
        "invested",
        "down",
        "proud",
        "grateful",
        "thankful",
        "honored",
        "lucky",
        "off",
        "fortunate",
        "swamped",
        "drawn",
        "impressed",
        "inspired",
        "blessed",
    }
    if feelings & set(words[:3]):
        return Worth(confidence=WEAK, reason="passing_feeling")
    if words[0] == "not" and len(words) > 1 and words[1] in TALK_STATES:
        return Worth(confidence=NONE, reason="talk")
    if (
        verb is not None
        and verb.tense == "past"
        and clause.complement is not None
        and clause.complement.kind == "adjective"
        and words[0] not in {"born", "married", "diagnosed", "divorced", "adopted"}
    ):
        return Worth(confidence=WEAK, reason="past_state")
    if clause.complement is not None and clause.complement.noun is not None and is_deictic(clause.complement.noun):
        return Worth(confidence=NONE, reason="deictic")
    if clause.complement is None and clause.phrases and not _is_telling_phrase(clause):
        return Worth(confidence=WEAK, reason="idiom")
    return Worth(confidence=SURE, reason="speaker")


_STATES = lexicon.words(
    "therapy antidepressants medication meds leave vacation holiday debt school college hospital insulin diet "
    "probation parole rehab love charge recovery "
    "remission retirement business trouble pain shape pills"
)


def _is_telling_phrase(clause: Clause) -> bool:
    """Where or in what state somebody is, not a figure of speech ("over the moon", "up for it")."""
    item = clause.phrases[0]
    noun = item.noun
    if noun is None or item.preposition in {"from", "into"}:
        return True
    if item.preposition in {"by", "near", "behind", "beside", "under"} and noun.name is None:
        return False  # "I'm by the window now"
    return (
        noun.name is not None
        or bool(set(re.findall(r"\w+", noun.text.casefold())) & (_STATES | lexicon.TIME_NOUNS))
        or bool(
            privacy.HEALTH.search(clause.text)
            or privacy.MONEY.search(clause.text)
            or privacy.INTIMATE.search(clause.text)
        )
        or item.text.casefold().startswith(("under the weather", "in the "))
    )


def _has_substance(clause: Clause) -> bool:
    words = [token.lower for token in clause.tokens if token.tag in {"word", "name", "number"}]
    thin = lexicon.words(
        "be get let look take try check see know ask back later soon now right think do go come look wait"
    )
    return (
        len([word for word in words if word not in thin]) >= 1
        and (bool(clause.phrases) or clause.object is not None)
        and not (clause.object is not None and is_deictic(clause.object))
    )
