"""What a text is about, as far as words say: things to keep private, work, places, tools, kinds of talk."""

from __future__ import annotations

import re

from recollect.judges.rules.lexicon import words


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?i)(?<!\w)(?:" + "|".join(patterns) + r")(?!\w)")


_BODY = r"(?:leg|arm|ankle|wrist|foot|toe|finger|hip|rib|ribs|back|collarbone|nose|jaw|knee|shoulder|hand|skull)"

HEALTH = _any(
    r"diagnos\w+", r"diseases?", r"disorders?", r"syndrome", r"cancers?", r"tumou?rs?", r"chemo\w*", r"leuk\w+mia",
    r"lymphoma", r"diabet\w+", r"insulin", r"hiv", r"aids", r"hepatitis", r"epilep\w+", r"seizures?", r"a strokes?",
    r"(?:had|from|after) (?:a )?stroke", r"heart (?:attack|failure|condition|disease|murmur)", r"surger(?:y|ies)", r"surgical\w*",
    r"hospitali[sz]\w+", r"(?:in|from|to) (?:the )?hospital", r"(?:in )?the icu", r"medications?", r"meds", r"anti-?depressants?", r"ssris?",
    r"prozac", r"zoloft", r"lexapro", r"xanax", r"adderall", r"ritalin", r"concerta", r"vyvanse", r"lithium", r"ozempic",
    r"metformin", r"statins?", r"painkillers?", r"opioids?", r"steroids?", r"antibiotics", r"viagra",
    r"\d+ ?(?:mg|mcg|milligrams?)", r"prescri\w+",
    r"asthma\w*", r"arthritis", r"migraines?", r"chronic\w*", r"parkinson(?:['’]?s)?", r"alzheimer(?:['’]?s)?",
    r"dementia", r"autis\w+", r"asperger(?:['’]?s)?", r"adhd", r"add", r"ocd", r"ptsd", r"bipolar", r"schizo\w+",
    r"depress(?:ed|ion|ive)", r"anxiety", r"anxious", r"panic attacks?", r"(?:in|goes? to|started|need) therapy", r"therapy",
    r"sees? a (?:therapist|psych\w+|counsel\w+)", r"psychiatr\w+", r"psychologist", r"my therapist", r"therapist",
    r"suicid\w+", r"self-?harm\w*", r"eating disorder", r"anorexi\w+", r"bulimi\w+", r"mental (?:health|illness|breakdown)",
    r"rehab\w*", r"relaps\w+", r"addict(?:ed|ion|ions)?", r"alcoholi\w+", r"sober", r"sobriety", r"overdos\w+", r"cocaine",
    r"heroin", r"meth", r"withdrawal", r"pregnan\w+", r"miscarr\w+", r"abort(?:ion|ed)", r"ivf", r"infertil\w+", r"fertility",
    r"expecting (?:a baby|twins|our|my|their|her)", r"having a baby", r"birth control", r"stds?", r"stis?", r"herpes", r"blood (?:type|pressure|sugar|test|group)",
    r"cholesterol", r"biopsy", r"mri", r"x-rays?", r"ct scan", r"symptoms?", r"fever", r"headaches?", r"(?:back|chest|stomach|knee|neck) pain",
    r"(?:in|chronic|constant) pain", r"injur\w+", rf"(?:broke|broken|breaking|fractured|sprained|dislocated|twisted) (?:\w+(?:['’]s)? ){{1,3}}{_BODY}",
    r"fractur\w+", r"concussion", r"disab(?:led|ility|ilities)", r"wheelchair", r"dyslexi\w+", r"celiac", r"coeliac", r"crohn\w*(?:['’]s)?", r"ibs",
    r"endometriosis", r"menopaus\w+", r"transplant", r"dialysis", r"kidney (?:stones?|failure|disease)", r"immuno\w+", r"thyroid\w*", r"lupus",
    r"multiple sclerosis", r"hypertension", r"an(?:a)?emi[ac]\w*", r"insomnia\w*", r"sleep apn\w+", r"covid(?:-19)?", r"doctors? (?:told|says?|said|recommend\w*|wants?)",
    r"(?:hearing|vision) loss", r"deaf", r"legally blind", r"miscarriage", r"stillb\w+", r"vasectomy", r"hysterectomy", r"inhaler", r"epipen", r"pacemaker",
    r"burn(?:ed|t)[ -]out", r"burnout", r"nervous breakdown", r"grief counsel\w+", r"eczema", r"psoriasis", r"vaccinat\w+",
)
MONEY = _any(
    r"salar(?:y|ies)", r"wages?", r"income", r"earn(?:s|ed|ing)?", r"(?:make|makes|making|paid|pay|pays|paying) (?:about |around |roughly |over |under |only )?[$€£¥₹]?\d[\d.,]*(?: ?k| ?thousand| ?million| ?euros?| ?dollars?| ?pounds?| a | per )",
    r"[$€£¥₹] ?\d[\d.,]*k? (?:a|per|an) (?:year|month|hour)", r"\d[\d.,]*k? ?(?:a|per) (?:year|month)", r"debts?", r"loans?", r"mortgage", r"bankrupt\w*", r"credit (?:score|cards?)",
    r"overdraft\w*", r"net worth", r"savings", r"(?:in|on|for|the|my|our|user's) rent", r"rent is", r"rent (?:is|costs?) [$€£¥₹]?\d[\d.,]*", r"foreclos\w+", r"evict\w+", r"ow(?:e|es|ed|ing) (?!you|it all|them an)", r"food stamps",
    r"unemployment (?:benefits?|money)", r"inherit(?:ed|ance)", r"alimony", r"child support", r"(?:am|is|are|'m|'s|totally|completely|dead) broke", r"financial (?:trouble|problems?|difficult\w*|stress)", r"tax (?:debt|evasion|fraud)",
    r"bank (?:account|balance)", r"account balance", r"bonus (?:of|was|is)", r"pension", r"gambl\w+", r"stock options", r"paycheck", r"underpaid", r"pay rise", r"raise of",
)
INTIMATE = _any(
    r"lgbt\w*\+?", r"support group", r"trans(?:gender)? \w+", r"my transition", r"gender (?:identity|transition|dysphoria)", r"gay", r"lesbian", r"bisexual", r"pansexual", r"asexual", r"homosexual", r"queer", r"(?:is|am|are|'m|'s|as) trans", r"transgender", r"transsexual", r"transition(?:ing|ed) (?:to|from)", r"came out",
    r"coming out (?:to|as)", r"closeted", r"sexual\w*", r"sex life", r"porn\w*", r"erectile", r"virgin(?:ity)?", r"non-?binary", r"genderfluid", r"fetish\w*", r"polyamor\w+",
    r"undocumented", r"immigration status", r"asylum", r"refugee status", r"deport\w+", r"visa (?:status|expired|expires|denied|refused|was|got|is|finally)", r"green card", r"work permit", r"overstay\w*",
    r"residence permit", r"arrest(?:ed)?", r"jail\w*", r"prison", r"convict\w+", r"felon(?:y)?", r"lawsuits?", r"sued", r"suing", r"probation", r"parole", r"restraining order", r"custody", r"criminal record",
    r"court (?:case|date|hearing)", r"dui", r"charged with", r"indict\w+", r"abus(?:e|ed|ive|ing|er)", r"assault\w*", r"rap(?:ed|ist)", r"molest\w+", r"domestic violence",
    r"(?:beat|beats|beaten|hit|hits) (?:me|us|him|her|the user)", r"beat(?:s|en)? \w+ when", r"harass\w+", r"stalk\w+", r"trauma\w*", r"ssn", r"social security number", r"passport number",
)
FOREIGN_SENSITIVE = re.compile(
    r"(?i)(?<!\w)(?:krebs|schwanger\w*|depression\w*|angststörung|gehalt|schulden|diagnose|therapie|krankheit|cáncer|embarazada|"
    r"depresión|ansiedad|salario|sueldo|deudas?|enfermedad|enceinte|dépression|anxiété|salaire|dettes?|maladie|incinta|depressione|"
    r"ansia|stipendio|debiti|grávida|depressão|ansiedade|salário|dívidas?|doença|schwul|lesbisch|diabet\w+)(?!\w)|"
    r"抑郁|怀孕|懷孕|工资|工資|薪水|癌|焦虑|焦慮|糖尿病|债务|うつ|妊娠|給料|病気|借金|우울|임신|월급|беременн|депресси|зарплат|диагноз|долг|"
    r"حامل|اكتئاب|راتب|سرطان"
)
PERSONAL = _any(
    r"(?:looking|searching|hunting|applying|applied) (?:\w+ ){0,2}(?:for|to) (?:a |an |another |other |new |the )*(?:\w+ )?(?:jobs?|roles?|positions?|work|opportunit\w+|employer)",
    r"job[- ](?:hunt\w*|search\w*|offer|interviews?)", r"interview(?:ing|ed|s)? (?:at|with|for)", r"(?:an |the |my )?interview (?:at|with|for)", r"resign\w*",
    r"(?:quit|quitting|leave|leaving|left) (?:my|the|his|her|their|this|\w+['’]s|our)? ?(?:job|company|team|position)", r"planning to (?:quit|leave|resign)", r"(?:want|wants|going) to quit", r"laid off", r"layoffs?", r"(?:got|was|been|being|were) fired", r"(?:got|was|been) let go", r"sacked",
    r"(?:lost|losing) (?:my|his|her|their|the|\w+['’]s|the user's) job", r"two weeks['’]? notice", r"unemployed", r"jobless", r"br(?:oke|eak|oken|eaking)[ -]?up", r"divorc\w+", r"separat(?:ed|ion|ing) from", r"(?:is|are|am|'re|'m|'s|getting|we) separat(?:ed|ing)", r"dumped", r"cheat(?:ed|ing|s) on", r"affair",
    r"dating", r"seeing someone", r"(?:a|my|'s) crush", r"crush on", r"ex(?:-\w+)?", r"marriage (?:counsel\w+|problems?|trouble)", r"(?:fight|fought|fighting|argument|argued|arguing|conflict|fell out|falling out) with", r"yell(?:ed|s|ing)? at", r"(?:hate|hates|dislike|dislikes|can't stand) (?:my|his|her|the user's|\w+['’]s) (?:boss|manager|job|coworkers?|colleagues?|mother-in-law|father-in-law|in-laws)",
    r"not (?:speaking|talking) to", r"toxic", r"lonely", r"loneliness", r"home(?:sick|less)", r"address", r"lives? at \d+", r"\d+\w? (?:[A-Z]\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|way|court|close|square|terrace|place)",
    r"phone number", r"(?:my|mobile|cell|his|her|\w+['’]s) number is", r"number is \+?\d[\d -]{3,}", r"email", r"e-mail address", r"[\w.+-]+@[\w-]+\.\w+", r"catholic", r"protestant", r"muslim", r"jewish", r"hindu", r"buddhist", r"atheist", r"agnostic", r"mormon", r"sikh", r"orthodox",
    r"religio\w+", r"(?:a|am|'m|is|are|devout|practicing) christian", r"pray(?:s|ed|ing)?", r"vot(?:e|es|ed|ing) (?:for|against)", r"voted", r"republican", r"democrat", r"tor(?:y|ies)", r"left-wing", r"right-wing", r"politic(?:al party|ally)", r"died", r"dying", r"passed away", r"funeral", r"death of", r"death", r"griev\w+", r"widow\w*",
    r"allerg\w+", r"intoleran\w+", r"anaphyla\w+", r"overweight", r"obese", r"(?:weigh|weighs) \d+", r"my weight", r"weight is", r"nobody (?:listens|cares|likes|loves)", r"hates? (?:me|myself|us|the user)", r"insecure", r"ashamed", r"estranged", r"adopted (?:child|as a)", r"secretly", r"(?:leaving|leave|leaves) the company", r"burglar\w*", r"license plate", r"passport", r"birth certificate",
    r"infidelity", r"propos(?:e|ing) to", r"stress(?:ed)? (?:out )?about", r"bull(?:y|ied|ying|ies)",
)
FOREIGN_PERSONAL = re.compile(
    r"(?i)(?<!\w)(?:allerg\w+|alérgic\w+|alergi\w+|allergisch|intoleran\w+|intolerant\w*|scheidung|geschieden|divorc\w+|divorzi\w+|arbeitslos|gekündigt|"
    r"chômage|desemplead\w+|disoccupat\w+|adresse|dirección|indirizzo|endereço)(?!\w)|过敏|過敏|アレルギー|離婚|离婚|알레르기|аллерги|развод|حساسية"
)
CONFIDENTIAL = re.compile(
    r"(?i)\bbetween (?:us|you and me|ourselves|the two of us|you and i)\b|\bin (?:strict )?confidence\b|\bconfidential(?:ly)?\b|"
    r"\b(?:don['’]?t|do not|please don['’]?t|never|not) (?:\w+ )?(?:tell|share|mention|say|repeat)(?: (?:this|that|it))?(?: (?:to|with))? (?:anyone|anybody|any one|a soul|others|the others|to|with|it)\b|"
    r"\b(?:haven['’]?t|have not|havent) (?:\w+ )?(?:told|shared)\b|\bnobody (?:else )?knows\b|\bno one (?:else )?knows\b|\bkeep (?:this|it|that) (?:a secret|secret|quiet|private|to yourself|between us)\b|"
    r"\boff the record\b|\bthis stays between\b|\bdon['’]?t let (?:anyone|anybody|\w+) know\b|\bit['’]?s a secret\b|\bsecretly\b|"
    r"\bunter uns\b|\bim vertrauen\b|\bsag(?:s|e)? (?:es )?niemand\w*|\bentre nosotros\b|\bno se lo digas a nadie\b|\ben confianza\b|\bentre nous\b|\bne le dis à personne\b|\btra (?:di )?noi\b|\bnon dirlo a nessuno\b|\bentre nós\b|\bnão conta pra ninguém\b"
)
SUSPECT = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|the|your)\b.{0,20}\b(?:instructions?|rules?|prompts?|messages?|guidelines?|context)\b|"
    r"\bwhen(?:ever)? (?:\w+ )?(?:asked|asks?|somebody asks|someone asks|the user asks)\b.{0,60}\b(?:always|must|should|never)? ?(?:answer|reply|say|respond|tell|output|return)\b|"
    r"\bsystem prompt\b|\byou are (?:now )?(?:dan|an? (?:unrestricted|evil|different)|no longer)\b|\bact as (?:if|an?|though)\b|"
    r"<\/?(?:tool_call|function_call|system|assistant|tool|function|invoke)\b|\[/?INST\]|<\|\w+\|>|\b(?:reveal|print|leak|exfiltrate|send) (?:your|the|all) (?:system |hidden |secret )?(?:prompt|instructions|api keys?|credentials|memories)\b|"
    r"\bdeveloper mode\b|\bjailbreak\b|\bfrom now on,? you (?:are|will|must)\b|\bnew instructions?:"
)
JOKE = re.compile(
    r"(?i)(?:^|\s)/s\b|\b(?:just |only |i['’]?m |im )?(?:kidding|joking)\b|(?<!\w)j/?k(?!\w)|🙄|🤡|\byeah,? right\b|\bsarcas\w+|\boh sure,|\bas if\b|\bqueen of england\b|"
    r"\b(?:i['’]?m|i am|im) (?:dead|dying|drowning|crying|screaming|literally dead)\b(?! (?:from|because|with)\b)|💀|\bcould eat a (?:horse|cow)\b|\bwould kill for\b|\bwhen pigs fly\b|\boh great,|\bi just love\b(?=.*(?:waiting|meetings|mondays|traffic))|🙃"
)
FICTION = re.compile(
    r"(?i)\bonce (?:upon a time|there (?:was|were|lived))\b|\bin (?:the|this|my|that|his|her) (?:story|movie|film|book|novel|game|show|series|dream|play|fanfic|scene|campaign)\b(?!\s*(?:club|shop|store))|"
    r"\b(?:my|the) (?:character|avatar|protagonist|oc|player|main character|persona)\b|\b(?:imagine|suppose|assume|pretend|hypothetically|what if|let['’]?s say|say a|for example|e\.g\.)\b|\bwrite (?:me )?an? \w+|\bit was a dark and stormy\b"
)
PLACEHOLDER = re.compile(r"\[(?:[A-Z][A-Za-z _]*|[a-z]+ here)\]|\{\{?\w+\}?\}|<(?:name|city|place|your \w+|[A-Z_]+)>|_{3,}|\bTBD\b|\bTBA\b|\bXXX+\b|\blorem ipsum\b|\bfoo(?:bar)?\b|\bN/A\b")

