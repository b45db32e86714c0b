"""Words that make a text private or suspect."""

from __future__ import annotations

import re
from functools import cached_property

from wellkept.patterns import by_first_letter, deferred


class AnyCase:
    """Alternatives in small letters, looked for in the text in small letters. Says whether one is there, not which.

    That takes a quarter of the time of a pattern that minds no case, which has to try each of its words at each place;
    and half of that with the alternatives sorted by their first letters.
    """

    def __init__(self, alternatives: str, *, before: str = "", after: str = "") -> None:
        self._parts = before, alternatives, after

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        before, alternatives, after = self._parts
        return re.compile(f"{before}(?:{by_first_letter(alternatives)}){after}")

    def search(self, text: str) -> re.Match[str] | None:
        """The first place of it in the text in small letters."""
        return self._pattern.search(text.lower())


def _any(pattern: str) -> AnyCase:
    """The alternatives of a pattern as whole words, in any case."""
    return AnyCase(pattern, before=r"(?<!\w)", after=r"(?!\w)")


_BODY = r"(?:leg|arm|ankle|wrist|foot|toe|finger|hip|rib|ribs|back|collarbone|nose|jaw|knee|shoulder|hand|skull)"


HEALTH = _any(
    r"diagnos\w+|diseases?|disorders?|syndrome|cancers?|tumou?rs?|chemo\w*|leuk\w+mia|lymphoma|diabet\w+|insulin"
    r"|hiv|aids|hepatitis|epilep\w+|seizures?|a strokes?|(?:had|from|after) (?:a )?stroke"
    r"|heart (?:attack|failure|condition|disease|murmur)|surger(?:y|ies)|surgical\w*|hospitali[sz]\w+"
    r"|(?:in|from|to) (?:the )?hospital|(?:in )?the icu|medications?|meds|anti-?depressants?|ssris?|prozac|zoloft"
    r"|lexapro|xanax|adderall|ritalin|concerta|vyvanse|lithium|ozempic|metformin|statins?|painkillers?|opioids?"
    r"|steroids?|antibiotics|viagra|\d+ ?(?:mg|mcg|milligrams?)|prescri\w+|asthma\w*|arthritis"
    r"|(?:cardi|onc|neur|gyna?ec|ur|endocrin|rheumat)ologist|migraines?"
    r"|chronic\w*|parkinson(?:['’]?s)?|alzheimer(?:['’]?s)?|dementia|autis\w+|asperger(?:['’]?s)?|adhd|add|ocd"
    r"|ptsd|bipolar|schizo\w+|depress(?:ed|ion|ive)|anxiety|anxious|panic attacks?"
    r"|(?:in|goes? to|started|need) therapy|therapy|sees? a (?:therapist|psych\w+|counsel\w+)|psychiatr\w+"
    r"|psychologist|my therapist|therapist|(?:my|our|user's) (?:\w+ )?(?:counsel+or|shrink)"
    r"|suicid\w+|self-?harm\w*|eating disorder|anorexi\w+|bulimi\w+"
    r"|mental (?:health|illness|breakdown)|rehab\w*|relaps\w+|addict(?:ed|ion|ions)?|alcoholi\w+|sober|sobriety"
    r"|overdos\w+|cocaine|heroin|meth|withdrawal|pregnan\w+|miscarr\w+|abort(?:ion|ed)|ivf|infertil\w+|fertility"
    r"|expecting (?:a baby|twins|our|my|their|her)|having a baby|birth control|stds?|stis?|herpes"
    r"|blood (?:type|pressure|sugar|test|group)|cholesterol|biopsy|mri|x-rays?|ct scan|symptoms?|fever|headaches?"
    r"|(?:back|chest|stomach|knee|neck) pain|(?:in|chronic|constant) pain|injur\w+"
    rf"|(?:broke|broken|breaking|fractured|sprained|dislocated|twisted) (?:\w+(?:['’]s)? ){{1,3}}{_BODY}"
    r"|fractur\w+|concussion|disab(?:led|ility|ilities)|wheelchair|dyslexi\w+|celiac|coeliac|crohn\w*(?:['’]s)?"
    r"|ibs|endometriosis|menopaus\w+|transplant|dialysis|kidney (?:stones?|failure|disease)|immuno\w+|thyroid\w*"
    r"|lupus|multiple sclerosis|hypertension|an(?:a)?emi[ac]\w*|insomnia\w*|sleep apn\w+|covid(?:-19)?"
    r"|doctors? (?:told|says?|said|recommend\w*|wants?)|(?:hearing|vision) loss|deaf|legally blind|miscarriage"
    r"|stillb\w+|vasectomy|hysterectomy|inhaler|epipen|pacemaker|burn(?:ed|t)[ -]out|burnout|nervous breakdown"
    r"|grief counsel\w+|blood thinners?|on prep|hard of hearing"
    r"|can(?:['’]?t|not) (?:hear|see|walk)(?: well| properly)?|eczema|psoriasis|vaccinat\w+"
)


