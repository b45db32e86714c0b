"""Words that ask for the same thing: near-synonyms, kinds with their members, and what a verb says about its object."""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.judges.rules import relations
from recollect.judges.rules.lexicon import words
from recollect.judges.rules.verbs import verb_form

_SYNONYMS = """
like: like love enjoy adore fond fan fancy keen appreciate passionate admire
dislike: dislike hate detest loathe despise irritate annoy stand bother
favorite: favorite favourite preferred go-to
prefer: prefer rather preference
live: live reside residence home based dwell relocate
city: city town place
grow: raise raised upbringing childhood
origin: origin hail hometown roots
job: job profession occupation career employment trade
employer: employer employ firm company institute
work: work employ
boss: boss supervise supervisor manager report
study: study major degree university college course
learn: learn study practise practice lesson
school: school class grade
name: name
birthday: birthday birth born birthplace
age: age old
marry: marry married wedding marriage spouse wed
anniversary: anniversary
divorce: divorce divorced separate
child: child children kid son daughter twins triplets
baby: baby expecting pregnant due
pet: pet animal
car: car vehicle automobile drive
bike: bike bicycle cycle
motorcycle: motorcycle motorbike scooter
phone: phone smartphone handset mobile cellphone
computer: computer laptop notebook pc machine
editor: editor ide
unit: unit measurement
language: language tongue
native: native mother-tongue first
eat: eat food diet dish meal cuisine menu cook
allergy: allergic allergy
intolerant: intolerant intolerance
avoid: avoid skip
diet: diet vegan vegetarian pescatarian halal kosher
drink: drink beverage sip
coffee: coffee
tea: tea
breakfast: breakfast
lunch: lunch midday
dinner: dinner supper
dessert: dessert sweet pudding
snack: snack nibble
restaurant: restaurant eatery diner
fear: fear afraid scare scared frighten frightened terrify terrified phobia
illness: illness disease condition suffer diagnosis ailment sick ill
medicine: medicine medication pill drug supplement
doctor: doctor physician gp
dentist: dentist teeth tooth
therapist: therapist counsellor counselor psychologist
barber: barber hairdresser hair haircut stylist
plumber: plumber pipe
electrician: electrician wiring
nanny: nanny babysitter childminder babysit
accountant: accountant bookkeeping tax
lawyer: lawyer solicitor attorney legal
landlord: landlord landlady
rent: rent
mortgage: mortgage
earn: earn salary income wage pay
cost: cost price budget
bank: bank savings
insurance: insurance insure insured
energy: energy electricity power
pension: pension retirement
donate: donate charity give
volunteer: volunteer
exercise: exercise gym workout work_out fitness
train: train training prepare
sport: sport
hobby: hobby pastime pursuit
collect: collect collection
play: play
instrument: instrument
music: music
band: band group musician
singer: singer vocalist artist musician
film: film movie
series: series show
book: book novel
read: read
author: author writer novelist
podcast: podcast
listen: listen
color: color colour
season: season
sleep: sleep bed bedtime asleep
wake: wake rise alarm wake_up get_up
smoke: smoke smoking cigarette
quit: quit stop give_up
start: start begin
travel: travel trip visit journey
flight: flight fly plane
seat: seat
honeymoon: honeymoon newlywed
goal: goal aim ambition resolution objective
want: want wish dream
need: need must have_to
deadline: deadline due
meeting: meeting meet standup sync
appointment: appointment
party: party celebration
budget: budget
database: database
chat: chat messaging messenger
use: use utilise utilize
shop: shop shopping grocery buy
buy: buy purchase
sell: sell
own: own possess belong
lend: lend borrow
owe: owe debt
leave: leave forget
keep: keep store put
key: key
garden: garden allotment plot
cultivate: grow cultivate plant
apartment: apartment flat
house: house
floor: floor storey
renovate: renovate redo refurbish renovation
tattoo: tattoo ink
scar: scar
hand: handed
height: tall height
weigh: weigh weight heavy
size: size
shoe: shoe
blood: blood
nickname: nickname
pronoun: pronoun
timezone: timezone time-zone
support: support root
team: team club side
neighbor: neighbor neighbour
retire: retire retired retirement
die: die pass_away death dead
wedding: wedding
doctorate: doctorate phd
thesis: thesis dissertation
star_sign: zodiac star
number: number
photo: photo picture
glasses: glasses lens lenses contact
address: address
email: email
"""

