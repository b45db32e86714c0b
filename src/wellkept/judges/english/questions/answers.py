"""Answers from memory alone: which facts hold what is asked, said to the asker; else that it is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from wellkept.judges.base import Answer, Fact, Question
from wellkept.judges.english.grammar import language, lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.others import had_by_others, is_asked_for
from wellkept.judges.english.questions import concepts, foreign
from wellkept.judges.english.questions.asked import Asked
from wellkept.judges.english.questions.bonds import ASKER, Bond, bonds, is_about, names_of, same_name
from wellkept.judges.english.questions.frames import Frame, Holder, frames, same_relation
from wellkept.judges.english.questions.matching import (
    NAMING,
    Match,
    Setting,
    contrasts,
    covers,
    gives,
    is_noun,
    is_whole,
    matches,
)
from wellkept.judges.english.questions.news import news
from wellkept.judges.english.questions.parse import analyse
from wellkept.judges.english.questions.voice import to_second_person

UNKNOWN = "I don't know."
FACTS_MAX = 20
# Learned on the train half of evals/answers: over these, 7 answers were right and none was wrong.
SIMILARITY_MIN = 0.40
MARGIN_MIN = 0.11


def answer(question: Question, facts: Sequence[Fact], *, now: datetime) -> Answer:
    """What the facts say to the question, in plain sentences to the asker; without memories when they do not."""
    spoken = language.guess(question.text)
    if spoken != "en":
        return foreign.answer(question.text, spoken, facts) or Answer(text=UNKNOWN)
    asked = analyse(question.text)
    facts, known = tuple(facts), bonds(facts)
    setting = Setting(asked=_introduced(asked, known), known=known, now=now, slot=question.slot)
    is_wished = question.slot is not None and any(fact.memory.fact_key == question.slot for fact in facts)
    is_name = asked.holder.kind == "asker" and {concepts.lemma(word) for word in asked.words} == {"name"}
    if question.asker and is_name and not is_wished:
        return _own_name(question.asker, facts)
    if asked.kind == "everything":
        return _everything(setting, facts)
    if asked.kind == "name":
        named = _name(setting, facts)
        if named is not None:
            return named
    if asked.kind == "identity":
        return _identity(setting, facts)
    if asked.kind in ("happened", "doing"):
        return _joined(setting, news(setting, facts)) if news(setting, facts) else Answer(text=UNKNOWN)
    found = _matched(setting, facts)
    is_own = asked.holder.kind == "asker" or (asked.holder.kind == "thing" and asked.is_own)
    told = foreign.of_slot(question.slot, facts) if question.slot and is_own and not found.memory_ids else []
    return foreign.quoted(told) if told else found


def _introduced(asked: Asked, known: Sequence[Bond]) -> Asked:
    """Without the words that another fact has answered: who "my piano teacher" is, is said where she is called so."""
    said = asked.holder.words
    if not said or not any(_has_words(bond, asked) for bond in names_of(asked.holder, known)):
        return asked
    return replace(asked, words=tuple(word for word in asked.words if word not in said))


def _own_name(asker: str, facts: Sequence[Fact]) -> Answer:
    used = [fact.memory.id for fact in facts if "the user" in fact.memory.content.casefold()]
    return Answer(text=f"Your name is {asker}.", memory_ids=tuple(used[:1]))


def _say(setting: Setting, text: str, fact: Fact) -> str:
    """A statement to the asker; a bare name gets the relation by which the question asked for it."""
    said = to_second_person(text)
    relation = setting.asked.holder.relation
    if relation and setting.asked.holder.of is None and relation not in said.casefold():
        for bond in names_of(setting.asked.holder, setting.known):
            is_subject = said.startswith((f"{bond.name} ", f"{bond.name}'s "))
            if is_subject and (bond.fact is fact or not setting.asked.holder.name):
                return f"Your {bond.word} {said}"
    return said


def _joined(setting: Setting, matches: Sequence[Match]) -> Answer:
    sentences: list[str] = []
    ids: list[str] = []
    for match in matches:
        said = _say(setting, match.text, match.fact)
        if said not in sentences:
            sentences.append(said)
        if match.fact.memory.id not in ids:
            ids.append(match.fact.memory.id)
    return Answer(text=" ".join(sentences), memory_ids=tuple(ids))


def _everything(setting: Setting, facts: Sequence[Fact]) -> Answer:
    asked = setting.asked
    found: list[Match] = []
    for fact in facts:
        texts = [text for text, frame in frames(fact.memory.content) if _belongs(setting, frame, fact)]
        if texts:
            whole = fact.memory.content
            frame = frames(whole)[0][1]
            found.append(Match(fact=fact, text=whole, frame=frame, order=(0, 0, 0)))
    if not found or (asked.holder.kind == "thing" and not asked.words):
        return Answer(text=UNKNOWN)
    return _joined(setting, found[:FACTS_MAX])


def _belongs(setting: Setting, frame: Frame, fact: Fact) -> bool:
    asked = setting.asked
    if asked.words and asked.holder.kind == "asker" and not any(covers(frame.keys, word) for word in asked.words):
        return False  # "my trip" is one thing of theirs
    if asked.holder.kind == "asker":
        is_own = ASKER in [name.casefold() for name in fact.subjects]
        return is_own or is_about(asked.holder, frame, fact, known=setting.known)
    if asked.holder.kind == "thing":
        return all(covers(frame.keys, word) for word in asked.words)
    known = (bond.name for bond in names_of(asked.holder, setting.known))
    names = [name for name in (asked.holder.name, *known) if name]
    if any(same_name(name, subject) for name in names for subject in fact.subjects):
        return True
    return is_about(asked.holder, frame, fact, known=setting.known)


def _name(setting: Setting, facts: Sequence[Fact]) -> Answer | None:
    """Who somebody is that the question knows by relation: said as the fact says it, or put together from it."""
    asked = setting.asked
    said = [match for match in matches(setting, facts) if _states_name(match.frame)]
    if said:
        return _joined(setting, said[:1])
    found = [bond for bond in names_of(asked.holder, setting.known) if _has_words(bond, asked)]
    if asked.holder.of is not None:
        had = [one for one in had_by_others(facts) if is_asked_for(asked.holder, one, setting.known)]
        return _joined(setting, [one.match for one in had]) if had else None
    if not found:
        return Answer(text=UNKNOWN)
    is_name = any(concepts.lemma(word) in NAMING for word in asked.words)
    listing = _listing(found)
    if listing is not None:
        return Answer(text=to_second_person(listing.fact.memory.content), memory_ids=(listing.fact.memory.id,))
    sentences, ids, names = [], [], set()
    for bond in found:
        if bond.name.casefold() in names:
            continue
        names.add(bond.name.casefold())
        sentences.append(f"Your {bond.word}'s name is {bond.name}." if is_name else f"Your {bond.word} is {bond.name}.")
        ids.append(bond.fact.memory.id)
    return Answer(text=" ".join(sentences), memory_ids=tuple(dict.fromkeys(ids)))


def _listing(found: Sequence[Bond]) -> Bond | None:
    """The fact that names all of them at once, when there are several."""
    names = {bond.name.casefold() for bond in found}
    for bond in found:
        if len(names) > 1 and all(name in bond.fact.memory.content.casefold() for name in names):
            return bond
    return None


def _has_words(bond: Bond, asked: Asked) -> bool:
    content = bond.fact.memory.content.casefold()
    return all(word in content for word in asked.holder.words)


def _states_name(frame: Frame) -> bool:
    """Whether the statement says who somebody is and nothing else."""
    verb = frame.clause.verb
    complement = frame.clause.complement.noun if frame.clause.complement else None
    bare = complement is not None and complement.name is not None and not complement.head
    if verb is None:
        return False
    return (verb.lemma == "be" and bare) or (verb.lemma in ("call", "name") and bool(frame.names))


def _identity(setting: Setting, facts: Sequence[Fact]) -> Answer:
    """Who a named person is: what they are to the asker, else what a fact says they are."""
    asked = setting.asked
    equations: list[Match] = []
    for fact in facts:
        for text, frame in frames(fact.memory.content):
            verb = frame.clause.verb
            is_theirs = is_about(asked.holder, frame, fact, known=setting.known)
            if is_theirs and verb is not None and verb.lemma == "be" and not verb.is_negative and is_whole(frame):
                equations.append(Match(fact=fact, text=text, frame=frame, order=(0, 0, 0)))
    related = [one for one in equations if one.frame.holder.relation and is_noun(one.frame)]
    if related:
        return _joined(setting, related[:1])
    had = [one for one in had_by_others(facts) if same_name(one.name, asked.holder.name)]
    if had:
        return _joined(setting, [had[0].match])
    bond = next((one for one in setting.known if same_name(one.name, asked.holder.name)), None)
    trade = next((one for one in equations if is_noun(one.frame)), None)
    if bond is not None and trade is not None and trade.text.startswith(bond.name):
        said = _joined(setting, [trade])
        if bond.word in said.text.casefold():
            return said
        return Answer(text=f"Your {bond.word} {said.text}", memory_ids=said.memory_ids)
    if bond is not None:
        return Answer(text=f"{bond.name} is your {bond.word}.", memory_ids=(bond.fact.memory.id,))
    if equations:
        return _joined(setting, equations[:1])
    told = _told_of(asked.holder.name or "", facts)
    return Answer(text=UNKNOWN) if told is None else _joined(setting, [told])


def _told_of(name: str, facts: Sequence[Fact]) -> Match | None:
    """The statement that tells most of who somebody is: the one that gives the name, else one that has it."""
    if not name:
        return None
    given, told = (
        re.compile(rf"(?<!\w){before}{re.escape(name)}(?!\w)", re.IGNORECASE) for before in (r"(?:named|called) ", "")
    )
    for pattern in (given, told):
        for fact in facts:
            for text, frame in frames(fact.memory.content):
                if pattern.search(text) and is_whole(frame):
                    return Match(fact=fact, text=text, frame=frame, order=(0, 0, 0))
    return None


def _matched(setting: Setting, facts: Sequence[Fact]) -> Answer:
    asked = setting.asked
    found = matches(setting, facts)
    if not found:
        return _by_bond(setting) or _by_diet(setting, facts) or _by_meaning(setting, facts) or Answer(text=UNKNOWN)
    if NAMING & {concepts.lemma(word) for word in asked.words}:
        return _called(setting, found[0])
    if asked.kind == "yes_no":
        best = found[0]
        said = _joined(setting, [best])
        if asked.choices:
            return said
        subject = best.frame.clause.subject
        if (
            asked.verb in ("have", "do", "own", "get")
            and subject is not None
            and subject.name
            and subject.head
            and not best.is_opposite
        ):
            # That it has a name says that there is one; what else is told of it was not asked.
            return Answer(text=f"Yes. Your {subject.head}'s name is {subject.name}.", memory_ids=said.memory_ids)
        is_no = best.is_opposite != (best.frame.is_negative != asked.is_negative)
        is_no = is_no != (_is_forbidden(asked, best) or _is_given_up(asked, best))
        return Answer(text=f"{'No' if is_no else 'Yes'}. {said.text}", memory_ids=said.memory_ids)
    # Several answers keep the order of recall; of one, the best is said.
    many = sorted(found, key=lambda match: match.order[-1])
    return _joined(setting, many if asked.is_many else found[:1])


_SPARING = lexicon.words(
    "avoid allergic allergy intolerant intolerance skip vegan vegetarian pescatarian halal kosher diabetic coeliac "
    "celiac"
)


def _is_forbidden(asked: Asked, match: Match) -> bool:
    """Whether "Can I eat peanuts?" meets an allergy, which says no without a "not"."""
    lemmas = {concepts.lemma(word) for word in asked.words}
    is_asked_for = bool(lemmas & _SPARING)
    return "avoid" in match.frame.keys and not match.frame.is_negative and not is_asked_for


def _is_given_up(asked: Asked, match: Match) -> bool:
    """Whether "Do I go to the gym?" meets "quit the gym", which says no without a "not"."""
    verb = match.frame.clause.verb
    return verb is not None and verb.lemma in _GIVING_UP and asked.verb not in _GIVING_UP


def _by_bond(setting: Setting) -> Answer | None:
    """An answer by anybody known to be that to the asker: "Am I married?", "Do I have a brother?"."""
    asked = setting.asked
    if asked.kind != "yes_no" or len(asked.words) != 1 or asked.is_negative:
        return None
    word = asked.words[0]
    if asked.holder.kind == "person" and asked.holder.name:
        relation = relations.relation_of(word) or ""
        own = [bond for bond in setting.known if same_name(bond.name, asked.holder.name)]
        is_so = next((bond for bond in own if same_relation(relation, bond.relation)), None)
        if is_so is None:
            return None
        return Answer(text=f"Yes. {is_so.name} is your {is_so.word}.", memory_ids=(is_so.fact.memory.id,))
    if asked.holder.kind != "asker":
        return None
    wanted = {"wife", "husband"} if word == "married" else {relations.relation_of(word) or ""}
    found = [bond for bond in setting.known if any(one and same_relation(one, bond.relation) for one in wanted)]
    if not found:
        return None
    return Answer(text=f"Yes. Your {found[0].word} is {found[0].name}.", memory_ids=(found[0].fact.memory.id,))


_GIVING_UP = lexicon.words("quit stop cease abandon cancel drop")
_MEAT = lexicon.words("meat beef pork chicken lamb steak bacon ham sausage turkey veal mutton poultry")
_FROM_SEA = lexicon.words("fish seafood salmon tuna shrimp prawn crab lobster sushi")
_FROM_ANIMALS = lexicon.words("egg dairy milk cheese butter honey yogurt yoghurt cream")
_NOT_EATEN = {
    "vegetarian": _MEAT | _FROM_SEA,
    "vegan": _MEAT | _FROM_SEA | _FROM_ANIMALS,
    "pescatarian": _MEAT,
}


def _by_diet(setting: Setting, facts: Sequence[Fact]) -> Answer | None:
    """No, when a diet says by its name that somebody does not eat it."""
    asked = setting.asked
    lemmas = {concepts.lemma(word) for word in asked.words}
    if asked.kind != "yes_no" or asked.is_negative or not lemmas & {"eat", "drink", "have", "like"}:
        return None
    for fact in facts:
        refused = _NOT_EATEN.get((fact.memory.value or "").casefold(), frozenset())
        is_diet = (fact.memory.fact_key or "").rsplit(":", 1)[-1] == "diet"
        for text, frame in frames(fact.memory.content) if is_diet and lemmas & refused else ():
            if is_about(asked.holder, frame, fact, known=setting.known) and not frame.is_negative:
                said = _joined(setting, [Match(fact=fact, text=text, frame=frame, order=(0, 0, 0))])
                return Answer(text=f"No. {said.text}", memory_ids=said.memory_ids)
    return None


def _by_meaning(setting: Setting, facts: Sequence[Fact]) -> Answer | None:
    """The one fact about the asker that stands out by similarity, for questions in words that no list has.

    Not for people by name: a name alone makes two texts similar.
    """
    asked = setting.asked
    is_manner = asked.wanted == "any" and asked.word == "how"
    is_own = asked.holder.kind == "asker" or (asked.holder.kind == "thing" and asked.is_own)
    is_open = asked.kind == "wh" and is_own and not is_manner and not asked.names and not asked.is_negative
    if not is_open or len(facts) < 2 or "favorite" in {concepts.lemma(word) for word in asked.words}:
        return None
    best, second = sorted(facts, key=lambda fact: -fact.similarity)[:2]
    if best.similarity < SIMILARITY_MIN or best.similarity - second.similarity < MARGIN_MIN:
        return None
    for text, frame in frames(best.memory.content):
        is_theirs = is_about(Holder(kind="asker"), frame, best, known=setting.known)
        if is_theirs and not frame.is_negative and gives(setting, frame) and not contrasts(asked, frame):
            return _joined(setting, [Match(fact=best, text=text, frame=frame, order=(0, 0, 0))])
    return None


def _called(setting: Setting, match: Match) -> Answer:
    """What something is called, without what else the statement says of it."""
    clause = match.frame.clause
    lemmas = {key for word in setting.asked.words for key in concepts.asked_by(word)}
    nouns = (clause.subject, clause.object, clause.complement.noun if clause.complement else None)
    named = next(
        (one for one in nouns if one is not None and one.name and one.head and concepts.offered_by(one.head) & lemmas),
        None,
    )
    is_plain = clause.verb is not None and clause.verb.lemma in ("be", "have", "call", "name") and not clause.phrases
    if named is None or is_plain or match.frame.holder.kind == "person":
        return _joined(setting, [match])
    return Answer(text=f"Your {named.head}'s name is {named.name}.", memory_ids=(match.fact.memory.id,))
