"""The words and turns by which something is held against somebody, by kind."""

from __future__ import annotations

from wellkept.judges.english.grammar.lexicon import words
from wellkept.patterns import deferred

AGAINST = words(
    "despise loathe detest abhor resent distrust mistrust envy begrudge scorn pity blame accuse suspect regret "
    "badmouth denounce"
)
"""Felt or said against whoever is named after it."""
HATE = words("hate dislike")
"""Felt of things as well: somebody who is known to be a person has to follow."""
DISLIKE = deferred(
    r"\b(?:can(?:'?t|not| not)|couldn'?t|could not) (?:\w+ )?(?:stand|bear|take|abide|tolerate|trust|forgive|respect)\b"
    r"|\b(?:don'?t|doesn'?t|do not|does not|didn'?t|no longer|never) (?:\w+ )?(?:like|likes|liked|love|loves|loved"
    r"|trust|trusts|trusted|respect|respects|respected|believe|believes|believed|forgive|forgave|want)\b"
    r"|\b(?:angry|furious|mad|annoyed|irritated|jealous|envious|fed up|disappointed|disgusted|sick|tired|bored|ashamed"
    r"|embarrassed|suspicious|wary|bitter|upset|pissed off|pissed|frustrated|unhappy|done|through|afraid|scared"
    r"|terrified|contemptuous|livid|sick and tired|disillusioned|creeped out|appalled|hurt)"
    r" (?:at|with|of|in|by|about|towards?)\b"
    r"|\b(?:grudge|complaint|complaints|something|a lot|evidence|case|charges) against\b"
    r"|\b(?:not a fan|had enough|sick|get rid|contempt|hatred|dislike|disgust|complain\w*|gossip\w*|doubts?|rant\w*)"
    r" (?:for|of|about)\b"
    r"|\b(?:regret|regrets|dread|dreads|avoid|avoids|avoiding|hope|wish|wishes)\b(?= .*\b(?:would|fails?|leaves?|loses?"
    r"|quits?|hiring|meeting|marrying|seeing|weren'?t|wasn'?t|were|was|had)\b)"
    r"|\b(?:avoid|avoids|avoiding|dread|dreads)\b"
    r"|\b(?:(?:break|breaks|breaking|splitting) up with|(?:get|gets|getting|got) rid of|walk\w* out on"
    r"|vot\w+ against|better off without|(?:fell|fall|falling|fallen) out with|crush on|in love with|attracted to"
    r"|feelings for|fancy|fancies|propos(?:e|ing) to|cheat\w* on|done with|sleep\w* with)\b"
)
"""Somebody has to follow."""
NERVES = deferred(
    r"\bon (?:my|our|\w+'s) nerves\b|\bdriv(?:es|ing|e) \w+ (?:crazy|mad|nuts|insane|up the wall)\b"
    r"|\bpiss(?:es|ed|ing) \w+ off\b|\bcreep(?:s|ed) \w+ out\b|\bfreak(?:s|ed) \w+ out\b"
    r"|\bmakes? \w+ (?:sick|angry|furious|mad|uncomfortable|cringe|cry)\b|\blet(?:s|ting)? \w+ down\b"
    r"|\b(?:annoys|irritates|bothers|disgusts|bores|infuriates|disappoints|disappointed|annoyed|hurt) (?:me|us|\w+)\b"
    r"|\bskin crawl\b|\bdrama queen\b|\bout of tune\b|\bhad it with\b|\bvot(?:e|ed|ing) \w+ (?:off|out)\b"
    r"|\bthe wrong way\b|\bpain in the\b"
)
RESERVED = deferred(
    r"\b(?:no|nothing|not|never|might|may|should|could|must|divorce|separation|over|past|dont|cant|wont|couldnt|wouldnt|havent)\b|n't\b"
)
"""Between the speaker and somebody: a reserve, or something that is only thought of."""
INTENT = deferred(
    r"\b(?:plan|plans|planned|planning|want|wants|wanted|intend|intends|hope|hopes|aim|decided|decide|like|love|have"
    r"|need|needs|trying|try|tries|about|agreed|threaten\w*|wish|prepar\w+|voted|dying|going|ready|tempted"
    r"|would rather)"
    r" (?:to|on) (?:\w+ly |just |finally )?\w+|\b(?:gonna|wanna|let'?s|(?:i|we)(?:'ll| will)(?: have to)?) \w+"
    r"|\b(?:think\w*|thought|dream\w*|talk\w*) (?:about|of) \w+ing\b|\bconsider\w* \w+ing\b"
)
"""Wants or means to do something; the last word is what."""
ENDS = words(
    "fire sack divorce dump ditch sue evict expel oust demote kick boot throw replace report dismiss prosecute "
    "blackmail "
    "expose unfriend ghost disinvite disinherit outvote sideline sabotage undermine bully harass humiliate punish kill "
    "murder poison beat hurt deport denounce fail"
)
"""What is done against somebody, with the person right after it."""
KIND = words(
    "visit see meet call phone ring invite help join ask thank teach support congratulate hug greet welcome text email "
    "message write show tell give send take bring drive pick introduce interview hire promote accompany follow watch "
    "hear beat know learn study be have get make play sing go travel move work live thank cook bake buy become keep "
    "find"
)
COPULA = deferred(
    r"\b(?:is|are|was|were|am|be|been|being|isn'?t|seems?|seemed|looks?|looked|acts?|acted|sounds?|gets?|got|becomes?"
    r"|became|smells?|behaves?|behaved|find|finds|found|consider|considers|call|calls|called|such|has (?:a|an|no|bad"
    r"|terrible)|have (?:a|an)|thinks?|comes across as|can be)\b|(?<=\w)'(?:s|re)\b"
)
UNLIKE = deferred(
    r"\b(?:isn'?t|is not|aren'?t|not|never|hardly|wasn'?t) (?:(?:very|really|all that|that|so|too|exactly"
    r"|particularly|a|an"
    r"|any|at all|the|good enough|up) )*(?:smart|bright|clever|intelligent|nice|honest|trustworthy|reliable|funny"
    r"|talented"
    r"|competent|qualified|loyal|faithful|fair|kind|polite|good|good enough|on time|punctual|welcome|fit for|up to"
    r"|worth|capable|serious|suited|brightest|sharpest|to be trusted)\b"
    r"|(?:not|n'?t|never) be (?:trusted|relied)\b"
    r"|\bno (?:talent|taste|manners|shame|class|brains|sense|skills?|style|humou?r|backbone|spine|future|friends"
    r"|ambition"
    r"|integrity|discipline|self-control|empathy|heart)\b|\bnot cut out\b|\bfull of (?:himself|herself|themselves"
    r"|it|shit)\b"
    r"|\b(?:nobody|no one|hardly anybody|everybody hates|everyone hates) (?:really )?(?:likes|trusts|respects|wants"
    r"|loves)\b"
    r"|\btalks? (?:nonsense|rubbish|crap|bullshit|shit|too)\b|\bslack(?:s|ing)? off\b"
    r"|\btoo (?:much|loud|slow|old|fat|sensitive|emotional|lazy|proud|bossy|weak|strict|soft|young|inexperienced|dumb"
    r"|talkative|expensive|needy|clingy|often|many (?:mistakes|excuses))\b"
    r"|\b(?:always|constantly|forever|often) (?:late|complain\w*|whin\w+|lying|lies|lie|drunk|moaning|nagging"
    r"|interrupt\w*"
    r"|forgets?|makes? excuses|brag\w*|criticis\w+|criticiz\w+|shouts?|shouting|yell\w*)\b"
)
MISDEEDS = words(
    "steal stole stolen cheat betray gossip stink reek nag whine brag boast backstab embezzle plagiarize plagiarise "
    "forge sabotage bully harass stalk flirt swindle scam procrastinate underperform overreact manipulate exploit "
    "deceive "
    "defraud rob threaten insult mock ridicule humiliate belittle abuse assault grope vandalize vandalise molest "
    "shoplift "
    "backbite freeload mooch sulk slander smear bribe launder mislead neglect"
)
"""Wrongs and bad habits; whoever does them stands before."""
WRONG = deferred(
    r"\b(?:lied|lies|lying|lie) (?:to|again|constantly|all the time|through|about (?!\d))|\b(?:is|are|was|keeps?|been)"
    r" (?:\w+ )?lying\b(?! (?:in|on|down|under|near))|\bow(?:e|es|ed) (?!it\b|much|everything|a lot to|his success"
    r"|her success)"
    r"|\b(?:an|the|secret|'s|her|his|their) affairs?\b(?! of| with (?:food|books|jazz|music))"
    r"|\b(?:sleep|sleeps|sleeping|slept) (?:with|around)\b|\bseeing (?:someone|somebody|another) (?:else|man|woman)\b"
    r"|\bdr(?:ink|inks|inking|ank) (?:too|heavily|again|at work|on the job|all day|way|like a)\b"
    r"|\b(?:takes?|does|uses?|deals?|sells?|on) drugs\b|\bhid(?:es|ing|e) (?:something|money|things|evidence)\b"
    r"|\b(?:never|hardly ever|barely|rarely|hardly|doesn'?t(?: even| ever)?|won'?t|refuses to|forgets to) (?:ever )?"
    r"(?:pays?|helps?|listens?|cleans?|repl(?:y|ies)|answers?|apologi[sz]es?|contributes?|thanks?|returns?|cares?"
    r"|try|tries"
    r"|tips?|shows? up|washe?s?|showers?|bathes?|pulls?|practi[cs]es?|turns? up|keeps? (?:his|her|their|time"
    r"|promises|a secret)|shares?|works hard|do(?:es)? (?:any|his"
    r"|her|their|the)|deserves?|tells? the truth)\b"
    r"|\bcan'?t (?:\w+ )?(?:sing|cook|play|drive|dance|act|write|be trusted|be relied|be bothered|keep (?:time|a"
    r"|his|her)"
    r"|handle|do anything|take criticism|tell the truth)\b"
    r"|\b(?:ruin|screw|mess|wreck|fuck|botch|mishandl|blew|spoil)(?:s|ed|ing|es)? (?:up|our|my|the|everything|it"
    r"|this|all)"
    r"|\bsmells?(?=\W*$| (?:awful|bad|of|like|horrible|terrible|really|so|funny|weird|strange|rotten|disgusting"
    r"|foul|bit"
    r"|a bit|terribly|badly))|\b(?:took|takes|taking) (?:money|credit|bribes|advantage)\b|\bmissing money\b"
    r"|\b(?:drinking|gambling|drugs?|anger|attitude|hygiene|commitment) (?:problem|issue|habit)s?\b"
    r"|\b(?:will|going to|gonna|should|must|has to|have to|needs to|about to|'ll|shall|might|could) (?:soon "
    r"|finally )?be"
    r" (?:fired|sacked|replaced|dismissed|demoted|evicted|expelled|kicked|thrown|voted|laid off|let go|dropped|sued"
    r"|reported"
    r"|arrested|dumped|removed|suspended|transferred|cut)\b"
    r"|\b(?:bad|body|terrible|awful) (?:breath|odou?r|temper|manners|attitude|influence|taste)\b"
    r"|\b(?:hit|hits|beats?|slapped|slaps|punched|yell(?:s|ed) at|shout(?:s|ed) at|screams? at|hurts?) "
    r"(?:me|us|his|her|their|the kids|people)\b|\btalks? (?:about \w+ )?behind\b|\bskip(?:s|ped|ping) (?:work|practice"
    r"|rehearsals?|school)\b|\bdeserves? (?:to (?:be|lose|fail)|what)|\bto blame\b|\bhis fault\b|\bher fault\b"
    r"|\w'?s fault\b"
)
UNFAVOURABLE = words(
    "lazy stupid idiotic incompetent rude arrogant selfish cruel ugly creepy dishonest unreliable useless bossy nasty "
    "pathetic dumb cheap two-faced annoying insufferable boring dull irritating obnoxious awful terrible horrible "
    "dreadful "
    "lousy crappy shitty mediocre bad worst worse poor hopeless worthless clueless careless thoughtless tactless "
    "reckless "
    "heartless spineless gutless shameless ruthless greedy stingy mean vain conceited smug snobbish pompous "
    "pretentious "
    "self-centered self-centred self-absorbed egotistical egoistic narcissistic manipulative controlling possessive "
    "jealous "
    "clingy needy toxic abusive violent aggressive hostile vicious spiteful vindictive bitter petty envious sneaky sly "
    "shady sleazy dodgy untrustworthy disloyal unfaithful deceitful hypocritical insincere fake phony crooked corrupt "
    "criminal guilty drunk wasted stoned filthy dirty smelly stinky gross disgusting repulsive revolting hideous fat "
    "unattractive weird strange crazy insane nuts mad unstable immature childish spoiled spoilt stubborn moody grumpy "
    "cranky whiny clumsy sloppy messy disorganized disorganised unprepared unpunctual unprofessional unqualified "
    "inexperienced overrated talentless untalented ignorant naive gullible foolish silly ridiculous absurd slow "
    "thick dim "
    "brainless loud noisy nosy intrusive overbearing pushy domineering cold callous inconsiderate insensitive "
    "unkind unfair "
    "ungrateful disrespectful impolite ill-mannered condescending patronizing patronising sarcastic unfriendly "
    "unpleasant "
    "unbearable intolerable impossible difficult incapable ineffective unproductive weak cowardly timid desperate "
    "attention-seeking bigoted racist sexist misogynistic homophobic lecherous perverted inappropriate scheming "
    "cunning "
    "calculating cheating lying thieving backstabbing gossipy judgmental judgemental unhinged deranged psychotic "
    "hateful "
    "evil wicked dangerous untidy unhygienic unwashed forgetful absent-minded unmotivated uncooperative undeserving "
    "unworthy hated off-key tone-deaf"
)
"""Said of somebody they are no praise."""
BADLY = words("badly terribly horribly awfully poorly miserably atrociously appallingly disgracefully")
WANT = words("want wish")
ENTHUSIASM = words("about for")
"""After "mad" and "crazy" they speak of a liking."""
NAMES_FOR = words(
    "liar idiot moron jerk fool cheat cheater thief crook fraud loser coward bully snob brat creep pervert pig "
    "snake rat "
    "bitch bastard asshole arsehole dick prick scumbag dirtbag douche douchebag weirdo psycho lunatic maniac "
    "monster tyrant "
    "hypocrite traitor backstabber slacker freeloader parasite leech drunk drunkard alcoholic junkie addict womanizer "
    "womaniser slut whore gossip nag know-it-all airhead imbecile dimwit blockhead clown joke failure disaster "
    "disgrace "
    "embarrassment burden nuisance menace pest nightmare racist sexist narcissist sociopath psychopath egomaniac "
    "egoist "
    "egotist diva troublemaker quitter impostor imposter charlatan amateur phony scammer swindler criminal predator "
    "abuser "
    "stalker pushover doormat wimp tightwad cheapskate miser freak showoff show-off busybody"
)
WORDS_OF_THEIR_OWN = words("strong stranger stronger writing nobody sleepy country county terrace filter master poster")
"""One letter from an unfavourable word, and none."""
PETS = words("cat dog puppy kitten rabbit hamster parrot horse pony hen goat turtle goldfish guinea budgie ferret")
FOREIGN = deferred(
    r"\b(?:odio|odia|odiamos|detesto|detesta|no (?:soporto|aguanto)|me cae mal|idiota|imbécil|vago|vaga|mentiroso"
    r"|mentirosa"
    r"|ladrón|ladrona|despedir a|miente|roba|engaña)\b"
    r"|\b(?:hasse|hassen|verachte|verabscheue|(?:kann|können) (?:\w+ ){1,4}nicht (?:ausstehen|leiden|ertragen)"
    r"|mag (?:\w+ )"
    r"{1,2}nicht|faul|dumm|blöd|arrogant|lügner\w*|lügt|stiehlt|klaut|betrügt|feuern|rausschmeißen|rauswerfen|unfähig"
    r"|nervt)\b"
    r"|\b(?:déteste|détestons|hais|méprise|ne (?:supporte|peux) (?:pas|plus)|menteur|menteuse|paresseux|paresseuse"
    r"|voleur"
    r"|voleuse|ment|trompe|virer|licencier|insupportable|nul|nulle|bête|imbécile)\b"
    r"|\b(?:non (?:sopporto|reggo)|bugiardo|bugiarda|pigro|pigra|stupido|stupida|ruba|tradisce|licenziare|antipatico"
    r"|antipatica|disprezzo)\b"
    r"|\b(?:odeio|não (?:suporto|aguento|gosto d[aeo])|preguiços[ao]|mentiros[ao]|burr[ao]|rouba|trai|mente|demitir"
    r"|desprezo)\b"
    r"|\b(?:haat|heb een hekel aan|veracht|kan (?:\w+ ){1,3}niet (?:uitstaan|luchten)|leugenaar|liegt|steelt|bedriegt"
    r"|ontslaan|vervelend|onuitstaanbaar)\b"
)