_KINDS = """
instrument: cello violin viola guitar piano bass drum drums flute saxophone trumpet harp bouzouki oud sitar banjo
 ukulele accordion clarinet oboe trombone organ keyboard tabla koto erhu harmonica mandolin lute djembe
sport: football soccer rugby tennis basketball volleyball handball cricket hockey swimming running cycling climbing
 bouldering skiing snowboarding sailing surfing rowing boxing karate judo yoga golf badminton baseball fencing squash
 athletics gymnastics marathon triathlon padel taekwondo wrestling
game: chess go poker wingspan catan scrabble bridge backgammon monopoly mahjong azul
color: red blue green yellow orange purple violet pink brown black white grey gray teal maroon turquoise beige navy
 magenta cyan indigo crimson gold silver burgundy lilac olive
season: spring summer autumn fall winter
weekday: monday tuesday wednesday thursday friday saturday sunday
month: january february march april may june july august september october november december
language: english german french spanish portuguese italian greek swedish norwegian danish finnish dutch polish czech
 russian ukrainian turkish arabic hebrew persian farsi pashto urdu hindi bengali tamil telugu chinese mandarin
 cantonese japanese korean vietnamese thai indonesian malay swahili yoruba igbo hausa amharic zulu welsh irish gaelic
 python rust java javascript typescript kotlin swift ruby golang haskell scala elixir
 catalan basque hungarian romanian bulgarian serbian croatian latin esperanto quechua tagalog punjabi gujarati
nut: peanut walnut almond cashew hazelnut pistachio pecan
meat: pork beef lamb chicken veal ham bacon turkey duck goat
dairy: milk cheese butter cream yogurt yoghurt lactose
fish: salmon tuna cod herring trout sardine mackerel
fruit: apple banana mango fig orange pear grape kiwi strawberry cherry peach plum melon pineapple lemon lime papaya
vegetable: tomato potato carrot onion pepper chilli cucumber spinach cabbage lettuce broccoli zucchini bean pea
herb: cilantro coriander basil parsley mint thyme rosemary dill sage oregano
beverage: tea coffee water juice beer wine matcha rooibos cocoa whisky whiskey milk soda espresso cortado latte
 cappuccino lemonade mate chai kombucha
insect: bee wasp ant mosquito spider
reptile: snake lizard turtle tortoise crocodile gecko
medication: penicillin ibuprofen aspirin antibiotic antibiotics insulin paracetamol amoxicillin statin
supplement: magnesium vitamin iron zinc omega creatine calcium
illness: diabetic diabetes asthma asthmatic arthritis migraine migraines cancer flu fever hay allergy anxiety
 depression epilepsy celiac hypertension eczema insomnia anemia
diet: vegan vegetarian pescatarian halal kosher keto omnivore flexitarian
pet: dog cat parrot hamster rabbit horse goldfish fish turtle tortoise snake bird ferret pony budgie puppy kitten
dinosaur: dinosaur
family: mother father brother sister son daughter aunt uncle cousin niece nephew grandmother grandfather wife husband
doctor: pediatrician cardiologist surgeon dermatologist physician neurologist gynecologist psychiatrist
vehicle: car truck van motorcycle bike scooter boat bus volvo tesla toyota bmw audi ford honda skoda fiat saab renault
 peugeot volkswagen mercedes mazda kia hyundai nissan subaru
software: revit autocad python excel photoshop slack teams mattermost jira figma
database: postgres postgresql mysql sqlite mongodb redis oracle mariadb
continent: africa asia europe america australia
school: elementary kindergarten daycare nursery preschool academy college university school
"""

