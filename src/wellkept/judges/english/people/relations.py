"""Relationship words: how people say what somebody is to them, and the canonical word for each."""

from __future__ import annotations

from typing import Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.policies.people import relations as policy

Gender = Literal["she", "he", "they"]

_SYNONYMS = {
    "wife": "wife wifey missus wifu",
    "husband": "husband hubby hubs",
    "spouse": "spouse",
    "partner": "partner so other-half s/o",
    "fiancé": "fiancé fiance",
    "fiancée": "fiancée fiancee",
    "girlfriend": "girlfriend gf",
    "boyfriend": "boyfriend bf",
    "ex": "ex",
    "ex-wife": "ex-wife exwife",
    "ex-husband": "ex-husband exhusband",
    "ex-girlfriend": "ex-girlfriend ex-gf",
    "ex-boyfriend": "ex-boyfriend ex-bf",
    "mother": "mother mom mum mama mommy mummy mamma ma mam momma nanay amma maman mutti",
    "father": "father dad papa daddy pa pop pops tatay appa",
    "parent": "parent",
    "son": "son",
    "daughter": "daughter",
    "child": "child kid kiddo baby toddler eldest youngest firstborn",
    "stepson": "stepson step-son",
    "stepdaughter": "stepdaughter",
    "stepmother": "stepmother stepmom step-mom step-mother",
    "stepfather": "stepfather stepdad step-dad step-father",
    "stepbrother": "stepbrother step-brother",
    "stepsister": "stepsister step-sister",
    "brother": "brother bro kuya",
    "sister": "sister sis ate didi",
    "sibling": "sibling",
    "twin": "twin",
    "half-brother": "half-brother",
    "half-sister": "half-sister",
    "grandmother": "grandmother grandma granny nana gran nan grandmom grandmum abuela nonna oma",
    "grandfather": "grandfather grandpa granddad grandad gramps abuelo nonno opa",
    "grandparent": "grandparent",
    "grandson": "grandson",
    "granddaughter": "granddaughter",
    "grandchild": "grandchild grandkid",
    "aunt": "aunt auntie aunty tita",
    "uncle": "uncle tito",
    "cousin": "cousin",
    "niece": "niece",
    "nephew": "nephew",
    "godmother": "godmother",
    "godfather": "godfather",
    "godson": "godson",
    "goddaughter": "goddaughter",
    "godchild": "godchild",
    "mother-in-law": "mother-in-law mil",
    "father-in-law": "father-in-law fil",
    "parent-in-law": "in-law",
    "brother-in-law": "brother-in-law bil",
    "sister-in-law": "sister-in-law sil",
    "son-in-law": "son-in-law",
    "daughter-in-law": "daughter-in-law",
    "boss": "boss supervisor superior",
    "manager": "manager",
    "coworker": "coworker co-worker colleague workmate labmate officemate",
    "teammate": "teammate team-mate",
    "business partner": "business-partner",
    "cofounder": "cofounder co-founder",
    "assistant": "secretary",
    "mentor": "mentor",
    "mentee": "mentee",
    "intern": "intern",
    "client": "client",
    "customer": "customer",
    "employee": "employee",
    "report": "direct-report",
    "friend": "friend buddy pal mate homie amigo",
    "best friend": "best-friend bff bestie best-mate best-man",
    "roommate": "roommate flatmate housemate room-mate roomie",
    "neighbor": "neighbor neighbour",
    "landlord": "landlord landlady",
    "tenant": "tenant",
    "classmate": "classmate batchmate schoolmate",
    "teacher": "teacher tutor",
    "professor": "professor advisor adviser",
    "student": "student",
    "coach": "coach trainer",
    "doctor": "doctor doc gp physician",
    "therapist": "therapist psychologist psychiatrist counselor counsellor shrink",
    "dentist": "dentist",
    "lawyer": "lawyer attorney solicitor",
    "accountant": "accountant",
    "nanny": "nanny babysitter",
    "vet": "vet veterinarian",
    "barber": "barber hairdresser",
    "pastor": "pastor priest rabbi imam",
    "crush": "crush",
    "nurse": "nurse",
    "midwife": "midwife",
}
CANONICAL: dict[str, str] = {word: name for name, text in _SYNONYMS.items() for word in text.split()}
MULTI_WORD: dict[tuple[str, str], str] = {
    ("business", "partner"): "business partner",
    ("best", "friend"): "best friend",
    ("best", "mate"): "best friend",
    ("better", "half"): "spouse",
    ("other", "half"): "partner",
    ("significant", "other"): "partner",
    ("co", "founder"): "cofounder",
    ("co", "worker"): "coworker",
    ("room", "mate"): "roommate",
    ("flat", "mate"): "roommate",
    ("team", "lead"): "manager",
    ("team", "leader"): "manager",
    ("line", "manager"): "manager",
    ("old", "man"): "father",
    ("direct", "report"): "report",
    ("law", "partner"): "business partner",
    ("little", "one"): "child",
    ("ex", "wife"): "ex-wife",
    ("ex", "husband"): "ex-husband",
    ("ex", "girlfriend"): "ex-girlfriend",
    ("ex", "boyfriend"): "ex-boyfriend",
    ("step", "mom"): "stepmother",
    ("step", "dad"): "stepfather",
    ("step", "son"): "stepson",
    ("step", "daughter"): "stepdaughter",
    ("personal", "trainer"): "coach",
    ("study", "buddy"): "friend",
    ("gym", "buddy"): "friend",
}
PLURALS: dict[str, str] = {
    "kids": "child",
    "children": "child",
    "parents": "parent",
    "sons": "son",
    "daughters": "daughter",
    "brothers": "brother",
    "sisters": "sister",
    "siblings": "sibling",
    "grandparents": "grandparent",
    "grandkids": "grandchild",
    "grandchildren": "grandchild",
    "cousins": "cousin",
    "aunts": "aunt",
    "uncles": "uncle",
    "nieces": "niece",
    "nephews": "nephew",
    "in-laws": "parent-in-law",
    "inlaws": "parent-in-law",
    "friends": "friend",
    "buddies": "friend",
    "mates": "friend",
    "coworkers": "coworker",
    "colleagues": "coworker",
    "teammates": "teammate",
    "neighbors": "neighbor",
    "neighbours": "neighbor",
    "roommates": "roommate",
    "flatmates": "roommate",
    "students": "student",
    "clients": "client",
    "customers": "customer",
    "twins": "twin",
    "folks": "parent",
    "babies": "child",
    "girlfriends": "friend",
    "exes": "ex",
    "bosses": "boss",
    "cofounders": "cofounder",
    "employees": "employee",
    "reports": "report",
    "interns": "intern",
}
_SHE = (
    "wife fiancée girlfriend ex-wife ex-girlfriend mother daughter sister grandmother granddaughter aunt niece "
    "godmother goddaughter mother-in-law sister-in-law daughter-in-law stepmother stepdaughter stepsister half-sister"
)
_HE = (
    "husband fiancé boyfriend ex-husband ex-boyfriend father son brother grandfather grandson uncle nephew godfather "
    "godson father-in-law brother-in-law son-in-law stepfather stepson stepbrother half-brother"
)
_FEMALE: Gender = "she"
_MALE: Gender = "he"
GENDERS: dict[str, Gender] = dict.fromkeys(_SHE.split(), _FEMALE) | dict.fromkeys(_HE.split(), _MALE)
SPOUSES = frozenset(("wife", "husband", "spouse", "partner", "fiancé", "fiancée", "girlfriend", "boyfriend"))
CHILDREN = frozenset(("son", "daughter", "child", "stepson", "stepdaughter"))
# A person has one of these at a time, so that a new one replaces the old.
SINGULAR = SPOUSES | frozenset(
    (
        "mother",
        "father",
        "boss",
        "manager",
        "best friend",
        "landlord",
        "dentist",
        "therapist",
        "mother-in-law",
        "father-in-law",
        "lawyer",
        "accountant",
        "nanny",
        "doctor",
        "business partner",
        "mentor",
        "grandmother",
        "grandfather",
        "cofounder",
    )
)
# Words that are as often another thing as a relation: taken as a relation only after "my", "our", a name's 's.
WEAK = frozenset(
    (
        "partner",
        "report",
        "assistant",
        "client",
        "customer",
        "student",
        "coach",
        "trainer",
        "baby",
        "so",
        "vet",
        "pop",
        "ma",
        "pa",
        "bro",
        "mate",
        "nurse",
        "priest",
        "teacher",
        "tutor",
        "intern",
        "employee",
        "doctor",
        "manager",
        "kid",
        "kids",
        "child",
        "children",
        "toddler",
        "twin",
        "twins",
        "ex",
        "crush",
        "gran",
        "nan",
        "sis",
        "ate",
        "gp",
        "mil",
        "sil",
        "bil",
        "fil",
        "folks",
        "people",
        "professor",
        "lawyer",
        "friend",
        "friends",
        "advisor",
        "adviser",
    )
)
# Called without "my" they stand for the speaker's own.
KIN_NAMES = frozenset(
    (
        "mom",
        "mum",
        "mama",
        "mommy",
        "mummy",
        "dad",
        "papa",
        "daddy",
        "grandma",
        "grandpa",
        "granny",
        "nana",
        "grandad",
        "granddad",
        "gramps",
        "hubby",
        "auntie",
        "nonna",
        "oma",
        "opa",
        "abuela",
        "abuelo",
        "mother",
        "father",
        "nanay",
        "tatay",
        "amma",
    )
)
PETS: dict[str, str] = {
    "dog": "dog",
    "puppy": "dog",
    "pup": "dog",
    "doggo": "dog",
    "labrador": "dog",
    "beagle": "dog",
    "poodle": "dog",
    "corgi": "dog",
    "bulldog": "dog",
    "dachshund": "dog",
    "husky": "dog",
    "terrier": "dog",
    "retriever": "dog",
    "collie": "dog",
    "pug": "dog",
    "chihuahua": "dog",
    "greyhound": "dog",
    "cat": "cat",
    "kitten": "cat",
    "kitty": "cat",
    "tabby": "cat",
    "parrot": "parrot",
    "budgie": "bird",
    "bird": "bird",
    "cockatiel": "bird",
    "canary": "bird",
    "hamster": "hamster",
    "rabbit": "rabbit",
    "bunny": "rabbit",
    "horse": "horse",
    "pony": "horse",
    "goldfish": "fish",
    "fish": "fish",
    "turtle": "turtle",
    "tortoise": "turtle",
    "snake": "snake",
    "gecko": "gecko",
    "lizard": "lizard",
    "ferret": "ferret",
    "guinea pig": "guinea pig",
    "chinchilla": "chinchilla",
    "rat": "rat",
    "iguana": "iguana",
    "hedgehog": "hedgehog",
    "goat": "goat",
    "chicken": "chicken",
    "pet": "pet",
}


