"""Words that judge, feel or point and tell nothing by themselves: a statement of these alone is no fact."""

from __future__ import annotations

from wellkept.judges.english.grammar import lexicon

MOODS = lexicon.words(
    "tired exhausted hungry thirsty happy sad angry mad upset bored excited nervous stressed sleepy cold hot annoyed "
    "frustrated overwhelmed swamped jetlagged dizzy grumpy lonely busy sick ill sore drunk hungover worried stoked "
    "bummed thrilled starving famished parched peckish hangry knackered shattered zonked freezing boiling melting "
    "buzzing"
)
"""How somebody is for hours or days."""
COUNTED = lexicon.words(
    "teeth followers subscribers views likes tabs emails messages notifications unread points steps pages chapters "
    "days weeks minutes percent lives coins bugs errors"
)
"""What somebody has another number of in a month."""
FEELINGS = MOODS | lexicon.words(
    "elated ecstatic devastated hooked accepted alive amazed anxious ashamed blessed calm chuffed comfortable "
    "confident confused connected content curious delighted determined disappointed down driven drained eager "
    "empowered encouraged energized enthusiastic fascinated fortunate free fulfilled glad grateful guilty heartbroken "
    "honored honoured hopeful humbled hyped impressed inspired intrigued jealous joyful loved lucky lost mindful "
    "motivated moved optimistic peaceful pleased positive present proud psyched pumped puzzled ready refreshed "
    "relaxed relieved rested safe satisfied scared shocked slammed speechless stuck stumped supported surprised sure "
    "tempted terrified petrified freaked embarrassed mortified bitter pissed livid furious hopeless thankful torn "
    "touched uncertain understood uneasy unsure unclear valued vulnerable warm welcomed whole wiped"
)
"""What a is moved by, and asks help in."""
PRAISE = lexicon.words(
    "supportive calming unconditional invaluable priceless crucial essential necessary valuable fine ok okay alright "
    "well good great nice amazing awesome wonderful lovely cool cute huge tiny big small cold hot messy dirty clean "
    "tidy full empty slow loud quiet weird funny gross delicious tasty adorable sweet perfect beautiful gorgeous "
    "crazy insane ridiculous hilarious impressive incredible awful bad best better brilliant breathtaking comforting "
    "decent deep easy enjoyable epic embarrassing annoying boring exhausting tiring excellent exciting extra fab "
    "fabulous fantastic favorite favourite fresh fun genuine gentle handy hard helpful horrible important infectious "
    "inspiring interesting key kind magical meaningful memorable neat overwhelming playful pleasant powerful precious "
    "pretty real rewarding rough scary serious simple smooth soothing special stressful strong stunning super surreal "
    "terrible therapeutic thoughtful thrilling tough true unforgettable unique useful vital warm wild worse worst "
    "worth worthwhile yummy"
)
VAGUE_ADJECTIVES = lexicon.words(
    "passionate fan treasured significant inviting able another bit certain different few following general little "
    "long lots main many more most much new next normal old only other own particular possible rest right same "
    "several short similar such usual various whole young far fast late early instrumental likely slight major minor "
    "total true authentic inclusive loving caring emotional personal positive negative creative ongoing everyday "
    "couragous courageous brave"
)
_SOFT_NOUNS = lexicon.words(
    "ambition ambitions loyalty bump bumps platform legacy earth universe planet activity activities ancestors "
    "generation generations acceptance achievement action actions adventure advice aim answer anything approach area "
    "aspect atmosphere attention attitude audience aura awareness back balance ball beauty beginning belief best "
    "blast bit bond bonds boost break breath bunch burden care case challenge challenges chance chances change "
    "changes chaos chapter character choice choices closeness clue comfort community compassion concept confidence "
    "connection connections content control conversation conversations courage craze creativity day days deal "
    "decision decisions dedication depth desire detail details determination difference differences difficulty "
    "direction doubt doubts dream dreams drive ease effect effort efforts emotion emotions empathy encouragement end "
    "ending energy enthusiasm environment error escape essence evening event events everybody everyday everyone "
    "everything example excitement experience experiences fact faith families fam family fear fears feedback feeling "
    "feelings focus folk folks freedom friend friends friendship friendships fun fuss future gain gains gang "
    "gathering gift gifts goal goals good goodness gratitude growth guidance guts guy guys happiness happy harmony "
    "hell help highlight highs hit honesty hoot hope hopes hour hours hug hunt hurdle hurdles idea ideas imagination "
    "impact improvement individuality info insight insights inspiration intention interest issue issues item items "
    "journey journeys joy joys kick kid kids kind kindness knowledge laugh laughs laughter lesson lessons level life "
    "lifestyle lives look loss lot lots love lows luck magic make manner matter meaning memories memory mess message "
    "messages mind minds mindset minute minutes mix moment moments mood morning motivation mystery need needs news "
    "nerve night nothing obstacle obstacles occasion occasions one ones opinion opinions opportunities opportunity "
    "option options others outcome outcomes outlet outlook pal pals part parts passion passions path paths patience "
    "peace people perseverance personality perspective perspectives phase piece pieces place places plan plans "
    "pleasure plenty plunge plus point points positivity potential power presence pressure pride problem problems "
    "process progress purpose question questions range reality reason reasons reflection regret regrets relief "
    "reminder resilience respect response result results ride roadblock roots routine rush sake satisfaction sec "
    "second seconds self self-care self-expression sense serenity setback setbacks shape shit share shot side "
    "situation situations smile smiles society solution somebody someone something somewhere sort soul source space "
    "spark spirit spirits spot stage start step steps stories story strategies strategy strength stress struggle "
    "struggles stuff style success support surprise surprises system team talk tension thing things thought thoughts "
    "time times ton tons top topic touch tradition trial trouble troubles trust truth turn twist understanding "
    "uniqueness unity urge use value values variety vibe vibes view views vision voice wait warmth way ways week "
    "weekend weekends weeks weakness wellbeing well-being while willpower wisdom wish wishes wonder word words work "
    "world worlds worries worry worth year years zone"
)
_SOFT_VERBS = lexicon.words(
    "teach come accept achieve journey affect allow appreciate aspire balance become believe belong better bond boost "
    "bring brighten build calm can care celebrate challenge change chase cheer cherish chill comfort connect consider "
    "continue cope count create cultivate deal decide deserve develop discover do dream drive embrace empower "
    "encourage end energize enjoy enrich ensure escape excel express face fall feel fight fill figure find focus "
    "follow force fuel gain get give go ground grow guess guide handle hang happen have heal hear help hit hold hope "
    "imagine impact improve influence inspire intend involve keep know laugh lead lean learn let lift like liven look "
    "lose love maintain make manage matter mean mind miss motivate need nurture occur offer open overcome pay "
    "persevere persist plan preserve pursue push put reach realize realise reconnect recharge refresh reflect relate "
    "relax remain remember remind represent rest say see seem sense shake share shine show smile sound speak spend "
    "spread stand start stay stick stop strive struggle succeed support survive tackle take talk tell tend thank "
    "think thrive touch treat trust try turn understand unwind use value wait want watch wish wonder worry"
)
SOFT = PRAISE | FEELINGS | VAGUE_ADJECTIVES | _SOFT_NOUNS | _SOFT_VERBS
LIGHT_VERBS = _SOFT_VERBS | {"be"}
EVERYDAY = lexicon.words(
    "go get eat drink have make play watch see meet find try do take bake cook laugh spend stay walk hang enjoy "
    "explore check look talk share give put bring come chat order wear pick pack grab roast celebrate relax chill "
    "rest nap sleep dance sing catch ride drive hike camp tour clean wash feed call text message email visit listen "
    "notice gather snap help receive feel love like hear test tell ask show wave add use connect say head leave sit "
    "stand wander stroll return turn throw bump stop mess whip joke cuddle swim surf learn manage start lose hit run "
    "send finish read write buy miss land arrive"
)
"""What everybody does on any day: to be told of it without a when or a name is to be told nothing."""
ACHIEVED = lexicon.words(
    "job offer promotion raise degree diploma certificate license licence visa mortgage loan house home flat "
    "apartment condo car truck van bike motorcycle pet dog cat puppy kitten rabbit hamster baby child twins divorce "
    "surgery operation accident stroke miscarriage prize award medal trophy scholarship tattoo piercing grant "
    "contract lease internship position role company business startup bakery shop store studio farm garden boat piano "
    "guitar violin course class marathon championship tournament title record deal sponsorship citizenship passport "
    "allergy virus infection breakdown phd thesis dissertation novel book album screenplay patent diet school college "
    "university club band choir army masters bachelor ceremony drum drums keyboard telescope camera laptop computer "
    "console kayak surfboard skateboard snowboard tent camper caravan sofa oven kiln ukulele cello trumpet saxophone "
    "flute harp accordion treadmill scooter e-bike ebike moped motorbike pool greenhouse sauna chickens hens goat "
    "horse engagement"
)
"""What changes a life or is had for years."""
