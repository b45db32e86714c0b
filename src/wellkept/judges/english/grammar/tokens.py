"""Words of a text with their places in it: clitics split off, names and numbers seen, quotes and code set apart."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import AWAITED
from wellkept.judges.english.grammar.token_runs import going_on, houses
from wellkept.judges.english.grammar.verbs import VerbForm, verb_form
from wellkept.judges.english.messages.slips import kin
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.given_names import named_first
from wellkept.judges.english.slots.visits import VISITED
from wellkept.patterns import deferred
from wellkept.values import changed, frozen

Tag = Literal[
    "pronoun",
    "possessive",
    "determiner",
    "wh",
    "preposition",
    "coordinator",
    "subordinator",
    "negation",
    "modal",
    "auxiliary",
    "adverb",
    "adjective",
    "number",
    "name",
    "word",
    "handle",
    "clitic",
    "punctuation",
    "url",
    "to",
    "quoted",
    "interjection",
    "emoji",
]


@frozen
class Token:
    """One word or sign; `lower` is its case-folded text with straight apostrophes."""

    text: str
    lower: str
    start: int
    end: int
    tag: Tag
    form: VerbForm | None = None

    @property
    def is_capital(self) -> bool:
        """Whether it is written with a capital letter first."""
        return self.text[:1].isupper()


_Part = tuple[str, int, int, str, Tag, VerbForm | None]
_WORDS_KEPT = 4096
# A word with nothing but blanks around it comes first: it is none of the others, and most are such.
_TOKEN = deferred(
    r"\s*+(?:(?P<plain>[A-Za-z]++(?!\S))"
    r"|(?P<url>https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.\w[\w.]*)"
    r"|(?P<handle>(?<![\w])@\w[\w.]*)"
    r"|(?P<number>[$€£¥₹#]?\d+(?:[.,:/-]\d+)*(?:['’]s(?![a-z]))?(?:\s?%|[a-zA-Z°]+|(?:-[a-zA-Z]+)+)?|[$€£¥₹])"
    r"|(?P<abbr>(?:[A-Za-z]\.){2,}|\b(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|[Ss]t|[Jj]r|[Ss]r|vs|etc|approx|no)\.(?=\s))"
    r"|(?P<special>[A-Za-z](?:\+\+|#)|\.NET\b|\bw/o?(?=\s))"
    r"|(?P<word>[^\W\d_][\w]*(?:(?:['’\-&.](?=[^\W\d_])|['’-](?=\d)|(?<=\d)\.(?=\d))\w+)*)"
    r"|(?P<quote>[\"“”„«»])"
    r"|(?P<sign>\.{2,}|[!?]+|-{2,}|[–—]|=>|->|[^\w\s]))"
)
_CLITIC = deferred(r"(?i)^(.+?)(n['’]t|['’](?:m|re|ve|ll|d|s))$")
_BARE_CLITICS = {
    "im": 1, "ive": 1, "dont": 2, "doesnt": 4, "didnt": 3, "isnt": 2, "arent": 3, "wasnt": 3, "werent": 4, "cant": 2,
    "wont": 2, "couldnt": 5, "shouldnt": 6, "wouldnt": 5, "havent": 4, "hasnt": 3, "hadnt": 3, "youre": 3,
    "theyre": 4, "hes": 2, "shes": 3, "thats": 4, "whats": 4, "theres": 5, "ill": 0, "theyve": 4, "weve": 2,
    "youve": 3, "wheres": 5, "whos": 3, "hows": 3, "lets": 3, "its": 0, "aint": 2,
}  # fmt: skip
_NORMAL_CLITIC = {"nt": "n't", "m": "'m", "ve": "'ve", "re": "'re", "s": "'s"}
_MERGED = {"gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("got", "to"), "hafta": ("have", "to")}
_JOINED = frozenset((*_BARE_CLITICS, *_MERGED, "cannot"))
"""Two words without an apostrophe between them."""


def lower_of(text: str) -> str:
    """The text as tokens compare it."""
    return text.casefold().replace("’", "'")


CLITICS_MAX = 3
"""Contractions in one word ("I'd've"); what has more is no word."""


def _split_word(text: str, start: int, depth: int = 0) -> list[tuple[str, int, str]]:
    """A written word as (text, start, lower) parts, with contractions apart."""
    lower = lower_of(text)
    cut = _BARE_CLITICS.get(lower, 0)
    if cut:
        tail = lower[cut:]
        return [(text[:cut], start, lower[:cut]), (text[cut:], start + cut, _NORMAL_CLITIC.get(tail, tail))]
    if lower in _MERGED:
        first, second = _MERGED[lower]
        half = len(text) - 2
        return [(text[:half], start, first), (text[half:], start + half, second)]
    if lower == "cannot":
        return [(text[:3], start, "can"), (text[3:], start + 3, "not")]
    match = _CLITIC.match(text) if "'" in lower else None
    if match is None:
        return [(text, start, lower)]
    head, tail = match.group(1), match.group(2)
    if lower_of(tail) == "'d" and len(head) == 1 and head.lower() != "i":
        return [(text, start, lower)]
    if depth >= CLITICS_MAX:
        return [(text, start, lower)]
    parts = _split_word(head, start, depth + 1)
    return [*parts, (tail, start + len(head), lower_of(tail))]


_CLOSED: dict[str, Tag] = {}
for _tag, _group in (
    ("interjection", lexicon.GREETINGS),
    ("adverb", lexicon.ADVERBS),
    ("adjective", lexicon.ADJECTIVES),
    ("number", lexicon.NUMBER_WORDS),
    ("subordinator", lexicon.SUBORDINATORS),
    ("preposition", lexicon.PREPOSITIONS),
    ("coordinator", lexicon.COORDINATORS),
    ("determiner", lexicon.DETERMINERS),
    ("pronoun", lexicon.INDEFINITE_PRONOUNS - lexicon.DETERMINERS - lexicon.NUMBER_WORDS),
    ("pronoun", lexicon.SUBJECT_PRONOUNS | lexicon.OBJECT_PRONOUNS | frozenset(lexicon.PRONOUN_OF)),
    ("possessive", frozenset(lexicon.POSSESSIVES)),
    ("pronoun", frozenset(lexicon.INDEPENDENT_POSSESSIVES)),
    ("wh", lexicon.WH_WORDS),
    ("modal", frozenset(lexicon.MODALS)),
    ("auxiliary", frozenset(lexicon.BE_FORMS) | frozenset(lexicon.HAVE_FORMS) | frozenset(lexicon.DO_FORMS)),
    ("negation", frozenset({"not", "n't", "never"})),
    ("to", frozenset({"to"})),
):
    for _word in _group:
        _CLOSED[_word] = _tag  # type: ignore[assignment]  # the tags of the table above
_WORD_BEFORE_CLOSED = lexicon.words("like past plus minus second lead left cost fun well kind light own may so r m")
_CLITICS = frozenset(("'s", "'d", "'"))
_EMOJI = deferred(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D]")


def _tag_word(text: str, lower: str, *, is_first: bool) -> Tag:
    if lower in _CLITICS:
        return "clitic"
    closed = _CLOSED.get(lower)
    if text in {"R", "M"} and not is_first:
        return "name"  # the language; "r" is short for "are"
    if closed is not None:
        if text[:1].isupper() and not is_first and lower not in {"i", "i'm"} and len(text) > 1:
            return _capital_inside(text, lower, closed)
        return closed
    if text[:1].isupper() and (not is_first or _is_joined_name(text) or _is_no_word(lower)):
        return "name"
    if not text.isascii() and text[:1].upper() == text[:1].lower():
        return "name"  # of a script without capitals, in an English sentence
    if lower in lexicon.FIRST_NAMES and lower not in lexicon.NAME_OR_WORD:
        return "name"
    return "word"


def _capital_inside(text: str, lower: str, closed: Tag) -> Tag:
    """A closed word with a capital inside a sentence: emphasis (all capitals) or part of a name."""
    if text.isupper() or closed in {"pronoun", "possessive", "modal", "auxiliary", "negation", "wh", "coordinator"}:
        return "name" if lower in lexicon.NAME_OR_WORD and not text.isupper() else closed
    if closed in {"adjective", "adverb", "interjection", "number"}:
        return "adjective" if closed == "adjective" and lower not in lexicon.NAME_OR_WORD else closed
    return closed


def _is_joined_name(text: str) -> bool:
    """Whether every part has its capital, as in "Mei-Ling": an ordinary word has one at most."""
    return "-" in text and all(part[:1].isupper() for part in text.split("-"))


def _is_no_word(lower: str) -> bool:
    """Whether nothing says that it is a word of the language; "Jing" has no vowel before its ending."""
    if verb_form(lower) is not None:
        return False
    stem = lower.removesuffix("ing")
    if stem != lower and (len(stem) < 2 or not any(vowel in stem for vowel in "aeiouy")):
        return lower not in COMMON_NOUNS and lower not in lexicon.TIME_NOUNS
    return not _is_plain(lower)


_NOUN_ENDINGS = tuple(
    "tion ment ness ing ity ship ism ies ously ly ful able ists day thesis lysis osis ology ography".split()
)


def _is_plain(lower: str) -> bool:
    """An ordinary noun by its ending or by the small noun lexicon: not a name at the start of a sentence."""
    is_listed = lower in COMMON_NOUNS or lower.rstrip("s") in COMMON_NOUNS or lower in _APPOINTED
    return is_listed or lower.endswith(_NOUN_ENDINGS)


_APPOINTED = AWAITED | VISITED
"""What notes begin with: "Barbecue's off", "Physio is on Friday"."""
COMMON_NOUNS = lexicon.words(
    "account address age air aircon alarm allergy anniversary apartment app appointment area arm assignment aunt baby "
    "backend backup bag band bank baby bar basement bathroom beach bed bedroom beer bike bird birthday blood boat body "
    "boss bottle box boyfriend bread breakfast brother budget bug building bus business cake camera car career cat "
    "chair chapter cheese chef chicken child children choir church city class client clinic clock clothes club code "
    "coffee college color colour commute company computer conference contract cookie country couple course cousin cup "
    "customer dad dashboard database daughter deadline debt delivery dentist department desk diet dinner doctor dog "
    "door dream driver drug email employee employer engine engineer exam eye face family father feature fever file "
    "film finger flight floor flower food foot football friend fridge frontend fruit furniture future game garage "
    "garden gift girl girlfriend glass goal grandma grandpa group guest guitar gym hair hand headache heart hobby "
    "holiday home hotel house husband idea income insurance internet interview job juice keyboard kid kids kitchen "
    "knee lab language laptop lawyer lease lesson letter library life locker lunch machine manager map market meal "
    "meat "
    "medicine meeting member menu message milk mom mum money month mother mountain mouse movie museum music name neck "
    "neighbor neighbour nephew niece noise note novel number nurse office oil order paper parent parents parking party "
    "passport password people person pet phone photo piano picture pizza place plane plate player pool president price "
    "printer prize problem product professor profile project pump puppy rain reason recipe repo report restaurant "
    "review rice road roof room roommate route salary sale salad school screen season seat server service shift shirt "
    "shoe shoes shop shower sibling sister size skin sleep snack snow soccer son song soup spouse staff standup "
    "station status stomach story street student subway sugar summer sun sushi sweater table tax taxi tea teacher team "
    "teammate tech tennis therapist thing ticket time title tool tooth town toy traffic train trainer trip truck tv "
    "uncle university vacation van vegetables vet video village visa voice wallet wardrobe water weather wedding week "
    "weight wife window wine winter woman women work workout world worker writer year yoga zone men man boy boys girls "
    "tons lots loads nature life love society history science "
    "sprint release rollout migration api pipeline cluster config repo stack ui ux ci pr backlog roadmap staging prod "
    "production demo retro planning ticket outage incident invoice vendor launch beta beta-test milestone gluten "
    "pronouns peanuts nuts shellfish dairy lactose pollen asthma diabetes cancer anxiety depression adhd "
    "favorite favourite everyone everybody nobody nothing plans dates reminder fact facts ps nb todo update info edit"
)


def tokenise(text: str, *, offset: int = 0) -> tuple[Token, ...]:
    """The tokens of a text, places counted from `offset`. A quoted run of three words or more is one token."""
    return _tokens(text, offset)


@lru_cache(maxsize=128)
def _tokens(text: str, offset: int) -> tuple[Token, ...]:
    out: list[Token] = []
    is_first = True
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        parts, is_first = _read(match[kind], kind, is_first=is_first)
        at = match.start(kind) + offset
        for piece, start, end, lower, tag, form in parts:
            out.append(Token(text=piece, lower=lower, start=at + start, end=at + end, tag=tag, form=form))
    read = going_on(named_first(kin(out)))
    words = {token.lower for token in read}
    return tuple(_reread(read, words, text, offset) if words & _REREAD else read)


@lru_cache(maxsize=_WORDS_KEPT)
def _read(piece: str, kind: str, *, is_first: bool) -> tuple[tuple[_Part, ...], bool]:
    """What was written without a blank, as (text, start, end, lower, tag, form) each, with contractions apart.

    `is_first`: nothing of the sentence stands before it; the second value says so of what stands behind it.
    """
    typed = lower_of(piece)
    parts = [(piece, 0, typed)]
    if kind in {"plain", "word", "abbr"}:
        parts = _split_word(piece, 0) if "'" in typed or typed in _JOINED else parts
        kind = "word"
    out: list[_Part] = []
    for part, start, bare in parts:
        lower = lexicon.TYPOS.get(bare, bare)
        if kind == "word" and lower[-2:] == "in" and len(lower) > 4 and _is_doing(f"{lower}g"):
            lower = f"{lower}g"  # "havin a baby"
        tag = _tag_word(part, lower, is_first=is_first) if kind == "word" else _tag_of(part, lower, kind)
        form = verb_form(lower) if tag in {"word", "adjective", "preposition", "adverb", "number", "name"} else None
        if tag == "preposition" and lower not in _WORD_BEFORE_CLOSED:
            form = None
        out.append((part, start, start + len(part), lower, tag, form))
        if tag not in {"punctuation", "interjection", "emoji"} or part[:1] in ".!?:":
            is_first = part[:1] in ".!?:" and tag == "punctuation"
    return tuple(out), is_first


def _is_doing(word: str) -> bool:
    form = verb_form(word)
    return form is not None and form.forms == {"ing"}


_LAW = frozenset(("law", "laws"))
_OWNED = lexicon.words("name birthday bday age job number address favorite favourite anniversary phone car")
_DESCRIBING = lexicon.ADVERBS & lexicon.ATTRIBUTIVE
_TURNING = _DESCRIBING | lexicon.GREETINGS | {"next", "longer", "more"}
_QUOTES = frozenset('"“„«')
_REREAD = _TURNING | _OWNED | _LAW | _QUOTES | {"'s"}
"""Words and signs that are read otherwise beside some others."""


def _reread(tokens: list[Token], words: set[str], text: str, offset: int) -> list[Token]:
    if words & _TURNING:
        tokens = _adverbial(tokens)
    before = tokens
    if words & _OWNED:
        tokens = _possessives(tokens)
    if "'s" in words or tokens is not before:
        tokens = houses(tokens)
    if words & _LAW:
        tokens = _in_laws(tokens, text, offset)
    return _fold_quotes(tokens, text, offset) if words & _QUOTES else tokens


def _possessives(tokens: list[Token]) -> list[Token]:
    """Reads "my sisters name" as "my sister's name": one name is one sister's."""
    kin = [
        at
        for at, token in enumerate(tokens[:-1])
        if token.lower[-1:] == "s" and token.lower[:-1] in relations.CANONICAL and token.tag == "word"
        and at and tokens[at - 1].tag == "possessive" and tokens[at + 1].lower in _OWNED
    ]  # fmt: skip
    out = [*tokens] if kin else tokens
    for at in reversed(kin):
        token, cut = tokens[at], tokens[at].end - 1
        one = changed(token, text=token.text[:-1], lower=token.lower[:-1], end=cut)
        out[at : at + 1] = one, Token(text=token.text[-1], lower="'s", start=cut, end=token.end, tag="clitic")
    return out


