"""The words by which something left open is known: hedged, undecided, waited for."""

from __future__ import annotations

from wellkept.judges.english.todos.speakers import ADVERB, AM, DO, HAVE, SPEAKER, WOULD, any_of, pattern
from wellkept.patterns import deferred

_VAGUE_TIME = any_of(
    "some ?day|one day|one of these days|eventually|at some (?:point|stage)|some ?time(?! ago)|sooner or later"
    "|in the future"
    "|when i get (?:a|the) chance|in my life(?:time)?"
)
NEXT_WORD = deferred(r"\s*(\w+)")
VAGUE_TIME = pattern(rf"\b{_VAGUE_TIME}\b")
VAGUE = pattern(rf"\b(?:{_VAGUE_TIME}|maybe|perhaps|probably|possibly)\b")
_STILL_BEING = r"(?!be\b|have (?!to\b)|not be\b|as well\b|'ve\b)"
_PONDERING = any_of(
    "(?:(?:kind|sort) of )?thinking|considering|wondering|toying|debating|contemplating|tempted|torn|meaning to"
    "|pondering|mulling|weighing"
    "|figuring out|trying to (?:decide|figure out|work out|choose|make up)|deciding (?:whether|if|on|between)"
    "|(?:curious about|open to|interested in|intrigued by|drawn to|keen on|warming to)(?: the idea of)? \\w+ing"
    "|undecided|in two minds|on the fence|playing with the idea|flirting|leaning towards|unsure|hesitating|tossing"
)
_COULD = (
    r"could (?!have|be\b|eat\b|use\b|swear|hear|feel|tell|say|kill|cry|do with|never|not\b|only|care|see (?!myself"
    r"|us)"
    r"|go on|barely|hardly|always hear)"
)
HEDGE = pattern(
    rf"(?:^|[,.;:] |\b(?:and|but|so|ok|well|hmm|we'll see,?) )(?:maybe|perhaps|possibly) (?:one day |some ?day "
    rf"|it'?s time )?{SPEAKER}\b",
    rf"{SPEAKER}(?:'ll|'d| will| would)? {ADVERB}(?:might|may|maybe|perhaps|probably"
    rf"|possibly) (?:or may not )?{_STILL_BEING}",
    rf"{DO}{_COULD}",
    r"(?:^|\b(?:and|but|so) )(?:might|may|could) (?!be\b|have\b)(?!i\b)\w+",
    rf"{SPEAKER} (?:\w+ )?(?:really |probably |maybe |definitely )?(?:should|ought to) (?!have\b|be (?:\w+ )?(?:fine|ok"
    rf"|good)|say\b|mention|think so)",
    rf"{AM}(?:\w+ )?{_PONDERING}\b|{HAVE}been (?:\w+ )?{_PONDERING}\b|{SPEAKER} (?:was|were"
    rf"|had been) (?:thinking|considering|wondering)"
    r"(?: (?:of|about) \w+ing| i| if| whether| we)\b"
    r"|^(?:been |just |still |also |kind of |sort of |kinda |a bit |half |so |really )*(?:thinking (?:of|about)"
    r"|considering"
    r"|toying with|contemplating|debating|mulling|tempted to|torn|unsure|undecided|leaning towards|weighing up)\b"
    r"|^(?:maybe|perhaps|possibly|probably) \w+ing\b",
    rf"{DO}(?:wonder|keep wondering) (?:if|whether)|\bnot (?:\w+ )?sure (?:if|whether|what|about|yet)\b"
    rf"|{DO}(?:don't|do not) (?:\w+ )?know (?:\w+ )?(?:if|whether|what to|how to|yet|when to|where to) ?(?:i\b"
    rf"|we\b|what|how|to|\w+)",
    r"(?<!^i )\bdon't (?:really |even )?know yet\b|\b(?:maybe|perhaps) it(?:'s| is) (?:high )?time\b"
    r"|\bhalf[- ](?:decided|inclined)\b"
    r"|\b(?:let's|we'll|i'll|let me) see (?:if|whether) (?:i|we)\b|^(?:maybe|perhaps) (?:an?|the"
    r"|some) [\w ]+? (?:would|might"
    r"|could) |\b(?:playing|toying|flirting) with the (?:idea|thought|notion)\b",
    r"\bdecide (?:whether|if|between)\b|\bkeep (?:coming|going) back to (?:the|that|this)\b",
    r"\b(?:haven't|have not|hasn't) (?:\w+ )?(?:decided|made up my mind|figured out|settled on|worked out)\b"
    r"|\bnot (?:yet )?decided\b|\bfigure out (?:whether|if|what|how)\b|\bcan't (?:decide|make up my mind|choose)\b"
    r"|\b(?:on the fence|back and forth|up in the air|in two minds|half a mind|torn between|no idea yet"
    r"|not sure yet)\b",
    rf"\b{_VAGUE_TIME}\b",
    rf"{WOULD}(?:like|love) to\b|^would (?:really )?(?:like|love) to\b|\bi(?:'ve| have) always wanted to\b"
    rf"|{DO}(?:have )?no idea(?: yet)? (?:what|how"
    rf"|if|whether)"
    r"|^no idea (?:yet )?(?:what|how|if|whether)\b",
    r"\b(?:part of me|half of me|a part of me) (?:wants|would|wishes|thinks)\b|\bdepends on\b",
    r"\bit(?:'d| would| might) be (?:\w+ )?(?:good|nice|great|fun|lovely|time|an idea|worth|cool|wise|best) (?:to"
    r"|for me|if i)\b"
    r"|^(?:might|could|would) be (?:\w+ )?(?:good|nice|fun|time|great|cool) to\b|\bkeep (?:asking myself|wondering"
    r"|thinking (?:i|about|of)|(?:talking|dreaming) (?:about|of))\b",
    r"\bwe'll see if i\b",
)
_WAITED = any_of(
    "bus|train|tram|lift|elevator|taxi|you|him|her|them|it|kettle|water|food|waiter|coffee|rain|weekend|holidays"
)
_ANSWERING = any_of(
    "heard|replied|answered|got|gotten|received|responded|written|come|called|gotten back|got back|decided|paid"
    "|confirmed"
    "|settled|sent|returned|given"
)
OPEN_ENDED = pattern(
    rf"\bwaiting (?:for|on) (?!(?:the |a |my )?{_WAITED}\b)|\bwaiting to hear\b|\bawaiting\b",
    rf"\b(?:haven't|have not|hasn't|has not|never) (?:\w+ )?{_ANSWERING} (?:back )?(?:(?:to|with) (?:me|us)\b"
    rf"|from\b|an answer)",
    rf"\b(?:haven't|have not|hasn't|has not) (?:\w+ )?{_ANSWERING} (?:back )?(?:[\w']+ ){{0,3}}?yet\b"
    rf"|\bi haven't heard\b",
    rf"\b(?:nobody|no one|he|she|they) (?:has|have) (?:\w+ )?(?:told|answered|got back to|written to) me\b"
    rf"|\b(?:hasn't|haven't|has not|have not|not) (?:\w+ )?(?:told|answered|got back to|written to|informed|given|sent"
    rf"|paid|let|replied to|called) (?:me|us)\b"
    rf"|{HAVE}yet to (?:hear|decide|find out|receive|get an)\b",
    r"\b(?:no|without(?: an?)?) (?:word|answer|reply|news|response|decision|feedback|sign)(?: \w+)? (?:from|on"
    r"|about|yet)\b",
    r"\bnothing (?:so far|yet)\b|\bnothing (?:back |yet |so far )?from\b(?=.*\b(?:back|yet|so far|still|since)\b)"
    r"|\b(?:still (?:not|isn't|aren't)|(?:not|isn't|aren't) yet) (?:been )?(?:settled|decided|resolved|clear"
    r"|sorted|agreed"
    r"|fixed|certain|final|confirmed)\b|\bstill (?:hasn't|haven't) been\b",
    r"\b(?:is|are|remains?|'s) (?:still )?(?:pending|unresolved|unsettled|undecided|up in the air)\b"
    r"|\bis still (?:open|unclear|missing|outstanding)\b|\bstill (?:owes? me|has to get back|have to get back)\b"
    r"|\b(?:nobody|no one) has (?:settled|decided|answered|sorted)\b",
)
OF_SPEAKER = pattern(r"\b(?:i|i'\w+|we|we'\w+|me|my|us|our)\b")
OF_OTHERS = pattern(r"\b(?:he|she|they|you|him|her|them|his|their|your)\b")
NO_HEDGE = pattern(
    r"\b(?:i|we) wish\b|\b(?:should|could|would|might|may) (?:\w+ )?have\b(?! to\b)|\bi (?:might|may|could|should"
    r"|ought to) be\b(?! \w+ing)|\bi think (?:that )?(?!i\b)"
    r"|\bthinking(?: of (?:you|her|him|them))?\s*[.!]*$|\bthink(?:ing)? of (?:you|her|him|them)\b"
)
PASSING = pattern(
    rf"\b(?:{_VAGUE_TIME}|maybe|perhaps|probably|possibly|finally|just|really|still|definitely|also|then)\b"
)
