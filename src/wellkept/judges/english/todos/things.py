"""Things that people call by several names, so that what was done is known to be what was meant."""

from __future__ import annotations

from functools import lru_cache

from wellkept.policies.words import query_terms

_SAME = """
gift present
flight ticket plane
bike bicycle cycle
mother mum mom mama mama mummy amma
father dad papa baba daddy
grandmother grandma gran granny nana nani oma abuela nonna babushka
grandfather grandpa grandad granddad opa abuelo nonno
child children kid kids
email mail message letter note
card postcard letter
bill invoice
hair haircut barber hairdresser
swim pool length lap
run jog 5k 10k treadmill parkrun
exercise gym workout weights
diaper nappy
doctor gp physician
dentist dental tooth teeth
vet veterinarian
pill tablet medicine medication meds vitamin antibiotic
essay paper
paper document form paperwork
cv resume
flat apartment place
tap faucet
rubbish trash garbage bin bins
holiday vacation trip
novel book chapter
money cash debt loan
shop store supermarket
shopping groceries
laundry washing clothes
dish dishes washing-up
film movie
presentation slides deck talk
photo picture photograph
sofa couch
fridge refrigerator
lawn grass
yard garden
parcel package
wardrobe closet
university uni college
exam test
tax taxes return
report write-up
car vehicle
shot jab vaccine vaccination
invitation invite
flat apartment lease home
debt loan money wage salary
website site webpage
phone mobile
boss manager supervisor
colleague coworker
cheque check
plumber plumbing
appointment slot
contract agreement
insurance policy
"""


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _SAME.strip().splitlines():
        group = frozenset(term for word in line.split() for term in (word, *query_terms(word)))
        for term in group:
            found[term] = found.get(term, frozenset()) | group
    return found


def is_same_thing(one: str, other: str) -> bool:
    """Whether two words, as they are compared, name one thing: "present" and "gift"."""
    return other in _groups().get(one, ())