def _in_laws(tokens: list[Token], text: str, offset: int) -> list[Token]:
    """Reads "brother in law" as the one word it is."""
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if index + 2 < len(tokens) and tokens[index + 1].lower == "in" and tokens[index + 2].lower in _LAW:
            last = tokens[index + 2]
            whole = text[token.start - offset : last.end - offset]
            joined = f"{token.lower}-in-{last.lower}"
            out.append(changed(token, text=whole, lower=joined, end=last.end, tag="word", form=None))
            index += 3
            continue
        out.append(token)
        index += 1
    return out


def _adverbial(tokens: list[Token]) -> list[Token]:
    """Reads "no longer" and "any more" as the adverbs they are, and "weekly" in "our weekly sync" as an adjective."""
    size = len(tokens)
    for at in range(size - 1):
        pair = (tokens[at].lower, tokens[at + 1].lower)
        is_end = at + 2 >= size or tokens[at + 2].tag in {"punctuation", "coordinator", "preposition"}
        if tokens[at + 1].tag == "interjection" and tokens[at].tag in {"determiner", "possessive", "preposition"}:
            # "Every morning", "in the evening": no greeting.
            tokens[at + 1] = changed(tokens[at + 1], tag="word", form=None)
        if pair == ("next", "to"):
            tokens[at] = changed(tokens[at], tag="preposition", form=None)
        if (
            tokens[at + 1].tag in {"word", "name"}
            and tokens[at].lower in _DESCRIBING
            and at
            and tokens[at - 1].lower in lexicon.OPENING
        ):
            # "Our weekly sync", "her online shop": what stands between "our" and a noun describes the noun.
            tokens[at] = changed(tokens[at], tag="adjective", form=None)
        if pair == ("no", "longer") or (pair in {("any", "more"), ("any", "longer")} and is_end):
            tokens[at] = changed(tokens[at], tag="adverb", form=None)
            tokens[at + 1] = changed(tokens[at + 1], tag="adverb", form=None)
    return tokens


def _tag_of(piece: str, lower: str, kind: str) -> Tag:
    if kind in {"url", "handle", "number"}:
        return kind  # type: ignore[return-value]  # checked in the line before
    if kind == "special":
        return "preposition" if lower.startswith("w/") else "name"
    if piece == "&":
        return "coordinator"
    return "emoji" if _EMOJI.match(piece) else "punctuation"


def _fold_quotes(tokens: list[Token], text: str, offset: int) -> list[Token]:
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.tag == "punctuation" and token.text in _QUOTES:
            close = next((j for j in range(index + 1, len(tokens)) if tokens[j].text in '"”“»'), None)
            if close is not None and close - index > 3:
                end = tokens[close].end
                out.append(
                    Token(
                        text=text[token.start - offset : end - offset],
                        lower="",
                        start=token.start,
                        end=end,
                        tag="quoted",
                    )
                )
                index = close + 1
                continue
        out.append(token)
        index += 1
    return out
