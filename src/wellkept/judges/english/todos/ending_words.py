"""The words by which it is known that something is done, is not, or is no longer wanted."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar.lexicon import words
from wellkept.patterns import deferred

LEADING = words(
    "i we just finally already yes yep ok okay so also i've we've mean yesterday today earlier then this last morning "
    "night have well and all hey yay oh actually now at tonight only both long even afterwards quickly"
)
"""Words before the verb of a clause that tells what was done."""
OTHERS = words("my the he she they it a an his her their our you your someone somebody nobody")
OF_PEOPLE = words(
    "call phone ring email text write speak talk visit see meet tell ask help send pay give come go return "
    "apologise apologize"
)
"""Deeds that people do to the speaker as well as the speaker to them."""
IT = words("it him her them that those these everything all")
PAST_AS_BASE = words("hit read put cut let quit set shut did done been got had went")
LIGHT_VERBS = words("get have do manage be make take go finish complete try say give pay")
TOUCHED_UP = deferred(
    r"\bfinishing touch|\blast \w+ (?:of|in|on)\b|\blast (?:page|line|stitch|chapter|bit|touch)|\bthrough with\b",
    re.IGNORECASE,
)
FINISHING = words("finish complete do manage sort accomplish handle wrap tick conclude nail")
FINISHED = words(
    "do finish complete sort over check settle ready through handle accomplish arrange tick wrap prepare deal resolve "
    "solve squash clear"
)
SERVICE = words(
    "fix repair mend change replace clean translate cut install deliver paint mow wash service tidy sew iron build"
)
"""What others do for one."""
EXPERIENCED = words("see visit meet attend watch go call have present give talk join play try eat")
AGREED = deferred(
    r"\b(?:said (?:yes|no|ok|okay|sure)|agreed|accepted|refused|declined|turned (?:me|us|it) down|is (?:in"
    r"|coming|on board))\b",
    re.IGNORECASE,
)
ASKING = words("ask invite")
SPAN = deferred(
    r"^(?:(?:just|did|managed|about|another|a good|today) )*(?:\d+|an?|half|two|three|four|five|six|eight"
    r"|ten|fifteen|twenty"
    r"|thirty|forty|fifty|sixty)(?: an?)?[ -]?(?:hours?|minutes?|pages?|laps?|lengths?|km|kilometres?"
    r"|kilometers?|miles?|reps?|sets?"
    r"|chapters?|litres?|liters?|glasses|k steps|steps|rounds?|sessions?)\b",
    re.IGNORECASE,
)
"""How much was done of what is done again and again."""
CHECKED = deferred(r"[,:-] (?:check|tick|done)[.! ]*$", re.IGNORECASE)
WENT_WELL = deferred(
    r"^(?:(?:my|the|our|that|today's|yesterday's) )?[\w' -]+ (?:was|were|went|turned out) (?:so |really |very "
    r"|actually |quite "
    r"|such |super |absolutely )*(?:lovely|great|nice|good|well|fun|wonderful|amazing|fine|ok|okay|terrible"
    r"|awful|brilliant|a "
    r"|an |incredible|delicious|perfect|beautiful|incredible|superb|tasty|lots of|productive|helpful|useful"
    r"|interesting|boring|long|short|fantastic|smoothly|better|worth)\b",
    re.IGNORECASE,
)
PREPOSITION = deferred(
    r"\b(?:to|at|in|on|onto|into|during|about|with|for|from|of|over|by|like|because|while|when|as)\b"
)
PASSED = deferred(r"\b(?:passed|made it through|got through|aced|cleared)\b", re.IGNORECASE)
SENT_ME = deferred(
    r"^(?!i\b|we\b).+ (?:sent|gave|brought|delivered|handed|emailed|returned|passed) (?:me|us)\b", re.IGNORECASE
)
FOR_ME = deferred(
    r"^(?!i\b|we\b)[\w' ]{2,40}? (?:has |have |just |finally |came and |already )*(\w+(?:ed|t|t up)|did|took|put"
    r"|hung|made"
    r"|sewed|built|cut|dealt) (?:my|our|the|all)\b",
    re.IGNORECASE,
)
INFORMED = words("call tell send ask write inform speak talk")
KNOWS = deferred(r"^(?!i\b|we\b).+ knows?\b", re.IGNORECASE)
AUXILIARIES = words("be is are was were 's has have been got get now all finally already at last done_with just")
HANDING = words("return send pay give buy take submit tell fetch")
STATES = {
    "submit": words("in out go send"),
    "send": words("out off go post mail letterbox mailbox"),
    "plant": words("in ground soil earth bed"),
    "bake": words("out ready"),
    "launch": words("live out up online"),
    "set": words("up stand standing ready place"),
    "charge": words("full charged"),
    "fill": words("in full"),
    "fetch": words("home here back"),
    "translate": words("back"),
    "book": words("calendar diary"),
    "sell": words("go gone away"),
    "clean": words("clean sparkling spotless"),
    "pay": words("square even money clear"),
    "tidy": words("tidy clean clear empty"),
    "take": words("out"),
    "fix": words("work run"),
    "update": words("date current"),
    "learn": words("fluent"),
    "renew": words("valid"),
    "sign": words("in"),
    "prepare": words("ready"),
    "cook": words("oven table served"),
    "install": words("place up"),
    "hang": words("up wall"),
    "wash": words("clean dry line"),
    "return": words("back post mail way"),
    "donate": words("go gone away"),
    "pack": words("bag suitcase luggage rucksack backpack"),
    "finish": words("out"),
    "cancel": words("go off"),
}
"""What a thing is after the deed, where that is not the deed's own word."""
IN_TALK = deferred(
    r"\b(?:off|on) the phone (?:with|to)\b|\bgot (?:through to|hold of|in touch with)\b|\bhung up\b|\bhad (?:a|the|that"
    r"|my) (?:\w+ )?(?:chat|talk|word"
    r"|conversation|call)\b"
)

