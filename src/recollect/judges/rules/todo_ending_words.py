"""The words by which it is known that something is done, is not, or is no longer wanted."""

from __future__ import annotations

import re

from recollect.judges.rules.lexicon import words
from recollect.patterns import deferred

LEADING = words(
    "i we just finally already yes yep ok okay so also i've we've mean yesterday today earlier then this last morning "
    "night have well and all hey yay oh actually now at tonight only both long even afterwards quickly"
)
"""Words before the verb of a clause that tells what was done."""
OTHERS = words("my the he she they it a an his her their our you your someone somebody nobody")
OF_PEOPLE = words(
    "call phone ring email text write speak talk visit see meet tell ask help send pay give come go return"
)
"""Deeds that people do to the speaker as well as the speaker to them."""
IT = words("it him her them that those these")
PAST_AS_BASE = words("read put cut let quit set shut did done been got had went")
LIGHT_VERBS = words("get have do manage be make take go finish complete try say")
FINISHING = words("finish complete do manage sort accomplish handle wrap tick conclude nail")
FINISHED = words("do finish complete sort over check settle ready through handle accomplish arrange tick")
AUXILIARIES = words("be is are was were 's has have been got get now all finally already at last done_with just")
HANDING = words("return send pay give buy take submit tell fetch")
STATES = {
    "submit": words("in out go send"),
    "send": words("out off go post mail letterbox mailbox"),
    "plant": words("ground soil earth bed"),
    "book": words("calendar diary"),
    "sell": words("go away"),
    "clean": words("clean sparkling spotless"),
    "pay": words("square even"),
    "tidy": words("tidy clean clear empty"),
    "take": words("out"),
    "fix": words("work run"),
    "return": words("back"),
    "finish": words("out"),
    "cancel": words("go off"),
}
"""What a thing is after the deed, where that is not the deed's own word."""
IN_TALK = deferred(
    r"\b(?:off|on) the phone (?:with|to)\b|\bhad (?:a|the|that|my) (?:\w+ )?(?:chat|talk|word"
    r"|conversation|call)\b"
)

OWN_HAD = deferred(r"^(?:i|we)(?:'ve got| have(?: got)?|'ve) (?:my|our|the|an?) (?!.*\bto \w)", re.IGNORECASE)
BEEN_TO = deferred(r"(?:been|went) (?:back )?to (?!bed|sleep)")

