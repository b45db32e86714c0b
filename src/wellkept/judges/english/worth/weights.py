"""How much a statement weighs, and the marks of talk that weighs nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.worth import topics
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun


@frozen
class Worth:
    """How sure the reader is that a clause is a fact to keep, 0 for not at all, and why."""

    confidence: float
    reason: str


NONE = 0.0
WEAK = 0.6


SURE = 0.9


LIKELY = 0.8


# What one says to keep a conversation going; it tells nothing about the speaker's life.
TALK_VERBS = lexicon.words(
    "guess suppose see agree understand mean wonder bet appreciate apologize believe doubt assume reckon swear "
    "promise imagine thank ask "
    "say tell think try check paste click copy mention explain answer reply notice realize realise hear expect "
    "remember forget recall wish "
    "submit scroll figure wait listen repeat google correct remind"
)


TALK_OBJECTS = lexicon.words(
    "question questions help idea answer answers error favor favour issue problem problems thing look minute second "
    "moment "
    "point doubt clue feeling sense suggestion regex example list way solution code version option explanation"
)


TALK_STATES = lexicon.words(
    "sure sorry ready done right wrong back here there fine good ok okay well glad curious serious kidding joking "
    "confused lost late listening "
    "interested in impressed surprised aware welcome certain"
)


CHANGEABLE = deferred(
    r"(?i)\b(?:this|next|last|tomorrow|today|tonight|yesterday|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday|january|february|march|april"
    r"|may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?|noon|eod|week|month)\b"
)


def speaks_to_assistant(clause: Clause) -> bool:
    text = clause.text
    if (
        topics.TECH_TROUBLE.search(text)
        and clause.verb is not None
        and (
            clause.verb.tense != "present"
            or clause.verb.aspect != "simple"
            or clause.verb.lemma
            in {"get", "use", "like", "love", "prefer", "want", "need", "see", "have", "choose", "hate"}
        )
    ):
        return True
    return bool(re.search(r"(?i)\b(?:you|your|yours|yourself|u|ur|ya)\b", text)) and not re.search(
        r"(?i)(?<!let )(?<!did )(?<!do )\byou know\b", text
    )


def is_deictic(noun: Noun) -> bool:
    """Points at something in the conversation: "the second option", "this answer", "your idea"."""
    text = noun.text.casefold()
    if noun.owner is not None and noun.owner.pronoun == "you":
        return True
    is_named = noun.name is not None or any(part.name is not None for part in noun.parts)
    is_when = noun.head in lexicon.TIME_NOUNS or noun.head == "time"
    if noun.determiner in lexicon.DEMONSTRATIVES and not is_when and not is_named:
        return True
    return noun.determiner == "the" and bool(
        re.search(
            r"\b(?:first|second|third|last|other|latter|former|wrong|same|above|previous)\b.*\b(?:one|option|version"
            r"|answer|idea|file|approach|draft|paragraph|thing|suggestion)\b",
            text,
        )
    )


_GOVERNING = lexicon.words(
    "hoping hope wish wishing glad imagine pretend thinks believes claims swears insists reckons pretends "
    "imagines wishes"
)


def is_not_asserted(clause: Clause) -> bool:
    """Whether what stands before the subject governs it, or a "not" there was lost.

    For "I want to be sure of it and that my tests pass", "Haven't had much time".
    """
    verb, lead = clause.verb, set(clause.lead)
    is_second = bool(lead & {"that", "whether"}) and clause.conjunction in {"and", "or"}
    is_positive = verb is not None and not verb.is_negative
    start = verb.start if verb is not None else clause.start
    has_not = any(token.tag == "negation" and token.end <= start for token in clause.tokens)
    return bool(lead & _GOVERNING) or is_second or (is_positive and has_not)


_OPINIONS = lexicon.words(
    "amazing awesome awful beautiful best better brilliant cool crazy cute delicious epic excellent fantastic fun "
    "funny good "
    "gorgeous great hard horrible incredible infectious inspiring interesting key lovely nice okay perfect powerful "
    "pretty "
    "rewarding scary special sweet terrible tough wild wonderful worse worst important exciting comforting vital "
    "colorful right wrong ok fine alright"
)


OPINION_WORDS = 3
_JUDGING = lexicon.words("be sound look seem feel taste")


def is_opinion(clause: Clause) -> bool:
    """A judgement on something in passing ("Seattle is great"): no fact about a person or a thing."""
    subject, verb = clause.subject, clause.verb
    if (
        subject is None
        or verb is None
        or verb.lemma not in _JUDGING
        or subject.pronoun == "i"
        or subject.relation is not None
    ):
        return False
    words = set(clause.rest.casefold().strip(" .!").split()[:4])
    is_named = subject.owner is not None and bool(words & {"favorite", "favourite"})
    complement = clause.complement
    if not words & _OPINIONS or is_named or complement is None:
        return False
    is_kind = complement.noun is not None and complement.noun.determiner in {"a", "an"} and subject.owner is None
    return complement.kind == "adjective" or len(clause.rest.split()) <= OPINION_WORDS or is_kind


_OWN_WORDS = lexicon.words("i i'm i've me my mine we we're us our ours")


def is_public(subject: Noun, clause: Clause, known: frozenset[str], sentence: str) -> bool:
    """A full name with no word of the speaker's own world: "Elon Musk lives in Texas" is known to everybody.

    People whom one knows go by their first name, by a title, or by what they are to the speaker.
    """
    name = (subject.name or "").casefold()
    parts = name.split()
    if len(parts) < 2 or clause.is_shared or subject.relation is not None or subject.owner is not None or subject.head:
        return False
    if name in known or parts[0] in known or parts[0].rstrip(".") in lexicon.TITLES or "project" in parts:
        return False
    words = set(re.findall(r"[\w'-]+", sentence.casefold().replace("’", "'")))
    return not words & _OWN_WORDS


_VAGUE_OBJECTS = lexicon.words("something anything everything")
_NEEDS_OBJECT = lexicon.words("have get need want make take give bring")


_STIRRINGS = lexicon.words("cry laugh smile scream blush sigh yawn giggle sob grin weep sneeze")
_OUTBURSTS = lexicon.words("sue cry die scream sleep puke disappear vanish explode quit leave")


def _is_stirring(clause: Clause) -> bool:
    """For "Rosa cried", "I want to scream": it came and went."""
    verb, complement = clause.verb, clause.complement
    if verb is None or (clause.object is not None and clause.object.head not in {"", "first", "last"}):
        return False
    is_wish = verb.lemma == "want" and complement is not None and complement.lemma in _OUTBURSTS
    is_bare = is_wish and complement is not None and len(complement.text.split()) <= 2
    return is_bare or (verb.lemma in _STIRRINGS and verb.tense == "past")


def says_nothing(clause: Clause) -> bool:
    """For "we gotta do something", "hoping so", "my kids have": what it is about was left out or never said."""
    verb, thing, subject = clause.verb, clause.object, clause.subject
    if verb is None:
        return False
    rest = clause.rest.strip(" .!,").casefold()
    is_vague = thing is not None and verb.lemma == "do" and thing.text.casefold() in _VAGUE_OBJECTS
    has_nothing = verb.lemma in _NEEDS_OBJECT and not rest and subject is not None and not subject.is_speaker
    return leaves_out(clause) or is_vague or has_nothing or _is_of_a_doing(clause) or _is_stirring(clause)


def leaves_out(clause: Clause) -> bool:
    """For "I have to", "she does", "hoping so": what is done was said before, and is not said here."""
    verb, rest = clause.verb, clause.rest.strip(" .!,").casefold()
    is_done = verb is not None and verb.lemma == "do" and not rest and clause.object is None and not verb.is_negative
    return is_done or rest in {"so", "to", "not to", "to too", "to as well"}


def _is_of_a_doing(clause: Clause) -> bool:
    """For "Being able to help was a joy": nobody is a joy, the helping is."""
    verb = clause.verb
    if verb is None or verb.lemma != "be" or clause.subject is not None:
        return False
    before = [
        token for token in clause.tokens if token.end <= verb.start and token.tag not in {"punctuation", "interjection"}
    ]
    return bool(before) and before[0].lower.endswith("ing")


_WHEREABOUTS = deferred(
    r"(?:still |already |not )?(?:at|in) (?:work|home|school|(?:the )?office|bed|class)(?: \w{1,4})?$"
)
_HEADCOUNT = deferred(r"\b(?:people|employees|members|of us)\b")


def leans_on_the_moment(clause: Clause) -> bool:
    """For "Mehmet does", "she's here", "we're about forty people": nothing that could be said again by itself."""
    verb, complement = clause.verb, clause.complement
    rest = clause.rest.strip(" .!,").casefold()
    if verb is None or (verb.is_negative and not _WHEREABOUTS.match(rest)):
        return False
    is_we = clause.subject is not None and clause.subject.pronoun == "we" and verb.lemma == "be"
    noun = complement.noun if complement is not None else None
    is_plural = noun is not None and noun.is_plural and noun.head not in lexicon.TIME_NOUNS
    is_count = is_we and (is_plural or _HEADCOUNT.search(rest) is not None)
    if verb.lemma == "be" and _WHEREABOUTS.match(rest):
        return True
    return is_count or (verb.lemma in {"be", "live"} and rest in {"here", "there", "back", "back here"})


SKILLS = lexicon.words(
    "play speak swim drive code cook sing dance ride ski read write draw paint knit sew juggle type program surf "
    "skate sail fly bake sign whistle snowboard dive float skateboard cycle climb crochet weld solder row garden "
    "improvise yodel"
)
"""What one can do or cannot, for years."""


def is_ability(clause: Clause) -> bool:
    """For "I can't swim", "she can juggle": learned or not, and no matter of today."""
    verb = clause.verb
    return (
        verb is not None
        and verb.modal == "can"
        and verb.lemma in SKILLS
        and not {"now", "today", "tonight", "tomorrow", "currently"} & {token.lower for token in clause.tokens}
    )