_VERB_OBJECTS = """
drive: car vehicle
ride: bike motorcycle horse vehicle
speak: language
read: book novel
watch: series show film movie program
listen: podcast music
live: city town home place country
reside: city town home place
move: live city home
bear: birth birthplace birthday
study: subject degree major
teach: subject
drink: beverage
eat: food
allergic: avoid
intolerant: avoid
wear: clothes size
earn: salary money
weigh: weight
collect: collection hobby
attend: school
graduate: degree university
enjoy: hobby
train: sport
marry: wedding spouse
support: team club
relocate: live city
cook: dish food
grow: plant
own: possession
bank: savings
"""

_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\bfor a living\b|\bfor work\b", "job"),
        (
            r"^\W*what (?:do|does|did) (?P<who>(?:my |our |the )?[\w'-]+(?: (?!to\b)[\w'-]+){0,2}?) do\W*$",
            r"what job does \g<who> have",
        ),
        (r"\bearns? (?:my|your|his|her|their) living\b", "job"),
        (r"\bget up\b|\bgets up\b", "wake"),
        (r"\bwork(?:s|ed|ing)? out\b", "exercise"),
        (r"\bgave up\b|\bgives? up\b|\bgiven up\b", "quit"),
        (r"\bpassed away\b|\bpass away\b", "die"),
        (r"\b(?:like|love|enjoy|likes|loves)\b(?P<middle>.{0,30}?) (?:the )?(?:most|best)\b", r"favorite \g<middle>"),
        (r"\bbest[- ]lik(?:ed|ing)\b", "favorite"),
        (r"\bstar sign\b|\bzodiac sign\b", "zodiac"),
        (r"\bmother tongue\b", "native language"),
        (r"\bblood group\b", "blood type"),
        (r"\bcan(?:no|')t stand\b|\bcannot stand\b|\bcan not stand\b", "hate"),
        (r"\b(?:doe?s?n't|does not|do not) (?:like|love|enjoy)\b", "dislike"),
        (r"(?<=\d )years? old\b|\b(?<=\w )years old\b", "age"),
        (r"\b(?:would|'d) (?P<who>i|we|he|she|they|my \w+|[A-Z]\w+) (?:like|love) to\b", r"do \g<who> want to"),
        (r"\b(?:would|'d) (?:like|love) to\b", "wants to"),
        (r"\b(?:is|was) it (?:that )?(?=i\b|my\b|we\b)", ""),
        (r"\blittle girl\b", "daughter"),
        (r"\blittle boy\b", "son"),
    )
)


def _table(text: str) -> dict[str, frozenset[str]]:
    rows = (row.split(":", 1) for row in text.replace("\n ", " ").strip().splitlines())
    return {name.strip(): frozenset(members.split()) for name, members in rows}


SYNONYMS = _table(_SYNONYMS)
KINDS = _table(_KINDS)
VERB_OBJECTS = _table(_VERB_OBJECTS)
_MEDICATION = re.compile(
    r"\w{2,}(?:formin|pril|statin|zole|pam|olol|cillin|oxetine|sartan|mycin|profen|idone|aline|thyroxine|caine|triptan)"
)
_OCCUPATION = re.compile(
    r"(?:engineer|teacher|nurse|lawyer|architect|doctor|pilot|chef|cook|farmer|baker|judge|clerk|captain|carpenter"
    r"|designer|developer|programmer|writer|painter|plumber|driver|manager|director|professor|scientist|officer|dj"
    r"|\w+(?:ologist|ician|ographer|iatrist|ector|smith|keeper|maker|wright|monger|ant)|\w{3,}ist|luthier|illustrator"
    r"|headmaster|fisherman|fireman|policeman|paramedic|midwife|vet|barista|waiter|waitress|translator|actor|actress"
    r"|musician|student|consultant|analyst|researcher|librarian|soldier|sailor|tailor|butcher|mechanic|founder|ceo)$"
)
# Words in -ist, -ant and so on that name no trade.
_NO_OCCUPATION = words("exist resist consist insist mist list fist wrist twist giant important constant elephant")


