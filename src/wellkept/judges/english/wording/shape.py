"""Writes a clause in the third person: names for pronouns, agreeing verbs, no loose pronoun left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import EVENTS
from wellkept.judges.english.grammar.tokens import tokenise
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.named import reference
from wellkept.judges.english.wording.retelling import (
    CLITIC_WORDS,
    DAYS,
    IDLE_LEADS,
    MOVING,
    OBJECTS,
    SINGULAR,
    THIRD,
    THIRD_OF,
    Shaped,
    Voice,
    agree,
    is_loose,
    is_mistyped,
    is_named_otherwise,
    is_of_the_clause,
    is_of_us,
    is_own_food,
    is_team_ahead,
    leads_to_name,
    may_be_subject,
    nearest,
    owns_what_follows,
    possessive,
    stands_alone,
    steps,
    tidied,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun
    from wellkept.judges.english.grammar.tokens import Token
    from wellkept.types import Reference


def shape(text: str, clause: Clause, voice: Voice) -> Shaped:
    """The clause of `text` retold in the third person."""
    return _Retelling(text, clause, voice).run()


LABEL_WORDS_MAX = 4
"""Of whom a pronoun stands for; what is longer is no name for anybody."""


class _Retelling:
    def __init__(self, text: str, clause: Clause, voice: Voice) -> None:
        self.text, self.clause, self.voice = text, clause, voice
        self.is_certain, self.is_calling = True, False
        self.resolved: list[Reference] = []
        self.subject_label = ""
        self.subject_ref: Reference | None = None
        self.swaps = self._named_spans()

    def run(self) -> Shaped:
        clause = self.clause
        tokens = clause.tokens
        subject = clause.subject
        verb_at = next((k for k, token in enumerate(tokens) if clause.verb and token.start >= clause.verb.start), None)
        if subject is None or clause.is_shared:
            first = verb_at if verb_at is not None else self._content_start(tokens)
        else:
            first = next((k for k, token in enumerate(tokens) if token.start >= subject.start), 0)
        head, agrees = self._directive() if clause.type == "imperative" else self._subject(subject)
        if clause.type == "imperative" and verb_at is not None:
            first, subject = self._after_negation(tokens, verb_at), None
        if subject is not None and not clause.is_shared and verb_at is not None:
            between = self._between(tokens, subject.end, verb_at)
            first = verb_at
        else:
            between = ""
        if clause.auxiliary:
            auxiliary = clause.auxiliary.casefold()
            head = f"{head} {SINGULAR.get(auxiliary, auxiliary) if agrees else auxiliary}"
            agrees = False
        body = self._rewrite(tokens, first, len(tokens), agrees=agrees)
        if head and clause.is_elided and first < len(tokens) and tokens[first].tag != "name":
            body = body[:1].lower() + body[1:]
        lead = self._lead_phrases(tokens)
        if clause.verb is not None and clause.verb.form == ":":
            body = "is " + body.lstrip(":= ")
        text = " ".join([part for part in (head, between, body) if part])
        text = tidied(text)
        if lead:
            text = f"{text} {lead}"
        text = text.strip(" ,;:")
        return Shaped(text=text[:1].upper() + text[1:], is_certain=self.is_certain, resolved=tuple(self.resolved))

    def _content_start(self, tokens: Sequence[Token]) -> int:
        skip = lexicon.INTERJECTIONS | {"and", "but", "so", "or", "actually"}
        return next((k for k, token in enumerate(tokens) if token.lower not in skip and token.tag != "punctuation"), 0)

    def _between(self, tokens: Sequence[Token], after: int, verb_at: int) -> str:
        kept = [token for token in tokens[:verb_at] if token.start >= after and token.tag in {"adverb", "negation"}]
        # "Here" is left out: where that is, nobody knows later.
        return " ".join([token.text for token in kept if token.lower != "here"]) if kept else ""

    # Orders

    def _directive(self) -> tuple[str, bool]:
        """How an order is retold: what the speaker wants, or what the team decided."""
        verb = self.clause.verb
        if verb is not None and verb.modal == "let's":
            return f"{self.voice.group} decided to", False
        who = self.clause.indirect or self.clause.object
        if verb is not None and verb.lemma == "call" and who is not None and not verb.is_negative:
            self.is_calling = True
            label = self.voice.label if who.pronoun == "i" else self._noun(who)[0]
            return (f"{label} wants to be called" if who.pronoun == "i" else f"{self.voice.label} calls {label}"), False
        is_not = (
            verb is not None
            and verb.is_negative
            and "never" not in verb.text.casefold()
            and "never" not in self.clause.adverbs
        )
        never = " never" if verb is not None and verb.is_negative and not is_not else ""
        return f"{self.voice.label} {'does not want' if is_not else 'wants'} the assistant to{never}", False

    def _after_negation(self, tokens: Sequence[Token], verb_at: int) -> int:
        """The first word of an order after "don't", "never", "let's" and the one who is called something."""
        if self.is_calling:
            who = self.clause.indirect or self.clause.object
            return next((k for k, token in enumerate(tokens) if who is not None and token.start >= who.end), verb_at)
        while verb_at < len(tokens) and (
            tokens[verb_at].tag == "negation" or tokens[verb_at].lower in {"do", "let", "'s", "us", "ever", "never"}
        ):
            verb_at += 1
        return verb_at

    # The subject

    def _subject(self, subject: Noun | None) -> tuple[str, bool]:
        """The subject's words, and whether its verb must be made singular."""
        if subject is None:
            if self.clause.type == "fragment" and not (
                self.clause.complement is not None and self.clause.complement.kind == "adjective"
            ):
                return "", False
            if self.clause.type == "fragment":
                return f"{self.voice.label} is", False
            self.subject_label = self.voice.label
            verb = self.clause.verb
            if verb is not None and verb.text.casefold().startswith("been"):
                return f"{self.voice.label} has", False
            if verb is not None and verb.aspect == "progressive" and verb.text.casefold().startswith(verb.form):
                return f"{self.voice.label} is", False
            return self.voice.label, True
        label, agrees = self._noun(subject)
        self.subject_label = label
        return label, agrees

    def _noun(self, noun: Noun) -> tuple[str, bool]:
        """What stands for a noun, and whether its verb must become singular."""
        if noun.parts:
            members: list[str] = []
            for part in noun.parts:
                members.append(self._noun(part)[0])
                self.subject_label = self.subject_label or members[0]
            mine = f"{possessive(self.voice.label)} "
            members[1:] = [one.removeprefix(mine) if members[0].startswith(mine) else one for one in members[1:]]
            return ", ".join(members[:-1]) + f" and {members[-1]}", False
        if noun.pronoun is not None:
            return self._bare_pronoun(noun)
        who = reference(noun, known=self.voice.discourse.known)
        if who is not None and noun.relation is not None and not self._is_given_a_name(noun):
            who = self.voice.discourse.named(who)
        if noun.relation is not None and not noun.is_plural:
            name = noun.name or (who.name if who is not None else None)
            if name is not None:
                self.subject_ref = who
                return name, False
        is_kin = noun.relation is not None and (noun.determiner in {"a", "an"} or (noun.owner and not noun.owner.text))
        if noun.owner is not None and (is_kin or noun.determiner == "the"):
            # "I have a brother who …", "the new boss is …": it is the one somebody has.
            return f"{possessive(self._noun(noun.owner)[0])} {noun.label}", False
        if noun.name is not None and noun.relation is None and noun.owner is None:
            self.subject_ref = who
        if noun is self.clause.subject and noun.head in EVENTS and noun.determiner is None and noun.owner is None:
            return f"the {self._rewrite_span(noun.start, noun.end).lower()}", False
        return self._rewrite_span(noun.start, noun.end), False

    def _is_given_a_name(self, noun: Noun) -> bool:
        """For "My dentist is now Dr. Yamada": whoever held the place before is not who is meant."""
        clause = self.clause
        named = clause.complement.noun if clause.complement is not None else clause.object
        return noun is clause.subject and noun.name is None and named is not None and named.name is not None

    def _bare_pronoun(self, noun: Noun) -> tuple[str, bool]:
        if noun.pronoun in {"i", "we", "you"}:
            return self.voice.spoken(noun.pronoun) or noun.text, True
        if noun.pronoun in {"he", "she", "they"}:
            return self._person(noun.pronoun), False
        if noun.pronoun == "it" and (thing := self.voice.discourse.thing) is not None:
            return self.voice.thing(thing), False
        if noun.pronoun in {"it", "this", "that", "these", "those", "one"}:
            self.is_certain = False
        return noun.text, False

    def _person(self, pronoun: str) -> str:
        who = self.voice.discourse.mentions.person(pronoun)
        if who is None or is_named_otherwise(who, self.clause):
            self.is_certain = False
            return pronoun
        self.resolved.append(who)
        self.subject_ref = self.subject_ref or who
        return self._label_of(who)

    def _label_of(self, who: Reference) -> str:
        if who.name is not None:
            return who.name
        if who.handle is not None:
            return who.handle
        owner = self._label_of(who.of) if who.of is not None else self.voice.label
        word = re.sub(r"(?i)^(?:my|our|his|her|their|\w+['’]s)\s+", "", who.text)
        is_loose = word.casefold().startswith(("that ", "these ", "those ", "all "))
        if is_loose or (not word and who.relation is None) or len(word.split()) > LABEL_WORDS_MAX:
            self.is_certain = False
        return f"{possessive(owner)} {word or who.relation}"

    # The rest

    def _named_spans(self) -> dict[int, tuple[int, str]]:
        """Spans such as "my wife Sarah" that the name alone stands for: start → (end, name)."""
        out: dict[int, tuple[int, str]] = {}
        for noun in self.clause.nouns:
            for step in steps(noun) if noun.owner is not None else ():
                if (
                    step.relation is not None
                    and step.name is not None
                    and step.owner is not None
                    and step.determiner != "a"
                    and step is not self.clause.subject
                    and not self._is_introduced(step)
                ):
                    out[step.start] = (step.end, step.name)
        return out

    def _is_introduced(self, noun: Noun) -> bool:
        """For "I have a sister named Ana": the tie itself is the fact."""
        verb = self.clause.verb
        return verb is not None and verb.lemma in {"have", "get", "name", "call"} and noun is self.clause.object

    def _rewrite_span(self, start: int, end: int) -> str:
        tokens = self.clause.tokens
        if not any(start <= token.start < end for token in tokens):
            # A subject that stands in the clause before.
            tokens = tokenise(self.text[start:end], offset=start)
        first = next((k for k, token in enumerate(tokens) if token.start >= start), 0)
        last = next((k for k, token in enumerate(tokens) if token.start >= end), len(tokens))
        return self._rewrite(tokens, first, last, agrees=False).strip()

    def _lead_phrases(self, tokens: Sequence[Token]) -> str:
        subject = self.clause.subject
        if subject is None or self.clause.is_shared or not (self.clause.phrases or self.clause.lead):
            return ""
        kept = [
            phrase
            for phrase in self.clause.phrases
            if phrase.end <= subject.start
            and phrase.noun is not None
            and (
                phrase.preposition is not None
                or {phrase.noun.head, (phrase.noun.name or "").casefold()} & lexicon.TIME_NOUNS
            )
            and phrase.noun.pronoun not in {"i", "we"}  # "as for me"
            and phrase.noun.head not in IDLE_LEADS
        ]
        if not kept:
            return " ".join([word for word in self.clause.lead if word in DAYS])
        told = [self._rewrite_span(phrase.start, phrase.end) for phrase in kept]
        lowered = [
            text[:1].lower() + text[1:] if tokens[0].start == phrase.start else text
            for text, phrase in zip(told, kept, strict=True)
        ]
        return " ".join([*lowered, *(word for word in self.clause.lead if word in DAYS)])

    def _rewrite(self, tokens: Sequence[Token], first: int, last: int, *, agrees: bool) -> str:
        pieces: list[str] = []
        index = first
        position = tokens[first].start if first < len(tokens) else 0
        verb_left = agrees
        while index < last:
            token = tokens[index]
            gap = self.text[position : token.start]
            if gap != " " and gap.strip() and any(sign.isalnum() for sign in gap):
                gap = " "
            if token.start in self.swaps and self.swaps[token.start][0] <= tokens[last - 1].end:
                end, name = self.swaps[token.start]
                pieces += [gap, name]
                position = end
                while index < last and tokens[index].start < end:
                    index += 1
                continue
            word = self._word(tokens, index)
            if verb_left and self._is_finite(token):
                word, verb_left = agree(token, word), False
            if (token.lower in lexicon.AUXILIARIES and token.text.startswith(("'", "’")) and word[:1] not in "'’") or (
                word != token.text and not gap and pieces and word[:1].isalpha() and token.lower != "n't"
            ):
                gap = " "
            verb_left = verb_left or token.lower in {"i", "we"}
            pieces += [gap, word]
            position = token.end
            index += 1
        return "".join(pieces).strip()

    def _is_finite(self, token: Token) -> bool:
        return token.tag in {"auxiliary", "modal", "clitic"} or token.form is not None or token.tag == "word"

    def _word(self, tokens: Sequence[Token], index: int) -> str:
        token = tokens[index]
        lower = token.lower
        verb = self.clause.verb
        if token.tag == "clitic" and lower == "'s" and verb is not None and verb.start <= token.start < verb.end:
            return "has" if verb.aspect.startswith("perfect") or verb.lemma in {"have", "get"} else "is"
        if lower == "'d" and verb is not None and verb.start <= token.start < verb.end:
            return "would" if verb.modal == "would" else "had"
        if lower in {"going", "want", "got", "have", "to"} and token.text.casefold() != lower:
            return lower
        if lower == "got" and index + 1 < len(tokens) and tokens[index + 1].text.casefold() == "ta":
            return "has got"  # "I gotta go"
        if lower in {"n't", "'s"} or (token.text != lower and is_mistyped(token)):
            return lower
        if lower in CLITIC_WORDS or lower == "'m":
            return CLITIC_WORDS.get(lower, "am")
        if lower in relations.KIN_NAMES and stands_alone(tokens, index):
            return f"{possessive(self.voice.label)} {lower}"
        if lower in {"all", "both"} and is_of_us(self.clause, tokens, index):
            return ""
        if token.tag in {"pronoun", "possessive", "determiner", "adverb"}:
            return self._pronoun(tokens, index)
        return token.text

    def _pronoun(self, tokens: Sequence[Token], index: int) -> str:
        token = tokens[index]
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if is_own_food(self.clause, token, following) or is_of_the_clause(self.clause, tokens, index):
            return ""
        if token.lower == "our" and is_team_ahead(tokens, index + 1):
            return possessive(self.voice.label)
        spoken = self.voice.spoken(token.lower)
        if spoken is not None:
            return spoken
        if (following is not None and following.text == "/") or (index and tokens[index - 1].text == "/"):
            return token.text
        if token.lower in THIRD:
            return self._third(token, following)
        if token.lower == "there" and (following is None or following.tag not in {"auxiliary", "clitic"}):
            return self._there()
        return self._it(tokens, index, following)

    def _it(self, tokens: Sequence[Token], index: int, following: Token | None) -> str:
        token, told = tokens[index], self.clause.object
        if token.lower == "it" and following is not None and following.lower in {"when", "if", "that"}:
            return ""
        if token.lower == "it" and (thing := self.voice.discourse.thing) is not None:
            return self.voice.thing(thing)
        if token.lower == "it" and told is not None and told.start == token.start and told.pronoun is None:
            return self.voice.thing(told.text)
        if token.lower == "this" and following is not None and leads_to_name(tokens, index):
            return "an" if following.lower[:1] in "aeio" else "a"
        if is_loose(token, following):
            self.is_certain = False
        return token.text

    def _there(self) -> str:
        place = self.voice.discourse.mentions.place()
        if place is None:
            self.is_certain = False
            return "there"
        return f"{'to' if self.clause.verb is not None and self.clause.verb.lemma in MOVING else 'in'} {place}"

    def _third(self, token: Token, following: Token | None) -> str:
        lower = token.lower
        canonical = THIRD_OF.get(lower, "they")
        owns = owns_what_follows(self.clause, token, following)
        near = nearest(self.clause, token)
        if owns and near is not None and may_be_subject(canonical, near, reference(near)):
            return possessive(self._rewrite_span(near.start, near.end))
        is_subject = bool(self.subject_label) and may_be_subject(canonical, self.clause.subject, self.subject_ref)
        if is_subject and not owns and lower in OBJECTS:
            # "Priyanka looks after them": whoever is meant, it is not Priyanka.
            self.is_certain = False
        label = self.subject_label if is_subject else self._person(canonical)
        return possessive(label) if owns else label