def _agreed(table: dict[str, str]) -> dict[str, str]:
    """A table whose canonical words are those by which people are resolved."""
    return {word: policy.canonical(word) or policy.canonical(name) or name for word, name in table.items()}


CANONICAL = _agreed(CANONICAL)
PLURALS = _agreed(PLURALS)


NAMING = PLURALS | CANONICAL
"""Every word that names a relation, with its canonical one."""


def relation_of(word: str) -> str | None:
    """The canonical relation that a word names, singular or plural."""
    if word[-4:] == "-old" and word.endswith(("-year-old", "-month-old", "-week-old")):
        return "child"
    return NAMING.get(word)


_PASTIMES = lexicon.words(
    "tennis squash badminton golf chess bridge dance gym lab study duet debate project band workout volleyball "
    "pickleball padel judo tango salsa homework yoga"
)
_LOVING = lexicon.words("loving caring living amazing charming understanding supporting outstanding willing")


def is_pastime(word: str) -> bool:
    """Whether a partner in it is no love: climbing, tennis, a lab."""
    return word in _PASTIMES or (word.endswith("ing") and word not in _LOVING)


def gender_of(relation: str | None) -> Gender:
    """The pronoun that a relation takes; "they" when the word does not say."""
    return GENDERS.get(relation or "", "they")
