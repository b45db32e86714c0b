"""What a question asks: whether it is one, whom it is about, what it wants to know and which words would find it."""

from __future__ import annotations

import re
from functools import lru_cache

from wellkept.judges.base import Question
from wellkept.judges.english.grammar import language, lexicon
from wellkept.judges.english.grammar.parser import Clause, Noun, Token, sentences
from wellkept.judges.english.messages import requests
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts, foreign, paraphrases, roles
from wellkept.judges.english.questions.asked import Asked, AskKind, Wanted
from wellkept.judges.english.questions.frames import LIGHT, Holder, content_words, holder_of, read
from wellkept.patterns import deferred

TEXT_MAX = 1000
TERMS_MAX = 24
"""More words than these drown those of the question itself."""
_LEAD = deferred(
    r"^\s*(?:(?:hey|hi|hello|ok|okay|so|well|and|but|also|um|please|pls|quick question|remind me again|btw|by the way"
    r"|just curious|one more thing|again|now|then|right|oh)\b[\s,:!.…-]*)+",
    re.IGNORECASE,
)
_TELL = deferred(
    r"^\s*(?:(?:can|could|would|will) (?:you|u) (?:please |maybe |also |quickly )?|please |pls )?"
    r"(?:(?:tell|remind|show|give|say to)(?: me| us)(?: again)?|let me know|help me remember)(?: please)?[,:]? "
    r"(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_KNOW = deferred(
    r"^\s*(?:do|did|can|could|would) (?:you|u) (?:still |happen to |by any chance )*(?:know|remember|recall|have)"
    r"(?: again)? (?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TO_RECALL = "(?:name|birthday|number|address|date|age|size|deadline|anniversary|title)"
_WONDER = deferred(
    rf"^\s*(?:i (?:wonder|(?:forgot|forget)(?= (?:again )?(?:wh|how|if|.*\b{_TO_RECALL}\b))"
    r"|can't remember|cannot remember|don't remember|do not remember|don't know"
    r"|want to know|would like to know|'d like to know|need to know)|i'd like to know|i'm wondering|any idea"
    r"|have i (?:ever )?told you|did i (?:ever )?(?:tell you|mention(?: to you)?|say))(?: again)? (?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_EVERYTHING = deferred(
    r"^\s*(?:(?:what|all|everything|anything)\b.{0,40}?\b(?:you|u|we|i)\b.{0,25}?\b(?:know|knew|remember|recall|have|got"
    r"|stored|saved|learned|heard|told you)\b(?: \w+){0,3}? (?:about|on|of|regarding) |(?:anything|everything|all)"
    r"(?: \w+){0,3} about |who am i\b|(?:what|everything) (?:do|did) you (?:know|remember)\b(?! about)|tell me about "
    r"|what about |about )(?P<whom>.*?)\s*[?.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_WH = deferred(
    r"^\W*(?:(?:in|at|on|for|to|from|by|with|of|about|since|until) )?"
    r"(?P<wh>who|whom|whose|what|which|when|where|why|how|whats|wheres|whos|whens|hows)(?:'s|'re|'d|'ll)?\b"
    r"(?: (?P<next>\w+))?",
    re.IGNORECASE,
)
_MARKED = deferred(r"[?？؟][\s\"')\]]*$")
# "Remind me tomorrow to call Bo" asks for no answer.
_STATED = deferred(
    r"^\s*(?:(?:today|tomorrow|tonight|later|again|please|(?:next|this|every|each) \w+|(?:on|by|in|at|before|after)"
    r"(?: (?!to\b)[\w:.]+){1,3}),? )*(?:that|this|to) ",
    re.IGNORECASE,
)
_WHETHER = deferred(r"^\s*(?:if|whether) ", re.IGNORECASE)
_INVERTED = deferred(
    r"^\W*(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|isn't|aren't|don't|doesn't|didn't"
    r"|wasn't|weren't|haven't|hasn't|can't|won't)\s+(?:i|you|he|she|it|we|they|my|our|his|her|their|the|there|any\w*"
    r"|[A-Z]\w+)\b",
    re.IGNORECASE,
)
_TIME_NOUNS = lexicon.words("time date day hour year month weekday clock")
_PLACE_NOUNS = lexicon.words("place city town country location spot address street")
_EXCLAIMED = deferred(
    r"^\W*(?:what (?:a|an)|how (?:nice|lovely|cool|great|sad|funny|awful|sweet))\b[^?]*$", re.IGNORECASE
)
_NAMING = frozenset(("name", "call"))
_GENERIC_TYPES = lexicon.words(
    "kind type sort thing breed species one brand model make variety name genre category flavor flavour tool app "
    "service platform system program"
)
_NOT_REQUIRED = _GENERIC_TYPES | _TIME_NOUNS | _PLACE_NOUNS
_OWN = frozenset(("i", "me", "my", "we", "us", "our"))
_DEGREES = lexicon.words("far long often much many big soon fast")
_MANY_VERBS = lexicon.words(
    "like love enjoy dislike hate speak know avoid allergic collect own play want need fear afraid grow visit take "
    "owe lend adore"
)


def _core(text: str) -> tuple[str, bool]:
    """The question without greeting and "can you tell me", and whether such a frame stood around it."""
    text = _LEAD.sub("", text[:TEXT_MAX].strip().replace("\u2019", "'"))
    is_framed = False
    for pattern in (_TELL, _KNOW, _WONDER):
        match = pattern.match(text)
        if match is not None and not _STATED.match(match["rest"]):
            text, is_framed = match["rest"].strip(), True
    return text, is_framed


@lru_cache(maxsize=1024)
def _direct(text: str) -> tuple[str, bool]:
    """The question in a form that begins with its question word, or as a plain statement for a yes or no."""
    core, is_framed = _core(text)
    if _WHETHER.match(core):
        return _WHETHER.sub("", core), True
    if is_framed and not _WH.match(core) and not _INVERTED.match(core):
        return f"what is {core}", True
    return core, is_framed


def is_question(text: str) -> bool:
    """Whether the text asks for something, with or without a question mark."""
    stripped = _asking(text).strip()
    if not stripped or _EXCLAIMED.match(stripped) or _is_request(text):
        return False
    core, is_framed = _core(stripped)
    if _MARKED.search(stripped) or foreign.is_asking(stripped) or is_framed or _EVERYTHING.match(core):
        return True
    if _INVERTED.match(core) or _WH.match(core):
        clauses = read(core)
        return bool(clauses) and clauses[0].type == "question"
    return False


def _is_request(text: str) -> bool:
    """Whether it asks for something to be remembered ("can you remember that …"), and tells what."""
    request = requests.recognise(text[:TEXT_MAX])
    if request is None or _WH.match(request.payload):
        return False
    clauses = read(request.payload.rstrip("?！？ "))
    return bool(clauses) and clauses[0].type == "declarative" and clauses[0].verb is not None


def _asking(text: str) -> str:
    """The last sentence that ends in a question mark, of a message with several; else the whole."""
    text = text[-TEXT_MAX:].replace("\u2019", "'")
    parts = [sentence.text for sentence in sentences(text)]
    marked = [part for part in parts if _MARKED.search(part)]
    return marked[-1] if len(parts) > 1 and marked else text[:TEXT_MAX]


def _wanted(text: str, clause_type: Noun | None) -> Wanted:
    match = _WH.match(text)
    if match is None:
        return "any"
    word, following = match["wh"].casefold(), (match["next"] or "").casefold()
    head = concepts.singular(clause_type.head) if clause_type is not None else ""
    if word.startswith("when") or head in _TIME_NOUNS:
        return "time"
    if word.startswith("where") or concepts.singular(head) in _PLACE_NOUNS:
        return "place"
    if word.startswith("who") and word != "whose":
        return "person"
    if re.search(r"\b(?:birthplace|hometown|home town)\b", text, re.IGNORECASE):
        return "place"
    if word == "how":
        return _wanted_by_how(following)
    return "reason" if word == "why" else "any"


def _wanted_by_how(following: str) -> Wanted:
    if following == "old":
        return "age"
    if following in {"many", "much", "tall", "long", "far", "big", "heavy", "high"}:
        return "number"
    return "any"


def _holders(clauses: tuple[Clause, ...]) -> tuple[Holder, Noun | None]:
    """Whom the question is about: the subject, else the person it speaks of as object."""
    if clauses and clauses[0].gap == "subject":
        clauses = clauses[:1]  # "Who feeds the cat when we travel?" is not about us
    for clause in clauses:
        noun = clause.subject
        if noun is not None and noun.pronoun != "you":
            return holder_of(noun), noun
    for clause in clauses:
        for noun in (clause.object, clause.indirect, clause.complement.noun if clause.complement else None):
            if noun is not None and holder_of(noun).kind in ("asker", "person") and clause.gap != "subject":
                return holder_of(noun), noun
    return Holder(kind="thing"), None


def _type_noun(clauses: tuple[Clause, ...]) -> Noun | None:
    return next((clause.wh_noun for clause in clauses if clause.wh_noun is not None), None)


def _other_names(tokens: list[Token], holder: Holder) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens if token.tag in ("name", "handle") and not holder.covers(token))


