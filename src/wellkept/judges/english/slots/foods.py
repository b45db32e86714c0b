"""What people eat, drink and swallow, and what their bodies do not bear: "I can't do dairy"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

FOODS = lexicon.words(
    "peanut walnut almond cashew hazelnut pistachio pecan nut pork beef lamb chicken veal ham bacon venison mutton "
    "meat milk dairy lactose cheese butter cream yogurt yoghurt whey casein egg salmon tuna cod herring trout sardine "
    "mackerel anchovy fish seafood shellfish shrimp prawn crab lobster squid octopus oyster mussel clam apple banana "
    "mango orange pear grape kiwi strawberry raspberry blueberry peach plum melon pineapple lemon lime papaya fruit "
    "citrus tomato potato carrot onion shallot pepper chilli chili cucumber spinach cabbage lettuce broccoli "
    "cauliflower zucchini courgette bean pea lentil chickpea legume soy soya tofu cilantro coriander parsley mushroom "
    "garlic aubergine eggplant celery beetroot asparagus sprout leek vegetable rice pasta bread wheat rye barley oat "
    "corn quinoa gluten yeast flour sugar sweetener honey salt msg spice curry avocado coconut durian mayonnaise "
    "mustard sesame liquorice licorice chocolate marzipan cinnamon cumin kale radish liver kidney offal tea coffee "
    "caffeine espresso juice beer wine alcohol liquor spirits whisky whiskey vodka rum gin cocktail soda cola kombucha "
    "food snack nightshade fructose histamine sulphite sulfite penicillin ibuprofen aspirin antibiotic "
    "paracetamol acetaminophen amoxicillin statin codeine morphine painkiller antihistamine antidepressant steroid "
    "opioid latex"
)
_PLURALS = {"potatoes": "potato", "tomatoes": "tomato", "mangoes": "mango", "anchovies": "anchovy"}
_TAKING = lexicon.words("do have eat drink take digest")
_AGREEING = frozenset(("agree", "disagree", "sit"))
VERBS = _TAKING | _AGREEING
_FOR_NOW = lexicon.words("today tonight now yet tomorrow another more this that these those the my your our until till")


def is_food(word: str) -> bool:
    """Whether a word names something to eat, drink or take.

    >>> is_food("onions"), is_food("Friday")
    (True, False)
    """
    return word in FOODS or word.removesuffix("s") in FOODS or word in _PLURALS or _berry(word)


def _berry(word: str) -> bool:
    return word.endswith("berries") and f"{word[:-3]}y" in FOODS


def is_limit(clause: Clause) -> bool:
    """Whether a clause says what somebody does not bear or may not have, for good.

    "I can't have dairy", "red wine doesn't agree with my husband"; not "I can't have another coffee today".
    """
    verb = clause.verb
    if verb is None or verb.lemma not in VERBS:
        return False
    if verb.lemma in _AGREEING:
        return disagrees(clause)
    is_refused = verb.modal in {"can", "allowed to", "able to"} and verb.is_negative
    return is_refused and _is_eaten(clause.object) and not _FOR_NOW & {token.lower for token in clause.tokens}


def disagrees(clause: Clause) -> bool:
    """Whether food is what does it: "milk disagrees with me", "onions never agreed with Mum"."""
    verb = clause.verb
    if verb is None or verb.lemma not in _AGREEING or verb.is_negative is (verb.lemma == "disagree"):
        return False
    who = next((item.noun for item in clause.phrases if item.preposition == "with"), None)
    return who is not None and _is_somebody(who) and _is_eaten(clause.subject)


def _is_somebody(noun: Noun) -> bool:
    return noun.pronoun in {"i", "we", "he", "she", "they"} or noun.relation is not None or noun.name is not None


def _is_eaten(noun: Noun | None) -> bool:
    """Whether it is a kind of food, and not one helping of it."""
    if noun is None or noun.pronoun is not None or noun.owner is not None or noun.determiner not in {None, "any"}:
        return False
    return all(is_food((part.head or part.name or "").casefold()) for part in noun.parts or (noun,))
