"""English verbs: their forms, and the lemma and tense that a written form can stand for."""

from __future__ import annotations

from functools import lru_cache

from wellkept.judges.english.grammar.lexicon import words
from wellkept.values import frozen

_REGULAR = words(
    "accept achieve act adapt add admire admit adopt adore afford agree aim allow amaze announce annoy answer appear "
    "apply appreciate approve argue arrange arrive ask assign assist assume attach attend avoid babysit back bake "
    "bark battle behave believe belong bike binge blame block blog board boil book borrow bother bounce brew brunch "
    "bully burp call camp cancel care carry cause celebrate challenge change charge chat check cheer chew chill claim "
    "clean clear climb close coach collaborate collect comment commit commute compete complain complete compose "
    "concern confirm confuse connect consider consult contact contain continue contribute control convert cook copy "
    "cough count cover craft crash crave create criticize crochet cross cry cure cuddle cycle damage dance date deal "
    "debug decide declare decorate deliver demand deny depend deploy deserve design despise destroy detest develop "
    "diagnose die discover discuss dislike divorce donate doubt download draft dread dress drop dump earn edit educate "
    "elect email embarrass embrace emigrate employ encourage end enjoy enroll enrol ensure enter entertain escape "
    "establish exercise exist expect experience explain explore express face fail fancy farm fear finalize finance "
    "find-out finish fire fish fix focus follow force foster found freelance frighten gain gamble game garden gather "
    "generate glow golf graduate greet grill guess guide handle happen harvest hate head heal help hike hire host "
    "hope house hug hunt hurry identify ignore imagine immigrate impress improve include increase inform inherit "
    "injure inspire install insist intend interest interview introduce invent invest invite involve iron jog join joke "
    "journal judge juggle jump kayak kick kill kiss knit knock last laugh launch learn lick lie like limit list listen "
    "live loathe look love maintain major manage march marry master matter measure meditate mention mentor mess "
    "migrate "
    "mind miscarry miss mix mourn move mow name need note notice nurse obsess obtain occupy offer open operate order "
    "organize organise owe own pack paint park participate pass perform persuade phone photograph pick place plan "
    "plant play please practice practise pray prefer prepare present press pretend prevent print produce program "
    "promise promote propose protect prove provide publish pull purchase push qualify question race raise reach "
    "realize realise "
    "rebuild recall receive recognize recommend record recover reduce refactor refer refuse register regret rehearse "
    "reject relapse relate relax release relocate rely remain remember remind remove renew renovate rent repair repeat "
    "replace reply report request require research reserve resign respect respond rest restore result retire return "
    "reveal review ride-share row ruin rush sail sample save scare schedule score scream search seem sell-out "
    "separate serve settle share shave shift ship shock shop shout sign ski skate skip smell smile smoke sneeze snore "
    "snowboard solve sort sound spell-check spoil sponsor squat stain stalk stammer star stare start state stay "
    "steal-from step stop store stream stress stretch struggle study submit subscribe succeed suffer suggest supply "
    "support suppose surf surprise survive suspect suspend sweat switch talk taste tattoo tend test text thank tie "
    "touch tour track trade train transfer translate travel treat trust try turn tutor type update upgrade upload "
    "upset-with use vacation value visit volunteer vote vomit wait walk wander want warn wash waste watch water weigh "
    "welcome whisper whistle wish wonder work worry worship wrap yell zoom adore despise floss vape jot ping sync "
    "expire itch react cherish bloom leak flood vary outgrow swap plead sneak rehearse sprout stutter blink chop "
    "swallow supervise oversee volunteer moderate curate onboard outsource prototype brainstorm commit rebase "
    "document host self-host merge demo table block approve "
    "own sponsor audit file sue evict foreclose overdose detox hospitalize operate fracture sprain limp faint "
    "vaccinate "
    "breastfeed-with wean hatch mate groom neuter spay microchip lease insure crash rsvp apologize forward reschedule "
    "adjust advise appoint assemble attempt attract audition acquire beg blend bless breathe browse bury calculate "
    "carve chase collapse combine communicate compare concentrate conduct confess construct convince coordinate crawl "
    "dedicate defend depart describe detect determine disagree disappear divide drown enable engage evaluate examine "
    "exhibit expand extend fetch fit fold fry fulfil fulfill grab haul hesitate indicate inspect instruct investigate "
    "knead lean lift lock melt mend motivate negotiate network obey observe occur opt permit pour praise preach "
    "proceed pronounce punish recognise recruit reflect remodel rescue resist reunite revise rob satisfy sculpt "
    "socialise socialize specialise specialize squeeze steer surround tackle transform trek unite weld wrestle "
    "dye whip decompress perform "
    "postpone confide ghost dump reconcile elope adjourn convene pivot iterate benchmark containerize dockerize "
    "figure debate allocate modify implement optimize integrate configure define strum subtract multiply"
)
_IRREGULAR = """
be was been|flee fled fled|grind ground ground|kneel knelt knelt|shrink shrank shrunk|sink sank sunk|
spread spread spread|undertake undertook undertaken|weave wove woven|
beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet|
bite bit bitten|blow blew blown|break broke broken|bring brought brought|build built built|
burn burnt burnt|buy bought bought|catch caught caught|
choose chose chosen|come came come|cost cost cost|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|
dream dreamt dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|
fight fought fought|find found found|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|
hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|
know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|light lit lit|lose lost lost|
make made made|mean meant meant|meet met met|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|
ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|
set set set|sew sewed sewn|shake shook shaken|shoot shot shot|show showed shown|shut shut shut|sing sang sung|
sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent|spill spilt spilt|split split split|
stand stood stood|steal stole stolen|stick stuck stuck|swear swore sworn|swim swam swum|take took taken|
teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|
understand understood understood|wake woke woken|wear wore worn|weave wove woven|win won won|wind wound wound|
withdraw withdrew withdrawn|write wrote written|breed bred bred|bleed bled bled|forecast forecast forecast|
overcome overcame overcome|overspend overspent overspent|upset upset upset|broadcast broadcast broadcast|
rebuild rebuilt rebuilt|remake remade remade|undergo underwent undergone|breastfeed breastfed breastfed
"""
# Words that are a verb only where nothing but a verb can stand; elsewhere they are nouns or adjectives.
NOUN_FIRST = words(
    "act aim answer back bake battle bet bike block blog board book bounce brew call camp care cause challenge change "
    "charge chat check claim coach comment concern contact control copy count cover craft crash cross cure cycle "
    "damage "
    "dance date deal demand design document doubt draft dream dress drink drop edit email end exercise experience face "
    "farm fear fire fish focus force found game garden grill guide head help hike hope host house hug hunt interest "
    "interview iron joke journal judge jump kick kiss knock last laugh launch lead lease lie light limit list look "
    "major march "
    "master match matter measure mentor mess mind mix name need note notice nurse offer open order own pack paint park "
    "pass phone photograph place plan plant play practice present press print program promise question race rain "
    "record reply report request research rest result return review ride ring row rush sail sample schedule score "
    "scream search set shave shift ship shock shop show sign skate ski sleep smell smile smoke snow sort sound "
    "sponsor stain star start state step stop store stream stress stretch struggle study supply support surf surprise "
    "suspect sweat swim switch table talk taste test text tie touch tour track trade train transfer travel treat trust "
    "turn tutor type update upgrade value visit volunteer vote wait walk wash watch water wish wonder work worry zoom "
    "demo merge run cut hit fight fall break drive cost bite blow catch cast split stand win mean left fit close clear "
    "clean cool dry free warm slow welcome separate complete correct double empty found felt saw bent fed forward "
    "ghost "
    "attempt audition lift lock network fold trek rescue ground spread sink "
    "dump file mate groom pivot benchmark rent respect love prototype like position study meditate tear wind vacation"
)
_VOWELS = frozenset("aeiou")
_NO_DOUBLING = words(
    "visit open listen happen offer enter answer water order edit limit suffer travel cancel benefit "
    "develop consider remember garden wander wonder deliver gather discover cover foster master "
    "mentor answer tutor exit credit profit appear fix mix relax tax box row mow sew show snow play "
    "stay pray enjoy employ destroy volunteer microchip recover register sponsor whisper iron bother "
    "monitor differ matter number trigger color honor label model signal total rain train explain"
)


