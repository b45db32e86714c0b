"""Subjects that are left out: "got a drum set" is the speaker's, "…, drives uber" whoever the part before is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.worth.weights import TALK_VERBS
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.parts import Part, Said
    from wellkept.judges.english.grammar.tokens import Token

_GOING = lexicon.words(
    "move work live learn study train plan turn expect start teach save switch fly visit leave quit apply get "
    "renovate do"
)
_BY_ITSELF = lexicon.words(
    "move get go come grow live work start switch sign apply enroll enrol retire graduate travel fly drive fall break "
    "study teach play join volunteer train quit use stop land convert emigrate relocate marry turn"
)
"""In the past with no object behind them; of the others that may be a house "built in 1920"."""
_NOT_SAID_SO = TALK_VERBS | lexicon.words("call name base locate make let go sound look help mean follow give sleep")
_BARE = {
    "live": "in with near on at alone",
    "work": "at as for from nights days",
    "study": "at",
    "have": "",
    "own": "a an two three",
}
"""In the present these could be orders, but not before these words."""
_WANTING = lexicon.words("want need hope plan")
_LIKING = lexicon.words("love hate prefer enjoy speak adore")
TRAITS = lexicon.words(
    "allergic vegan vegetarian pescatarian diabetic pregnant engaged married divorced widowed single retired fluent "
    "celiac coeliac dyslexic autistic asthmatic lactose colorblind colourblind bilingual unemployed left-handed "
    "self-employed"
)
ILLS = lexicon.words(
    "diabetes arthritis asthma epilepsy eczema psoriasis adhd depression parkinson's fibromyalgia lupus endometriosis "
    "pcos ibs gout sciatica tinnitus migraines vertigo osteoporosis glaucoma dementia"
)
"""A sentence of one of these tells what somebody has."""
_HABITS = lexicon.words("drink eat smoke like own have drive live work speak")
_POINTING = lexicon.words("it that this these those you your u ur them one")
_AFTER_TRAITS = frozenset(("preposition", "to", "coordinator", "number", "adverb", "punctuation", "subordinator"))
_AFTER_VERBS = frozenset(("determiner", "possessive", "to"))
_A_WHILE = lexicon.words("a ages long forever so too quite such crazy hectic busy fun great good nice")
"""For "been ages": it has been so, not the speaker."""
_ENDS = frozenset(("punctuation", "coordinator"))
_ENDS_OF_NOUNS = _ENDS | {"auxiliary", "modal"}


def left_out(part: Part, subject: str | None, *, is_first: bool) -> str | None:
    """The subject, with its auxiliary, that is understood before a part; None when none is.

    `subject`: of the part before, in words.
    """
    head, after = part.head, part.after
    if head is None or (after is not None and after.lower in _POINTING):
        return None
    is_mine = subject is None or subject.casefold() in {"i", "we"}
    if head.tag in {"modal", "auxiliary", "negation"}:
        return _of_auxiliary(part, subject, is_first=is_first)
    if head.lower in TRAITS and (after is None or after.tag in _AFTER_TRAITS):
        return None if not is_first else "I'm" if is_mine else f"{subject} is"
    is_lone = after is None or after.tag == "punctuation"
    if is_first and is_lone and head.lower in ILLS:
        return "I have" if is_mine else f"{subject} has"
    if head.lower == "born" and is_mine and is_first:
        return "I was"
    is_verb = head.tag == "word" or (head.tag == "adjective" and after is not None and after.tag in _AFTER_VERBS)
    if head.form is None or not is_verb or head.form.lemma in _NOT_SAID_SO:
        return None
    if head.form.forms == {"s"}:
        is_noun = after is None or after.tag in _ENDS_OF_NOUNS
        return None if is_first or is_mine or is_noun else subject
    return _of_verb(part, subject or "I", is_first=is_first)


def _of_auxiliary(part: Part, subject: str | None, *, is_first: bool) -> str | None:
    head, after = part.head, part.after
    if head is None or after is None:
        return None
    is_mine, who = subject is None or subject.casefold() in {"i", "we"}, subject or "I"
    if head.lower in {"never", "been"}:
        return _of_perfect(head, after) if is_mine else None
    third = part.tokens[part.first + 2] if part.first + 2 < len(part.tokens) else None
    if after.tag == "negation" and third is not None and third.tag != "pronoun":
        is_order = head.lower == "do" and not (third.form is not None and third.form.lemma in _HABITS)
        return None if is_order or (is_first and not is_mine) else who
    if head.lower == "have" and is_mine and (after.tag == "number" or not is_first):
        return who
    is_theirs = not is_mine and head.lower in {"has", "is", "was", "had", "does"}
    is_done = head.lower in {"did", "had", "was"} and after.tag not in {"pronoun", "adverb"}
    return who if not is_first and (is_theirs or is_done) else None


def _of_perfect(head: Token, after: Token) -> str | None:
    """For "never been to Asia", "never learned to drive", "been vegetarian since 2015"."""
    if head.lower == "been":
        is_state = after.tag in {"word", "adjective", "preposition", "determiner"}
        return "I've" if is_state and after.lower not in _A_WHILE else None
    forms = after.form.forms if after.form is not None else frozenset[str]()
    if after.lower == "been" or forms == {"participle"}:
        return "I've"
    return "I" if "past" in forms and "base" not in forms else None


def _of_verb(part: Part, who: str, *, is_first: bool) -> str | None:
    head, after = part.head, part.after
    if head is None or head.form is None or after is None:
        return None
    forms, lemma = head.form.forms, head.form.lemma
    is_ended = after.tag in _ENDS
    if lemma == "use" and after.tag == "to":
        return who
    if forms == {"base"} and lemma in _WANTING and after.tag == "to":
        return "I"
    if "past" in forms and ("base" not in forms or _is_past_by_object(head, after)):
        is_bare = after.tag in {"preposition", "adverb", "to", "negation"}
        return None if is_ended or (is_bare and lemma not in _BY_ITSELF) else who
    if forms == {"ing"} and lemma in _GOING and not is_ended:
        return f"{who}'m" if who == "I" else None
    is_mine = who.casefold() in {"i", "we"}
    return _of_present(lemma, after, who, is_first=is_first) if "base" in forms and is_mine and not is_ended else None


def _of_present(lemma: str, after: Token, who: str, *, is_first: bool) -> str | None:
    """For "live in a studio", and the "work at Equinor, have two kids" behind "I live in Oslo"."""
    if not is_first:
        return who if lemma in _BARE or lemma in _LIKING else None
    if lemma in _LIKING:
        return "I" if after.tag in {"word", "name"} else None
    return "I" if lemma in _BARE and after.lower in _BARE[lemma].split() else None


def _is_past_by_object(head: Token, after: Token) -> bool:
    """For "quit my job", "cut my finger": an order would not speak of what is the speaker's own."""
    is_doing = after.form is not None and after.form.forms == {"ing"}
    return head.lower in {"quit", "cut", "hit", "hurt", "set"} and (after.lower == "my" or is_doing)


