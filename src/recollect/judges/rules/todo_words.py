"""The words by which an intent is known: firm, hedged, repeated, in the way; done and given up."""

from __future__ import annotations

import re

from recollect.patterns import deferred

_DAY = r"(?:day|morning|afternoon|evening|night|noon|lunch|hour|week|weekday|weekend|month|year|time)"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|a few|several|once|twice)"

RECURRENCE = deferred(
    rf"\b(?:(?:every|each) (?:other |single |second )?(?:{_DAY}|{_DAYS}|month)s?\b(?: (?:of (?:the|every) month))?"
    rf"|(?:on )?the \w+ of (?:every|each) month|daily|nightly|weekly|monthly|yearly"
    rf"|{_NUMBER}(?: \w+)?(?: times| nights| days| hours)? (?:a|per|each) (?:day|week|month|night)"
    rf"|\w+ \w+ a day|(?:on )?{_DAYS}s(?:(?:,| and|, and) {_DAYS}s)*)\b",
    re.IGNORECASE,
)

QUESTION = deferred(
    r"^(?:so |and |but |ok(?:ay)?,? )*(?:should|shall|will|would|could|can|do|does|did|am|is|are|have|has|what|when"
    r"|where|who|why|how|which) (?:i|we|you|he|she|it|they|the|my|people|u)\b.*|.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)

IDLE = deferred(
    r"\b(?:i(?:['’]ll| will| shall) (?:be (?:honest|in|at|on|away|there|here|back|out|home|around|fine|ok|okay|late)\b"
    r"|say\b|have (?:the|a|an|some)\b|take (?:that|it) as|see (?:you|u)\b|talk to (?:you|u)\b|let (?:you|u) know"
    r"|never\b|always\b|admit|bet\b|miss\b|pass\b|survive|manage\b|think about it)"
    r"|i must have\b|i (?:have to|need to|gotta|must) (?:go|run|leave)(?: now)?(?:,|[.!]*$)"
    r"|i have to (?:say|admit|agree|laugh)|i must (?:say|admit|confess)|i need (?:you|u|some|a|an|more)\b"
    r"|if (?:i|we) (?:had|won|were|was|could|got)\b|i would\b|i wouldn['’]t|i had (?:planned|wanted|hoped|meant)"
    r"|that will be|as i said)",
    re.IGNORECASE,
)

FRICTION = deferred(
    r"\b(?:i (?:just |really |still )?keep (?:on )?(?!going back)\w+ing\b|i(?:['’]m| am| have been"
    r"|['’]ve been) (?:\w+ )?"
    r"struggl\w+|struggle (?:with|to)\b"
    r"|i (?:just |really |still )?(?:can['’]?t|cannot|can not) (?:seem to|get myself|bring myself|make myself"
    r"|force myself"
    r"|concentrate|focus|sleep|stop|stay|keep up|find the (?:time|energy))"
    r"|stuck (?:on|with|in)\b|i (?:always|constantly|usually) (?:end up|lose|forget|get|miss|run late|put off)"
    r"|(?:it['’]s|it is|it was)(?: \w+)? (?:hard|difficult|tough|impossible) (?:for me )?(?:to|when)"
    r"|(?:makes?|making) it (?:impossible|hard|difficult)|(?:have|having|had) (?:a hard time|trouble|difficulty"
    r"|problems)"
    r"|i find it (?:\w+ )?(?:hard|difficult|tough|impossible)|overwhelm\w+|procrastinat\w+|putting off"
    r"|i never (?:manage|find the time|get around|get to|seem to|have time)"
    r"|(?:is|are|keeps?|was) (?:blocking|stopping|holding|keeping) me|blocks? me|get(?:s|ting)? in (?:the|my) way"
    r"|keeps? (?:me from|getting in)|i get (?:so |very |really )?(?:anxious|distracted|nervous|stressed|tense"
    r"|sidetracked)"
    r"|i get distracted|burn(?:ed|t) out)\b",
    re.IGNORECASE,
)

HEDGE = deferred(
    r"(?:^|[,.;:] |\b(?:and|but|so|ok|well|hmm) )(?:maybe|perhaps|possibly) (?:i|we)\b"
    r"|\b(?:i|we)(?:['’]ll|['’]d| will| would)? (?:might|may|maybe|perhaps|probably|could (?:see|maybe|perhaps|try"
    r"|start))\b"
    r"|\b(?:i|we) (?:really |probably |maybe )?(?:should|ought to)\b"
    r"|\b(?:i['’]m|i am|i['’]ve been|i have been|i was|we['’]re|we are)(?: \w+)? (?:thinking|considering|wondering"
    r"|toying"
    r"|debating|contemplating|tempted|torn|meaning to)\b"
    r"|\bi wonder (?:if|whether)|\bnot (?:\w+ )?sure (?:if|whether|what|about|yet)|\b(?:haven['’]t"
    r"|have not) (?:\w+ )?decided"
    r"|\bon the fence\b|\bback and forth\b|\b(?:some ?day|one day|eventually|at some point|some ?time)\b"
    r"|\b(?:i|we)(?:['’]d| would) (?:really )?(?:like|love) to\b|\bi (?:have )?no idea(?: yet)? (?:what|how|if|whether)"
    r"|\bwe['’]ll see if i\b|\b(?:still )?waiting (?:for|on|to hear)\b|\b(?:haven['’]t|have not|hasn['’]t"
    r"|has not) (?:\w+ )?"
    r"(?:heard|replied|answered|got|gotten|received|responded|written) (?:back )?(?:\w+ )*?yet\b|\bi haven['’]t heard",
    re.IGNORECASE,
)
PASSING = deferred(
    r"\b(?:some ?day|one day|eventually|at some point|some ?time|maybe|perhaps|probably"
    r"|possibly|finally|just|really|still)\b",
    re.IGNORECASE,
)
OF_SPEAKER = deferred(r"\b(?:i|i['’]\w+|we|me|my|still waiting)\b", re.IGNORECASE)

ASKED = deferred(
    r"^(?:please |pls |hey,? |ok(?:ay)?,? |and |also )*(?:remind me\b(?: again)?(?P<when>.*?)\bto\b"
    r"|(?:don['’]?t|do not) let me forget to|(?:to-?do|note to self|reminder)\s*:|(?:add|put)(?: (?:it|this|that))?"
    r" (?:to|on|in) my (?:list|to-?dos?|calendar)\s*:)\s*",
    re.IGNORECASE,
)
FIRM = deferred(
    r"(?:\b(?:i|we)(?:['’]ll| will| shall|['’]m (?:definitely |really )?(?:going to|gonna)| am (?:definitely )?going to"
    r"|['’]re going to| plan to| intend to| (?:still |really |also )?(?:need to|have to)|['’]ve got to| have got to"
    r"| must"
    r"|['’]m supposed to| am supposed to|['’]ve decided to| have decided to| decided to| (?:promise|swear"
    r"|vow)(?: (?:to|that))?"
    r"(?: i(?:['’]ll| will))?| commit to|['’]m committing to|['’]m committed to| am committed to|['’]m gonna)"
    r"|\b(?:i|we)(?:['’]ve)? promised (?:\w+ )?(?:i(?:['’]d| would)|to)"
    r"|^(?:i )?(?:gotta|gonna|have to|need to|must|will))\s+(?:remember to )?",
    re.IGNORECASE,
)
WISH = deferred(
    r"\b(?:i|we)(?: really)? (?:want|ought) to |\b(?:i|we)(?:['’]d| would) (?:really )?(?:like|love) to "
    r"|\bmy (?:goal|plan|aim) is to ",
    re.IGNORECASE,
)
NOW_ON = deferred(
    r"\b(?:from now on|starting (?:\w+),?|going forward|beginning \w+),? i(?:['’]m|['’]ll| will| am)? ", re.IGNORECASE
)
DOING = deferred(r"\b(?:i['’]m|i am|we['’]re|we are) (?!in\b|at\b|not\b|having\b|being\b)(\w+ing\b)", re.IGNORECASE)
ALSO_WILL = deferred(r"\band i (?:will|shall|am going to)\b\s*[.!]*$", re.IGNORECASE)
NEGATED = deferred(
    r"^(?:not\b|never\b|no longer\b|(?:bed|sleep|work|school)\b|be (?:on|in|at)\b|talk\W*$)", re.IGNORECASE
)
SUPPOSED = deferred(
    r"\b(?:if|whether|when|unless|until|because|that|asked|says?|said|thinks?|hopes?)\s*$", re.IGNORECASE
)
UNSURE = deferred(r"\b(?:i|we)\b.*\b(?:know|sure|wonder|decided?|see) (?:if|whether)\s*$", re.IGNORECASE)
VAGUE = deferred(r"\b(?:some ?day|one day|eventually|at some point|maybe|perhaps|probably|possibly)\b", re.IGNORECASE)
ENDING = deferred(r"^(?:quit|stop|avoid|give up|no more)\b", re.IGNORECASE)
ENDED = deferred(r"\b(?:quit|stopped|gave up|managed)\b", re.IGNORECASE)

DONE_BARE = deferred(
    r"^(?:(?:ok(?:ay)?|yes|yay|yep|and|so|well|hey)[,!]? )*(?:i(?:['’]ve| have)? )?(?:just |finally |already )?"
    r"(?:did (?:it|that|this)|done(?: it| that)?|all done|finished(?: it)?|fixed it|completed it|got it done"
    r"|it['’]?s done"
    r"|that['’]?s done|i['’]?m done|mission accomplished)(?: today| now| already| finally)?\s*[.!]*$",
    re.IGNORECASE,
)
DONE_PASSIVE = deferred(
    r"\b(?:is|are|was|were|got|['’]s|has been|have been)(?: \w+ly| now| all| finally| already)* "
    r"(?:\w{2,}ed|done|paid|sent|written|made|bought|out|sorted|built|sold|found|kept|met|read|over with"
    r"|taken(?: care of)?)\b"
    r"|^(?:the |my )?\w+(?: \w+){0,2} (?:done|sent|paid|booked|finished|written|bought|sorted|fixed|submitted|ordered"
    r"|scheduled|cleaned|packed|mailed)[.!]*$"
    r"|\ball sorted\b|\b(?:is|was) (?:lovely|great|nice|wonderful|fun|good|tough|refreshing)\b",
    re.IGNORECASE,
)
UNDONE = deferred(
    r"\b(?:didn['’]?t|did not|haven['’]?t|have not|hasn['’]?t|has not|couldn['’]?t|could not|can['’]?t|wasn['’]?t"
    r"|isn['’]?t"
    r"|forgot to|failed to|not yet|yet to|still (?:have|need|leaks?|broken|not)|never got|tried to|going to|gonna"
    r"|will|['’]ll"
    r"|tomorrow|should|need to|have to|want to|due|almost|nearly|half)\b|^no\b",
    re.IGNORECASE,
)
DISMISSED = deferred(
    r"^(?:(?:ok(?:ay)?|actually|oh|hey|please|and)[,]? )*(?:never ?mind|cancel|scrap|scratch|skip|forget|drop|ditch"
    r"|don['’]?t bother)\b(?: about)?"
    r"|\bno need to\b|\bno longer (?:need|want|have|going)"
    r"|\b(?:don['’]?t|do not|doesn['’]?t) (?:need|want|have)\b.*\b(?:any ?more"
    r"|any longer)\b"
    r"|\b(?:won['’]?t|will not|(?:i['’]m|i am|we['’]re|we are) not (?:going to|gonna)"
    r"|not going to)\b.*\b(?:after all|any ?more)\b"
    r"|\b(?:i['’]m|i am|we['’]re|we are) not (?!going\b)\w+ing\b(?!.*\b(?:today|tonight|now|this|yet)\b)"
    r"|\bchanged my mind\b|\bgave up on\b|\bgiving up on\b",
    re.IGNORECASE,
)
DISMISSED_BARE = deferred(
    r"^(?:(?:ok(?:ay)?|actually|oh|hey|please|and)[,]? )*(?:never ?mind|cancel|scrap|scratch|skip|forget|drop)"
    r"(?: (?:it|that|this|about it|about that|that one|it then))?(?:, .*)?\s*[.!]*$",
    re.IGNORECASE,
)