MONEY = _any(
    r"charg(?:e|es|ed|ing) (?:about |around )?[$€£¥₹]?\d[\d.,]*|"
    r"salar(?:y|ies)|wages?|income|earn(?:s|ed|ing)?"
    r"|(?:make|makes|making|paid|pay|pays|paying) (?:about |around |roughly |over |under "
    r"|only )?[$€£¥₹]?\d[\d.,]*(?: ?k| ?thousand| ?million| ?euros?| ?dollars?| ?pounds?| a | per )"
    r"|[$€£¥₹] ?\d[\d.,]*k? (?:a|per|an) (?:year|month|hour)|\d[\d.,]*k? ?(?:a|per) (?:year|month)|debts?|loans?"
    r"|mortgage|bankrupt\w*|credit (?:score|cards?)|overdraft\w*|net worth|savings"
    r"|(?:in|on|for|the|my|our|user's) rent|rent is|rent (?:is|costs?) [$€£¥₹]?\d[\d.,]*|foreclos\w+|evict\w+"
    r"|ow(?:e|es|ed|ing)(?! (?:you|it all|them an))|food stamps|unemployment (?:benefits?|money)|inherit(?:ed|ance)"
    r"|alimony|child support|(?:am|is|are|'m|'s|totally|completely|dead) broke"
    r"|financial (?:trouble|problems?|difficult\w*|stress)|tax (?:debt|evasion|fraud)|bank (?:account|balance)"
    r"|account balance|bonus (?:of|was|is)|pension|gambl\w+|stock options|paycheck"
    r"|(?:hourly|daily|day) rate|underpaid|pay rise|raise of"
)


INTIMATE = _any(
    r"lgbt\w*\+?|support group|trans(?:gender)? \w+|my transition|gender (?:identity|transition|dysphoria)|gay"
    r"|lesbian|bisexual|pansexual|asexual|homosexual|queer|(?:is|am|are|'m|'s|as) trans|transgender|transsexual"
    r"|transition(?:ing|ed) (?:to|from)|came out|coming out (?:to|as)|closeted|sexual\w*|sex life|porn\w*|erectile"
    r"|virgin(?:ity)?|non-?binary|genderfluid|fetish\w*|polyamor\w+|undocumented|immigration status|asylum"
    r"|refugee status|deport\w+|visa (?:status|expired|expires|denied|refused|was|got|is|finally)|green card"
    r"|work permit|overstay\w*|residence permit|arrest(?:ed)?|jail\w*|prison|convict\w+|felon(?:y)?|lawsuits?|sued"
    r"|suing|probation|parole|restraining order|custody|criminal record|court (?:case|date|hearing)|dui"
    r"|charged with|indict\w+|abus(?:e|ed|ive|ing|er)|assault\w*|rap(?:ed|ist)|molest\w+|domestic violence"
    r"|(?:beat|beats|beaten|hit|hits) (?:me|us|him|her|the user)|beat(?:s|en)? \w+ when|harass\w+|stalk\w+"
    r"|trauma\w*|ssn|social security number|passport number"
)


FOREIGN_SENSITIVE = AnyCase(
    r"(?<!\w)(?:krebs|schwanger\w*|depression\w*|angststörung|gehalt|schulden|diagnose|therapie|krankheit|cáncer"
    r"|embarazada|"
    r"depresión|ansiedad|salario|sueldo|deudas?|enfermedad|enceinte|dépression|anxiété|salaire|dettes?|maladie"
    r"|incinta|depressione|"
    r"ansia|stipendio|debiti|grávida|depressão|ansiedade|salário|dívidas?|doença|schwul|lesbisch|diabet\w+)(?!\w)|"
    r"抑郁|怀孕|懷孕|工资|工資|薪水|癌|焦虑|焦慮|糖尿病|债务|うつ|妊娠|給料|病気|借金|우울|임신|월급|беременн|депресси|зарплат|диагноз|долг|"
    r"حامل|اكتئاب|راتب|سرطان"
)


