"""Closed word classes and small open ones of English: what the parser knows before it reads a word in context."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a block of text, as a set."""
    return frozenset(text.split())


SUBJECT_PRONOUNS = words("i you he she it we they")
OBJECT_PRONOUNS = words("me you him her it us them")
REFLEXIVES = words("myself yourself himself herself itself ourselves yourselves themselves themself")
POSSESSIVES = {
    "my": "i",
    "your": "you",
    "his": "he",
    "her": "she",
    "its": "it",
    "our": "we",
    "their": "they",
    "ur": "you",
}
INDEPENDENT_POSSESSIVES = {
    "mine": "i",
    "yours": "you",
    "hers": "she",
    "ours": "we",
    "theirs": "they",
}
PRONOUN_OF = {
    "me": "i",
    "him": "he",
    "us": "we",
    "them": "they",
    "myself": "i",
    "himself": "he",
    "herself": "she",
    "ourselves": "we",
    "themselves": "they",
    "themself": "they",
    "itself": "it",
    "yourself": "you",
    "u": "you",
    "ya": "you",
    "y'all": "you",
    "thee": "you",
    "em": "they",
}
INDEFINITE_PRONOUNS = words(
    "someone somebody something anyone anybody anything everyone everybody everything nobody nothing none one ones "
    "others another each all both few many most some any either neither enough plenty lots"
)
DEMONSTRATIVES = words("this that these those")
DETERMINERS = (
    words(
        "a an the some any no every each another either neither both all half such several many much few more most "
        "less "
        "enough whatever whichever"
    )
    | DEMONSTRATIVES
)
WH_WORDS = words("who whom whose what which when where why how whats wheres whos hows")
RELATIVES = words("who whom whose which that where")
PREPOSITIONS = words(
    "about above across after against along among amongst around as at before behind below beneath beside besides "
    "between beyond by despite down during except for from in inside into like near of off on onto out outside "
    "over past per since than through throughout till to toward towards under underneath until up upon via with "
    "within without regarding concerning w/ w/o w plus minus unlike because-of instead"
)
COORDINATORS = words("and but or nor yet so plus & then")
SUBORDINATORS = words(
    "because since although though while whereas if unless when whenever until till before after once as whether "
    "cause cuz coz bc tho lest provided assuming suppose supposing that so"
)
CONDITIONALS = words("if unless whether suppose supposing assuming provided imagine lest")
NEGATIONS = words("not n't never nt neither nor hardly barely no-longer")
MODALS = {
    "will": "will",
    "wo": "will",
    "'ll": "will",
    "would": "would",
    "can": "can",
    "ca": "can",
    "could": "could",
    "may": "may",
    "might": "might",
    "must": "must",
    "shall": "shall",
    "sha": "shall",
    "should": "should",
    "ought": "should",
    "cannot": "can",
    "'d": "would",
}
BE_FORMS = {
    "am": "present",
    "is": "present",
    "are": "present",
    "was": "past",
    "were": "past",
    "'m": "present",
    "'re": "present",
    "be": "none",
    "been": "participle",
    "being": "ing",
    "m": "present",
    "ai": "present",
    "r": "present",
}
HAVE_FORMS = {"have": "present", "has": "present", "had": "past", "having": "ing", "'ve": "present"}
DO_FORMS = {"do": "present", "does": "present", "did": "past"}
AUXILIARIES = frozenset(MODALS) | frozenset(BE_FORMS) | frozenset(HAVE_FORMS) | frozenset(DO_FORMS)
ADVERBS = words(
    "actually also already always almost again ago ahead alone anyway anymore apparently away back barely basically "
    "best better btw certainly clearly completely constantly correctly currently daily definitely easily eventually "
    "especially even ever everywhere exactly extremely fairly far fast finally forever fortunately frankly frequently "
    "fully generally genuinely gradually hardly here hence honestly however hopefully immediately incredibly indeed "
    "instead just kinda lately later literally likely mainly maybe meanwhile merely monthly mostly naturally nearly "
    "never nevertheless nonetheless normally not now nowadays obviously occasionally often once only originally "
    "otherwise particularly perhaps personally possibly practically presently pretty previously primarily probably "
    "properly quickly quite rarely rather really recently regularly sadly seldom seriously shortly simply slightly "
    "slowly somehow sometime sometimes somewhat somewhere soon sorta specifically still strictly strongly suddenly "
    "super supposedly sure surely technically temporarily tonight today tomorrow yesterday together too totally truly "
    "twice typically ultimately unfortunately usually very weekly well yearly yet there rn tbh imo fyi fwiw lol "
    "sm fr af ngl lowkey highkey irl tmrw tmr everyday overnight abroad downtown upstairs downstairs online offline"
)
TYPOS = {
    "hve": "have", "hav": "have", "haev": "have", "ahve": "have", "liek": "like", "lik": "like", "luv": "love",
    "lvoe": "love", "lvie": "live", "liev": "live", "wrok": "work", "wokr": "work", "wnat": "want", "knwo": "know",
    "favrite": "favorite", "favorit": "favorite", "favourit": "favourite", "freind": "friend", "teh": "the",
    "hvae": "have", "wiht": "with", "daugther": "daughter", "duaghter": "daughter", "brohter": "brother",
    "sistre": "sister", "tusday": "tuesday", "wensday": "wednesday", "wendesday": "wednesday", "thurday": "thursday",
    "becuase": "because", "apointment": "appointment", "appointmet": "appointment", "outta": "from",
    "brithday": "birthday", "birtday": "birthday", "allergc": "allergic", "alergic": "allergic",
}  # fmt: skip
"""The commonest words of a statement as hasty fingers type them."""
UNOWNED = words(
    "coffee tea espresso latte chai milk water juice beer wine whisky whiskey steak burger eggs toast porridge oatmeal "
    "rice pasta pizza curry food meat salad popcorn laundry ironing homework shopping washing paperwork"
)
"""Food and chores, which are somebody's own without saying so."""
ATTRIBUTIVE = words(
    "daily weekly monthly yearly online offline everyday overnight downtown upstairs downstairs only fast"
)
OPENING = frozenset(POSSESSIVES) | {"a", "an", "the", "'s", "every", "no", "another"}
"""Words after which a noun must come."""
TIME_NOUNS = words(
    "day days week weeks month months year years hour hours minute minutes morning mornings afternoon evening "
    "evenings night nights weekend weekends monday tuesday wednesday thursday friday saturday sunday mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays january february march april may june july august september "
    "october november december spring summer autumn fall winter christmas easter ramadan eid diwali hanukkah passover "
    "nowruz holi today tomorrow yesterday tonight "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun noon midnight eod "
    "quarter decade fortnight q1 q2 q3 q4"
)
WEEKDAYS_AND_MONTHS = words(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays january february april june july august september october november december"
)
GREETINGS = words(
    "hi hello hey hiya yo howdy sup greetings morning evening thanks thank thx ty cheers bye goodbye cya ok okay okey "
    "kk yes yeah yep yup yea no nope nah sure cool great nice awesome perfect lol lmao haha hahaha hehe rofl wow omg "
    "oh ooh ah aha hmm hm um uh well alright right gotcha welcome please pls plz sorry congrats hola ciao hallo "
    "bonjour salut oi np yw gn gm brb ttyl damn dang ugh oof yay woohoo anyways"
)
INTERJECTIONS = GREETINGS | words("so also btw fyi psst dude man bro mate guys folks honestly anyway ha huh eh look")
NUMBER_WORDS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen "
    "first second third fourth fifth couple"
)
ADJECTIVES = words(
    "able absent addicted adopted afraid aged alive allergic allergy-free alone amazing american amused angry annoyed "
    "anxious asexual ashamed asleep athletic atheist australian autistic available awake aware awesome awful bad bald "
    "bankrupt based beautiful best better big bilingual bipolar bisexual bitter black blind blonde blue bored boring "
    "born brave brazilian british broke brown buddhist busy calm canadian careful catholic celiac certain cheap "
    "chinese chronic christian clean clear clever close closeted cold colorblind comfortable common confident confused "
    "convinced cool correct crazy creative cultural curious current cute dairy-free dark dead deaf dear deep dependent "
    "depressed diabetic different difficult disabled disappointed divorced dizzy double down drunk dry due dumb dutch "
    "dyslexic eager early easy effective elder eldest electric embarrassed emotional employed empty engaged english "
    "entire epileptic evil excellent excited exhausted expensive extra fair false familiar famous fantastic "
    "fast fat favorite favourite fine first fit flexible fluent fond foreign former free freelance french fresh "
    "friendly frustrated full full-time fun funny furious future gay genderfluid general german giant glad gluten-free "
    "gluten-intolerant good gorgeous grateful great greek green grey gray grumpy guilty halal handsome happy hard "
    "healthy heavy high hilarious home homeless homesick homosexual honest horrible hot huge hungover hungry ill "
    "immunocompromised important impossible independent indian infertile insane insecure insomniac intense interested "
    "interesting international intolerant introverted extroverted irish italian japanese jealous jewish jobless kind "
    "korean kosher lactose-intolerant large last late latest lazy left left-handed right-handed legal lesbian "
    "light little local lonely long lost loud lovely low lucky mad main major male female married massive mature mean "
    "medium mental mexican middle military minor modern muslim narrow nasty native natural nearsighted negative "
    "nervous new next nice noisy non-binary nonbinary normal nut-free obese obsessed odd ok okay old older oldest only "
    "open orange original other overdue overweight own pale pansexual paranoid part-time passionate past perfect "
    "permanent personal pescatarian physical picky pink plant-based pleased polish polite poor popular positive "
    "possible pregnant present pretty previous primary private professional proud public punctual pure purple quick "
    "quiet rainy random rare raw ready real recent red regular related relaxed reliable religious remote responsible "
    "retired rich right romantic rough round royal rude russian sad safe same scared scary scottish self-employed "
    "senior sensitive separate separated serious severe sexual shared sharp shellfish-free short shy sick silent "
    "silly similar simple single sleepy slow small smart sober social soft sorry spanish special spicy standard "
    "stepped straight strange stressed strict strong stuck stupid sudden sugar-free sunny super sure surprised sweet "
    "swedish swiss swollen talented tall teetotal temporary terrible terrified thai thankful thick thin thirsty tidy "
    "tight tiny tired top total tough trans transgender trilingual true turkish typical ugly ukrainian unavailable "
    "undocumented unemployed unhappy uninsured unique unwell upcoming upset urgent used useful useless usual vacant "
    "vegan vegetarian vietnamese vintage violent warm weak wealthy weird welcome wet white whole widowed wild wise "
    "wonderful worried worse worst worth wrong yellow young younger youngest elderly pro-choice portuguese danish "
    "norwegian finnish czech hungarian nigerian ghanaian kenyan egyptian israeli palestinian iranian iraqi syrian "
    "pakistani bangladeshi argentinian colombian peruvian chilean cuban filipino indonesian malaysian ambidextrous "
    "asthmatic anemic jetlagged burnt-out swamped overwhelmed bummed stoked thrilled psyched hooked"
)
NAME_PARTICLES = words("van von der den de del della di da dos das du la le el al bin ibn ben binti bint ter ten zu y")
TITLES = words("dr mr mrs ms miss prof professor sir madam dr. mr. mrs. ms. prof. sr. señora señor coach uncle aunt")
ORG_SUFFIXES = words(
    "inc inc. corp corp. ltd ltd. llc gmbh co co. company corporation labs studio studios bank university college "
    "school institute hospital clinic group partners foundation ag sa plc agency airlines technologies systems"
)
PLACE_SUFFIXES = words(
    "bay beach park street road avenue river falls lake island islands hill hills valley canyon mountain mountains "
    "bridge square hotel cafe café restaurant theater theatre stadium arena festival conference club museum library"
)
# First names that are typed without a capital in chat; the parser also takes any capitalised unknown word as a name.
FIRST_NAMES = words(
    "billy carly channing clement clementine everly felicity irving kelly kimberly lilly milly molly nelly polly "
    "saiful shelly syaiful willy dolly "
    "aaron abdul abdullah abigail adam adriana ahmed aiden aiko aisha akira alan alana alberto alejandra alejandro "
    "alex alexa alexander alexandra alice alicia alina alison amanda amara amelia amina amir amy ana anastasia andre "
    "andrea andreas andrew andy angela anita anja ann anna anne annika anthony antoine antonio anya arjun arnav arthur "
    "asha ashley astrid ava ayaan ayesha barbara beatriz ben benjamin bernd beth bianca bjorn bob boris brandon brian "
    "brigitte bruno camila camille carl carla carlos carmen carol caroline catherine cecilia chad charles charlie "
    "charlotte chen chiara chidi chloe chris christian christina christine christopher claire clara claudia colin "
    "connor dan daniel daniela danielle dave david deborah deepak denise derek diana diego diya dmitri dominic donna "
    "dylan ebony eduardo elena eli elias elif elijah elisa elizabeth ella ellen emeka emily emma emmanuel enrique eric "
    "erik erika esra esther ethan eva evan evelyn fatima felipe felix fernando fiona florian francesca francisco "
    "francois fred freya gabriel gabriela gary george georgia gerard giulia giuseppe gloria gonzalo greg greta "
    "guillermo gustavo hana hannah hans harry hassan heather heidi helen helena henry hiroshi hugo ian ibrahim ifeoma "
    "igor imani ines ingrid irene irina isaac isabel isabella ivan jackie jacob jacques jake jamal james jamie jan "
    "jane janet jason javier jean jeff jenna jennifer jenny jeremy jerome jessica jesus jim jimmy joan joanna joao "
    "joe joel johan john johnny jon jonas jonathan jordan jorge jose josef joseph josh joshua joyce juan juana judith "
    "julia julian juliana julie julien kai karen karim karl kate katherine kathy katie katja kavya keiko keisha keith "
    "kelly ken kenji kenneth kevin khadija kim kiran klaus kofi kumar kwame kyle lakshmi lara larry laszlo laura "
    "lauren layla lea leah leila lena leo leon leticia levi liam lin linda ling lisa logan lorenzo louis louise lucas "
    "lucia lucy luigi luis luka lukas luna lydia maja manuel marc marcel marco marcus margaret maria mariam marie "
    "marina mario marta martha martin martina mary maryam mateo mathieu matt matteo matthew maya megan mehmet mei "
    "melanie melissa mia micah michael michelle miguel mika mike mikhail milan mina ming miriam mohammed mohamed "
    "mohammad monica monika moritz muhammad mukesh nadia naomi natalia natalie natasha nathan neha nia nicholas nick "
    "nico nicolas nicole nikhil nikita nina noah noor nora odin oksana olga oliver olivia omar oscar otto owen pablo "
    "pam paola patricia patrick paul paula paulo pavel pedro peter petra philip philippe pierre piotr pooja priya "
    "rachel rafael rahul raj rajesh ramon rania raphael raquel ravi ray rebecca renata renee ricardo richard rita "
    "robert roberto robin rodrigo roger rohan roman ron rosa ross ruth ryan sabine said sally salma sam samantha "
    "samir samuel sandra sanjay santiago sara sarah sasha scott sean sebastian selin serena sergei sergio seth shania "
    "shannon sharon shreya simon sita sofia solveig sonia sophia sophie stefan stella stephanie stephen steve steven "
    "stuart sunita susan sven svetlana tanya tariq tatiana ted teresa terry thabo theo theresa thomas tiffany tim "
    "tobias todd tom tomas tony trevor tunde tyler uwe valentina vanessa vera vicky victor victoria vikram vincent "
    "vladimir walter wei wendy wilhelm william xavier yara yasmin yuki yusuf yves zahra zainab zara zeynep zoe zuri"
)
# Capitalised at the start of a sentence, these are read as names when a third-person verb follows.
NAME_OR_WORD = words(
    "will mark bill rose grace hope joy may june april summer art frank jack drew sue pat chase grant dawn faith "
    "daisy lily jade amber ruby ivy violet olive iris rob nick skip dean miles max angel christian august autumn "
    "violet sky penny pearl ray guy rich sunny lane cliff glen heath brook reed page paige"
)