@frozen
class VerbForm:
    """One reading of a written verb: its lemma and the forms it can be (base, s, past, participle, ing)."""

    lemma: str
    forms: frozenset[str]


def _doubles(verb: str) -> bool:
    return (
        len(verb) >= 3
        and verb not in _NO_DOUBLING
        and verb[-1] not in _VOWELS | {"w", "x", "y"}
        and verb[-2] in _VOWELS
        and verb[-3] not in _VOWELS
        and (
            len(verb) <= 4 or verb in {"prefer", "commit", "admit", "refer", "regret", "submit", "transfer", "control"}
        )
    )


def third_person(verb: str) -> str:
    """The form that he, she and it take in the present."""
    if verb in {"be", "have", "do"}:
        return {"be": "is", "have": "has", "do": "does"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def past_of(verb: str) -> str:
    """The simple past of a regular verb."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ied"
    return (verb + verb[-1] if _doubles(verb) else verb) + "ed"


def gerund(verb: str) -> str:
    """The -ing form."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    irregular = {
        "run",
        "swim",
        "get",
        "put",
        "cut",
        "hit",
        "sit",
        "set",
        "win",
        "quit",
        "let",
        "begin",
        "forget",
        "bet",
        "dig",
        "shut",
        "split",
        "spin",
        "babysit",
    }
    return (verb + verb[-1] if verb in irregular or _doubles(verb) else verb) + "ing"