HAS_MINE = deferred(r"^(?!i\b|we\b|you\b).* (?:has|have)(?: got)? (?:my|our)\b", re.IGNORECASE)
GIVEN = words("submit send give return pay tell")
OWN_HAD = deferred(r"^(?:i|we)(?:'ve got| have(?: got)?|'ve) (?:my|our|the|an?) (?!.*\bto \w)", re.IGNORECASE)
SPEAKERS = words("i we i've we've")
TRAILING = words("in out off up back over away to for at on with the")
"""Words that may stand after a participle that ends the words."""
TOGETHER = deferred(r"^((?:my |our |the )?[\w'.]+(?: [\w']+)?) and (?:i|me) (?=\w)(.*?)[.!]*$", re.IGNORECASE)
"""Two did it: "Farida and I spoke"."""
KNOWN = deferred(
    r"^(?:i|we) (?:now |finally |already )*(?:know|can (?:now |finally )*\w+|am fluent|speak)\b", re.IGNORECASE
)
THANKED = deferred(r"\b(?:thanked|thanks|praised) (?:me|us) for (?:the |my |our |all the )?(\w+)", re.IGNORECASE)
READY = deferred(r"^(?:(?:i'm|i am|we're|all|now|finally|i feel) )*(?:ready|set|prepared) for\b", re.IGNORECASE)
IS_IN = deferred(
    r"^(?:i'm|i am|we're|we are) (?:now |officially |finally |already |all )*(enrolled|enroled|registered|signed|booked"
    r"|subscribed|vaccinated|insured|caught|packed)\b",
    re.IGNORECASE,
)
PASSING_BY = words(
    "phone hour minut today morn evening night yesterday week weekend earlier long time lunch monday tuesday wednesday "
    "thursday friday saturday sunday afternoon tonight finally person"
)
"""When and how something was done, as the index has the words."""
BEEN_AT = deferred(
    r"^(?:(?:i|we|just|finally|today|i'm|we're|i've|we've|and) )*(?:was|were|been|got|came|am)? ?(?:just )?"
    r"(?:(?:back|home) (?:from|at)|at) (?!home|work|a loss|least|last|first|the moment)",
    re.IGNORECASE,
)
RECEIVED = deferred(
    r"^((?:(?:my|the|our) )?[\w'-]+(?: [\w'-]+)?) (?:has |have |just |really |absolutely |finally )*(?:(?:got"
    r"|gotten|received"
    r"|accepted|accepts|opened|unwrapped|thanked|tried|used|wore|replied|answered|responded|wrote back|signed)"
    r"|(loved|loves|adored|adores|liked|likes|enjoyed|enjoys|ate|appreciated"
    r"|is (?:now |already )?(?:wearing|using|reading|enjoying|playing|driving|eating)"
    r"|was (?:so |very |really )*(?:happy|thrilled|delighted|pleased|touched|over the moon)))\b",
    re.IGNORECASE,
)
PLEASING = words(
    "bake cook make buy sew knit paint build draw organise organize prepare give order visit see thank help call"
)
ATTENDED = deferred(
    r"^((?:my|the|our|a) [\w'-]+|dr\.? \w+) (?:has |just |finally |quickly )*(?:checked|examined|looked"
    r"|had a look|took a look"
    r"|pulled|cleaned|treated|confirmed|prescribed|did|cut|fixed|gave me|saw (?:me|us)|operated|tested|measured)\b",
    re.IGNORECASE,
)
SEEING = words("see visit")
REACHING = PLEASING | words("send return pay deliver write tell take apologise apologize donate")
OBTAINING = words("find hire buy get order renew fetch collect purchase")
MENDING = words("fix repair mend")
CAME = deferred(r"\b(?:arrived|came|turned up|is here|was here|are here|'s here|showed up)\b", re.IGNORECASE)
WORKS = deferred(
    r"\b(?:works?|runs?|working|running)\b.*\b(?:again|fine|like new|perfectly|now|properly)\b"
    r"|\b(?:doesn't|does not|don't|no longer|isn't|stopped) (?:\w+)(?: any ?more)?",
    re.IGNORECASE,
)
NEW = deferred(
    r"^(?!i\b|we\b).* (?:has|have)(?: got)? (?:an?|some|the|his|her|their) .*\bnow\b"
    r"|^.* (?:has|have|got)(?: got)? (?:an? |some |the )?(?:new|fresh)\b|^(?:(?:my|our|a|the|got|look"
    r"|check out) )*(?:brand[- ])?new \w+",
    re.IGNORECASE,
)
NOT_DOING = words(
    "think dream hear read know want wish hope like love hate enjoy remember forget lose break miss see notice "
    "look ask "
    "talk tell say start begin try plan consider discuss mention fear worry wait need cancel postpone delay skip avoid "
    "ruin damage drop spill burn leave watch compare search google dread regret hesitate meet fail stop quit appeal "
    "buy sell order eat drink wear ride fall complain argue use keep hide check laugh cry get be have do go come "
    "receive happen seem feel"
)
"""What can be done about a thing without doing what was meant."""
LEAVING = words("cancel quit stop leave")
NO_LONGER = deferred(r"\bno longer\b|\bnot .*\bany ?more\b", re.IGNORECASE)
PARTIAL = deferred(
    r"\b(?:half|part|most|some|bits?|a (?:bit|part|third|quarter|few|couple)|one|two|three|four|five|\d+)"
    r"(?: \w+)? of (?:the|my|our|his"
    r"|her|it|them"
    r"|[\w-]+'s)\b(?! (?:day|morning|evening|night|week|weekend|afternoon|time))"
    r"|\b(?:the )?first (?:half|part|draft|page|chapter|bit|section|step|third|few)\b|\bhalf (?:my|the|our|an?)\b"
    r"|\bbut (?:not|only)\b|\bonly (?:did|got|half|managed|part|the first|one)\b|\bexcept\b|\bstill (?:needs?"
    r"|missing)\b"
    r"|\b(?:partly|partially|in part|so far|to go)\b",
    re.IGNORECASE,
)
BEEN_TO = deferred(
    r"(?:been|went) (?:back )?to (?!bed|sleep)|(?:popped|dropped|stopped|swung|came|called|looked) (?:in|by|over"
    r"|round|around)"
    r"\b(?: (?:at|on|to))?|spent (?:\w+ ){1,3}(?:at|with)\b"
)

