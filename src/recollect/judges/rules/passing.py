"""What is true and of no use in a month: figures of speech, empty praise, what others find, how things are just now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, privacy, relations
from recollect.judges.rules.emptiness import PRAISE, is_empty, told
from recollect.judges.rules.moments import MOODS
from recollect.judges.rules.weights import CHANGEABLE
from recollect.patterns import deferred

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun
    from recollect.judges.rules.slot_values import Slot

_MOVED = lexicon.words(
    "mesmerize impress inspire amaze touch move thrill blow surprise shock delight captivate fascinate overwhelm "
    "motivate drive intrigue encourage"
)
_EXPERTS = lexicon.words("doctor gp dentist therapist nurse surgeon specialist psychiatrist psychologist")
_STIRRED = lexicon.words(
    "excited nervous motivated relieved pumped thrilled stoked inspired supported determined psyched"
)
_SAYING = lexicon.words("say tell think believe claim joke complain reckon insist feel agree suggest")
_FAILING = lexicon.words(
    "find wait believe decide remember see sleep figure open log reach connect help imagine tell think focus recall "
    "complain handle resist"
)
_ABSTRACT = lexicon.words(
    "future actions action words community society generation generations world planet lives life hearts minds bodies "
    "ancestors leaders country nation support love efforts effort choices differences education schools beauty"
)
_COUNTLESS = deferred(
    r"(?i)\b(?:a|about a|like a|ten|a hundred)\s+(?:thousand|million|billion|zillion|gazillion)\s+(\w+)"
)
_MEASURES = lexicon.words(
    "dollars euros pounds yen rupees reais pesos kronor francs people users customers words miles kilometers "
    "kilometres steps km followers subscribers rows records inhabitants lines years square"
)
_IDIOMS = deferred(
    r"(?i)\bfingers\b|\blook(?:s|ing)? forward\b|\b(?:can['’]t|cannot|couldn['’]t) (?:stop|wait|get enough)\b"
    r"|\bemotions?\b|\b(?:on|off) my mind\b|\bover the moon\b|\bthe way\b.*\b(?:turned|came|look)"
    r"|^(?:the|its) (?:idea|acting|look|vibe|way)\b"
)
_LIKENESS = deferred(r"(?i)^like (?!it\b|this\b|that\b)")
_HABIT = deferred(r"(?i)\b(?:every|each|always|usually|often|daily|weekly|\w+days|twice a|once a|times a|most)\b")


def is_passing(clause: Clause, slot: Slot | None) -> bool:
    """Whether a statement that was understood tells nothing that anybody would ask for in a month."""
    verb = clause.verb
    if verb is None:
        return False
    if _is_figure(clause):
        return True
    if slot is not None and not _is_everybodys(clause):
        return False
    is_own = clause.subject is not None and clause.subject.pronoun in {"i", "we"}
    if clause.inner and is_own and verb.lemma in {"know", "think", "feel", "see", "realize", "realise"}:
        return is_passing(clause.inner[0], None)
    return (
        is_empty(clause)
        or _is_opinion_of_another(clause)
        or _is_everybodys(clause)
        or _is_how_it_is_now(clause)
        or _is_moved(clause)
        or _is_failing(clause)
        or _points_back(clause)
        or _takes_in(clause)
    )


def _is_figure(clause: Clause) -> bool:
    """For "a thousand dinners", "he looks like a waiter"."""
    if _IDIOMS.search(clause.text) or _IDIOMS.match(clause.rest):
        return True
    counted = _COUNTLESS.search(clause.text)
    if counted is not None and counted[1].casefold() not in _MEASURES:
        return True
    verb = clause.verb
    is_seeming = verb is not None and verb.lemma in {"look", "sound", "smell", "be", "taste"}
    kin = clause.phrases[0].noun if clause.phrases else None
    is_kin = kin is not None and (kin.relation is not None or kin.name is not None)
    return is_seeming and _LIKENESS.match(clause.rest) is not None and not is_kin


def _anchors(clause: Clause) -> bool:
    """Whether something in the clause can be looked up again: a name, a number, a date, somebody of the speaker's."""
    after = [token for token in clause.tokens if clause.verb is not None and token.start >= clause.verb.end]
    is_named = any(token.tag in {"name", "number", "handle", "url"} for token in after)
    return is_named or CHANGEABLE.search(clause.rest) is not None or _HABIT.search(clause.text) is not None