def _choices(clauses: tuple[Clause, ...]) -> tuple[str, ...]:
    """The words between which a question lets one choose."""
    for clause in clauses:
        for noun in (clause.object, clause.complement.noun if clause.complement else None):
            if noun is not None and noun.parts and " or " in noun.text.casefold():
                return tuple(word.casefold() for word in re.findall(r"[\w'-]+", noun.text) if word.casefold() != "or")
    return ()


# Where somebody is known from says who is meant, not what is asked: "is Aiko from the gym vegan?"
_KNOWN_FROM = deferred(
    r"\b([A-Z][\w'’-]+) from (?:(?:the|my|our) )?[a-z][\w'’-]+(?: (?:club|class|team|group|school|office))?(?= \w)"
)


@lru_cache(maxsize=1024)
def analyse(text: str) -> Asked:
    """A question taken apart; any other text is taken as a question for what it says."""
    text = _KNOWN_FROM.sub(r"\1", _asking(text))
    everything = _about_everything(text)
    if everything is not None:
        return everything
    direct, _ = _direct(text)
    news = _about_news(direct)
    if news is not None:
        return news
    plain = concepts.plain(paraphrases.meant(direct)).strip()
    clauses = read(plain)
    match = _WH.match(plain)
    holder, noun = _holders(clauses)
    type_noun = _type_noun(clauses)
    tokens = [token for clause in clauses for token in clause.tokens if token.tag != "wh"]
    verb = next((clause.verb.lemma for clause in clauses if clause.verb is not None), None)
    words = _question_words(tokens, holder, verb, plain)
    type_words = _types(type_noun)
    choices = _choices(clauses)
    kind = _kind(match, holder, noun, words)
    is_negative = any(clause.verb is not None and clause.verb.is_negative for clause in clauses)
    return Asked(
        kind=kind,
        word=match["wh"].casefold() if match is not None else None,
        wanted=_wanted(plain, type_noun),
        holder=holder,
        holder_text=noun.text if noun is not None else "",
        words=tuple(word for word in words if word not in type_words and word not in choices),
        type_words=tuple(word for word in type_words if concepts.singular(word) not in _NOT_REQUIRED),
        names=_other_names(tokens, holder),
        choices=choices,
        is_many=_is_many(words, type_noun, noun) or (is_negative and kind == "wh"),
        is_negative=is_negative,
        is_own=any(token.lower in _OWN for token in tokens),
        is_whole=noun is not None and noun.pronoun == "i",
        is_plural=noun is not None and _is_several(noun),
        verb=verb,
        toward=roles.toward(clauses, asks_who=match is not None and match["wh"].casefold().startswith("who")),
    )


