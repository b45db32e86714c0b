"""Words by which somebody asks for secrecy, or says that somebody does not know or is not to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.people.privacy import AnyCase
from wellkept.patterns import deferred

if TYPE_CHECKING:
    import re

_WHOM = r"(?:\S+ ){1,4}?"
"""Somebody, by a name or in a few words: "my dad", "Dr van Berg", "your other coach"."""
_OTHERS = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?<!\bi still )(?<!\bi just )(?<!\bi really )(?<!\bwe still )"
"""Not the speaker: "I don't know" asks for nothing."""
_END = r"(?=\W*$|\s*[.!?;:,)–—]| (?:yet|still|so far|but|and|so|because|of course|though)\b)"
_IT = r"(?: (?:it|this|that|about|of|anything|a thing|i|we|i'm|i've|we're|we've|he's|she's|his|her|my|our)(?!\w))"
_LEARN = (
    r"(?:know|find out|get to know|get wind|discover|notice|suspect|realise|realize|be told|see this|see it"
    r"|hear(?= about| of| this| it| that)|learn(?= about| of| this| it| that))(?!\w)"
)
_DO_NOT = (
    r"(?:(?:please )?(?:don't|do not|never)|not to|won't|must not|mustn't|shouldn't|should not"
    r"|let's not|better not|can't|cannot|(?:if|that) you (?:didn't|don't))"
)
_NOBODY = r"(?:nobody|no one|no-one|none of (?:them|the others)|not even \w+)"


def _loose(*alternatives: str) -> AnyCase:
    """Any of them; an apostrophe may be left out or curled."""
    return AnyCase(_joined(alternatives))


def _phrases(*alternatives: str) -> AnyCase:
    """The same as whole phrases."""
    return AnyCase(_joined(alternatives), before=r"(?<!\w)", after=r"(?!\w)")


def _joined(alternatives: tuple[str, ...]) -> str:
    return "|".join(one.replace("'", "['’]?") for one in alternatives)


_FOR_YOU_ALONE = deferred(
    r"(?i)^\s*(?:[\w'-]+,\s*)?(?:this (?:is|one is) )?(?:(?:just |only |strictly )+for (?:you\b"
    r"|(?-i:[A-Z])[\w'-]*\s*[:,])|for you (?:only|alone)\b)"
)
_ASKED = _phrases(
    r"between (?:us|you and me|ourselves|the two of us|you and i|you, me and)",
    r"in (?:strict |the strictest )?confidence",
    r"confidential(?:ly)?",
    # Do not tell it, to somebody or anybody.
    rf"{_DO_NOT} (?:\w+ )?tel+(?! (?:me|us|you|jokes?|lies|stories|the (?:time|difference|truth)"
    r"|if|whether|what|which|why|how|who|when"
    rf"|them apart)\b)",
    rf"{_DO_NOT} (?:\w+ )?(?:inform|alert|tip off) \w+",
    rf"{_DO_NOT} (?:\w+ )?(?:share|repeat|reveal|disclose|mention|say|leak|spill|breathe|bring up|talk|speak|pass)"
    r"(?: (?:this|that|it|anything|any of (?:this|it)|a word|one word|of|on))*(?: about (?:this|it|that))?"
    r" (?:to|with|in front of|around) (?!me\b|us\b)\w+",
    rf"{_DO_NOT} (?:\w+ )?(?:share|repeat|tell|say)(?: (?:this|that|it))? (?:anyone|anybody|a soul|others)",
    rf"{_DO_NOT} (?:pass (?:this|it|that) on|let (?:this|it) slip|give it away|let on)",
    rf"{_DO_NOT} (?:ever )?let {_WHOM}(?:\w+ )?(?:know|see this|see it|hear|find out|learn|catch|notice|suspect)",
    r"not (?:a|one|another) word (?:about (?:this|it|that) )?to (?!me\b|us\b)\w+",
    r"(?:tell|told) (?:nobody|no one|no-one)",
    rf"tell {_WHOM}nothing|mouth shut|lips (?:are )?sealed|(?:has|have) yet to (?:hear|learn|find out|be told)",
    rf"{_NOBODY} (?:\S+ ){{0,3}}?(?:is|are) aware",
    r"(?:thinks?|believes?|assumes?) (?:that )?(?:i|we)(?:'m|'re| \w+)? .*\bbut (?:i|we|actually|in fact|really)",
    rf"(?:keep|keeping|kept|leave|leaving|left) {_WHOM}out of (?:the loop|it|this)",
    r"(?:hide|hiding|hid|conceal|concealing) (?:\S+ ){1,4}?from (?!me\b|us\b|view\b)\w+",
    rf"(?:make|be) (?:sure|certain) (?:that )?{_WHOM}(?:doesn't|does not|don't|never|won't) {_LEARN}",
    r"promise (?:me )?(?:not to|you won't) tell",
    r"(?:haven't|have not|hasn't|didn't|did not|never) (?:\w+ )?(?:told|tell|shared|informed)(?! (?:me|us|lies"
    r"|jokes)\b)",
    rf"{_NOBODY} (?:has |have )?(?:told|informed)(?! (?:me|us)\b)",
    # Nobody, or somebody, is not to know.
    rf"{_NOBODY} (?:else )?(?:should|must|may|can|needs? to|is to|has to) (?:ever )?(?:know|hear|find out|learn|see)",
    rf"{_NOBODY} (?:else )?(?:knows|know|suspects)"
    r"(?! (?:the (?!truth|secret|real)|how|why|me|him|her|them|more|better|much|where|who|what)\b)",
    r"only you (?:know(?! how\b| the\b)|(?:may|should|can|get to|must|are to) (?:know|hear))",
    r"only (?:\w+ ){1,3}(?:know|knows)(?= (?:that|about|it|this|yet)\b|\W*$)",
    r"you(?:'re| are) the (?:only one|first|only person) (?:who|that|i) (?:knows?|told|tell|have told|'ve told)",
    rf"(?:must|may|should|shall|need)(?:n't| not| never|not) (?:ever )?{_LEARN}",
    rf"(?:isn't|aren't|is not|are not|not) (?:supposed|meant|allowed|intended|ready) to {_LEARN}",
    rf"(?:don't|do not|wouldn't|didn't|never) (?:really )?want (?!to ){_WHOM}to {_LEARN}",
    rf"(?:rather|prefer(?: that| if)?|better if|best if|hope|glad) {_WHOM}"
    rf"(?:doesn't|does not|didn't|don't|never|not|won't)(?: to| ever)? (?:{_LEARN}|knows|finds out|hears|learns)",
    rf"(?:before|until|till|if|in case) (?!i |we |you ){_WHOM}(?:ever )?(?:finds out|found out|gets wind)",
    r"without (?:telling|informing|asking) (?!me\b|us\b)\w+",
    rf"without {_WHOM}(?:knowing|knowledge|noticing|finding out)",
    # Kept from somebody.
    r"(?:keep|keeping|kept|hide|hiding|hid|hidden|conceal|concealing|concealed|withheld|withholding)"
    r" (?:(?:it|this|that|all|everything|secret|a secret|quiet|hidden|the (?:news|truth|plan|secret|whole thing))"
    r" ?){1,3} ?from (?!me\b|us\b)\w+",
    rf"(?:keep|keeping|kept|leave|leaving) {_WHOM}in the dark",
    r"(?:keep|keeping|kept) (?:this|it|that|things) (?:all )?(?:a secret|secret|quiet|private|to (?:yourself|myself"
    r"|ourselves)"
    r"|between|hidden|under wraps|hush\w*|low-key|on the (?:down[- ]?low|dl|quiet|sly))",
    r"keep a secret",
    r"(?:must|should|has to|have to|is to|will|needs to) (?:stay|remain|be kept) "
    r"(?:a secret|secret|private|between|hidden|quiet|here)",
    r"(?:this|it|that)(?:'s| is| was)? (?:all |strictly |very |top |still )?(?:private|secret|hush-hush|classified)",
    r"(?:it's|this is|that's|is|still|as) (?:a|our|my) (?:little |big "
    r"|well-kept )?secret(?! \w+(?<!from)(?<!for)(?<!that)\b)",
    r"top secret|hush-hush|under (?:wraps|embargo|nda|your hat)|on the (?:down[- ]low|quiet|sly)",
    r"(?:this|it|that) stays (?:between|here|with you|in this)",
    r"for your (?:ears|eyes) only|mum's the word|sworn to secrecy|off the record",
    r"not for \S+ (?:ears|eyes)|(?:isn't|is not|not) (?:yet )?(?:public|official|announced)(?= yet|\W*$)",
    r"only for this (?:persona|chat|coach)",
    # Other languages.
    r"unter uns|im vertrauen|(?:sag|sage|erzähl|erzähle|verrat|verrate|erwähn|erwähne)"
    r" (?:\S+ ){0,4}?(?:nichts?|niemand\w*|bloß nicht)",
    r"sag(?:s|e)? (?:es )?niemand\w*",
    r"(?:darf|soll|sollte|dürfen|sollen)(?: \S+){0,4}? (?:nichts?|nie|niemals)(?: \S+){0,2}? "
    r"(?:wissen|erfahren|mitbekommen|merken|hören)",
    r"(?:niemand|keiner) (?:\S+ )?wei(?:ß|ss)|behalt(?:e)? (?:das|es) für dich",
    r"entre nosotros|entre tú y yo|en confianza|que no (?:se entere|lo sepa)\w*|nadie (?:más )?lo sabe",
    r"no (?:se )?(?:lo |la |le |les )?(?:digas|cuentes|comentes|menciones|reveles)",
    r"no (?:debe|puede|tiene que|debería) (?:saberlo|saber|enterarse|sospechar)|(?:es|guarda) (?:un |el )?secreto",
    r"entre nous|entre toi et moi|garde(?:z)? (?:ça|cela|le) pour (?:toi|vous)|c'est un secret",
    r"ne (?:le |la |lui |leur |les )*(?:dis|dites|raconte|racontez|mentionne|révèle)(?: lui)?"
    r" (?:pas|rien|à personne)|ne (?:lui |leur )?parlez? (?:pas (?:de (?:ça|cela)|à)|à personne)"
    r"|n'en (?:parle|parlez|dis) (?:pas|rien|à personne)",
    r"ne (?:doit|devrait|peut) (?:pas|jamais|rien)(?: le| en| l')? ?(?:savoir|apprendre|découvrir)",
    r"personne (?:d'autre )?ne (?:le )?sait",
    r"tra (?:di )?noi|tra me e te|tienilo per te|nessuno (?:lo )?sa|(?:è|e') un segreto",
    r"non (?:dirlo|dirglielo|raccontarlo|parlarne|dire (?:niente|nulla)|farne parola|dire a)",
    r"non (?:deve|può|dovrebbe) (?:saperlo|sapere|scoprirlo|scoprire)",
    r"entre nós|fica entre|ninguém sabe|é (?:um )?segredo|guarda segredo",
    r"não (?:lhe )?(?:conte|contes|diga|digas|comente|mencione)(?! comigo)",
    r"não (?:conta|fala|fale|fales|diz) (?:nada|isso|disso|para|pra|pro|a ninguém)",
    r"não (?:pode|deve) (?:saber|descobrir)",
    r"onder ons|tussen jou en mij|niemand weet|hou (?:het|dit|dat) voor je",
    r"(?:zeg|vertel) (?:\S+ ){0,3}?(?:niet|niets|niks|niemand)",
    r"(?:mag|mogen|moet)(?: \S+){0,3}? (?:niet|niets|niks|nooit)(?: \S+){0,2}? (?:weten|horen|merken|ontdekken)",
    r"mi[eę]dzy nami|между нами|никому не говори|aramızda kalsın|mellan oss|kun mellem os",
)
_UNAWARE = _loose(
    rf"{_OTHERS}\b(?:doesn't|does not|didn't|did not|don't|do not)(?: even| actually| really)? know(?:{_END}|{_IT})",
    rf"{_OTHERS}\b(?:can|could|will|would)(?:n't|not| not| never) (?:ever )?(?:find out|know|be told|learn (?:of"
    rf"|that))\b",
    rf"{_OTHERS}\bwon't (?:find out|know)\b",
    rf"{_OTHERS}\b(?:has|have|had) (?:absolutely )?no (?:idea|clue)(?:{_END}|{_IT}| (?:that|what|who|where)\b)",
    rf"{_OTHERS}\b(?:doesn't|don't) have (?:a clue|any idea|the (?:slightest|faintest|least) idea)",
    rf"{_OTHERS}\b(?:doesn't|does not|don't|didn't) (?:suspect|expect) (?:a thing|anything|it)",
    rf"{_OTHERS}\bsuspects? nothing\b|\bnone the wiser\b|\bunsuspecting\b",
    r"\b(?:is|are|remains?|still|was|were) (?:still |completely |totally |blissfully )?"
    r"(?:unaware|oblivious|in the dark|not aware)\b",
    rf"{_OTHERS}\b(?:isn't|aren't) (?:yet )?aware\b",
    rf"{_OTHERS}\b(?:hasn't|haven't|has not|have not|wasn't|weren't|was not|not|has yet to|have yet to)"
    r" (?:yet |be )?(?:been )?(?:told|informed)\b",
    rf"{_OTHERS}\b(?:hasn't|haven't|has not|have not) (?:yet )?(?:heard|found out|noticed|realised|realized"
    r"|learned|learnt)(?=\W*$| (?:yet|about|of|that|it|this|i|we)\b|\s*[.!;:,])",
    r"(?<!\bich )(?<!\bwir )\bwei(?:ß|ss)(?: (?:es|davon|noch|das|von|gar)){1,4} (?:nichts?|nix)\b",
    r"\bno lo sabe\b|\bne (?:le sait pas|sait rien|sait pas encore|sait encore rien)\b|\bn'en sait rien\b",
    r"\bnon (?:lo sa|sa (?:ancora )?(?:niente|nulla))\b|\bainda não sabe\b|\bnão sabe (?:disso|de nada|ainda)\b",
    r"(?<!\bik )(?<!\bwe )\bweet (?:(?:het|er|van|dat|nog|hier) ?){1,4} (?:niet|niets|niks)\b",
    r"بيننا|内緒|秘密",
)
_TREAT = (
    r"(?:party|parties for|gift|present|trip|visit|dinner|lunch|breakfast|brunch|proposal|weekend|holiday|vacation"
    r"|wedding|announcement|concert|guest|outing|getaway|cake|birthday|celebration|reunion|shower|farewell|picnic)"
)
_MARKED = _phrases(
    r"secretly|secretely|in secret|on the sly|clandestinely|covertly|surreptitiously|discreetly",
    r"behind (?:(?:his|her|their|your|our)|(?:\w+ )?\w+'s|\w+s') backs?",
    rf"surprise (?:\w+ )?{_TREAT}",
    # What somebody is to be surprised with, and what is called secret.
    r"(?<!to )(?:\w+'s|his|her|their) (?:\w+ ){0,3}surprise(?! (?:me|us|that|at|when)(?!\w))",
    r"(?:my|our|his|her|their|\w+'s) secret (?!santa|ingredient|recipe|sauce|weapon|agent|service)\w+",
    r"(?:plan|planning|planned|prepare|preparing|prepared|organi[sz]\w+|have|got|booked) (?:a"
    r"|another) (?:\w+ )?surprise for",
    r"(?:it's|it is|this is|that's|that is|it'll be|it will be|will be|supposed to be|meant to be|to be|should be|as)"
    r" (?:supposed to be |meant to be |going to be |still )?(?:a|our|my|his|her|their|the) (?:\w+ )?surprise"
    r"(?! (?:that|how|ending|hit|to me)\b)",
    r"(?:to|will|'ll|gonna|wanna|let's|should|could) surprise (?!me\b|us\b)\w+",
    r"überraschung(?:s\w+)?|heimlich|geheimnis|geheim|hinter (?:\w+ )?\w+ rücken",
    r"(?:es|será|sea) (?:una )?sorpresa|(?:fiesta|regalo|viaje|cena|visita) (?:de )?sorpresa",
    r"a (?:sus )?espaldas|en secreto|a escondidas",
    r"(?:c'est|ce sera|sera) une surprise|(?:fête|cadeau|voyage|soirée|visite|anniversaire) surprise|en secret",
    r"en cachette|dans (?:son|leur) dos|dans le dos de",
    r"(?:è|sarà) una sorpresa|(?:festa|regalo|viaggio|cena) a sorpresa|di nascosto|in segreto|alle (?:sue )?spalle di",
    r"(?:é|será) (?:uma )?surpresa|(?:festa|presente|viagem|jantar) surpresa|em segredo|às escondidas|pelas costas",
    r"(?:is|wordt) een verrassing|verrassings\w+|stiekem|in het geheim|achter (?:\w+ )?\w+ rug",
)


class _Confidential:
    """Asks to keep it from others: by its opening words, in which a name is told by its capital, or by any."""

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it does."""
        return _FOR_YOU_ALONE.search(text) or ASIDE.search(text) or _MARKED.search(text)


class _Aside:
    """Speaks of who may know or knows, beside the fact: "don't tell Ravi", "she has no idea". No fact of its own."""

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it does."""
        return _ASKED.search(text) or _UNAWARE.search(text)


ASIDE = _Aside()
CONFIDENTIAL = _Confidential()
ASIDE_WORDS = 8
"""A sentence about who may know is no longer, unless it tells the secret as well."""
_CARRIES = deferred(r"(?i)[:;]|\b(?:that|but|because|i['’]m|i am|i have|i['’]ve)\b")


def is_aside(sentence: str) -> bool:
    """For "She has no idea." after what she has no idea of: the sentence tells nothing else."""
    is_short = len(sentence.split()) <= ASIDE_WORDS and _CARRIES.search(sentence) is None
    return is_short and ASIDE.search(sentence) is not None