# What stands behind a name


_KIN = frozenset(("mother", "father", "mom", "mum", "dad", "parent", "widow", "widower", "immigrant"))
_TRADES = deferred(
    r"(?:(?<!numb)(?<!begin)(?<!own)(?<!us)(?<!custom)(?<!read)(?<!lov)(?<!start)(?<!memb)(?<!teenag)(?<!learn)er"
    r"|[td]or|ist|ian|nurse|chef|cook|pilot|clerk|accountant|consultant|assistant|student|judge|priest|analyst"
    r"|architect|attorney|surgeon|electrician|coach|guard|professor|manager|midwife|postdoc|undergrad)$"
)
AGE_WORDS_MAX = 3
ROLE_WORDS_MAX = 7


def is_role(token: Token) -> bool:
    """A trade, or what somebody is for good."""
    is_known = token.lower in TRAITS or token.lower in _KIN
    return is_known or (token.tag == "word" and _TRADES.search(token.lower) is not None)


def gives_name(part: Part) -> bool:
    """For "I'm Ola", "my name is Temi"."""
    words = [token.lower for token in part.tokens[part.first :]]
    is_am = words[:2] in (["i", "'m"], ["i", "am"]) and part.tokens[-1].tag == "name"
    return is_am or words[:3] in (["my", "name", "is"], ["my", "name", "'s"], ["i", "go", "by"])


def introduced(part: Part, before: Said) -> str | None:
    """What is understood before "31, from Poznan, a translator" behind "I'm Ola"."""
    head = part.head
    if not before.is_name or head is None:
        return None
    words = [token for token in part.tokens if token.tag != "punctuation"]
    if head.lower == "from" or (head.tag == "number" and len(words) <= AGE_WORDS_MAX):
        return "I'm"
    is_known = len(words) <= ROLE_WORDS_MAX and any(is_role(token) for token in words[:4])
    if not is_known or head.tag not in {"determiner", "word", "adjective", "number"}:
        return None
    return "I'm" if head.tag in {"determiner", "number"} else "I'm an" if head.lower[0] in "aeio" else "I'm a"
