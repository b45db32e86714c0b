"""Whether a statement is of use in a month: one decision, with the reason why not.

A statement stays when it tells something hard (a name, a number, a thing, a trade, a place, an illness), and tells it
of more than the moment or the talk. What only judges, feels, points or intends is no fact, whatever its form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import privacy
from wellkept.judges.english.slots import disposals
from wellkept.judges.english.worth.everyday import is_count_of_now, is_furniture, is_makeshift, is_praise
from wellkept.judges.english.worth.fleeting import is_advice, is_passing, is_step
from wellkept.judges.english.worth.kinds import LASTING_SLOTS
from wellkept.judges.english.worth.moments import ACHES, LASTS, is_mood
from wellkept.judges.english.worth.soft_words import ACHIEVED, EVERYDAY, FEELINGS, MOODS, PRAISE, SOFT
from wellkept.judges.english.worth.telling import WHEN, hard_words, is_anchored, is_anchored_beyond_today
from wellkept.judges.english.worth.turning_points import LIFE, is_outcome
from wellkept.judges.english.worth.weights import CHANGEABLE, is_ability
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.slots.values import Slot

_FIRM_SLOTS = ("relation:", "pet:", "date:", "schedule:", "tool:", "location:", "project:", "value:", "held:")
"""Slots that only facts fill; into likes, goals and the attributes of things any words go, empty ones too."""
_EXPERTS = lexicon.words("doctor gp dentist therapist nurse surgeon specialist psychiatrist psychologist")
_SAYING = lexicon.words("say tell think believe claim joke complain reckon insist feel agree suggest")
_TAKING_IN = lexicon.words("know think feel see realize realise")
_IDIOMS = deferred(
    r"(?i)\bfingers\b|\blook(?:s|ing)? forward\b|\b(?:can['’]t|cannot|couldn['’]t) (?:stop|wait|get enough)\b"
    r"|\bemotions?\b|\b(?:on|off) my mind\b|\bover the moon\b|\bthe way\b.*\b(?:turned|came|look)|\bmy rocks?\b"
    r"|\bbest\b.*\bever\b"
    r"|\bin the (?:moment|zone)\b"
    r"|^(?:the|its) (?:idea|acting|look|vibe|way)\b|\bkill(?:s|ed|ing)? (?:me|us|him|her|you|for)\b"
    r"|\bsecond brain\b|\bdisown\b|\b(?:is|was) (?:just |basically )?(?:me|us)\b"
    r"|\bfor a (?:walk|run|stroll|drive|swim|ride)\b|\bthrow (?:up|him|her|it|them) (?:out|on)\b"
)
_FORMULA = deferred(r"\\[(\[a-z]|\d\s*[+*/^×÷]\s*\d.*=|\w\)?\s=\s|\d°(?![CF])")
_LIKENESS = deferred(r"(?i)^like (?!it\b|this\b|that\b)")
_COUNTLESS = deferred(
    r"(?i)\b(?:a|about a|like a|ten|a hundred)\s+(?:thousand|million|billion|zillion|gazillion)\s+(\w+)"
)
_MEASURES = lexicon.words(
    "dollars euros pounds yen rupees reais pesos kronor francs people users customers words miles kilometers "
    "kilometres steps km followers subscribers rows records inhabitants lines years square"
)


def fault(clause: Clause, slot: Slot | None, *, adjuncts: Sequence[Clause] = (), asks: bool = False) -> str | None:
    """Why a statement that was understood is of no use in a month; None when it is worth keeping.

    `asks`: the message wants something done, so that what the speaker needs and tries is the task at hand.
    """
    verb = clause.verb
    if verb is None or clause.type == "imperative":
        return None
    if _is_figure(clause):
        return "figure"
    if is_advice(clause):
        return "opinion"
    is_firm = slot is not None and (slot.name in LASTING_SLOTS or slot.name.startswith((*_FIRM_SLOTS, "children")))
    if (is_firm and not _is_everybodys(clause)) or is_outcome(clause):
        return None
    is_own = clause.subject is None or clause.subject.pronoun in {"i", "we"}
    if verb.lemma in {"love", "like", "enjoy"} and clause.rest.casefold().startswith(("how ", "the way ", "that ")):
        return "opinion"
    if verb.lemma == "hear" and not verb.is_negative and verb.modal is None:
        return "hearsay"
    if clause.inner and is_own and verb.lemma in _TAKING_IN:
        return fault(clause.inner[0], None)
    is_worry = verb.lemma in {"be", "feel"} and _WORRY.match(clause.rest) is not None
    if (privacy.HEALTH.search(clause.text) and not is_worry) or disposals.ended(clause) in disposals.STATES:
        return None
    checks = {
        "vague": _is_vague(clause),
        "everybody": _is_everybodys(clause),
        "opinion": _is_opinion_of_another(clause),
        "feeling": not _is_taste(slot) and _is_feeling(clause),
        "makeshift": is_makeshift(clause),
        "count": is_count_of_now(clause),
        "praise": is_praise(clause),
        "furniture": is_own and is_furniture(clause),
        "passing": is_passing(clause),
        "help": (is_own and _seeks_help(clause, asks=asks)) or (asks and is_step(clause)),
        "intention": is_own and _is_intention(clause),
        "occasion": not adjuncts and _is_occasion(clause),
        "pointing": _points_back(clause),
    }
    return next((reason for reason, holds in checks.items() if holds), None)


_WORRY = deferred(r"(?i)(?:\w+ ){0,3}(?:anxious|stressed|depressed|worried|nervous) (?:about|to|that|if)\b")


def _is_taste(slot: Slot | None) -> bool:
    return slot is not None and slot.name.startswith(("likes", "dislikes", "favorite:"))


# What it tells


def _is_vague(clause: Clause) -> bool:
    """For "we had a great time", "I took the plunge", "my friends keep me going": nothing in it is hard."""
    if clause.subject is not None and (clause.subject.head in ACHES or _is_plain_mood(clause)):
        return False
    if is_ability(clause):
        return False
    if clause.inner and not clause.object:
        return all(_is_vague(inner) for inner in clause.inner)
    is_fun = clause.verb is not None and clause.verb.lemma == "have" and _FUN.match(clause.rest) is not None
    if clause.rest.strip(" .!").casefold() in {"through", "along", "forward", "ahead"}:
        return True
    if is_fun and not is_anchored(clause):
        return True
    # "Adeel loves it", where it is known what "it" is.
    is_known = clause.object is not None and bool(clause.object.head) and clause.object.text not in clause.text
    return not is_known and next(hard_words(clause), None) is None and not _is_of_relation(clause)


_FUN = deferred(r"(?i)(?:so much |a lot of |such |lots of )?(?:an? )?(?:\w+ )?(?:fun|blast|time|ball|laugh)\b")


def _is_of_relation(clause: Clause) -> bool:
    """Whether somebody of the speaker's is named by what they are: "she's my friend", "I have kids"."""
    thing = clause.object or (clause.complement.noun if clause.complement is not None else None)
    verb = clause.verb
    return verb is not None and verb.lemma in {"be", "have"} and thing is not None and thing.relation is not None


