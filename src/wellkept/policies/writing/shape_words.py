"""Words that a memory must not hold, or that decide whether a pronoun in it is loose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Mapping


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = _set(
    "dr. mr. mrs. ms. prof. st. sr. jr. e.g. i.e. vs. approx. no. nr. z.b. bzw. ca. inc. ltd. co. sra."
)

# Who speaks and who is spoken to: a memory tells of both by name.
SPEAKING: Mapping[str, frozenset[str]] = {
    "en": _set(
        "i i'm i've i'll i'd me my mine myself we we're we've we'll we'd us our ours ourselves you you're you've "
        "you'll you'd your yours yourself yourselves"
    ),
    "de": _set(
        "ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer du dich dir "
        "dein deine deinen deinem deiner euch euer eure"
    ),
    "es": _set("yo mí mi mis mío mía nosotros nosotras nuestro nuestra nuestros nuestras tú tu tus conmigo contigo"),
    "fr": _set(
        "je j'ai j'aime j'habite j'étais moi mon ma mes nous notre nos tu toi ton ta tes vous votre vos me m'a "
        "m'appelle"
    ),
    "it": _set("io mio mia miei mie noi nostro nostra nostri nostre tu tuo tua tuoi tue me mi"),
    "pt": _set("eu meu minha meus minhas nós nosso nossa nossos nossas tu teu tua você vocês mim comigo"),
    "nl": _set("ik mij mijn wij we ons onze jij je jouw jullie"),
}

THIRD_PERSON = _set(
    "he she they him her them his hers their theirs himself herself themself themselves he's she's they're he'd she'd "
    "they'd he'll she'll they'll they've"
)
# At the very beginning these point at something that only the conversation shows.
POINTING = _set("it it's this that these those that's")
ARTICLES = _set("the a an every each some most many several both two three four five six no")
OPENERS = (
    _set(
        "on in at by for from to with when while after before since until as if although because during the a an and "
        "but or yesterday today tomorrow currently recently sometimes usually often always never"
    )
    | THIRD_PERSON
)
NUMERAL_I = deferred(
    r"I(?=\. ?[A-Z])|(?<=\b[Tt]ype )I\b|(?<=\b[Pp]hase )I\b|(?<=\b[Pp]art )I\b|(?<=\b[Ll]evel )I\b|(?<=\bWar )I\b"
    r"|(?<=\b[Cc]lass )I\b|(?<=\b[Ss]tage )I\b|(?<=\b[Vv]olume )I\b|(?<=\b[Cc]hapter )I\b"
)

PLACEHOLDER = deferred(
    r"(?i)\[[a-z _]{2,30}\]|<[a-z _]{2,30}>|\{\w*\}|\b(?:lorem ipsum|n/a|tbd|todo|placeholder|xxx+)\b"
    r"|\b(?:is|are|was|were|remains?) (?:currently )?(?:unknown|unspecified|undefined|null|none"
    r"|not (?:specified|known|mentioned|given|provided|stated|available))\b"
    r"|\b(?:unknown|unspecified) (?:name|person|user|location|value|date|age|city|job)\b"
)
# What the assistant did or should do is no fact about anybody; what a person wants of it has that person as subject.
ABOUT_ASSISTANT = deferred(
    r"(?i)^(?:on \d{4}-\d{2}-\d{2},? )?(?:the |an |this )?(?:ai assistant|assistant|chatbot|language model|llm|ai model"
    r"|ai|memory system|system prompt|conversation|chat history)\b(?!['’]s (?:owner|maker))"
)

PAST = _set(
    "was were had did went said told met made took came saw got gave found bought began chose left wrote sent read ran "
    "spoke kept put set let cut built brought thought taught caught felt held heard knew led lost paid sold spent "
    "stood understood won wore broke drove ate flew forgot grew rose sang sat slept swam threw woke became beat bet "
    "bit drew drank fell fought froze hid hit hurt laid lay lent lit meant quit rang rode shook shot shut sank split "
    "spread stole stuck swore tore"
)

NO_ORDER = _set(
    "i you he she it we they the a an this that these those my your his her their our there is are was were will "
    "should must can could would may might and or but so because unless"
)
ING_VERBS = _set("bring ring sing string swing fling sling cling wring ping")