_BEFORE = (
    r"^(?:(?:ok(?:ay)?|yes|yay|yep|and|so|well|hey|oh|wow|actually|right|please|phew|great|good|hm+"
    r"|no)[,!.]* )*"
)
_IT = r"(?: it| that| this| this one| that one| the thing| them)"
DONE_BARE = deferred(
    rf"{_BEFORE}(?:i(?:'ve| have)? |we(?:'ve| have)? )?(?:just |finally |already |now |at last )*"
    rf"(?:did{_IT}|done(?:{_IT}| and dusted)?|all (?:done|set|good|taken care of|\w+ed)|finished{_IT}?|(?:fixed"
    rf"|completed|sorted"
    rf"|managed|nailed"
    rf"|handled|submitted|sent|ticked off|got round to|got around to|took care of|ticked"
    rf"|crossed){_IT}?(?: off(?: (?:the|my) list)?)?|got{_IT} (?:done|sorted|over with|out of the way"
    rf"|finished)"
    r"|(?:it|that|this)(?:'s| is| has been| got) (?:all |now |finally |been )*(?:done|finished|sorted|in|out|sent"
    r"|over|settled"
    r"|handed in|submitted|taken care of|off my (?:list|plate))|i'?m done|just did|i did|i have|(?:that"
    r"|it) (?:went|worked) (?:well|out|fine)|mission accomplished|job done"
    r"|task (?:completed|done)"
    r"|check(?: that off)?|(?:yes |yep |yeah )?i did|ticked off|that one'?s done)(?: today| now| already"
    r"| finally| at last| yesterday| too"
    r"| this morning| last night| earlier)*"
    r"(?:[!.,]+ *(?:finally|yay|at last|phew|(?:we|i|it|she|he|they)\b.*)?)?\s*[.!]*$",
    re.IGNORECASE,
)
COPULA = deferred(
    # The "'s" of "Rosa's letter is in the post" is none.
    r"(?:\b(?:is|are|was|were|been|got)|'s(?!.*\b(?:is|are|was|were|been|got|has|have)\b))((?: [\w-]+){1,4})",
    re.IGNORECASE,
)
RESULT = deferred(
    r"(?:\b(?:is|are|was|were|got|has been|have been|went|been)|'s(?: been)?|'ve been)(?: \w+ly| now| all| finally"
    r"| already"
    r"| just| been| at last| with)* (?:(?:\w{2,}ed|done|paid|sent|written|made|bought|out|in|off|over|sold|found"
    r"|dealt|live|online|complete"
    r"|kept|met|read|taken"
    r"|built|gone|back|on|up|down|away|clean|sparkling|spotless|tidy|ready|through|square|even|rung|told|put|shut"
    r"|cut|given|set)\b"
    r"(?: (?:in|out|off|up|clean|back|care|the post|the mail)\b)?)+"
    r"|(?<=\w )(?:done|sent|paid|booked|finished|written|bought|sorted|fixed|submitted|ordered|scheduled|cleaned"
    r"|packed"
    r"|mailed|resolved|made|handed in|renewed|cancelled|canceled|returned|reserved|posted|signed|delivered"
    r"|completed|filed)"
    r"(?: back| off| in| out| up| away)?(?: at last| finally| now| today| this \w+| last night"
    r"| yesterday)*(?: (?:to|for|with|at) [\w' ]+)?[.!]*$|(?<=\w): (?:check|complete|\w+ed|done|bought|sent|made"
    r"|paid|written|put|read|taken|over|in|ready)[.! ]*$",
    re.IGNORECASE,
)
HAD = deferred(
    r"\b(?:has|have)\b(?: got)?|\bknows\b|\bis with\b|\bis (?:back )?(?:at"
    r"|in the hands of)\b",
    re.IGNORECASE,
)
UNDONE = deferred(
    r"\b(?:didn't|did not|haven't|have not|hasn't|has not|hadn't|couldn't|could not|can't|wasn't|weren't|isn't|aren't"
    r"|forgot(?: to| about)?|failed to|not|yet to|still (?:have|need|leaks?|broken|to)|never|tried (?:to|calling"
    r"|ringing|phoning|reaching|getting)"
    r"|going to|will|no (?:answer|reply|luck|one there)|voicemail"
    r"|i'll|we'll"
    r"|he'll|she'll|they'll|should|need to|have to|has to|had to|want(?:ed)? to|hope(?:d)? to|due|almost|nearly"
    r"|half (?:done|finished|way|through)|halfway"
    r"|maybe|perhaps|possibly|would|might|may|started|began|skipped|missed|about to|planned to|meant to|decided"
    r"|wish|fully"
    r" booked|booked (?:out|up)|sold out|talked about|thought about|thinking|looking|told \w+ to|asked \w+ to|let"
    r"|watched (?:him|her|them|my|someone)|heard"
    r"|late|(?<!works )(?<!working )(?<!runs )(?<!running )(?<!clean )again|ran (?:into|out|over|late))\b|^no\b|n't\b",
    re.IGNORECASE,
)
UNREAL = deferred(r"\bif (?:i|we|only)\b|\bi wish\b|\bhad i\b", re.IGNORECASE)
ENDING = deferred(r"^(?:quit|stop|avoid|give up|no more)\b", re.IGNORECASE)
ENDED = deferred(r"\b(?:quit|stopped|gave up|managed)\b", re.IGNORECASE)

