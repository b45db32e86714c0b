"""What holds for an hour or an opinion: where somebody is, what they are called in praise or anger, who advises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

_CALLED = lexicon.words(
    "genius idiot legend angel saint monster hero mess joke lizard gem nightmare sweetheart beast goat moron fool "
    "clown jerk bitch asshole dick witch snake rockstar champ trooper darling treasure pain disaster lifesaver menace "
    "devil soul sucker"
)
_AWAY = lexicon.words("home here back asleep awake out away ok okay fine safe late early up around done ready online")
_OF_ANIMALS = lexicon.words("die pass undergo have get lose need turn survive give break hurt be")
"""What an animal did that is told in a month."""
_GRUMBLING = lexicon.words("complain whine nag tease brag moan grumble mock roast pretend stare")

STEPS = lexicon.words(
    "add test identify configure manage complete fix update implement notice gather organize organise create check run "
    "install include define debug measure review practice practise track optimize optimise finalize finalise set "
    "enable monitor look consider explore increase improve refine adjust"
)
"""What is done at the task that the message wants help with."""


def is_step(clause: Clause) -> bool:
    """For "I've added the header", "I'm looking at pipelines", "my goal is to raise the score": the task at hand."""
    verb, subject = clause.verb, clause.subject
    if verb is None:
        return False
    is_own = subject is None or subject.pronoun in {"i", "we"}
    is_wanted = verb.lemma == "need" and clause.object is not None and clause.complement is not None
    is_ready = verb.lemma == "be" and clause.rest.casefold().startswith(("ready ", "now ready "))
    is_aim = subject is not None and subject.head in {"goal", "aim", "plan", "idea"} and verb.lemma == "be"
    is_at_it = verb.lemma in STEPS and (verb.aspect != "simple" or verb.tense == "past")
    is_used = verb.lemma == "use" and verb.aspect == "perfect"
    return is_aim or (is_own and (is_wanted or is_ready or is_at_it or is_used))


def is_passing(clause: Clause) -> bool:
    """For "my boss is an idiot", "Jorge is home", "she complains about my coffee", "we're doing the tofu place"."""
    verb, subject, complement = clause.verb, clause.subject, clause.complement
    if verb is None or subject is None:
        return False
    is_even = verb.aspect == "progressive" and any(token.lower == "even" for token in clause.tokens)
    if subject.head in relations.PETS and verb.tense == "past" and verb.lemma not in _OF_ANIMALS:
        return True
    # "We basically communicate by post-it" overdoes it; "I'm her deputy now, basically" only hedges.
    overdone = {"basically", "literally", "practically"} & set(clause.adverbs)
    if overdone and not clause.text.casefold().rstrip(" .!").endswith(tuple(f", {word}" for word in overdone)):
        return True
    is_done = verb.lemma == "do" and clause.rest.casefold().startswith("with ")
    if verb.lemma in _GRUMBLING or is_even or is_done or (verb.lemma == "do" and verb.aspect == "progressive"):
        return True
    if verb.lemma != "be" or verb.modal is not None:
        return False
    noun = complement.noun if complement is not None else None
    words = [word for word in clause.rest.casefold().strip(" .!").split() if word not in {"already", "still", "almost"}]
    is_called = noun is not None and noun.head in _CALLED
    is_shouted = verb.text.isupper() and len(verb.text) > 1  # "I AM the literature"
    return is_shouted or is_called or (0 < len(words) <= 2 and words[0] in _AWAY)


_SAYING = lexicon.words("say tell think believe insist suggest recommend")


def is_advice(clause: Clause) -> bool:
    """For "my therapist says I should journal more"."""
    verb = clause.inner[0].verb if clause.inner else None
    is_said = clause.verb is not None and clause.verb.lemma in _SAYING
    return is_said and verb is not None and verb.modal in {"should", "must", "need to", "have to"}