# What it is about


def _is_figure(clause: Clause) -> bool:
    """For "a thousand dinners", "he looks like a waiter"."""
    if _IDIOMS.search(clause.text) or _IDIOMS.match(clause.rest) or _FORMULA.search(clause.text):
        return True
    if _is_overdone(clause):
        return True
    counted = _COUNTLESS.search(clause.text)
    if counted is not None and counted[1].casefold() not in _MEASURES:
        return True
    verb = clause.verb
    if verb is not None and verb.lemma == "call" and clause.rest.casefold().startswith(("himself ", "herself ")):
        return True
    is_seeming = verb is not None and verb.lemma in {"look", "sound", "smell", "be", "taste"}
    kin = clause.phrases[0].noun if clause.phrases else None
    is_kin = kin is not None and (kin.relation is not None or kin.name is not None)
    return is_seeming and _LIKENESS.match(clause.rest) is not None and not is_kin


_OVERDOING = lexicon.words("basically practically literally officially technically virtually")
_DEAD = lexicon.words("dead deceased dying screaming crying shook doomed finished immortal")
_INNER = lexicon.words("family life soul heart brain head body face mind blood stomach")


def _is_overdone(clause: Clause) -> bool:
    """For "I'm basically a national hero", "I am deceased", "my family is just water": nobody means that."""
    verb, subject, complement = clause.verb, clause.subject, clause.complement
    if verb is None or verb.lemma != "be" or subject is None or complement is None:
        return False
    words = clause.rest.casefold().strip(" .!").split()
    said = {token.lower for token in clause.tokens if subject.end <= token.start < complement.start} | set(words[:1])
    is_noun = complement.kind == "noun" and not any(token.tag == "number" for token in clause.tokens)
    if subject.pronoun == "i" and words and words[-1] in _DEAD and len(words) <= 2:
        return True
    if (
        subject.pronoun == "i"
        and verb.is_negative
        and complement.noun is not None
        and complement.noun.determiner == "the"
    ):
        return True  # "I am not the Prime Minister"
    is_inner = subject.head in _INNER and complement.noun is not None and complement.noun.determiner is None
    is_mass = is_inner and complement.noun is not None and not complement.noun.name and not complement.noun.is_plural
    return is_noun and (bool(said & _OVERDOING) or (is_mass and bool(said & {"just", "all", "pure"})))