_BEFORE = (
    r"^(?:(?:ok(?:ay)?|yes|yay|yep|and|so|well|hey|oh|wow|actually|right|please|phew|great|good|hm+"
    r"|no)[,!.]* )*"
)
_IT = r"(?: it| that| this| this one| that one| the thing| them)"
DONE_BARE = deferred(
    rf"{_BEFORE}(?:i(?:'ve| have)? |we(?:'ve| have)? )?(?:just |finally |already |now |at last )*"
    rf"(?:did{_IT}|done(?:{_IT}| and dusted)?|all (?:done|finished|set)|finished{_IT}?|(?:fixed|completed|sorted"
    rf"|managed|nailed"
    rf"|handled|submitted|sent|ticked off|got round to|got around to|took care of){_IT}?|got{_IT} (?:done|sorted"
    rf"|finished)"
    r"|(?:it|that|this)(?:'s| is| has been| got) (?:all |now |finally |been )*(?:done|finished|sorted|in|out|sent"
    r"|over|settled"
    r"|handed in|submitted|taken care of|off my (?:list|plate))|i'?m done|mission accomplished|job done"
    r"|task (?:completed|done)"
    r"|check(?: that off)?|ticked off|that one'?s done)(?: today| now| already| finally| at last| yesterday| too"
    r"| this morning| last night| earlier)*"
    r"(?:[!.,]+ *(?:finally|yay|at last|phew|(?:we|i|it|she|he|they)\b.*)?)?\s*[.!]*$",
    re.IGNORECASE,
)
COPULA = deferred(r"(?:\b(?:is|are|was|were|been|got)|'s)((?: [\w-]+){1,4})", re.IGNORECASE)
RESULT = deferred(
    r"(?:\b(?:is|are|was|were|got|has been|have been|went|been)|'s(?: been)?|'ve been)(?: \w+ly| now| all| finally"
    r"| already"
    r"| just| been| at last| with)* (?:(?:\w{2,}ed|done|paid|sent|written|made|bought|out|in|off|over|sold|found"
    r"|kept|met|read|taken"
    r"|built|gone|back|on|up|down|away|clean|sparkling|spotless|tidy|ready|through|square|even|rung|told|put|shut"
    r"|cut|given|set)\b"
    r"(?: (?:in|out|off|up|clean|back|care|the post|the mail)\b)?)+"
    r"|(?<=\w )(?:done|sent|paid|booked|finished|written|bought|sorted|fixed|submitted|ordered|scheduled|cleaned"
    r"|packed"
    r"|mailed|handed in|renewed|cancelled|canceled|returned|reserved|posted|signed|delivered|completed|filed)"
    r"(?: at last| finally| now| today)?[.!]*$|(?<=\w): (?:check|done|bought|sent|sorted|finished|completed"
    r"|ticked)\b",
    re.IGNORECASE,
)
HAD = deferred(
    r"\b(?:has|have)\b(?: got)?|\bknows\b|\bis with\b|\bis (?:back )?(?:at"
    r"|in the hands of)\b",
    re.IGNORECASE,
)
UNDONE = deferred(
    r"\b(?:didn't|did not|haven't|have not|hasn't|has not|hadn't|couldn't|could not|can't|wasn't|weren't|isn't|aren't"
    r"|forgot(?: to| about)?|failed to|not|yet to|still (?:have|need|leaks?|broken|to)|never|tried to|going to|will"
    r"|i'll|we'll"
    r"|he'll|she'll|they'll|should|need to|have to|has to|had to|want(?:ed)? to|hope(?:d)? to|due|almost|nearly"
    r"|half (?:done|finished|way|through)|halfway"
    r"|maybe|perhaps|possibly|would|might|may|started|began|skipped|missed|about to|planned to|meant to|decided"
    r"|wish|fully"
    r" booked|booked (?:out|up)|sold out|talked about|thought about|thinking|looking|told \w+ to|asked \w+ to|let"
    r"|watched|heard"
    r"|late|again|ran (?:into|out|over|late))\b|^no\b|n't\b",
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
    r"| any ?more)?"
    r"|(?:it|that)'s (?:off|not happening|cancelled)|no longer (?:needed|necessary)|call it off)(?:, .*)?\s*[.!]*$",
    re.IGNORECASE,
)
DISMISSED = deferred(
    rf"{_BEFORE}(?:let's |you can |just |so |we're not .*, so )*{_CALLED_OFF}\b(?: about)?"
    r"|\b(?:so|and|just) (?:forget|drop|scrap|skip|ditch|cancel)\b"
    r"|^no (?!idea|problem|worries|wonder|one|clue)\w+(?: \w+)?,"
    r"|\bno (?:need|point|use|reason|sense)\b|\bno longer\b|\bno more \w+|\bno \w+ (?:needed|necessary|required)\b"
    r"|,? so no \w+[.!]*$"
    r"|\b(?:don't|do not|doesn't|does not) (?:need|want|have|matter|feel like|care)\b|\blost interest\b"
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
    r"|\b(?:keeping|can keep|keep)\b.*(?:after all)?$|\bfell through\b|\bout of the picture\b",
    re.IGNORECASE,
)
FOR_NOW = deferred(
    r"\b(?:today|tonight|yet|right now|tomorrow|this (?:morning|week|evening|afternoon)|for now"
    r"|at the moment)\b(?!.*\bany ?more\b)",
    re.IGNORECASE,
)