PERSONAL = _any(
    r"(?:looking|searching|hunting|applying|applied) (?:\w+ ){0,2}(?:for|to) (?:a |an |another |other |new "
    r"|the )*(?:\w+ )?(?:jobs?|roles?|positions?|work|opportunit\w+|employer)"
    r"|job[- ](?:hunt\w*|search\w*|offer|interviews?)|interview(?:ing|ed|s)? (?:at|with|for)"
    r"|(?:an |the |my )?interview (?:at|with|for)|resign\w*"
    r"|(?:quit|quitting|leave|leaving|left) (?:my|the|his|her|their|this|\w+['’]s|our)? ?(?:job|company|team"
    r"|position)"
    r"|planning to (?:quit|leave|resign)|(?:want|wants|going) to quit|laid off|layoffs?"
    r"|(?:got|was|been|being|were) fired|(?:got|was|been) let go|sacked"
    r"|(?:lost|losing) (?:my|his|her|their|the|\w+['’]s|the user's) job|two weeks['’]? notice|unemployed|jobless"
    r"|br(?:oke|eak|oken|eaking)[ -]?up|divorc\w+|separat(?:ed|ion|ing) from"
    r"|(?:is|are|am|'re|'m|'s|getting|we) separat(?:ed|ing)|dumped|cheat(?:ed|ing|s) on|affair|dating"
    r"|seeing someone|(?:a|my|'s) crush|crush on|ex(?:-\w+)?|marriage (?:counsel\w+|problems?|trouble)"
    r"|(?:fight|fought|fighting|argument|argued|arguing|conflict|fell out|falling out) with|yell(?:ed|s|ing)? at"
    r"|(?:hate|hates|dislike|dislikes|can't stand) (?:my|his|her|the user's|\w+['’]s) (?:boss|manager|job|coworkers?"
    r"|colleagues?|mother-in-law|father-in-law|in-laws)"
    r"|not (?:speaking|talking) to|toxic|lonely|loneliness|home(?:sick|less)|address|lives? at \d+"
    r"|\d+\w? (?:[a-z]\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|way|court|close|square"
    r"|terrace|place)"
    r"|phone number|(?:my|mobile|cell|his|her|\w+['’]s) number is|number is \+?\d[\d -]{3,}|email|e-mail address"
    r"|[\w.+-]+@[\w-]+\.\w+|catholic|protestant|muslim|jewish|hindu|buddhist|atheist|agnostic|mormon|sikh|orthodox"
    r"|religio\w+|(?:a|am|'m|is|are|devout|practicing) christian|pray(?:s|ed|ing)?"
    r"|vot(?:e|es|ed|ing) (?:for|against)|voted|republican|democrat|tor(?:y|ies)|left-wing|right-wing"
    r"|politic(?:al party|ally)|died|dying|passed away|funeral|death of|death|griev\w+|widow\w*|allerg\w+"
    r"|intoleran\w+|anaphyla\w+|overweight|obese|(?:weigh|weighs) \d+|my weight|weight is"
    r"|nobody (?:listens|cares|likes|loves)|hates? (?:me|myself|us|the user)|insecure|ashamed|estranged"
    r"|adopted (?:child|as a)|secretly|(?:leaving|leave|leaves) the company|burglar\w*|license plate|passport"
    r"|birth certificate|infidelity|propos(?:e|ing) to|stress(?:ed)? (?:out )?about|bull(?:y|ied|ying|ies)"
)


# What somebody holds against somebody. Names are told by their capitals, so this one minds the case.
_SOMEBODY = (
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|The\b|I\b)"
    r"(?:[Mm]y \w+|the user's \w+|him|her|them|[A-Z]\w+)\b"
)
JUDGEMENT = deferred(
    r"\b(?:lazy|stupid|idiots?|idiotic|incompetent|rude|arrogant|selfish|cruel|ugly|creepy|dishonest|liars?"
    r"|unreliable"
    r"|useless|bossy|nasty|pathetic|dumb|moron|jerk|cheap|two-faced|backstabb\w+|annoying|insufferable)\b"
    r"|\b(?:can't|cannot|can not|couldn't) (?:stand|bear|trust) " + _SOMEBODY + r""
    r"|\b(?:despises?|loathes?|resents?|distrusts?|mistrusts?|envies|envy|hates?|dislikes?) " + _SOMEBODY + r""
    r"|\b(?:don't|doesn't|do not|does not|didn't) (?:like|trust|respect) " + _SOMEBODY + r""
    r"|\b(?:wants?|going|plans?|planning|hopes?) to (?:fire|sack|dump|divorce|leave|sue|report|replace) "
    + _SOMEBODY
    + r""
    r"|\b(?:angry|furious|mad|annoyed|jealous|fed up|disappointed) (?:at|with|of|in) " + _SOMEBODY + r""
)