def _is_everybodys(clause: Clause) -> bool:
    """For "our kids are our future", "our stories deserve to be told": of nobody in particular."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or subject.owner is None or subject.owner.pronoun != "we":
        return False
    is_of_soft = subject.head in SOFT and subject.relation is None
    return not is_anchored(clause) and (is_of_soft or (subject.is_plural and _preaches(clause)))


def _preaches(clause: Clause) -> bool:
    verb = clause.verb
    is_urging = verb is not None and (verb.modal in {"should", "must", "can"} or verb.lemma == "deserve")
    thing = clause.object or (clause.complement.noun if clause.complement is not None else None)
    return is_urging or (thing is not None and (thing.head in SOFT or thing.pronoun == "we"))


def _is_opinion_of_another(clause: Clause) -> bool:
    """For "Mum says I'm too thin", "Priyanka thinks we should go": what others find, not what is."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or subject.pronoun == "i" or not clause.inner or verb.lemma not in _SAYING:
        return False
    if subject.head in _EXPERTS or subject.relation == "doctor":
        return False
    about = clause.inner[0].subject
    return about is None or about.pronoun in {"i", "we", "you", "it", "this", "that"}


def _is_plain_mood(clause: Clause) -> bool:
    """For "I'm exhausted": an observation of today, which the type gives its short life."""
    verb = clause.verb
    words = [word.strip(",.!") for word in clause.rest.casefold().split()]
    is_now = verb is not None and verb.tense == "present" and is_mood(clause, clause.text)
    if clause.subject is None or clause.subject.pronoun != "i":
        return False
    return is_now and bool(MOODS - _STIRRED & set(words)) and all(_tells_mood(word) for word in words)


_MADE = deferred(r"(?i)(?:me|us) (?:\w+ )?\w+(?:ed|ing)(?: and \w+(?:ed|ing)?)?\W*$")
"""For "keeps me grounded", "keeps us going"."""
_STIRRED = lexicon.words("excited stoked thrilled bummed swamped busy")
"""Moods that come with the talk and go with it."""


def _tells_mood(word: str) -> bool:
    return word in MOODS or word in _DEGREES or word in {"today", "tonight", "now", "right", "again", "lately"}


_MOVING = lexicon.words(
    "mesmerize impress inspire amaze touch move thrill blow surprise shock delight captivate fascinate overwhelm "
    "motivate drive intrigue encourage"
)


