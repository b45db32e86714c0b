"""Which clauses are facts worth keeping: statements about the speaker, their people, projects and things."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations, topics
from recollect.judges.rules.people import is_person_name, is_team

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.phrases import Noun


@dataclass(frozen=True, kw_only=True)
class Worth:
    """How sure the reader is that a clause is a fact to keep, 0 for not at all, and why."""

    confidence: float
    reason: str


NONE = 0.0
_THRESHOLD_SURE = 0.9
_LIKELY = 0.8
_HEDGES = re.compile(r"(?i)\b(?:maybe|perhaps|possibly|might|supposedly|allegedly|apparently|i guess|rumou?r|i suppose|not sure|if only)\b")
# What one says to keep a conversation going; it tells nothing about the speaker's life.
_TALK_VERBS = lexicon.words(
    "guess suppose see agree understand mean wonder bet appreciate apologize believe doubt assume reckon swear promise imagine thank ask "
    "say tell think try check paste click copy mention explain answer reply notice realize realise hear expect remember forget recall wish "
    "submit scroll figure wait listen repeat google"
)
_TALK_OBJECTS = lexicon.words("question questions help idea answer answers error favor favour issue problem problems thing look minute second moment "
                              "point doubt clue feeling sense suggestion regex example list way solution code version option explanation")
_TALK_STATES = lexicon.words(
    "sure sorry ready done right wrong back here there fine good ok okay well glad curious serious kidding joking confused lost late listening "
    "interested in impressed surprised aware welcome certain"
)
_GENERAL = lexicon.words("people someone somebody everyone everybody nobody anyone something anything everything nothing one others most many some "
                         "developers everybody men women cats dogs kids-these-days folks")
_LOCAL_THINGS = topics.WORK | lexicon.words(
    "key keys router wifi password-not spare passport remote charger umbrella toolbox ladder car bike parking gate door alarm thermostat boiler plumber fuse "
    "wedding party anniversary appointment flight trip train rent lease mortgage landlord apartment flat house office cabin garage gym class lesson choir band "
    "school daycare exam interview recital game tournament rehearsal concert dinner picnic bbq reunion funeral surgery vet visa contract insurance"
)
_CHANGEABLE = re.compile(r"(?i)\b(?:this|next|last|tomorrow|today|tonight|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april"
                         r"|may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?|noon|eod|week|month)\b")


def weigh(clause: Clause, *, known: frozenset[str], sentence: str) -> Worth:
    """Whether a clause of a user's message is a fact, for background reading."""
    if clause.type == "imperative":
        return _directive(clause)
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
    if set(clause.lead) & {"hoping", "hope", "wish", "wishing", "glad", "imagine", "pretend"} or _has_loose_lead(clause):
        return "governed"
    if _is_gerund_subject(clause):
        return "general"
    if any(token.tag == "quoted" for token in clause.tokens):
        return "quote"
    if clause.subject is not None and clause.subject.pronoun == "you":
        return "about_assistant"
    return None


def _is_gerund_subject(clause: Clause) -> bool:
    """"Sharing our stories isn't easy": the doing is the subject, not what stands before the verb."""
    subject = clause.subject
    first = next((token for token in clause.tokens if token.tag not in {"punctuation", "interjection", "adverb", "coordinator"}), None)
    if subject is None or first is None or clause.is_shared or first.form is None or "ing" not in first.form.forms or first.start > subject.start:
        return False
    return not any(token.text == "," and token.start < subject.start for token in clause.tokens)


def _has_loose_lead(clause: Clause) -> bool:
    """A noun before the subject that is no time: the clause hangs on something that was not understood."""
    start = clause.subject.start if clause.subject is not None else clause.start
    return any(item.preposition is None and item.end <= start and item.noun is not None and item.noun.head not in lexicon.TIME_NOUNS
               and item.noun.determiner is not None for item in clause.phrases)


def _is_wish(clause: Clause) -> bool:
    """"I'd love to visit …", "I would rather …": a preference, not a supposition."""
    verb = clause.verb
    return verb is not None and verb.modal == "would" and (
        (verb.lemma in {"love", "like", "prefer"} and clause.complement is not None) or "rather" in clause.adverbs
    ) and not re.search(r"(?i)\b(?:if|you|know|help|to see your|to hear)\b", clause.text)


