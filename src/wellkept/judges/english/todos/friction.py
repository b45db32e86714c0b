"""What is in somebody's way: a phrase that says so, or words of trouble that add up in a clause about oneself."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar.lexicon import words
from wellkept.judges.english.todos import words as said
from wellkept.judges.english.todos.speakers import AM, DO, HAVE, any_of, pattern
from wellkept.patterns import deferred

_HARD = any_of(
    "hard|difficult|tough|impossible|tricky|challenging|exhausting|painful|a struggle|a nightmare|a challenge"
)
_DISTRESS = any_of(
    "overwhelmed|swamped|drowning|exhausted|burnt out|burned out|worn out|stuck|anxious|stressed|stressed out"
    "|depressed"
    "|knackered|at my wits' end|at a loss|fed up|snowed under|run down|drained|paralysed|paralyzed"
    "|(?:scared|afraid|terrified) of (?=\\w+ing\\b)|ashamed of|frustrated|behind|lagging behind|not getting anywhere"
    "|not making (?:any )?progress"
    "|going round in circles|getting nowhere"
)
_FAILING = any_of(
    "forget\\w*|lose|losing|miss|missing|end up|ending up|put|putting|run late|running late|late|oversleep\\w*|fail"
    "|failing"
    "|procrastinat\\w+|avoid\\w*|delay\\w*|postpon\\w+|break|breaking|mess\\w*|fall asleep|get distracted|get lost"
    "|overspend\\w*"
    "|snap|snapping|interrupt\\w*|worry\\w*|overthink\\w*|overeat\\w*|start things|behind|tired|anxious|stressed|get"
)
_UNABLE = any_of(
    "seem to|get myself|bring myself|make myself|force myself|motivate myself|concentrate|focus|sleep|stop|stay"
    "|keep up"
    "|keep (?:my|the|a|track)|find (?:the |any |enough |a "
    ")?(?:time|energy|strength|motivation|courage|moment)|get out of|get used to"
    "|get anything"
    "|get started|get going|get to sleep|stick to|stick with|say no|switch off|relax|remember|cope|let go|make time"
    "|get (?:over|past|through|on with|along)|sit still|fall asleep|commit|trust|control|handle|manage|finish "
    "anything|wind down|shake|get rid"
)
_FRICTION = pattern(
    rf"{DO}keep (?:on )?(?!(?:going|coming|returning) (?:back )?to|going back|asking|thinking (?:about|of|that"
    rf"|i)|fit|wondering|(?:talking|dreaming|joking)"
    rf" (?:about|of)|it\b)\w+ing\b",
    rf"{AM}(?:\w+ )?struggl\w+|{HAVE}been (?:\w+ )?struggl\w+|{DO}struggle (?:with|to|when|every)\b"
    r"|\bis (?:always |still |such )?a (?:real |constant |daily )?struggle\b(?! for (?:him|her|them|you))",
    rf"{DO}(?:can't|can not|can never|couldn't|could never|don't|never|hardly|barely) (?:even |ever |just "
    rf"|really )*(?:{_UNABLE}"
    rf"|manage)\b",
    r"\bcan't (?:focus|concentrate|sleep|stop \w+ing|stick to|say no)\b",
    rf"{DO}(?:always|constantly|usually|forever|regularly|invariably|repeatedly|tend to|easily) {_FAILING}\b"
    rf"|{AM.replace('always|', '')}(?:always|constantly|forever|permanently|chronically|perpetually) (?!there|here"
    rf"|happy){_FAILING}\b"
    rf"|\balways end up \w+ing\b|{DO}end up \w+ing\b",
    rf"\b(?:it'?s|it is)(?: \w+)? {_HARD} (?:for me )?(?:to|when)\b|\bis (?:\w+ )?{_HARD} for me\b|\bhardest part\b"
    rf"|\b(?:makes?|making) it (?:\w+ )?{_HARD}\b|(?:{DO}find|{AM}finding) (?:it |\w+ ){{1,3}}?(?:\w+ )?{_HARD}\b",
    rf"{HAVE}(?:been )?(?:got |having )?(?:a (?:hard|rough|tough|difficult) time|trouble|difficulty|difficulties"
    rf"|problems"
    rf"|a problem|issues) (?:with|\w+ing)\b|{AM}having (?:a (?:hard|rough|tough|difficult) time|trouble|difficulty"
    rf"|problems)",
    rf"{AM}(?:\w+ )?{_DISTRESS}\b(?! (?:you|for you|schedule))|{DO}feel (?:\w+ )?{_DISTRESS}\b"
    rf"|\bfeels? like too much\b"
    r"|\bi'm (?:\w+ )?exhausted all\b",
    r"\bprocrastinat\w+ (?:on|about|with|again|over)|\bputting (?:it|things|this|that) off\b|\boverwhelm(?:s|ed by"
    r"|ing me)\b",
    rf"{DO}never (?:\w+ )?(?:manage|find (?:the |any |enough )?time|get (?:a?round|to)|seem to|have (?:the "
    rf"|enough |any )?(?:time"
    rf"|energy)|finish|stick)\b",
    r"\b(?:keeps?|kept|is|are|was|were|has been|have been|had) (?:me )?(?:blocking|stopping|holding|keeping|dragging"
    r"|wearing|getting|stressing|killing|driving|eating|bringing|weighing)(?: up| down)? (?:me|on me|my)\b",
    r"\b(?:stop|prevent|keep|hinder|block|hold|discourage|scare)(?:s|ing|ping)? me (?:from|back|off)\b"
    r"|\b(?:keeps?|kept) (?:me (?:up|awake)|getting in|distracting)|\bblocks? me\b|\bgets? in (?:the|my) way\b"
    r"|\b(?:wears?|drags?|brings?|gets?) me down\b|\b(?:distract|terrif(?:y|ie)|scare|frighten|intimidate|exhaust"
    r"|bother|annoy|frustrate|worrie|worry|drain|trigger|depresse|paralyse|stresse"
    r"|overwhelm|upset)s? me\b|\bwears? me out\b|\b(?:been|keep|always|am|'m) putting (?:\w+ ){0,4}?off\b"
    r"|\bdrives? me (?:mad|crazy|nuts|up the wall)\b"
    r"|\beats? (?:up )?(?:my|all my|too much)\b|\bbugs me that\b|\bstresses me\b|\bgets? (?:on|under) my (?:nerves"
    r"|skin)\b",
    rf"{DO}get (?:so |very |really |too )?(?:anxious|distracted|nervous|stressed|tense|sidetracked|overwhelmed"
    rf"|panicky)\b",
    r"\b(?:each|every) time (?:i|we) (?:try|want|plan|need|sit down)\b"
    r"|\b(?:each|every) time (?:i|we)\b.*\bi (?!will|'ll|am|'m|want|smile|laugh|think of|remember|see|love)\w+"
    r"|\bwhenever\b.*\bi (?:can't|panic|freeze|get|feel|fall|lose|snap|shut|end)\b|\bno matter what (?:i|we)\b"
    r"|\bwhatever i (?:do|try),",
    rf"{DO}(?:dread|hate that i|lack the|haven't got the (?:energy|time|strength)|(?:have|have got"
    rf"|'ve got) no (?:energy|time|motivation"
    r"|discipline|willpower|patience)|don't have the (?:energy|time|strength|motivation|courage|nerve|guts|heart"
    r"|patience|willpower|discipline))\b",
    r"^(?:absolutely |just |really )*(?:no|zero) (?:motivation|energy|time|discipline|willpower|patience"
    r"|strength|drive)\b"
    rf"|{HAVE}tried (?:to )?.*\b(?:and|but) (?:(?:always|still|never) )?(?:failed|fail|gave up|couldn't|nothing"
    rf"|it never)\b"
    rf"|{HAVE}been (?:avoiding|dodging|ducking|postponing|neglecting|ignoring|delaying|dreading|evading)\b"
    rf"|{HAVE}got no (?:energy|time|motivation|discipline|willpower|patience)\b|{DO}(?:lie awake"
    rf"|toss and turn)\b|{AM}always the last\b",
    rf"{AM}(?:just |so |far |way |always )*(?:too \w+ (?:to|for)|(?:terrible|bad|awful|hopeless|useless|rubbish"
    rf"|not good|no good"
    r"|horrible) (?:at|with)|addicted to|hooked on|homesick|lonely|losing (?:my )?(?:sleep|motivation|patience"
    r"|track|hope)"
    r"|running out of (?:steam|energy|patience)|not sleeping|dreading|blocked|going nowhere)\b",
    r"\b(?:is|are|'s|becomes?|feels? like) (?:always |such |really |just |still |becoming )*an? (?:\w+ )?(?:battle"
    r"|struggle|fight|nightmare"
    r"|ordeal|uphill battle|constant fight|drag|torture)\b(?! for (?:him|her|them|you))",
    r"\bmy (?:\w+ )?(?:hurts?|aches?|wanders?|goes blank|is out of control|gets the better of me|is killing me)\b",
    rf"{DO}feel (?:so |really |very |always )*(?:guilty|ashamed|lonely|lost|useless|hopeless|helpless|inadequate"
    rf"|like giving up"
    r"|out of my depth|empty|left out)\b",
    rf"{DO}(?:always |usually |constantly )*(?:leave|put|do|start) (?:\w+ ){{1,3}}?(?:until|till|to|off (?:until"
    rf"|till)) the (?:very )?last\b"
    rf"|{DO}(?:always |keep |constantly )*(?:put|putting) (?:\w+ ){{0,2}}?off\b.*|\btakes me (?:forever|ages"
    rf"|hours|too long|so long)\b",
    rf"{DO}can't (?:get|keep|make) (?!to (?:the|work)|it (?:tomorrow|today|on))(?:\w+ ){{1,4}}(?:to|tidy|clean"
    rf"|in order|under control|done|right)\b"
    rf"|{DO}can't (?:help (?:\w+ing|it|myself)|cope|afford)\b|\bbad habit of\b|{DO}(?:get|am|'m|feel) stuck\b"
    rf"|{HAVE}(?:hit a wall|lost (?:all |my )?motivation)\b"
    rf"|{DO}(?:freeze|panic|blank|fail|give up|snap|lose (?:focus|concentration|interest|patience"
    rf"|my patience)) (?:up |out )?(?:every|each|when|too"
    rf"|at|so|again|easily|after)\b|{DO}sleep (?:badly|poorly|so badly|terribly)\b|\bmakes? me (?:so )?(?:anxious"
    rf"|nervous|stressed|panic|sick)\b"
    rf"|^\w+ing\b.* (?:is|gets) (?:so|really|very|too|such|always) {_HARD}\b"
    r"|\bnothing (?:i do|i try)?\s?(?:works|helps)\b|\b(?:argue|fight|quarrel) (?:all the time|every|constantly)\b"
    r"|\bgives? me (?:a headache|anxiety|grief|trouble|sleepless)\b|\bit'?s (?:all )?too much for me\b",
    rf"{DO}(?:lose|fail|forget|panic|freeze|blank|choke|stammer|stutter|snap|shut down|fall apart|break down|give up"
    rf"|chicken out|cave|zone out|tense up|mess|screw|back out|run away|drift off)\b.*\b(?:whenever|every time"
    rf"|each time"
    rf"|(?:when|as soon as|the moment) i (?:have|try|need|want|sit|start))\b",
    rf"{DO}(?:always |usually |often )*run out of \w+ (?:before|every|by|each|halfway)\b"
    rf"|{DO}don't know how (?:to|i) (?:say no|stop|cope|handle|deal|get (?:over|rid|out)|tell|face|talk to|manage)\b",
    rf"{HAVE}fallen behind\b|{DO}(?:make|making) no progress\b|{DO}(?:don't|can't) seem to\b"
    rf"|{DO}lose my temper\b",
    rf"{DO}(?:waste|spend|worry|drink|eat|smoke|talk|think|sleep|work|buy|scroll)(?: \w+){{0,2}} (?:far |way "
    rf"|much )*too"
    rf" (?:much|many|little|long|often|late)\b|\b(?:far|way) too (?:often|much|many)\b(?=.*\bi\b|$)(?<=\b)",
)
_THWARTED = pattern(
    r"\bbut (?:then |somehow )?(?:i|we)(?:'ve)? (?:just |somehow |still |always )*(?:never (?:do|have|did|get"
    r"|got|manage)"
    r"|don't|can't|haven't(?! (?:decided|heard))|keep|end up|forget|chicken out|give up|fail|fall)\b",
    r"\b(?:whenever|every time|each time) (?:i|we)\b.*\b(?:and|then|,) i (?:give in|give up|cave|end up|forget"
    r"|get|lose|fall"
    r"|panic|freeze|chicken)\b",
)
_NO_FRICTION = pattern(
    r"^(?:(?:and|but|so|well) )*(?:he|she|they|you|people|everyone|everybody|my (?:brother|sister|son|daughter|wife"
    r"|husband"
    r"|boss|friend|mother|father|mum|mom|dad|neighbour|neighbor|colleague|kids?|partner|cousin|aunt|uncle)\w*) "
)

ENOUGH = 1.0
_TROUBLE = words(
    "struggle struggles struggling overwhelmed overwhelming stuck procrastinate procrastinating procrastination dread "
    "dreading anxiety burnout exhausted exhausting insomnia sleepless nightmare swamped frazzled drained addicted "
    "hopeless helpless paralysed paralyzed unmotivated demotivated overworked drowning stressed unbearable"
)
"""Words that say it alone."""
_TENDING = words(
    "hard difficult tough tricky impossible trouble problem problems issue issues mess messy terrible terribly badly "
    "bad awful awfully tired late forget forgets lost lose losing worry worried worries nervous anxious scared afraid "
    "fear frightened guilty guilt ashamed shame lonely alone isolated frustrated frustrating annoyed annoying sick "
    "ill pain painful hurt hurts ache aches panic panicking panicky angry anger temper upset distracted distracting "
    "distraction distractions sidetracked behind disorganised disorganized lazy unable fail failing fails failure "
    "avoid avoiding waste wasting snap snapping yell yelling shout shouting mad crazy chaos chaotic stress stressful "
    "battle fight interrupt oversleep overthink overthinking overeat overspend bored boring hate regret trapped "
    "useless weak roof postpone postponing delay delaying noisy noise broke debt miss missing restless sleep sad "
    "depressed down miserable forgetful clumsy insecure jealous ignore ignored freeze blank confused confusing "
    "pressure tense tension cry crying skip skipping cave relapse binge scrolling scroll doomscrolling checking "
    "insult mistakes mistake embarrassed embarrassing suffer suffers suffering drive drives hopelessly energy "
    "willpower discipline motivation concentrate focus patience putting hours headache headaches migraine migraines "
    "fatigue sluggish rejection"
)
"""Words that say it together with another one, or with how often."""
_OFTEN = deferred(
    r"\b(?:all the time|always|tend to|constantly|keeps?|forever|every (?:single )?(?:time|day|night|morning"
    r"|evening|week"
    r"|exam|meeting"
    r"|\w+ (?:minutes|hours|days))|each time|whenever|again|over and over|never|so (?:\w+ )?that|too|such an?"
    r"|so (?:hard|difficult"
    r"|badly|much|tired|stressed|nervous|anxious)|far too|way too|more and more|no matter|lately|recently"
    r"|these days|nowadays|no"
    r"|can't|cannot|don't|won't let|hardly|barely|rarely|really|find myself|catch myself|ending up|end up|constant"
    r"|chronic"
    r"|unable|without|instead of|feel like i'm|for weeks|for months|for days|since)\b",
    re.IGNORECASE,
)
_OWN = deferred(r"\b(?:i|i'm|i've|i'll|me|my|myself|we|we're|our|us)\b", re.IGNORECASE)
_GONE = deferred(
    r"\b(?:was|were|had|did|didn't|went|got|felt|used to|yesterday|ago|last (?:night|week|month|year|time|summer"
    r"|winter)|finally"
    r"|no longer|not any ?more)\b",
    re.IGNORECASE,
)
_NOT_MEANT = deferred(
    r"\b(?:can't wait|(?:can't|mustn't|must not|won't|not) forget|can't complain|not (?:bad|hard|a problem)"
    r"|no (?:problem|trouble|worries|pain)|too bad|so good"
    r"|hard ?working"
    r"|work(?:ing|ed|s)? hard|try(?:ing)? hard|miss(?:ing)? (?:you|him|her|them|home)|crazy about|never (?:hurts"
    r"|late|fails?)|sick of"
    r"|i'?m (?:ill|sick|bored|hungry)[.!]*$|allergic|don't (?:hate|mind|worry|forget)|glad|happy|love|enjoy|proud"
    r"|excited|sorry|(?:read|book|film|article|podcast|movie|story|talk|series|song) (?:\w+ )?about|i'd|would|if"
    r"|i'm afraid (?:i|that|so|not))\b",
    re.IGNORECASE,
)
_WORD = deferred(r"[a-z']+")


def is_in_the_way(clause: str) -> bool:
    """Whether the clause tells of something the speaker struggles with now."""
    if _NO_FRICTION.match(clause) or said.BYGONE.search(clause):
        return False
    return _FRICTION.search(clause) is not None or is_thwarted(clause) or _weight(clause) >= ENOUGH


def is_thwarted(sentence: str) -> bool:
    """Whether what is meant is told together with what comes of it: "I want to save but I keep buying sweets"."""
    return _THWARTED.search(sentence) is not None and said.SAID_BY_OTHERS.search(sentence) is None


def _weight(clause: str) -> float:
    if not _OWN.search(clause) or _GONE.search(clause) or _NOT_MEANT.search(clause):
        return 0.0
    if said.FIRM.search(clause) or said.SAID_BY_OTHERS.search(clause) or said.SUPPOSED.search(clause):
        return 0.0
    told = _WORD.findall(clause.casefold())
    strong = sum(word in _TROUBLE for word in told)
    tending = sum(word in _TENDING for word in set(told))
    often = min(len(_OFTEN.findall(clause)), 1)
    return strong + 0.5 * min(tending, 2) + (0.5 * often if tending else 0.0)