_BEING_SO = frozenset(("starve", "freeze", "boil", "melt", "buzz"))


def _is_feeling(clause: Clause) -> bool:
    """For "I felt so accepted", "the kids are excited about summer", "it keeps me going", "my arm is huge"."""
    verb, subject = clause.verb, clause.subject
    if verb is None:
        return False
    words = [word.strip(",.!'’") for word in clause.rest.casefold().split()]
    if verb.lemma == "feel":
        return not _is_plain_mood(clause)
    if verb.lemma in _BEING_SO and verb.aspect == "progressive" and clause.object is None:
        return True
    if verb.lemma == "be" and words[:1] == ["to"] and verb.tense == "past" and subject is not None:
        return subject.is_person  # the "I was to see you" of "how glad I was to see you"
    if (verb.is_passive and verb.lemma in _MOVING) or (verb.lemma in {"keep", "make"} and _MADE.match(clause.rest)):
        return True
    if verb.lemma not in {"be", "get", "seem", "become", "stay", "remain", "keep"} or verb.is_negative:
        return words[-2:] == ["than", "ever"]
    complement = clause.complement
    if complement is not None and complement.kind == "adjective" and (not clause.phrases or verb.lemma == "seem"):
        return complement.text.casefold().split()[-1] in PRAISE or _is_moved(clause, words)
    return _is_moved(clause, words)


def _is_moved(clause: Clause, words: list[str]) -> bool:
    """Whether the first word that is no degree says what a person feels."""
    subject = clause.subject
    if subject is not None and subject.head and subject.relation is None and subject.pronoun is None:
        return False  # "the hearing got moved"
    said = next((word for word in words if word not in _DEGREES and not word.endswith("ly")), "")
    is_entered = said == "accepted" and clause.verb is not None and clause.verb.lemma == "get"
    if is_entered or (said in {"scared", "afraid", "terrified"} and "of" in words):
        return False  # "scared of heights" is a trait
    stem = said.removesuffix("d").removesuffix("e") if said.endswith("ed") else ""
    verb = clause.verb
    is_past = verb is not None and verb.lemma == "be" and verb.tense == "past" and not verb.is_passive
    if is_past and said.endswith("ed") and subject is not None and subject.pronoun in {"i", "we"}:
        return True
    is_moved = said in FEELINGS or (bool(stem) and bool({stem, f"{stem}e"} & _MOVING))
    return is_moved and not _is_plain_mood(clause)


_DEGREES = lexicon.words(
    "so very really super pretty quite too kinda kind of sort a bit little totally just also even more such truly "
    "always all the most still instantly definitely feeling getting doing doin not extremely incredibly absolutely "
    "completely"
)


# What the speaker is about


_TROUBLE = deferred(
    r"(?i)(?:a lot of |some |so much |no |a bit of )?(?:trouble|difficult(?:y|ies)|a (?:hard|tough) time|problems?"
    r"|issues?|help|doubts|questions?|concerns?)\b(?! (?:sleeping|breathing|walking|hearing|seeing|swallowing))"
)
_FAILING = lexicon.words(
    "find wait believe decide remember see sleep figure open log reach connect help imagine tell think focus recall "
    "complain handle resist"
)


def _seeks_help(clause: Clause, *, asks: bool) -> bool:
    """For "I'm having trouble with my code", "I can't find my workbook", "I need to sort this list, can you …?"."""
    verb, complement = clause.verb, clause.complement
    if verb is None:
        return False
    if verb.modal in {"can", "could"} and verb.is_negative and verb.lemma in _FAILING:
        return True
    if verb.lemma in {"have", "get", "need"} and _TROUBLE.match(clause.rest):
        return True
    if verb.lemma == "struggle" and clause.rest.casefold().startswith(("with ", "to ")):
        return True
    if verb.lemma == "figure" and verb.particle == "out":
        return True
    is_wanting = verb.lemma in {"need", "want", "try", "aim", "hope"} or verb.modal == "need to"
    wanted = verb.lemma if verb.modal == "need to" else complement.lemma if complement is not None else None
    return asks and is_wanting and wanted is not None and wanted not in LIFE and not WHEN.search(clause.text)