def _about(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    if subject.pronoun is not None:
        return _pronoun(subject, clause)
    if subject.owner is not None and subject.owner.pronoun in {"you", "it"}:
        return Worth(confidence=NONE, reason="about_assistant")
    if subject.relation is not None or subject.handle is not None:
        return Worth(confidence=_THRESHOLD_SURE, reason="person") if not _is_generic_relation(subject) \
            else Worth(confidence=NONE, reason="general")
    if subject.owner is not None:
        return _owned(subject, clause, known)
    if subject.name is not None:
        return _named(subject, clause, known)
    return _thing(subject, clause)


def _is_generic_relation(subject: Noun) -> bool:
    return subject.handle is None and subject.owner is None and subject.name is None and subject.determiner in {None, "a", "an", "the", "some", "every"} \
        and subject.head not in relations.KIN_NAMES


def _pronoun(subject: Noun, clause: Clause) -> Worth:
    if subject.pronoun == "i":
        return _speaker(clause)
    if subject.pronoun == "we":
        if clause.verb is not None and clause.verb.lemma in {"talk", "discuss", "speak", "chat"} | _TALK_VERBS - {"agree", "expect"}:
            return Worth(confidence=NONE, reason="meta")
        if clause.verb is not None and (clause.verb.modal in {"can", "should"} or (clause.object is None and clause.complement is None and not clause.phrases)):
            return Worth(confidence=NONE, reason="vague")
        return Worth(confidence=_LIKELY + 0.05, reason="we")
    if subject.pronoun in {"he", "she", "they"}:
        return Worth(confidence=_LIKELY, reason="resolved_person") if clause.verb and clause.verb.lemma not in _TALK_VERBS else Worth(confidence=NONE, reason="hearsay")
    if subject.pronoun in {"nobody", "noone"} or subject.pronoun in _GENERAL:
        is_close = subject.pronoun in {"everyone", "everybody"} and clause.verb is not None and clause.verb.lemma == "call"
        return Worth(confidence=_LIKELY, reason="everyone_calls") if is_close else Worth(confidence=NONE, reason="general")
    return Worth(confidence=NONE, reason="loose_pronoun")


def _speaker(clause: Clause) -> Worth:
    verb = clause.verb
    if verb is None:
        return Worth(confidence=NONE, reason="no_verb")
    rest = clause.rest.strip()
    is_seeing = verb.lemma == "see" and verb.aspect == "progressive" and bool(rest)
    if verb.lemma in _TALK_VERBS and not is_seeing and not (verb.lemma in {"see", "hear"} and clause.object is not None and clause.object.head
                                          and clause.object.determiner in {"a", "an", "my", None} and clause.object.head not in _TALK_OBJECTS):
        return _talk(clause)
    if _speaks_to_assistant(clause):
        return Worth(confidence=NONE, reason="meta")
    if verb.lemma == "be" and not verb.is_passive:
        return _speaker_is(clause, rest)
    if verb.lemma in {"feel"}:
        return Worth(confidence=_LIKELY, reason="feeling") if rest else Worth(confidence=NONE, reason="vague")
    if not rest and verb.lemma not in {"smoke", "snore", "relapse", "volunteer", "freelance", "meditate", "drink", "commute", "retire", "knit", "ski", "surf"}:
        return Worth(confidence=NONE, reason="vague")
    if verb.modal in {"will", "going to"} and (not _has_substance(clause) or not (_CHANGEABLE.search(clause.text) or clause.phrases)):
        return Worth(confidence=NONE, reason="vague")
    if verb.modal == "able to" or (verb.lemma == "do" and re.search(r"(?i)\b(?:best|my thing|okay|ok|fine|well|great|good)\b", rest)):
        return Worth(confidence=0.6, reason="vague")
    if verb.modal == "can" and not verb.is_negative and verb.lemma not in _SKILLS:
        return Worth(confidence=0.6, reason="ability")
    if verb.lemma == "want" and verb.tense == "past":
        return Worth(confidence=0.6, reason="past_wish")
    if clause.object is not None and (clause.object.pronoun in {"it", "this", "that", "these", "those", "you", "one", "them"} or _is_deictic(clause.object)) \
            and not re.match(r"(?i)it (?:when|if|that)\b", rest):
        return Worth(confidence=NONE, reason="deictic")
    if clause.object is not None and clause.object.head in _TALK_OBJECTS and verb.lemma in {"have", "get", "need", "want", "see", "take", "find", "make", "choose"} \
            and clause.object.owner is None:
        return Worth(confidence=NONE, reason="meta")
    return Worth(confidence=_THRESHOLD_SURE, reason="speaker")


_SKILLS = lexicon.words("play speak swim drive code cook sing dance ride ski read write draw paint knit sew juggle type program surf skate sail fly bake sign whistle")


def _talk(clause: Clause) -> Worth:
    """Verbs of talk carry a fact only in what they say: "I decided that…", "I think I'm allergic…" are read from within."""
    return Worth(confidence=NONE, reason="talk")


def _speaks_to_assistant(clause: Clause) -> bool:
    text = clause.text
    if topics.TECH_TROUBLE.search(text) and clause.verb is not None and (
            clause.verb.tense != "present" or clause.verb.aspect != "simple" or clause.verb.lemma in {"get", "use", "like", "love", "prefer", "want", "need", "see", "have", "choose", "hate"}):
        return True
    return bool(re.search(r"(?i)\b(?:you|your|yours|yourself|u|ur)\b", text)) and not re.search(r"(?i)\byou know\b", text)


def _speaker_is(clause: Clause, rest: str) -> Worth:
    verb = clause.verb
    words = rest.casefold().strip(" .!").split()
    if not words:
        return Worth(confidence=NONE, reason="vague")
    if words[0] in _TALK_STATES and not (words[0] in {"good", "in", "interested", "late", "back", "lost"} and len(words) > 2 and words[1] in {"at", "in"}) and words[0] != "in":
        return Worth(confidence=NONE, reason="talk")
    feelings = {"relieved", "tempted", "pumped", "determined", "keen", "invested", "down", "proud", "grateful", "thankful", "honored", "lucky", "off", "fortunate", "swamped", "drawn", "impressed", "inspired", "blessed"}
    if feelings & set(words[:3]):
        return Worth(confidence=0.6, reason="passing_feeling")
    if words[0] in {"not"} and len(words) > 1 and words[1] in _TALK_STATES:
        return Worth(confidence=NONE, reason="talk")
    if verb is not None and verb.tense == "past" and clause.complement is not None and clause.complement.kind == "adjective" \
            and words[0] not in {"born", "married", "diagnosed", "divorced", "adopted"}:
        return Worth(confidence=0.6, reason="past_state")
    if clause.complement is not None and clause.complement.noun is not None and _is_deictic(clause.complement.noun):
        return Worth(confidence=NONE, reason="deictic")
    if clause.complement is None and clause.phrases and not _is_telling_phrase(clause):
        return Worth(confidence=0.6, reason="idiom")
    return Worth(confidence=_THRESHOLD_SURE, reason="speaker")


_STATES = lexicon.words("therapy antidepressants medication meds leave vacation holiday debt school college hospital insulin diet probation parole rehab love charge recovery "
                        "remission retirement business trouble pain shape pills")


def _is_telling_phrase(clause: Clause) -> bool:
    """Where or in what state somebody is, not a figure of speech ("over the moon", "up for it")."""
    item = clause.phrases[0]
    noun = item.noun
    if noun is None or item.preposition in {"from", "into"}:
        return True
    return noun.name is not None or bool(set(re.findall(r"\w+", noun.text.casefold())) & (_STATES | lexicon.TIME_NOUNS)) or bool(
        topics.HEALTH.search(clause.text) or topics.MONEY.search(clause.text) or topics.INTIMATE.search(clause.text)) or item.text.casefold().startswith(("under the weather", "in the "))


def _has_substance(clause: Clause) -> bool:
    words = [token.lower for token in clause.tokens if token.tag in {"word", "name", "number"}]
    thin = lexicon.words("be get let look take try check see know ask back later soon now right think do go come look wait")
    return len([word for word in words if word not in thin]) >= 1 and (
        bool(clause.phrases) or clause.object is not None) and not (clause.object is not None and _is_deictic(clause.object))


def _is_deictic(noun: Noun) -> bool:
    """Points at something in the conversation: "the second option", "this answer", "your idea"."""
    text = noun.text.casefold()
    if noun.owner is not None and noun.owner.pronoun == "you":
        return True
    if noun.determiner in lexicon.DEMONSTRATIVES and noun.head not in lexicon.TIME_NOUNS:
        return True
    return noun.determiner == "the" and bool(re.search(
        r"\b(?:first|second|third|last|other|latter|former|wrong|same|above|previous)\b.*\b(?:one|option|version|answer|idea|file|approach|draft|paragraph|thing|suggestion)\b", text))


def _owned(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    owner = subject.owner
    if owner is None or owner.pronoun in {"you", "it"}:
        return Worth(confidence=NONE, reason="about_assistant")
    if owner.pronoun in {"he", "she", "they"}:
        return Worth(confidence=_LIKELY - 0.05, reason="resolved_person")
    if subject.head in {"point", "question", "guess", "bad", "pleasure", "code", "understanding", "concern", "turn", "assumption", "hope", "problem",
                        "issue", "mistake", "fault", "essay", "prompt", "script", "wifi", "internet", "character", "avatar", "message", "question"}:
        return Worth(confidence=NONE, reason="talk")
    if owner.pronoun in {"i", "we"} or owner.relation is not None or owner.name is not None or owner.handle is not None:
        return Worth(confidence=_THRESHOLD_SURE, reason="owned")
    return Worth(confidence=NONE, reason="general")


def _named(subject: Noun, clause: Clause, known: frozenset[str]) -> Worth:
    if is_person_name(subject, known):
        name = (subject.name or "").split()[0].casefold()
        if clause.verb is not None and not _agrees_with_one(clause) and name not in lexicon.FIRST_NAMES:
            return Worth(confidence=NONE, reason="general")
        is_sure = name in lexicon.FIRST_NAMES or (subject.name or "").casefold() in known
        if not is_sure and clause.verb is not None and clause.verb.lemma == "be" and clause.complement is not None \
                and clause.complement.kind == "adjective" and not clause.phrases and clause.verb.tense == "past":
            return Worth(confidence=0.6, reason="maybe_person")
        return Worth(confidence=_THRESHOLD_SURE if is_sure else _LIKELY, reason="person")
    if "project" in subject.text.casefold():
        return Worth(confidence=_LIKELY, reason="project")
    if subject.head in topics.WORK or (subject.name or "").casefold() in topics.WORK & {"api", "ci", "qa", "staging", "prod", "production"}:
        return _thing(subject, clause)
    return Worth(confidence=NONE, reason="general")


def _agrees_with_one(clause: Clause) -> bool:
    """Whether the verb can go with one person: "Setbacks are", "Setbacks can" cannot be told to."""
    verb = clause.verb
    first = verb.text.split()[0].casefold() if verb is not None and verb.text else ""
    return first not in {"are", "have", "were", "do", "'re", "can", "could", "should", "must", "don't"} and not (
        verb is not None and verb.tense == "present" and verb.form == verb.lemma and verb.modal is None and first == verb.form and first != "be")


def _thing(subject: Noun, clause: Clause) -> Worth:
    """Things of the speaker's world that have no owner in words: the launch, the standup, the spare key."""
    words = {subject.head, *subject.modifiers, *(subject.text.casefold().split())}
    if subject.determiner is None and words & {"favorite", "favourite"}:
        return Worth(confidence=_LIKELY, reason="note")
    if is_team(subject) and subject.determiner in {"our", "my", "the"}:
        return Worth(confidence=_LIKELY, reason="team")
    if not words & _LOCAL_THINGS or subject.determiner in {"a", "an", "every", "some", "this", "that", "these", "those", "any"}:
        return Worth(confidence=NONE, reason="general")
    verb = clause.verb
    if verb is None or (verb.tense == "past" and not verb.is_passive and verb.lemma not in {"move", "change", "start", "switch", "migrate"}):
        return Worth(confidence=NONE, reason="passing")
    is_adjective = clause.complement is not None and clause.complement.kind == "adjective" and not clause.phrases
    if is_adjective or topics.TECH_TROUBLE.search(clause.text):
        return Worth(confidence=NONE, reason="passing")
    if subject.determiner is None and not (words & topics.WORK):
        return Worth(confidence=0.75, reason="thing") if _CHANGEABLE.search(clause.rest) else Worth(confidence=NONE, reason="general")
    return Worth(confidence=_LIKELY, reason="thing")


def _elided(clause: Clause) -> Worth:
    verb = clause.verb
    if verb is not None and verb.lemma in {"work", "need"} and verb.form.endswith("s") and clause.rest.strip() and clause.rest.casefold() != "for me":
        return Worth(confidence=0.75, reason="elided")
    if verb is None or verb.modal is not None or verb.is_negative or verb.lemma in _TALK_VERBS | {"make", "sound", "look", "depend", "work", "hope", "let", "go", "talk"} or not clause.rest.strip():
        return Worth(confidence=NONE, reason="talk")
    if verb.form == "been" or (clause.object is not None and clause.object.determiner is None and clause.object.owner is None and clause.object.name is None
                               and verb.tense == "past" and verb.form.endswith("ed")):
        return Worth(confidence=NONE, reason="talk")
    if verb.form.endswith("ing") and verb.tense == "present" and verb.text.split()[0].casefold() == verb.form:
        return Worth(confidence=0.72, reason="elided") if verb.lemma in {"work", "feel", "learn", "move", "plan", "train", "study", "live"} or clause.text.casefold().startswith("looking for") \
            else Worth(confidence=NONE, reason="talk")
    if _speaks_to_assistant(clause) or (clause.object is not None and (clause.object.pronoun is not None or _is_deictic(clause.object))):
        return Worth(confidence=NONE, reason="talk")
    return Worth(confidence=0.75, reason="elided")


def _directive(clause: Clause) -> Worth:
    """Orders that state how the speaker wants things: names, manner of answering, standing rules, team decisions."""
    verb = clause.verb
    if verb is None:
        return Worth(confidence=NONE, reason="no_verb")
    if verb.modal == "let's":
        is_choice = (verb.lemma != "go" or clause.rest.casefold().startswith("with ")) and verb.lemma in {"use", "go", "switch", "adopt", "pick", "choose", "stick", "drop"} and bool(clause.rest.strip())
        return Worth(confidence=_LIKELY, reason="decision") if is_choice and not re.search(r"(?i)\b(?:it|this|that|there|on)\b\s*$", clause.text) \
            else Worth(confidence=NONE, reason="talk")
    if is_standing_order(clause):
        return Worth(confidence=_LIKELY, reason="directive")
    return Worth(confidence=NONE, reason="command")


_STANDING = re.compile(r"(?i)\b(?:always|never|from now on|in (?:the )?future|don['’]?t ever|every time|whenever|going forward)\b")
_MANNER = re.compile(
    r"(?i)^(?:please |pls |also |just |could you |can you )*(?:keep|make|give|use|write|speak|talk|answer|respond|reply|be|avoid|don['’]?t use|do not use|stop using)\b.*"
    r"\b(?:answers?|replies|responses?|explanations?|brief(?:ly)?|concise(?:ly)?|short|formal(?:ly)?|casual(?:ly)?|emojis?|bullet points?|tone|metric|imperial|units|spelling|jargon|polite|"
    r"celsius|fahrenheit|kilomet\w+|in (?:english|german|french|spanish|italian))\b"
)


def is_standing_order(clause: Clause) -> bool:
    """Whether an imperative says how the speaker always wants it, not what to do now."""
    verb = clause.verb
    if verb is None:
        return False
    text = clause.text
    if verb.lemma == "call" and (clause.indirect is not None or clause.object is not None):
        person = clause.indirect or clause.object
        return person is not None and (person.pronoun == "i" or person.relation is not None) and bool(re.search(r"(?i)\bcall (?:me|my \w+) (?!when|back|later|at|if|an?\b|tomorrow|asap)\w", text))
    if _STANDING.search(text) and verb.lemma not in {"mind", "forget"}:
        return True
    return bool(_MANNER.search(text)) and not re.search(r"(?i)\b(?:this|it|that|the following|again|paragraph|sentence|text|email)\b", text)


def _fragment(clause: Clause) -> Worth:
    """"Allergic to peanuts", "so happy right now": no subject and no verb, yet about the speaker."""
    complement = clause.complement
    if clause.type == "fragment" and complement is not None and complement.kind == "adjective" and (
        complement.text.casefold().split()[-1] in {"allergic", "vegan", "vegetarian", "pregnant", "lactose-intolerant", "intolerant", "diabetic"}
        or (complement.text.casefold().split()[0] in {"happy", "tired", "exhausted", "excited", "sad", "stressed", "hungry", "sick"} and len(clause.text.split()) >= 2)
    ):
        return Worth(confidence=0.75, reason="fragment")
    return Worth(confidence=NONE, reason="fragment")