def _index(*tables: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table in tables:
        for name, members in table.items():
            for member in members:
                found.setdefault(member, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


_SYNONYM_OF = _index(SYNONYMS)
_KIND_OF = _index(KINDS)
_IRREGULAR_NOUNS = {
    "children": "child", "kids": "kid", "people": "person", "men": "man", "women": "woman", "teeth": "tooth",
    "feet": "foot", "mice": "mouse", "wives": "wife", "lives": "live", "knives": "knife", "leaves": "leave",
    "news": "news", "called": "name",
    "named": "name", "glasses": "glasses", "favourite": "favorite", "colour": "color", "colours": "color",
    "neighbour": "neighbor", "mum": "mother", "mom": "mother", "dad": "father", "kid": "child", "flat": "apartment",
    "movie": "film", "bicycle": "bike", "favorites": "favorite", "organise": "organize", "tv": "television",
}  # fmt: skip
_KEEP = words("meeting wedding training reading cooking swimming building painting clothing left rent lens")


@lru_cache(maxsize=8192)
def lemma(word: str) -> str:
    """The dictionary form of a lower-case word: the verb's base, the noun's singular."""
    if word in _IRREGULAR_NOUNS:
        return _IRREGULAR_NOUNS[word]
    if word in _KEEP:
        return word
    relation = relations.CANONICAL.get(word) or relations.PLURALS.get(word)
    if relation is not None and word not in relations.WEAK:
        return relation
    form = verb_form(word)
    if form is not None:
        return form.lemma
    return singular(word)


def singular(word: str) -> str:
    """A plural noun without its ending; any other word as it is."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=8192)
def asked_by(word: str) -> frozenset[str]:
    """The keys that satisfy a word of a question: itself and its near-synonyms' concepts."""
    base = lemma(word)
    return frozenset({base}) | _SYNONYM_OF.get(base, frozenset()) | _SYNONYM_OF.get(word, frozenset())


@lru_cache(maxsize=8192)
def offered_by(word: str) -> frozenset[str]:
    """The keys that a word of a fact offers: what satisfies it, its kinds, and the kinds its verb takes."""
    base = lemma(word)
    keys = set(asked_by(word)) | _KIND_OF.get(base, frozenset()) | _KIND_OF.get(word, frozenset())
    for kind in VERB_OBJECTS.get(base, frozenset()):
        keys |= asked_by(kind)
    for kind in _KIND_OF.get(base, frozenset()):
        keys |= asked_by(kind)
    if base in relations.PETS:
        keys |= {relations.PETS[base], "pet"}
    if _MEDICATION.fullmatch(base):
        keys |= {"medication"} | asked_by("medication")
    return frozenset(keys)


def is_occupation(word: str) -> bool:
    """Whether a noun names what somebody does for a living, by its form."""
    return word not in _NO_OCCUPATION and _OCCUPATION.fullmatch(word) is not None


def plain(text: str) -> str:
    """The text with set phrases replaced by the one word that they mean."""
    text = text.replace("\u2019", "'")
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    return text


def neighbours(word: str) -> tuple[str, ...]:
    """Words to search for beside a word of a question, its synonyms and the members of its kind, in a fixed order."""
    base = lemma(word)
    found: set[str] = set()
    for name in asked_by(word):
        found |= SYNONYMS.get(name, frozenset())
        if name in KINDS:
            found |= KINDS[name]
    found |= KINDS.get(base, frozenset())
    return tuple(sorted(found - {word, base}))