def _is_opinion_of_another(clause: Clause) -> bool:
    """For "Mum says I'm too thin", "Priyanka thinks we should go": what others find, not what is."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or subject.pronoun == "i" or not clause.inner or verb.lemma not in _SAYING:
        return False
    if subject.head in _EXPERTS or subject.relation == "doctor":
        return False
    about = clause.inner[0].subject
    return about is None or about.pronoun in {"i", "we", "you", "it", "this", "that"}


def _is_everybodys(clause: Clause) -> bool:
    """For "our kids are our future", "we make a great team", "we learn from our struggles": nobody in particular."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or _anchors(clause):
        return False
    owner = subject.owner
    is_ours = owner is not None and owner.pronoun == "we"
    if is_ours and (subject.head in _ABSTRACT or (subject.is_plural and _is_rhetoric(clause))):
        return True
    if subject.pronoun != "we" or verb.tense != "present" or verb.aspect != "simple" or verb.modal is not None:
        return False
    noun = told(clause)
    if verb.lemma == "need":
        return noun is not None and noun.head in _ABSTRACT
    return verb.lemma in {"learn", "rock", "matter", "deserve", "cherish", "grow", "face", "build", "create", "support"}


def _is_rhetoric(clause: Clause) -> bool:
    verb, noun = clause.verb, told(clause)
    is_abstract = noun is not None and noun.head in _ABSTRACT
    return verb is not None and (verb.modal in {"should", "must", "can"} or verb.lemma == "deserve" or is_abstract)


def _is_how_it_is_now(clause: Clause) -> bool:
    """For "my arm is huge", "Marguerite is fine", "my desk is an ironing board"."""
    verb, subject, complement = clause.verb, clause.subject, clause.complement
    if verb is None or verb.lemma != "be" or subject is None or complement is None or verb.is_negative:
        return False
    if subject.pronoun in {"i", "we"} and not clause.phrases and _is_mood_word(complement.text, verb.tense):
        return not privacy.HEALTH.search(clause.text)
    if clause.phrases or subject.pronoun == "i":
        return False
    if complement.kind == "adjective":
        return complement.text.casefold().split()[-1] in PRAISE
    return complement.noun is not None and _is_makeshift(subject, complement.noun)


def _is_mood_word(text: str, tense: str) -> bool:
    """For "I'm so hyped", "we were exhausted but happy", "I'm really good": how it felt, or words for nothing."""
    last = text.casefold().split()[-1].strip(",.!")
    is_unknown = last.endswith("ed") and "-" not in last and last not in lexicon.ADJECTIVES
    is_past = tense == "past" and last in MOODS
    return last in {"good", "great", "bad", "down", "all", "proud", "lucky", "hooked", "in"} or is_unknown or is_past


def _is_makeshift(subject: Noun, noun: Noun) -> bool:
    """A thing that serves as another one for now: "my desk is an ironing board"."""
    is_thing = subject.owner is not None and bool(subject.head) and subject.relation is None
    is_animal = subject.head in relations.PETS
    is_kind = noun.determiner in {"a", "an"} and noun.name is None and noun.head not in lexicon.TIME_NOUNS
    return is_thing and not is_animal and is_kind and noun.head != subject.head and noun.of is None


def _is_moved(clause: Clause) -> bool:
    """For "I was mesmerized by the castles", "I'm more excited than ever"."""
    verb = clause.verb
    if verb is None:
        return False
    first = clause.rest.casefold().split(" ")[0] if verb.lemma == "be" else ""
    stem = first.removesuffix("d").removesuffix("e") if first.endswith("ed") else ""
    is_passive = (verb.is_passive and verb.lemma in _MOVED) or (bool(stem) and {stem, f"{stem}e"} & _MOVED != set())
    if clause.subject is None or clause.subject.pronoun in {"i", "we"}:
        words = {token.lower for token in clause.tokens}
        if verb.lemma in {"be", "feel", "get"} and words & _STIRRED and not privacy.HEALTH.search(clause.text):
            return True
    return is_passive or clause.rest.casefold().rstrip(" .!").endswith("than ever")


_POINTING = lexicon.words("wear want need eat drink order see get")


def _takes_in(clause: Clause) -> bool:
    """For "I get how busy life can be", "I heard there is a lot to see", "I am not giving up"."""
    verb = clause.verb
    if verb is None:
        return False
    rest = clause.rest.casefold()
    is_got = verb.lemma in {"get", "know", "see"} and rest.startswith(
        ("how ", "what ", "the stress", "the feeling", "why ")
    )
    is_got = is_got or (verb.lemma == "get" and rest.rstrip(" .!").split(",")[0] in {"it", "that", "you"})
    is_told = verb.lemma == "hear" and rest.startswith(("there", "it", "that there"))
    return is_got or is_told or (verb.lemma == "give" and verb.particle == "up" and verb.is_negative)


def _points_back(clause: Clause) -> bool:
    """For "he never wears the hat": which hat was said before, and is not said here."""
    verb, thing = clause.verb, clause.object
    if verb is None or thing is None or verb.lemma not in _POINTING:
        return False
    is_bare = thing.determiner == "the" and not thing.modifiers and thing.name is None and thing.of is None
    return is_bare and not clause.phrases


def _is_failing(clause: Clause) -> bool:
    """For "I can't find my workbook": true until it is found."""
    verb = clause.verb
    return verb is not None and verb.modal in {"can", "could"} and verb.is_negative and verb.lemma in _FAILING