_UNDECIDED = lexicon.words("consider decide debate wonder think contemplate")
_RESOLVING = lexicon.words("keep continue try strive make give do work stay remain be help use share bring look")


def _is_intention(clause: Clause) -> bool:
    """For "I'm going to keep using my voice", "I'll do my best", "I want to be brave for my family": no plan yet."""
    verb, complement = clause.verb, clause.complement
    if verb is None:
        return False
    if (verb.modal in {"will", "going to"} or verb.tense == "future") and clause.rest.casefold().startswith("sure"):
        return True
    if is_anchored(clause):
        return False
    if verb.modal in {"will", "going to"} or verb.tense == "future":
        return verb.lemma in _RESOLVING | EVERYDAY and not _is_achieved(clause)
    if verb.lemma in _UNDECIDED and verb.aspect.endswith("progressive"):
        return complement is None or complement.lemma not in LIFE
    is_wish = verb.lemma in {"want", "hope", "aim", "plan"} and complement is not None
    return is_wish and complement is not None and complement.lemma in {"be", "keep", "feel", "continue", "stay"}


_ENTERING = lexicon.words("get go start move")
"""For "I got into university"."""


def _is_achieved(clause: Clause) -> bool:
    """Whether the clause names what changes a life or is had for years."""
    thing = clause.object or (clause.complement.noun if clause.complement is not None else None)
    words = set(thing.text.casefold().split()) if thing is not None else {token.lower for token in clause.tokens}
    if thing is None and clause.verb is not None and clause.verb.lemma not in _ENTERING:
        words = set()
    return bool(ACHIEVED & words or ACHIEVED & {word.removesuffix("s") for word in words}) or any(
        pattern.search(clause.text) is not None for pattern in (privacy.MONEY, privacy.INTIMATE)
    )


def _is_occasion(clause: Clause) -> bool:
    """For "we got pizza later", "I went on a hike": done on some day, with no day and nobody named."""
    verb = clause.verb
    if (
        verb is None
        or verb.modal not in {None, "got to", "have to"}
        or verb.lemma not in EVERYDAY
        or verb.is_negative
        or verb.is_passive
    ):
        return False
    if verb.lemma in {"start", "stop"} and clause.complement is not None:
        return False  # "I started taking drum lessons" goes on
    after = next((token for token in clause.tokens if token.start >= verb.end and token.tag != "adverb"), None)
    if verb.lemma == "get" and after is not None and after.form is not None and "participle" in after.form.forms:
        return False  # "I got promoted"
    if verb.lemma in {"have", "get"} and clause.object is not None and clause.object.relation is not None:
        return False  # "I've got two brothers"
    is_done = verb.tense == "past" or verb.aspect == "perfect"
    is_lasting = LASTS.search(clause.text) is not None or is_anchored_beyond_today(clause)
    return is_done and not is_lasting and not _is_achieved(clause)


def _points_back(clause: Clause) -> bool:
    """For "he never wears the hat": which hat was said before, and is not said here."""
    verb, thing = clause.verb, clause.object
    if verb is None or thing is None or clause.phrases or CHANGEABLE.search(clause.rest):
        return False
    is_next_to = thing.determiner == "the" and bool({"other", "same"} & set(thing.modifiers))
    if _is_bare(thing) and thing.head in {"smell", "taste", "texture", "noise", "sound", "look", "thought"}:
        return True  # "I can't stand the smell"
    return is_next_to or (_is_bare(thing) and verb.lemma in _POINTING)


def _is_bare(thing: Noun) -> bool:
    return thing.determiner == "the" and not thing.modifiers and thing.name is None and thing.of is None


_POINTING = lexicon.words(
    "wear want need eat drink order see get find like love enjoy hate climb scratch fix break open close clean wash "
    "kick chase bite throw"
)