WORK = words(
    "api apis app backend backlog beta branch build bug ci client cluster codebase commit component config contract customer "
    "dashboard database db deadline demo deploy deployment deploys design docs endpoint feature frontend incident infra "
    "integration invoice issue kickoff launch logo meeting meetings microservice migration milestone monorepo mvp okr okrs on-call "
    "onboarding outage pipeline planning platform pr product prod production project prototype pull-request qa refactor "
    "release releases repo repository retro review roadmap rollout schema sdk server service services ship shipping sprint staging "
    "stakeholder standup standups stand-up stack sync team template tests testing ticket tickets ui ux vendor version workshop "
    "all-hands offsite budget kpi report quarter postgres mongodb redis kafka kubernetes docker terraform react vue angular django "
    "rails typescript javascript python rust java kotlin golang graphql grpc rest aws gcp azure slack jira linear figma notion "
    "github gitlab tabs spaces v1 v2 v3 ie support catalog"
)
DECISIONS = words("decide agree choose pick settle opt commit adopt switch standardize standardise go use drop migrate")
TECH_TROUBLE = re.compile(
    r"(?i)\b(?:\w*(?:error|exception)s?|traceback|stack ?trace|segfault|compil\w+|line \d+|status code|40[0-9]|50[0-3]|undefined|null ?pointer|crash(?:es|ed)?|"
    r"the (?:code|script|function|loop|query|file|files|tests?|output|command|build|log|logs|snippet|regex|document|text|essay|image|wrong thing|prompt|solution|link|page)|"
    r"npm|pip|docker|your (?:api|solution|code|suggestion|answer|script|idea|plan|help)|option (?:one|two|three|1|2|3|a|b)|your|(?:first|second|third|last|other) (?:one|option|version|answer|approach|file|paragraph|draft))\b"
)
TOOLS = {
    "editor": words("neovim vim nvim emacs vscode vs-code sublime intellij pycharm webstorm atom helix zed nano notepad++ xcode rider "
                    "cursor code eclipse goland clion phpstorm rubymine"),
}
PLACES = words(
    "paris london berlin rome madrid tokyo oslo sydney canberra dublin lisbon vienna prague warsaw moscow athens amsterdam "
    "australia france germany spain italy japan china india canada brazil england scotland ireland portugal greece mexico america "
    "europe asia africa earth mars venus jupiter amazon google apple microsoft facebook netflix python java javascript "
    "rust go kotlin swift react vue angular linux windows macos android docker kubernetes postgres mysql chatgpt gpt claude "
    "git github english french german spanish italian japanese chinese water light christmas easter monday tuesday "
    "wednesday thursday friday saturday sunday slack jira"
)
CARS = words(
    "toyota honda ford chevrolet chevy subaru mazda nissan hyundai kia bmw audi mercedes volkswagen vw golf tesla volvo skoda "
    "škoda seat renault peugeot citroën citroen fiat jeep dodge ram lexus acura infiniti porsche ferrari lamborghini mini "
    "mitsubishi suzuki dacia opel vauxhall saab jaguar prius corolla camry civic accord outback forester mustang f-150 polo "
    "rivian lucid byd polestar cupra alfa land-rover rover yaris leaf car truck van pickup suv hatchback sedan"
)
PHONES = words("iphone pixel galaxy oneplus xiaomi nokia huawei fairphone motorola samsung oppo")
LANGUAGES = words(
    "english spanish french german italian portuguese dutch swedish norwegian danish finnish icelandic polish czech slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian bosnian slovenian albanian lithuanian latvian "
    "estonian arabic hebrew farsi persian urdu hindi bengali punjabi tamil telugu malayalam kannada marathi gujarati nepali "
    "sinhala thai vietnamese khmer lao burmese malay indonesian tagalog filipino mandarin cantonese chinese japanese korean "
    "mongolian swahili amharic somali yoruba igbo hausa zulu xhosa afrikaans akan twi wolof welsh irish gaelic scots basque "
    "catalan galician esperanto latin georgian armenian azerbaijani kazakh uzbek pashto kurdish creole quechua maori hawaiian "
    "asl bsl klingon"
)
