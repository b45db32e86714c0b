"""Statements without a content: great times, difference made, trouble with a task, talk with somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, privacy
from recollect.judges.rules.people import nouns_of
from recollect.judges.rules.weights import CHANGEABLE
from recollect.patterns import deferred

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun

_LIGHT = lexicon.words("have get make take do be enjoy share give go keep end feel find see bring form build gain")
_EMPTY = lexicon.words(
    "time times blast fun day night evening moment moments laugh laughs experience experiences adventure ride journey "
    "regrets thoughts doubts feelings difference impact plunge progress sense point memories best mess ball hoot luck "
    "plenty way ways lot idea ideas vibe vibes energy change changes team creative reason reasons clue hope strength "
    "power urge connection connections joy happiness good part mind stuff things insight insights perspective "
    "inspiration attitude mindset back week courage determination spirit gains feedback trouble difficulty options"
)
"""Nouns that judge and do not tell: what was a great time or a wild ride is not said."""
PRAISE = lexicon.words(
    "fine ok okay alright well good great nice amazing awesome wonderful lovely cool cute huge tiny big small cold hot "
    "messy dirty clean tidy full empty slow loud quiet weird funny gross delicious tasty adorable sweet perfect "
    "beautiful gorgeous crazy insane ridiculous hilarious impressive incredible"
)
_NOTHING_SAID = lexicon.words("some any another others more something anything stuff")
"""An object that was left out or never said: "we're brainstorming some", "I did something new"."""
_SOMEONE = lexicon.words("someone somebody people everyone everybody strangers")
_UNSAID_WORK = deferred(
    r"(?i)on (?:an?|some|this|that|the|one) (?:\w+ )?(?:projects?|things?|stuff|one)\b\W*(?:lately|recently|now)?\W*$"
)
_IDLE = deferred(
    r"(?i)(?:an? |such an? |quite an? |the )?(?:\w+ )?(?:week|day|night|morning|month|year|weekend)\b[ .!]*$"
    r"|(?:a lot of |some |so much |no )?(?:trouble|difficulty|a hard time|problems) \w+ing\b"
    r"|(?:two|three|several) options"
)
_STEADY = lexicon.words("positive strong calm motivated focused hopeful optimistic busy safe true sane humble")
_ON_ONESELF = lexicon.words("challenge push enjoy treat remind tell")


def told(clause: Clause) -> Noun | None:
    """What the verb is about: its object, or what completes it."""
    return clause.object or (clause.complement.noun if clause.complement is not None else None)


def is_empty(clause: Clause) -> bool:
    """For "we had a great time", "I took the plunge", "I've been busy", "we ended up laughing"."""
    if clause.verb is None:
        return False
    words = clause.rest.casefold().strip(" .!").split()
    if _says_not_what(clause, words) or _is_idle(clause, words):
        return True
    if _is_named(clause) or is_anchored(clause):
        return not _is_named(clause) and _judges(clause)
    return _judges(clause) or _leads_nowhere(clause, words) or _is_unspecific(clause, words)


_LASTING = deferred(
    r"(?i)\b(?:every|each(?! other)|always|usually|often|never|daily|weekly|since|years?|\w+days|twice|times a)\b"
)


def is_anchored(clause: Clause) -> bool:
    """Whether a time or a habit makes it something to look up again."""
    return CHANGEABLE.search(clause.rest) is not None or _LASTING.search(clause.text) is not None


_ANYTHING = lexicon.words(
    "event events place places thing things story stories stuff ideas idea fun goals goal dreams dream tour trip game "
    "games something somewhere progress stress balance routine moments moment names collection people folks others "
    "trial error challenge challenges hurdle life world worlds way ways bit lot option options experience connection"
)
_VAGUE = PRAISE | lexicon.words(
    "new big old little few different other whole more great wild fun interesting special own"
)
_FILLER = lexicon.words(
    "a an the some lot lots hard out up a-lot so much really just also bit little more well together"
)


def _is_unspecific(clause: Clause, words: list[str]) -> bool:
    """For "I went to an event", "we hang out a lot", "I've been practicing hard": which one, or what, is not said."""
    verb = clause.verb
    if verb is None or verb.is_negative or clause.inner or verb.lemma in {"be", "become", "seem"}:
        return False
    if clause.subject is not None and clause.subject.pronoun not in {"i", "we"}:
        return False
    if words and all(word.strip(",") in _FILLER for word in words):
        return True
    nouns = [noun for noun in nouns_of(clause) if noun.start >= verb.end]
    if any(noun.owner is not None or noun.relation is not None or set(noun.modifiers) - _VAGUE for noun in nouns):
        return False
    if clause.complement is not None and clause.complement.kind in {"infinitive", "gerund", "adjective"}:
        return False
    heads = [noun.head for noun in nouns if noun.head]
    return bool(heads) and all(head in _ANYTHING for head in heads)


def _is_named(clause: Clause) -> bool:
    start = clause.verb.end if clause.verb is not None else clause.start
    said = (token for token in clause.tokens if token.start >= start)
    return any(token.tag in {"name", "number"} and token.lower != "one" for token in said)


def _says_not_what(clause: Clause, words: list[str]) -> bool:
    """For "I did something new", "we're brainstorming some", "I loved doing something similar"."""
    noun = told(clause)
    is_verbal = clause.complement is not None and clause.complement.kind in {"gerund", "infinitive"}
    gerund = clause.complement.noun if clause.complement is not None and is_verbal else None
    if gerund is not None and gerund.text.casefold().split()[0] in {"something", "anything", "stuff"}:
        return True
    is_unsaid = noun is not None and noun.text.casefold() in _NOTHING_SAID
    return is_unsaid and (len(words) == 1 or words[1] in {"to", "new", "similar", "like", "else", "different"})


def _judges(clause: Clause) -> bool:
    """For "we had a great time": the noun only says how it was."""
    verb, noun = clause.verb, told(clause)
    if clause.indirect is not None and clause.indirect.head in _EMPTY:
        noun = clause.indirect
    if verb is None or noun is None or verb.lemma not in _LIGHT or noun.head not in _EMPTY or noun.of is not None:
        return False
    is_when = verb.lemma == "be" and noun.head in lexicon.TIME_NOUNS
    return not is_when and not any(item.preposition in {"about", "off"} for item in clause.phrases)


def _is_idle(clause: Clause, words: list[str]) -> bool:
    """For "I've been busy", "I had a wild week", "I feel great", "I talk a lot"."""
    verb = clause.verb
    if verb is None:
        return False
    if verb.lemma in _ON_ONESELF and words[:1] in (["myself"], ["ourselves"]):
        return True
    if "busy" in words[:3] and verb.lemma in {"be", "keep", "stay"}:
        return not CHANGEABLE.search(clause.rest)
    if verb.lemma in {"have", "get"} and _IDLE.match(clause.rest):
        return True
    if verb.lemma == "be" and clause.rest.casefold().startswith(("having fun", "having so much fun", "having a blast")):
        return True
    if verb.lemma == "work" and _UNSAID_WORK.match(clause.rest):
        return True
    if verb.lemma == "feel":
        return _feels_nothing(clause, words)
    is_talk = verb.lemma in {"talk", "chat", "say", "laugh", "smile", "cry"}
    return is_talk and verb.tense == "present" and words[:2] in ([], ["a", "lot"], ["too", "much"])


def _leads_nowhere(clause: Clause, words: list[str]) -> bool:
    """For "we ended up laughing", "I stay positive", "I talked to someone", "we have each other's back"."""
    verb = clause.verb
    if verb is None:
        return False
    if verb.lemma == "end" and verb.particle == "up":
        return clause.complement is not None and clause.complement.kind == "gerund"
    if verb.lemma in {"stay", "remain", "keep"} and words[:1] and words[0].strip(",") in _STEADY:
        return True
    if verb.lemma in {"talk", "chat", "speak", "meet"} and any(word in _SOMEONE for word in words):
        return True
    is_vain = _is_stuck(clause, words) or "each other" in clause.rest.casefold() or _aims_at_nothing(clause)
    return is_vain and not privacy.HEALTH.search(clause.text)


def _is_stuck(clause: Clause, words: list[str]) -> bool:
    """For "I'm struggling to find the answer", "I'm getting stuck": what the help is asked for, not the life."""
    verb, complement = clause.verb, clause.complement
    if verb is None:
        return False
    is_to_do = complement is not None and complement.kind in {"infinitive", "gerund"}
    return (verb.lemma == "struggle" and is_to_do) or (verb.lemma == "get" and words[:1] == ["stuck"])


def _aims_at_nothing(clause: Clause) -> bool:
    """For "I'm determined to make a difference"."""
    nouns = [clause.complement.noun if clause.complement is not None else None, *(item.noun for item in clause.phrases)]
    return any(
        noun is not None and noun.head in {"difference", "impact", "memories", "goals", "dreams"} for noun in nouns
    )


def _feels_nothing(clause: Clause, words: list[str]) -> bool:
    is_praise = bool(words) and words[-1 if len(words) < 3 else 0].strip(",") in PRAISE | {"relieved", "optimistic"}
    noun = told(clause)
    is_thing = noun is not None and noun.determiner is not None and not privacy.HEALTH.search(clause.text)
    return is_praise or is_thing