def _question_words(tokens: list[Token], holder: Holder, verb: str | None, plain: str) -> tuple[str, ...]:
    words = list(content_words(tokens, holder))
    if verb is not None and verb not in LIGHT | _NAMING and verb not in {concepts.lemma(word) for word in words}:
        # The tokeniser cannot tell the verb "like" from the preposition; the parser can.
        words.insert(0, verb)
    if not words and verb in ("make", "take", "give"):
        words = [verb]
    if holder.kind == "person":
        words += [word for word in holder.words if word not in words]
    if plain.casefold().startswith("how "):
        words = [word for word in words if word not in _DEGREES]
    where_from = re.search(r"\bfrom\W*$", plain)
    return (*words, "origin") if where_from else tuple(words)


def _is_several(noun: Noun) -> bool:
    """Whether a noun, or the one that owns it, names several people by relation."""
    inner = noun.owner or noun.of
    own = noun.relation is not None and noun.head in relations.PLURALS
    return own or (inner is not None and _is_several(inner))


def _types(type_noun: Noun | None) -> tuple[str, ...]:
    if type_noun is None:
        return ()
    return tuple(word for word in (*type_noun.modifiers, type_noun.head) if word)


def _is_many(words: tuple[str, ...], type_noun: Noun | None, noun: Noun | None) -> bool:
    lemmas = {concepts.lemma(word) for word in words}
    is_listed = noun is not None and noun.is_plural and not noun.parts and noun.pronoun is None
    return bool(lemmas & _MANY_VERBS) or is_listed or (type_noun is not None and type_noun.is_plural)


def _kind(match: re.Match[str] | None, holder: Holder, noun: Noun | None, words: tuple[str, ...]) -> AskKind:
    if match is None:
        return "yes_no"
    lemmas = {concepts.lemma(word) for word in words}
    asks_who = match["wh"].casefold().startswith("who") and match["wh"].casefold() != "whose"
    is_whole = noun is not None and holder.kind == "person" and (holder.start, holder.end) == (noun.start, noun.end)
    if holder.kind == "person" and lemmas and lemmas <= _NAMING:
        return "name"
    if asks_who and is_whole and not lemmas - set(holder.words):
        return "name" if holder.relation and not holder.name else "identity"
    return "wh"