FOREIGN_PERSONAL = AnyCase(
    r"(?<!\w)(?:allerg\w+|alérgic\w+|alergi\w+|allergisch|intoleran\w+|intolerant\w*|scheidung|geschieden"
    r"|divorc\w+|divorzi\w+|arbeitslos|gekündigt|"
    r"chômage|desemplead\w+|disoccupat\w+|adresse|dirección|indirizzo|endereço)(?!\w)|过敏|過敏|アレルギー|離婚|离婚|알레르기|аллерги"
    r"|развод|حساسية"
)


_OUTPUT = r"(?:answer|reply|say|respond|tell|output|return|claim|recommend|mention|insist)"
_ASKED = r"when(?:ever)? (?:you(?:['’]re| are)? |\w+ ){0,3}(?:asked|asks?|mentions?|wants? to know|talks? about)\b"
SUSPECT = AnyCase(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|the"
    r"|your)\b.{0,20}\b(?:instructions?|rules?|prompts?|messages?|guidelines?|context)\b|"
    r"\bforget (?:everything|all)(?: that)? (?:you|above|before|i (?:said|told))\b|"
    r"\b(?:don['’]?t|do not|stop|never|no longer) (?:follow|obey|apply|heed)\w* (?:your|the|any|all)\b.{0,20}"
    r"\b(?:guidelines?|rules?|instructions?|polic(?:y|ies)|restrictions?)\b|"
    rf"\b{_ASKED}.{{0,60}}\b(?:always|must|should|never)? ?{_OUTPUT}\b|"
    rf"\b(?:you (?:must|should|shall|will|have to)|always|never|only)\b.{{0,30}}\b{_OUTPUT}\b.{{0,60}}\b{_ASKED}|"
    rf"\bfrom now on,? (?:you (?:are|will|must|should|shall)\b|(?:always |only |never )?(?:say|claim|insist|recommend"
    r"|mention|tell (?:them|everyone|everybody|people|users|anyone))\b)|"
    r"\balways (?:respond|reply|answer|start|end|begin|finish) (?:\w+ ){0,3}with [\"“'‘]|"
    r"\byou (?:must|should|shall|have to|will) (?:always|only|never) (?:say|claim|insist|recommend|promote|praise)\b|"
    r"\bpretend (?:that )?you(?:['’]re| are| have| can| don['’]?t| do not)\b|"
    r"\b(?:my|the|this|your|an|every|any) (?:assistant|ai|bot|chatbot|model) (?:must|should|shall|has to|will) "
    r"(?:always|never|only)\b|"
    r"\bsystem prompt\b|\byou are (?:now )?(?:dan|an? (?:unrestricted|evil|different)|no longer)\b|\bact as (?:if"
    r"|an?|though)\b|"
    r"<\/?(?:tool_call|function_call|system|assistant|tool|function|invoke)\b|\[/?inst\]|<\|\w+\|>|\b(?:reveal|print"
    r"|leak|exfiltrate|send) (?:your|the|all) (?:system |hidden |secret )?(?:prompt|instructions|api keys?"
    r"|credentials|memories)\b|"
    r"\bdeveloper mode\b|\bjailbreak\b|\bnew instructions?:|"
    r"\b(?:oublie[rz]?|ignore[rz]?|ignoriere?|vergiss|missachte|ignora|olvida|olvídate|dimentica|esque[cç]e|ignorar"
    r"|negeer|vergeet|zignoruj|glöm)\b.{0,40}\b(?:instructions|consignes|règles|anweisung(?:en)?|regeln"
    r"|instrucciones|reglas|istruzioni|regole|instruções|regras|instructies|instrukcje|instruktioner)\b|"
    r"игнорируй.{0,30}инструкци|忽略.{0,12}(?:指令|指示|说明|規則)|指示.{0,8}無視"
)
# A name that is to be praised is told by its capital, so this one minds the case.
ADVERTISING = deferred(
    r"\b(?:[Aa]lways|[Oo]nly|[Ee]xclusively|[Nn]ever fail to) (?:recommend|promote|praise|endorse|advertise|suggest"
    r"|push)\w* [A-Z]\w+"
)
