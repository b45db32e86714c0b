"""Nouns that name an attribute of somebody, and words that look like one but are not."""

from __future__ import annotations

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred

ATTRIBUTES = {
    "name": "name",
    "full name": "name",
    "first name": "name",
    "last name": "last_name",
    "surname": "last_name",
    "nickname": "nickname",
    "preferred name": "preferred_name",
    "pronouns": "pronouns",
    "birthday": "birthday",
    "birth date": "birthday",
    "date of birth": "birthday",
    "dob": "birthday",
    "bday": "birthday",
    "age": "age",
    "timezone": "timezone",
    "time zone": "timezone",
    "job": "job",
    "job title": "job",
    "title": "job",
    "occupation": "job",
    "profession": "job",
    "role": "job",
    "employer": "employer",
    "company": "employer",
    "workplace": "employer",
    "city": "city",
    "birthplace": "birthplace",
    "place of birth": "birthplace",
    "hometown": "hometown",
    "home town": "hometown",
    "country": "country",
    "address": "address",
    "home address": "address",
    "phone": "phone-model",
    "cell phone": "phone-model",
    "smartphone": "phone-model",
    "phone number": "phone",
    "number": "phone",
    "mobile number": "phone",
    "cell": "phone",
    "mobile": "phone",
    "email": "email",
    "email address": "email",
    "e-mail": "email",
    "car": "car",
    "editor": "editor",
    "text editor": "editor",
    "code editor": "editor",
    "ide": "editor",
    "units": "units",
    "shoe size": "shoe-size",
    "height": "height",
    "weight": "weight",
    "salary": "salary",
    "diet": "diet",
    "school": "school",
    "university": "school",
    "college": "school",
    "language": "language",
    "preferred language": "language",
    "native language": "native_language",
    "mother tongue": "native_language",
    "first language": "native_language",
    "goal": "goals",
    "main goal": "goals",
    "goals": "goals",
    "allergies": "allergies",
    "allergy": "allergies",
    "anniversary": "anniversary",
    "wedding anniversary": "anniversary",
    "hobby": "likes",
    "hobbies": "likes",
    "passion": "likes",
    "tone": "tone",
    "kids": "children",
    "children": "children",
    "gpa": "gpa",
}


# Nouns that are not one lasting attribute of their owner.
NOT_ATTRIBUTES = lexicon.words(
    "day week weekend morning evening night life mood time trip vacation holiday point question guess idea opinion "
    "problem issue favorite "
    "thing plan bad pleasure turn fault understanding hope dream concern worry advice experience impression feeling "
    "head back stomach "
    "throat leg arm knee eye eyes body hair skin heart brain mind house home flat apartment room kitchen garden "
    "place code project app "
    "computer internet wifi work family friend friends people parents answer argument version one ones way comment "
    "suggestion "
    "message text file code script function favourite memory response feedback bike meeting class course coffee tea "
    "food dinner lunch "
    "headache pain commute neighborhood neighbourhood street town team boss manager weather game favorite-thing"
)


TEMPORARY = lexicon.words(
    "tired exhausted hungry thirsty sick ill busy happy sad angry mad upset bored excited nervous anxious stressed "
    "sleepy cold hot fine good great ok "
    "okay well ready done late early here there back home away free available awake drunk hungover sore worried "
    "scared glad "
    "sorry sure confused lost stuck annoyed frustrated overwhelmed swamped jetlagged dizzy grumpy lonely proud "
    "jealous amused broken "
    "open closed empty full dirty clean wet dry down up out off on nice awesome amazing terrible horrible bad better "
    "worse new old big small tiny "
    "slow fast loud quiet long short expensive cheap important hard easy perfect beautiful wonderful different "
    "similar right wrong true false missing gone"
)


JOB_HINTS = deferred(
    r"(?i)(?:er|or|ist|ian|man|woman|ant|ent|eer|ess|chef|ceo|cto|cfo|coo|vp|nurse|doctor|lawyer|pilot|clerk|judge"
    r"|cook|coach|intern|barista|guide|vet|gp|"
    r"analyst|architect|attorney|dev|sre|qa|pm|student|spouse|monk|priest|rabbi|imam|nanny|head|boss|medic|surgeon"
    r"|agent|host|aide|mechanic|"
    r"dba|founder|scientist|technician|freelance|paramedic|barber|butcher|waitress|actress|housewife|poet|athlete"
    r"|secretary|apprentice|au pair|handyman|plumber|fellow|lead|captain|soldier|sailor|model|tailor|carpenter"
    r"|cashier|midwife|shepherd)$"
)


NOT_JOBS = lexicon.words(
    "person owl lover drinker smoker eater fan believer member owner reader runner swimmer vegetarian vegan "
    "pescatarian libertarian "
    "brother sister mother father daughter partner neighbor neighbour friend winner loser beginner character scorpio "
    "aquarius capricorn gemini "
    "leo virgo libra taurus aries cancer pisces sagittarius christian parent patient resident citizen client "
    "customer killer monster genius idiot star"
    " number order matter letter winter summer dinner water weather computer never ever over under after other "
    "another lecturer-not introvert extrovert perfectionist"
    " minimalist optimist pessimist feminist atheist insomniac morning-person democrat republican student-not "
    "hamster volunteer-not man woman human teenager believer"
    " early-bird dreamer hoarder procrastinator survivor user supporter"
)


POSITIONS = lexicon.words(
    "lead leader head deputy chief chair chairman chairwoman president vice-president captain supervisor foreman "
    "director manager ceo cto cfo coo vp principal secretary treasurer dean boss spokesperson"
)
"""What somebody is in a firm, team or club, beside the trade that they have learned."""


MACHINES = lexicon.words(
    "laptop computer phone bike camera guitar keyboard monitor tablet watch printer router console"
)


EVENTS = lexicon.words(
    "launch release wedding party graduation flight exam appointment kickoff conference concert offsite election "
    "ceremony funeral "
    "surgery interview deadline go-live demo trip workshop hackathon recital tournament premiere operation checkup "
    "test hearing viewing delivery inspection reunion christening"
)


SCHEDULED = lexicon.words(
    "standup stand-up standups retro review sprint planning sync meeting all-hands class lesson practice practise "
    "rehearsal training "
    "session call 1:1 one-on-one seminar yoga choir shift retrospective demo"
)


AWAITED = (
    EVENTS
    | SCHEDULED
    | lexicon.words(
        "picnic barbecue bbq dinner lunch brunch breakfast game match race gig show play festival retreat visit tour "
        "cruise holiday vacation weekend sleepover playdate date ball gala fair parade camp hike move plan deal sale "
        "engagement audition showing drinks regatta walk ride run outing excursion safari pilgrimage swap"
    )
)
"""What can be called off; a light that is off was not."""


PRICED = lexicon.words(
    "price rate share shares stock stocks index yield bond bonds currency dollar euro pound yen rupee lira gold silver "
    "platinum copper oil crude brent bitcoin ethereum ether inflation bid odds rating fare toll tariff dial slider "
    "needle gauge meter thermometer"
)
"""What has a level or a price, which is a number and no day."""