def _about_news(direct: str) -> Asked | None:
    """For "What happened to Chidi?", "What's my sister up to?": no word of it stands in what it asks for."""
    kind: AskKind = "happened"
    whom = paraphrases.happened_to(direct)
    if whom is None:
        kind, whom = "doing", paraphrases.done_by(direct)
    clauses = read(f"{whom} is here") if whom is not None else ()
    holder = holder_of(clauses[0].subject) if clauses else Holder(kind="thing")
    return Asked(kind=kind, holder=holder, holder_text=whom or "") if holder.kind == "person" else None


def _about_everything(text: str) -> Asked | None:
    core, _ = _core(text)
    match = _EVERYTHING.match(_LEAD.sub("", text.strip().replace("\u2019", "'"))) or _EVERYTHING.match(core)
    if match is None:
        return None
    whom = (match["whom"] or "").strip(" ?!.")
    if not whom or whom.casefold() in ("me", "myself", "us"):
        return Asked(kind="everything", holder=Holder(kind="asker"), holder_text="me")
    clauses = read(f"{whom} is here")
    holder = holder_of(clauses[0].subject) if clauses else Holder(kind="thing")
    tokens = [token for clause in clauses for token in clause.tokens if token.lower not in ("is", "here")]
    words = content_words(tokens, holder)
    return Asked(kind="everything", holder=holder, holder_text=whom, words=words)


_SLOTS: tuple[tuple[frozenset[str], str], ...] = tuple(
    (frozenset(keys.split()), slot)
    for keys, slot in (
        ("birthday", "birthday"), ("age", "age"), ("nickname", "nickname"), ("pronoun", "pronouns"),
        ("timezone", "timezone"), ("editor", "editor"), ("job", "job"), ("employer", "employer"), ("car", "car"),
        ("phone", "phone-model"), ("unit", "units"), ("live country", "country"), ("live", "city"),
        ("shoe size", "shoe-size"), ("height", "height"), ("origin", "hometown"),
        ("native language", "native_language"),
    )
)  # fmt: skip
_MANY_SLOTS = (("dislike", "dislikes"), ("like", "likes"), ("allergic", "allergies"), ("goal", "goals"))


def _slot(asked: Asked) -> str | None:
    if asked.holder.kind not in ("asker", "person") or asked.kind == "everything":
        return None
    words = (*asked.words, *asked.type_words)
    lemmas = [concepts.lemma(word) for word in words]
    if "favorite" in lemmas:
        thing = "_".join(word for word in lemmas if word != "favorite")
        return f"favorite:{thing.replace('film', 'movie')}" if thing else None
    if asked.kind == "name" or (lemmas == ["name"] and asked.verb == "call"):
        return "name" if asked.kind == "name" else "preferred_name"
    keys = frozenset().union(*(concepts.asked_by(word) for word in words)) if words else frozenset()
    if "work" in lemmas and asked.wanted == "place":
        return "employer"
    found = next((slot for needed, slot in _SLOTS if needed <= keys), None)
    if found is not None and len(set(lemmas)) <= 2:
        return found
    if len(set(lemmas)) == 1:
        return next((slot for key, slot in _MANY_SLOTS if key in keys), None)
    return None


def _terms(asked: Asked) -> tuple[str, ...]:
    """Words to add to the search, without those already asked for."""
    found: list[str] = []
    for word in (*asked.words, *asked.type_words):
        found += [near for near in concepts.neighbours(word) if near not in found]
    if asked.holder.relation:
        found.append(asked.holder.relation)
    return tuple(found[:TERMS_MAX])


def understand(text: str) -> Question:
    """What is asked, if anything."""
    if not is_question(text):
        return Question(text=text, is_question=False)
    if language.guess(text) != "en":
        return foreign.understand(text)
    asked = analyse(text)
    about: tuple[str, ...] = ()
    if asked.holder.kind == "asker" and asked.kind == "everything":
        # Most of what is remembered is about the asker: naming them singles out nothing in any other question.
        about = ("me",)
    elif asked.holder.kind == "person" and not asked.is_plural:
        about = (asked.holder_text if asked.kind == "everything" else _called(asked, text),)
    elif asked.kind == "everything" and asked.holder_text:
        about = (asked.holder_text,)
    return Question(
        text=text,
        is_question=True,
        about=about,
        asks_everything=asked.kind == "everything",
        slot=_slot(asked),
        terms=_terms(asked),
    )


def _called(asked: Asked, text: str) -> str:
    """The person as the question names them: "my wife", "Bob", "Bob from work", "Sarah's brother"."""
    holder = asked.holder
    if holder.relation is None and holder.name is not None:
        known_from = next((one for one in _KNOWN_FROM.finditer(text) if one[1] == holder.name), None)
        return known_from[0] if known_from is not None else holder.name
    if holder.relation is None:
        return asked.holder_text
    owner = "my" if holder.of is None else f"{holder.of.name or 'my ' + str(holder.of.relation)}'s"
    return f"{owner} {holder.relation}" + (f" {holder.name}" if holder.name else "")
