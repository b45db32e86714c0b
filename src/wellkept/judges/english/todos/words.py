"""The words by which an intent is known: repeated, asked for, promised, wished; and who speaks in what mood."""

from __future__ import annotations

import re

from wellkept.judges.english.todos.speakers import ADVERB, AM, DO, HAVE, SPEAKER, WILL, WOULD, any_of, pattern
from wellkept.patterns import deferred

_DAY = any_of(
    "day|morning|afternoon|evening|night|noon|lunch|lunchtime|hour|week|weekday|weeknight|weekend|month|year|time"
    "|bedtime|meal|breakfast|dinner|quarter|fortnight|spring|summer|autumn|winter|birthday|payday|work day|school day"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBER = any_of("\\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|a few|several|once|twice|half an")

RECURRENCE = pattern(
    rf"\b(?:every|each) (?:other |single |second |third |\d+ )?(?:{_DAY}|{_DAYS}|minute|january)s?\b"
    r"(?: of (?:the|every|each) month)?",
    rf"\bevery (?:{_NUMBER}|few|couple of) (?:minute|hour|day|night|week|month|year)s\b",
    rf"\b(?:on )?the (?:first|second|third|last|\d+(?:st|nd|rd|th)) (?:{_DAYS} |day )?of (?:every|each"
    rf"|the) (?:month|week)\b"
    rf"|\b(?:end|start|beginning) of (?:every|each) \w+\b|\b(?:an?|one|two|three) \w+ (?:a|per) (?:day|week|month"
    rf"|year)\b"
    r"|\b(?:daily|nightly|weekly|monthly|yearly)\b",
    rf"\b{_NUMBER}(?: [\w-]+){{0,3}} (?:a|per|each|every) (?:day|week|month|night|year|hour)\b",
    rf"\b[\w-]+ [\w-]+ (?:a|per) day\b|\b(?:on |during )?{_DAYS}s(?:(?:,| and|, and| or) {_DAYS}s)*\b",
    r"\b(?:on|during) (?:weekdays|weeknights|weekends|work(?:ing)? ?days|school ?days|school nights|week nights"
    r"|mornings|evenings|(?:week|weekday|weekend|school|work) (?:mornings|evenings|nights|afternoons))\b"
    r"|\bduring the week\b|\bmornings? and (?:evenings?|nights?)\b|\ball week long\b|\b(?:at|in the) (?:weekends"
    r"|mornings|evenings|nights)\b",
    r"\bday in,? day out\b|\bday and night\b|\bround the clock\b",
    r"\bfrom (?:now|here|today|this day)(?: on(?:wards?)?| forward)(?: out)?\b|\bgoing forward\b|\bonce and for all\b"
    r"(?=.*\bno more\b)",
)
_HABITUAL = pattern(
    r"\b(?:the |a )?(?:daily |new )?(?:habit|routine|practice|ritual|custom) of \w+ing\b|\bmak(?:e"
    r"|ing) (?:it )?a (?:\w+ )?(?:habit|ritual|routine|rule)\b"
)


def recurs(text: str) -> bool:
    """Whether the text speaks of something that is done again and again."""
    return RECURRENCE.search(text) is not None or _HABITUAL.search(text) is not None


# --- whose words, and in what mood ---

QUESTION = pattern(
    r"^(?:so |and |but |ok(?:ay)?,? |hey,? )*(?:(?:what|when|where|who|whom|why|how|which)(?:'s| \w+)? )?(?:should"
    r"|shall|will"
    r"|would|could|can|do|does|did|am|is|are|have|has) (?:i|we|you|he|she|it|they|(?<!^did )(?:the|my)|people|anyone"
    r"|anybody)\b.*"
    r"|^(?:what|where|who|why|how|which) (?:i|we|you|he|she|it|they|the|my|else)\b.*",
    r".*\?[\s\"')]*$",
)
IRONY = pattern(
    r"^(?:oh,? )?(?:yeah,? right|oh,? sure|sure,? (?:and|because|why not)|great,|fat chance|as if|like i'?m (?:ever)"
    r"|right,? because|because (?:obviously|clearly)|(?:yeah|sure|right)\b.*\b(?:totally|any day now))\b.*",
    r".*\b(?:fat chance|when pigs fly|yeah right|king of|queen of|grow wings|magically|over my dead body)\b.*",
    r".*\b(?:i'll|will|going to)\b.*\b(?:lo+l|lmao|rofl|(?:ha){2,}h?|not really)[\s.!)]*$",
    r".*\b(?:just kidding|only kidding|only joking|kidding|jk|in my dreams)[\s.!)]*$",
    r".*\b(?:casually|single-handedly) .*",
    r"^(?:please |can you |could you )?(?:translate|rewrite|rephrase|paraphrase|correct|proofread|spell"
    r"|summari[sz]e|how do"
    r" (?:you|i) say|what does)\b.*:.*",
    r"^(?:oh |yeah |yes |sure|great)\b.*\b(?:why not|then|just)\b.*\b(?:why not|then|as usual|of course)[.!]*$",
)
SUPPOSED = pattern(
    r"(?<!wonder )(?<!know )(?<!sure )(?<!yet )(?<!see )(?<!decided )(?<!wondering )(?<!decide )"
    r"\b(?:if (?:only )?|(?<!\bi )suppose |supposing |imagine |pretend |what if )(?:i|we|you|he|she|they|it)\b"
    r"|^(?:and |but |so |well,? |then |now )*(?:if|unless) (?!possible|needed|necessary|not\b|so\b|all\b|any)\w+"
)
CHANCE = pattern(
    r"\bif (?:i|we) (?:(?:ever|can|should|could|do|manage to|happen to) )*(?:find|get|have|manage|feel|dare|can)\b"
    r"|\bif (?:it|everything|all) (?:works|goes|turns)\b|\btime permitting\b"
)
SAID_BY_OTHERS = pattern(
    r"\b(?!i\b|we\b)[\w'-]+ (?:says?|said|thinks?|thought|told (?:me|us)|tells (?:me|us)|asked|asks|hopes?|wants?"
    r"|claims?"
    r"|insists?|'m told|am told|reckons?|suggests?|suggested|expects?|believes?|promised|warned)[:,]? (?:me "
    r"|us )?(?:that |if |whether |to )?"
)
DEPENDENT = pattern(r"\b(?:if|whether|unless|until|that|which|who|where|what|how|why|when)\s*$")
UNSURE = pattern(
    r"\b(?:i|we)\b.*\b(?:know|sure|wonder\w*|decided?|see|figured?|ask myself|debating) (?:if|whether"
    r"|when)\s*$"
)
CONFIRMED = pattern(
    r"(?:,? (?:and|so|but) |, )(?:that'?s (?:exactly )?what |yes,? )?i(?:'ll| will| shall| am going to|'m going to)"
    r"(?: do(?: it| that| so)?)?\s*[.!]*$|(?:,? (?:and|so) |, )i(?:'ve| have)? (?:said yes|agreed|accepted"
    r"|promised|volunteered|offered|signed up)\s*[.!]*$"
)

# --- asked for, promised, wished ---

ASKED = pattern(
    r"^(?:please |hey,? |ok(?:ay)?,? |and |also |so |can you |could you |would you |will you |kindly )*(?:"
    r"(?:remind|nudge|ping|text|alert|notify|prompt|poke|tell) me\b(?!,? (?:a|about your|more|how|what|why|who|where"
    r"|when (?:is|was|are|were|did|does|do)|which|the"
    r" (?:story|truth|difference|time|answer)|if)\b)(?: again)?(?P<when>(?!.*\bwhether\b).*?)"
    r"(?:\bto\b|\bthat i\b(?: must| have to| need to)?|\bthat (?=(?:the|my|our|an?|it's|there's|this) )"
    r"|\babout\b|\bof\b|\bso (?:that )?i don't forget to\b)"
    r"|(?:don't|do not|never) let me forget(?: to| about| that i(?: must| have to| need to)?)?"
    r"|(?:don't|do not|never) let me (?:leave|go|sleep|finish|start|eat|log off|walk out|get)\b[^,]*? without\b"
    r"|(?:make|be) sure (?:that )?i(?: don't forget to| remember to)?\b|help me (?:to )?remember(?: to)?\b"
    r"|remember (?:to\b|that i (?:must|have to|need to|should|am supposed to)\b)|(?:jog my memory"
    r"|wake me(?: up)?)\b(?P<then>[^,]*?)(?:\babout\b|\bto\b|\bso (?:that )?i can\b|$)"
    r"|(?:to-?do|nts|(?:quick |little |small |friendly )?(?:note|reminder|memo)(?: to (?:self|myself)| for (?:me|today"
    r"|tomorrow|tonight|\w+day))?|remember for me|don't forget|can't forget|must not forget|mustn't forget"
    r"|(?:(?:next|first|also|still|top|up next|what's) )*on (?:my|the) (?:list|agenda|plate)(?: for)?(?: today"
    r"| tomorrow| tonight| this week)?)\s*:"
    r"|(?:note|reminder|memo) to (?:self|myself)\s*[,\u2013\u2014-]"
    r"|(?:set|make|create|schedule|put in) (?:me )?(?:a |an )?(?:reminder|note|alarm|memo)(?: for (?:me|tomorrow"
    r"|tonight))?"
    r"(?:\s*:| to| that i(?: must| have to| need to)?)"
    r"|(?:add|put|write)(?: (?:it|this|that|down))? (?:to|on|in|down) my (?:list|to-?dos?|calendar|agenda"
    r"|diary)\s*:)\s*"
)
LISTED = deferred(
    r"^(?:please |hey,? |ok(?:ay)?,? |and |also |so |can you |could you )*(?:add|put|write|jot"
    r"|stick) (?P<what>.+?) (?:down )?"
    r"(?:to|on|onto|in|into) (?:my|the|our) (?:[\w-]+ )?(?:list|to-?dos?|calendar|agenda|diary|schedule|planner)\b"
    r"(?P<when>.*)",
    re.IGNORECASE,
)
DATED_LIST = deferred(
    rf"^(?:(?:on |by )?(?:next |this )?{_DAYS}|tomorrow|today|tonight|this (?:week|weekend|evening"
    rf"|afternoon))\s*:\s*(?=[a-z])",
    re.IGNORECASE,
)
_OWED = any_of("plan to|intend to|aim to|need to|have to|must|have got to|'ve got to|had better|'d better|got to")
_BOUND = any_of(
    "going to|about to|to|due to|meant to|supposed to|expected to|determined to|committed to|bound to|obliged to"
    "|required to"
    "|set to|aiming to|planning to|planning on|intending to|committing to|resolved to|scheduled to"
)
_UNDERTAKEN = any_of(
    "decided to|decided that i(?:'ll| will)|agreed to|promised to|committed to|volunteered to|offered to|signed up to"
    "|signed up for|undertaken to|resolved to|chosen to|said yes to|vowed to|sworn to|made up my mind to|pledged to"
    "|(?:booked|signed|put|entered) (?:myself|us) (?:in|up|down) (?:to|for)|taken it upon myself to|taken on"
)
_GIVING_WORD = any_of("promise|promised|swear|swore|vow|vowed|guarantee|pledge")
FIRM = pattern(
    rf"(?:{WILL}|{AM}(?:definitely |really )?{_BOUND} |{DO}{_OWED} |{SPEAKER}{_OWED.replace('plan to|', '')} "
    rf"|{HAVE}{_UNDERTAKEN} "
    rf"|{HAVE}(?:promised|told|vowed|sworn|assured)(?: (?!to\b|i\b|i'd\b)[\w'.-]+){{0,4}}? (?:that )?(?:i(?:'d"
    rf"| would)|to) "
    rf"|{DO}{_GIVING_WORD} (?:you |him |her |them |myself )?(?:to |that )?(?:i(?:'ll| will) )?"
    rf"|{HAVE}(?:gave|given) (?:\w+ ){{1,2}}my word (?:that )?i(?:'d| would|'ll| will) "
    rf"|{HAVE}(?:agreed|decided|settled|arranged) (?:that )?i(?:'d| would|'ll| will) "
    rf"|{DO}(?:said|agreed|vowed|swore|promised|told (?:\w+ )?) ?(?:that )?i(?:'d| would|'ll| will) "
    rf"|^(?:told|promised) (?:[\w'.-]+ ){{1,3}}?(?:that )?i(?:'d| would) |{HAVE}promised (?=(?!to\b)[\w'-]+ (?:the"
    rf"|an?|my|some)\b)"
    r"|^(?:(?:ok|okay|so|and|but|well|then|also|still|just|really|after that|tomorrow|tonight|today) )*(?:have to"
    r"|had better|better"
    r"|need to|got to|must|will|shall|planning to|planning on|aiming to|hoping to|going to) )"
    r"(?:also |still |really |finally )?(?:remember to |make sure (?:that )?(?:i|to) )?"
    rf"|{DO}(?:can't|cannot|mustn't|must not|won't|shouldn't) forget to "
)
DUTY = pattern(
    r"\b(?:it'?s|it is|that'?s|it'?ll be) (?:my (?:job|turn|duty|responsibility|task"
    r"|intention|plan|aim|goal|resolution)|on me|up to me|for me|time) to "
    r"|\b(?:it|this|that) (?:falls?|comes? down|is left|has been left|was left) (?:up)?(?:on |to )me to "
    r"|\b(?:there's|there is|that leaves) (?:(?!no\b)[\w' -]+) for me to |^(?:my|our) (?:turn|job|duty|task) to ",
    r"\b(?:my|the) (?:(?:[\w'-]+ ){0,2}(?:plan|job|task|goal|aim|resolution|intention|mission"
    r"|objective|target|rule|thing|step|priority)"
    r"(?: (?:for|this) (?:\w+ ?){1,2}| tonight| today| tomorrow)?)"
    r"(?: is(?! (?:off|on|dead|over|done|out|up|still|not|now|no"
    r"|very|too|so|clear|great|good|bad|fine|ruined|cancell?ed|scrapped|postponed|delayed|unclear|simple|easy"
    r"|hard)\b)(?: to)?|: ?) ",
    r"\bthe day i (?:finally )?|^let me (?!know|explain|think|see|ask you|tell|guess|be|put it|just say|say|in\b"
    r"|go\b|help|show)",
    r"\bis my responsibility(?: and)?|^(?:the )?[\w' ]+ (?:is|are) on me[,.]?",
)
THING_TO_DO = deferred(
    rf"(?:{SPEAKER}(?:'ve got| have got| have|'ve)) (?!to\b)(?P<thing>(?:an?|the|two|three|four|some|my|several"
    rf"|\d+) [\w' -]{{2,40}}?) to"
    r" (?P<verb>(?!be\b|do with\b|say\b)\w+)(?P<rest>.*)",
    re.IGNORECASE,
)
OWES = pattern(rf"{DO}owe \w+")
RELATIVE = pattern(rf"^(?:[\w,]+ )?{SPEAKER}(?:'ve)? (?:have|got|have got)\b.*\b(?:that|which)\s*$")
"""Somebody has something that they must see to: "an interview that I have to prepare for"."""
GUESSED = pattern(
    rf"{DO}(?:bet|fear|doubt|suspect|imagine|dreamt|dreamed|'m afraid|am afraid|'m worried|worry)(?: that)?\s*$"
)
UNDERTAKEN = pattern(rf"{_UNDERTAKEN}|{_GIVING_WORD}|my word")
OWED = pattern(r"\b(?:have to|got to|need to|must|supposed to|expected to|due to|meant to)\b")
COUNTED_IN = pattern(
    r"\b(?:count (?:me in|on me)|you have my word|leave (?:it|that|the [\w ]+?) (?:to|with) me)\b"
    r"|\bconsider (?:it|that|(?:the|your|my|his|her|their) [\w ]+?) (?:as good as )?(?:\w+ed|done|sent|paid|bought|made"
    r"|written)\b"
    r"|^(?:i'm |already )?on it\b"
)
WISH = pattern(
    rf"{DO}(?:want|ought|hope|wish|would like|mean) to |{WOULD}(?:like|love|want) to |{AM}(?:hoping|trying"
    rf"|looking) to "
    rf"|{DO}should (?!be\b|have\b|say\b)|{DO}(?:want|would like) (?=\w+ \w+)|^hoping to |^trying to "
    rf"|^would (?:really )?(?:like|love) to "
)
_PROJECT = any_of(
    "learn|start|become|open|write|travel|visit|move|change|find a|get better|improve|build|quit|lose|see the"
    "|publish|study"
    "|found|take up|try|join|adopt|record|restore|renovate|run a|grow|walk the|make peace|reconnect"
)
PROJECT = deferred(rf"^{_PROJECT}\b", re.IGNORECASE)
START = pattern(
    r"\b(?:from (?:now|today|tomorrow|monday|next \w+)(?: on(?:wards)?)?|as of (?:now|today|tomorrow|next \w+)"
    r"|starting"
    r"(?: from| in| on)? \w+|going forward|beginning (?:\w+ )?\w+|from \w+day on|i start \w+|no more \w+)\b"
)
RULE = pattern(
    r"^(?:(?:a|my|the|our) )?(?:new |house |family |personal |golden |simple )*(?:rule|resolution|habit|routine"
    r"|goal|plan)"
    r"(?: (?:of mine|for (?:me|us|this \w+|\d+)))?\s*[:,-]|^no more\b"
    r"|\b(?:make it a rule|my (?:new )?(?:rule|resolution|thing|goal|aim|routine)|that's my rule|i'm committing"
    r"|i commit|(?:a|the) rule of|setting myself)\b"
)
DOING = deferred(
    rf"(?:{SPEAKER}(?:'m| am|'re| are)) {ADVERB}(?!in\b|at\b|not\b|having (?!(?:\w+ ){1, 3}?\w+ed\b)|being\b"
    rf"|going (?:home\b|away\b|on\b|to (?-i:[A-Z])))(?P<verb>\w+ing\b)",
    re.IGNORECASE,
)
LOOSE_DOING = deferred(
    r"^(?:(?:so|ok|and|then|just|also|first thing|after that|tomorrow|tonight|today|this \w+) )*"
    r"(?!(?:thinking|waiting|looking|being|having|feeling|going|wondering|considering|nothing|everything|something"
    r"|anything"
    r"|morning|evening|during|according|loving|hoping|missing|living|working|sounds|raining"
    r"|snowing)\b)(?P<verb>[a-z]{2,}ing) (?!is\b|was\b|are\b)",
    re.IGNORECASE,
)
# "Going to Spain" is a journey, "going to sing" an intent.
JOURNEY = deferred(r".*going to (?-i:[A-Z])\w+(?! (?:up|down|out|off|in|back|it|the|my))", re.IGNORECASE)
ON_DUTY = pattern(
    rf"{AM}on (?:\w+ )?(?:duty|call|shift)\b",
    rf"{AM}(?:due|expected|booked|scheduled|needed|wanted|booked in|signed up)(?: back)? (?:at|in|for|with)\b",
)
OFF_TO = deferred(rf"(?:{SPEAKER}(?:'m| am|'re| are)) {ADVERB}off (?=to\b)", re.IGNORECASE)
AT_A_TIME = pattern(
    r"\bat (?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b)?|noon|midnight|lunch(?:time)?|half|one|two|three|four|five|six"
    r"|seven|eight|nine"
    r"|ten|eleven|twelve)\b(?! (?:euros?|dollars?|pounds?|percent))|\bby close of play\b",
    r"\b(?:as soon as|once|after|when|before) (?:i|we|the|my|it|everyone|\w+ (?:is|are|gets?|comes?))\b"
    r"|\bafter (?:work|school|lunch"
    r"|dinner|breakfast)\b|\b(?:after|before) (?:this|that|our|your) \w+|\bbefore [\w' ]+? (?:starts?|ends?"
    r"|begins?|arrives?"
    r"|closes?|opens?)\b|\bon (?:my|the) way (?:home|back|to)\b",
)
PRESENT = deferred(rf"(?:{SPEAKER}) {ADVERB}(?P<verb>[a-z]+)\b", re.IGNORECASE)
_BEING = (
    "feel|think|know|love|like|hate|turn|have|be|see|want|need|hope|guess|believe|mean|remember|live|work|am|was"
    "|were|had"
    "|did|do|can|could|would|should|might|may|will|never|always|fly|leave|arrive|get|miss|wish|bet|look|seem"
    "|suppose|say"
    "|said|told|went|got|used|thought|heard|understand|forget|don|didn|can|won|haven|own|owe|keep|dread|lose|find"
)
BEING = frozenset(_BEING.split("|"))

# --- said, and nothing promised ---

NOTHING_PROMISED = pattern(
    r"^(?:not (?!forget)|never\b|always\b|no longer\b|rather\b)",
    r"^(?:look (?!into|after|for|at|up|over|through|in)|seem|sound|feel|smell)\b|^(?:go with|drink to|settle for"
    r"|stick with the|take the (?:\w+ )?one|have what)\b",
    r"^be (?!done\b|finished\b|ready\b|in bed\b|through\b|\w+ing\b(?!\w)|at .*\b(?:to|by)\b)|^be (?:being|dying"
    r"|living|staying|waiting"
    r"|going|working|travelling|flying|sleeping|thinking|watching)\b",
    r"^(?:bed|sleep|work|school)\s*[.!]*$|^(?:talk|go|run|leave|be off|head off|dash|sleep|eat|pee|cry|die"
    r"|scream)(?: now)?(?:,.*)?\s*[.!]*$",
    r"^(?:say|wait|admit|agree|confess|laugh|bet|miss|pass\b|survive|understand|believe|regret|assume|guess|confess"
    r"|love|hate|know"
    r"|enjoy|like\b|cry|manage|live\b|suffer|die|wonder|stay (?:strong|calm|positive))\b",
    r"^see\s*[.!]*$|^(?:see (?:you|what|how|if|whether|about that)|talk to you|catch you|speak to you|let (?:you"
    r"|him|her) know|tell you"
    r"|think about (?:it|that)|keep (?:that|it|this|you)|take (?:that|it) (?:as|from)|take your word|try (?:that|it"
    r"|this)\s*[.!]*$"
    r"|stop (?:complaining|now|here)|leave it (?:there|at that)|have to (?:see|wait)|come back to that|spare you"
    r"|skip the"
    r"|give it (?:a )?thought|get used|look forward)\b",
    r"^have (?:been\b|to be\b|(?:a|an|the|some|another|one|no)\b(?!.*\b(?:done|ready|finished|\w+ed|written|sent"
    r"|made|on (?:\w+ )?desk)\b))",
    r"^(?:have|be) (?:lost|forgotten|left|missed|dreaming|joking|mad|crazy|kidding|wrong|right|mistaken)\b",
    r"^(?:you|him|her|them|a|an|some|more|any|my|the|your)\b",
    r"^(?:hear|see) (?:how|that|about|from)\b|^do\s*[.!]*$|^(?:just )?work all\b",
)
NEED_THING = pattern(
    r"\b(?:i|we) (?:really )?need (?:you|some|a|an|more|any|advice|help|sleep|food|coffee"
    r"|to (?:be|know)\b)"
)
EPISTEMIC = pattern(r"\b(?:i|we) must (?:have|be|\w+ have)\b|\bwe need to talk\b")
UNREAL = pattern(
    r"\bi would(?! like| love)\b|\bi wouldn't\b|\bi(?:'d| had) (?:planned|wanted|hoped|meant|have|rather|go|say"
    r"|appreciate|been)\b"
    r"|\bi was (?:going|supposed|about|meant|planning|hoping)\b|\bi (?:used|meant|needed|wanted|had) to\b|\bi wish\b"
    r"|\bdon't (?:have|need|want) to\b|\b(?:i|we) (?:refuse|won't|shan't|(?:will|shall) (?:not|never))\b|\bas i said\b"
)
BYGONE = pattern(
    r"\b(?:yesterday|last (?:night|week|month|year|time|weekend|summer|winter)|ago|back then|when i was"
    r"|as a (?:child|kid|student)"
    r"|in the past|used to|gave up)\b"
)