def _table() -> dict[str, VerbForm]:
    found: dict[str, tuple[str, set[str]]] = {}

    def put(form: str, lemma: str, name: str) -> None:
        entry = found.setdefault(form, (lemma, set()))
        if entry[0] == lemma:
            entry[1].add(name)

    for line in _IRREGULAR.replace("\n", "").split("|"):
        base, past, participle = line.split()
        put(base, base, "base")
        put(third_person(base), base, "s")
        put(past, base, "past")
        put(participle, base, "participle")
        put(gerund(base), base, "ing")
    for form, lemma, name in (
        ("got", "get", "participle"),
        ("were", "be", "past"),
        ("am", "be", "base"),
        ("learnt", "learn", "past"),
        ("spelt", "spell", "past"),
        ("slept", "sleep", "past"),
        ("dreamed", "dream", "past"),
        ("burned", "burn", "past"),
        ("wed", "wed", "past"),
        ("broadcasted", "broadcast", "past"),
        ("spilled", "spill", "past"),
    ):
        put(form, lemma, name)
    for verb in sorted(_REGULAR):
        if "-" in verb:
            continue
        put(verb, verb, "base")
        put(third_person(verb), verb, "s")
        put(past_of(verb), verb, "past")
        put(past_of(verb), verb, "participle")
        put(gerund(verb), verb, "ing")
    return {form: VerbForm(lemma=lemma, forms=frozenset(names)) for form, (lemma, names) in found.items()}


FORMS: dict[str, VerbForm] = _table()
# Without a subject these say something of the speaker ("love pizza"); other base forms are orders.
STATIVE = words("love like prefer hate need want have live work enjoy adore dislike own despise loathe miss")


@lru_cache(maxsize=4096)
def verb_form(word: str) -> VerbForm | None:
    """The verb reading of a lower-case word, if the lexicon has one."""
    form = FORMS.get(word)
    if form is None and word.startswith(("re", "un", "out", "over", "mis", "pre")):
        for prefix in ("re", "un", "out", "over", "mis", "pre"):
            inner = FORMS.get(word.removeprefix(prefix)) if word.startswith(prefix) else None
            if inner is not None and len(word) - len(prefix) >= 4:
                return VerbForm(lemma=prefix + inner.lemma, forms=inner.forms)
    return form


def guess_form(word: str) -> VerbForm:
    """A verb reading by its ending, for a word that stands where only a verb can stand."""
    known = verb_form(word)
    if known is not None:
        return known
    if word.endswith("ing") and len(word) > 5:
        return VerbForm(lemma=_stem(word[:-3]), forms=frozenset({"ing"}))
    if word.endswith("ed") and len(word) > 4:
        return VerbForm(lemma=_stem(word[:-2]), forms=frozenset({"past", "participle"}))
    if word.endswith("ies") and len(word) > 4:
        return VerbForm(lemma=word[:-3] + "y", forms=frozenset({"s"}))
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return VerbForm(lemma=word[:-1], forms=frozenset({"s"}))
    return VerbForm(lemma=word, forms=frozenset({"base"}))


def _stem(text: str) -> str:
    """The base of a form whose ending was cut off: undoes doubling, restores a lost e where it is likely."""
    if len(text) > 3 and text[-1] == text[-2] and (text[-1] not in "lsz" or text[:-1] in FORMS):
        return text[:-1]  # "cancelled" as well
    if text.endswith(("at", "iz", "is", "ag", "ic", "uc", "v", "dg", "ov", "ur", "ot")):
        return text + "e"
    return text


def is_verb(word: str) -> bool:
    """Whether the word can be a verb at all."""
    return verb_form(word) is not None