_CALLED_OFF = r"(?:never ?mind|cancel|scrap|scratch|skip|forget|drop|ditch|leave|strike|ignore|delete|remove|abandon)"
DISMISSED_BARE = deferred(
    rf"{_BEFORE}(?:let's |you can |just |we can )*(?:{_CALLED_OFF}(?: (?:it|that|this|about (?:it|that|this)"
    rf"|that one|it then"
    r"|it be|the whole thing))?|don't (?:bother|worry about (?:it|that))|not happening|(?:i(?:'ve"
    r"| have)? )?(?:decided against (?:it|that)"
    r"|changed my mind|given up|gave up)|(?:i'm )?not (?:going to|doing) (?:do )?(?:it|that|this)(?: after all"
    r"| any ?more)?|i(?:'ll| will|'m going to)? ?(?:not|won't) (?:be )?(?:do|doing) (?:it|that"
    r"|this)(?: after all| any ?more)?"
    r"|(?:it|that)'s (?:off|not happening|cancelled)|no longer (?:needed|necessary)|call it off)(?:, .*)?\s*[.!]*$",
    re.IGNORECASE,
)
DISMISSED = deferred(
    rf"{_BEFORE}(?:let's |you can |just |so |we can |we're not .*, so )*{_CALLED_OFF}\b(?: about)?"
    r"|\b(?:so|and|just) (?:forget|drop|scrap|skip|ditch|cancel)\b"
    r"|^no (?!idea|problem|worries|wonder|one|clue)\w+(?: \w+)?,"
    r"|\bno (?:need|point|use|reason|sense)\b|\bno longer\b|\bno more \w+|\bno (?:\w+ ){1,3}(?:needed|necessary"
    r"|required)\b"
    r"|,? so no \w+[.!]*$"
    r"|\b(?:don't|do not|doesn't|does not) (?:need|want|have|matter|feel like|care|owe)\b|\blost interest\b"
    r"|\b(?:isn't|aren't|is not|are not|not) (?:needed|necessary|required|for me|going to happen|happening|worth"
    r"|my thing)\b"
    r"|\b(?:won't|will not|not going to)\b.*\b(?:after all|any ?more)\b|\bnot going to happen\b"
    r"|\b(?:i'm|i am|we're|we are) not (?!going to (?:forget|miss)|sure|done|ready|finished)\w+ing\b"
    r"|\bchanged (?:my|our) minds?\b|\b(?:gave|giving|given|give) up(?: on)?\b|\bdecided (?:against|not to)\b"
    r"|\bi'?(?:ve)? quit\b"
    r"|\b(?:is|are|it's|that's) (?:now )?(?:off(?! to)|off the table|cancelled|canceled|called off|dead|history"
    r"|out of the question)\b"
    r"|\b(?:i'm|we're|i am|i've) (?:\w+ )?(?:stopp(?:ing|ed)|quitting|dropp(?:ing|ed)|scrapp(?:ing|ed)"
    r"|abandon(?:ing|ed)|out of(?! \w+ing))\b"
    r"|\b(?:keeping|can keep) (?:the|my|our|it|them|him|her)\b|\bkeep (?:the|my|our|it|them)\b.*\bafter all\b"
    r"|\binstead\b.*\bno \w+[.!]*$|\bfell through\b|\bout of the picture\b"
    r"|\btoo late (?:now|for|anyway)\b|\b(?:deadline|chance|moment) (?:has |is |was )?(?:passed|over|gone|missed)\b"
    r"|\bnothing (?:left )?to \w+[.!]*$|\bcan't be bothered\b|\bnever mind\b|\bnot bother\b|\w's off(?! to)\b"
    r"|^(?!i\b|we\b).*\b(?:dropped (?:the|my|our|it)|waived|withdrew|cancelled|canceled|called off|called it off"
    r"|can't make it|bailed)\b",
    re.IGNORECASE,
)
SPARED = deferred(
    r"\b(?:so|and|which means) (?:i|we) (?:don't|do not|no longer|needn't)(?: have| need)?\b"
    r"|\bso no (?:need|\w+ing)\b|\bnothing (?:left )?to \w+\b",
    re.IGNORECASE,
)
"""What makes it needless to do something, whoever did it."""
FOR_NOW = deferred(
    r"\b(?:today|tonight|yet|right now|tomorrow|this (?:morning|week|evening|afternoon)|for now"
    r"|at the moment)\b(?!.*\bany ?more\b)",
    re.IGNORECASE,
)
