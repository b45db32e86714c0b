"""What stands after the verb: objects, complements, phrases, adverbs and carried clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.clauses import REPORTING, Clause, Phrase, read
from wellkept.judges.english.grammar.finite import locate
from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.grammar.phrases import noun_phrase, starts_noun
from wellkept.judges.english.grammar.verbgroup import verb_group
from wellkept.judges.english.people import relations
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.reader import Reader

_COPULAS = lexicon.words("be become seem look feel sound stay remain turn")


DEPTH_MAX = 3
"""How deep a clause in a clause is read ("I think you said that I …")."""


class Tail:
    """Walks over the words after a verb and fills the clause."""

    def __init__(self, reader: Reader, clause: Clause, index: int) -> None:
        self.text, self.tokens, self.end, self.number = reader.text, reader.tokens, reader.end, reader.number
        self.clause, self.index, self.first = clause, index, index
        self.depth = reader.depth
        self.object: Noun | None = None
        self.indirect: Noun | None = None
        self.complement: Phrase | None = None
        self.phrases: list[Phrase] = list(clause.phrases)
        self.adverbs: list[str] = list(clause.adverbs)
        self.inner: tuple[Clause, ...] = ()
        self.lemma = clause.verb.lemma if clause.verb is not None else ""

    def read(self) -> Clause:
        """The clause with everything after its verb."""
        while self.index < self.end:
            before = self.index
            self._step()
            if self.index <= before:
                self.index = before + 1
        start = self.tokens[self.first].start if self.first < self.end else self.clause.end
        rest = self.text[start : self.clause.end] if self.first < self.end else ""
        return changed(
            self.clause,
            object=self.object,
            indirect=self.indirect,
            complement=self.complement,
            phrases=tuple(self.phrases),
            adverbs=tuple(self.adverbs),
            inner=self.inner,
            rest=rest,
            rest_start=start,
        )

    def _step(self) -> None:
        token = self.tokens[self.index]
        if token.tag == "wh" and (self.object is not None or self.complement is not None):
            # A relative clause stays with its noun.
            self.index = self.end
            return
        if self.lemma in REPORTING and self._carried():
            return
        if token.tag == "to" and self._infinitive():
            return
        if token.form is not None and token.form.forms == {"ing"} and self._gerund(token.form.lemma):
            return
        if token.tag in {"preposition", "to"} or (token.tag == "subordinator" and token.lower in lexicon.PREPOSITIONS):
            self._prepositional()
            return
        if token.tag == "adjective" and self._is_predicative():
            self._adjective()
            return
        if token.tag in {"adverb", "negation"}:
            self.adverbs.append(token.lower)
            self.index += 1
            return
        if starts_noun(token):
            self._noun()
            return
        self.index += 1

    def _carried(self) -> bool:
        """A clause after a verb of saying or thinking, with or without "that"."""
        if self.inner or self.depth >= DEPTH_MAX or self.index > self.first + 4:
            return False
        token = self.tokens[self.index]
        at = self.index + 1 if token.lower == "that" or token.text in {",", ":"} else self.index
        if at >= self.end or (token.tag in {"preposition", "to"}):
            return False
        found = locate(self.tokens, at, self.end) or self._guessed(at)
        if found is None or found[0] > at + 4:
            return False
        inner = read(self.text, self.tokens[at : self.end], self.number, is_question=False, depth=self.depth + 1)
        if inner is None:
            return False
        self.inner = (inner,)
        self.complement = Phrase(
            text=self.text[token.start : self.clause.end], start=token.start, end=self.clause.end, kind="clause"
        )
        self.index = self.end
        return True

    def _guessed(self, at: int) -> tuple[int, int] | None:
        """For "my boss pads his expenses": after one person, a word with the ending of a verb that no lexicon knows."""
        found = locate(self.tokens, at, self.end, is_guessing=True)
        if found is None or not self.tokens[found[1]].lower.endswith("s"):
            return None
        last = self.tokens[found[1] - 1]
        is_person = last.lower in relations.CANONICAL or (last.tag == "name" and found[1] - at <= 3)
        return found if is_person else None

    def _infinitive(self) -> bool:
        following = self.tokens[self.index + 1] if self.index + 1 < self.end else None
        if following is None:
            return False
        is_base = (
            following.form is not None and "base" in following.form.forms and following.tag != "name"
        ) or following.lower in {"be", "have", "do"}
        if not is_base:
            return False
        verb, after, _ = verb_group(self.text, self.tokens, self.index + 1, self.end)
        self._verbal("infinitive", verb.lemma, after)
        return True

    def _gerund(self, lemma: str) -> bool:
        if self.object is not None or self.complement is not None or self.lemma == "":
            return False
        if self.tokens[self.index].tag == "name":
            return False
        self._verbal("gerund", lemma, self.index + 1)
        return True

    def _verbal(self, kind: str, lemma: str, after: int) -> None:
        """An infinitive or gerund with what follows it, down to the end of the clause."""
        token = self.tokens[self.index]
        found = noun_phrase(self.text, self.tokens, after, self.end) if after < self.end else None
        noun = found[0] if found is not None else None
        phrase = Phrase(
            text=self.text[token.start : self.clause.end],
            start=token.start,
            end=self.clause.end,
            kind=kind,
            noun=noun,
            lemma=lemma,
        )
        if self.complement is None:
            self.complement = phrase
        else:
            self.phrases.append(phrase)
        self.index = found[1] if found is not None else after
        self.lemma = ""

    def _prepositional(self) -> None:
        token = self.tokens[self.index]
        at = self.index + 1
        while at < self.end and self.tokens[at].tag in {"preposition", "adverb"} and at < self.index + 3:
            at += 1
        form = self.tokens[at].form if at < self.end else None
        if form is not None and form.forms == {"ing"}:
            found = noun_phrase(self.text, self.tokens, at + 1, self.end)
            noun = found[0] if found is not None else None
            after = found[1] if found is not None else at + 1
            end = noun.end if noun is not None else self.tokens[at].end
            self._add(token.lower, token.start, end, noun, lemma=form.lemma)
            self.index = after
            return
        found = noun_phrase(self.text, self.tokens, at, self.end) if at < self.end else None
        if found is None:
            self.adverbs.append(token.lower)
            self.index += 1
            return
        noun, self.index = found
        self._add(token.lower, token.start, noun.end, noun)

    def _add(
        self, preposition: str | None, start: int, end: int, noun: Noun | None, *, lemma: str | None = None
    ) -> None:
        self.phrases.append(
            Phrase(text=self.text[start:end], start=start, end=end, preposition=preposition, noun=noun, lemma=lemma)
        )

    def _is_predicative(self) -> bool:
        """An adjective that no noun follows."""
        ahead = self.index
        while (ahead < self.end and self.tokens[ahead].tag in {"adjective", "adverb", "coordinator"}) or (
            ahead < self.end and self.tokens[ahead].text == ","
        ):
            ahead += 1
        if ahead >= self.end or self.tokens[ahead].tag not in {"word", "name", "number"}:
            return True
        form = self.tokens[ahead].form
        return form is not None and form.forms <= {"ing"}

    def _adjective(self) -> None:
        start = self.index
        while self.index < self.end and (
            self.tokens[self.index].tag in {"adjective", "adverb", "coordinator"} or self.tokens[self.index].text == ","
        ):
            self.index += 1
        while self.tokens[self.index - 1].tag in {"coordinator", "adverb"} or self.tokens[self.index - 1].text == ",":
            self.index -= 1
        first, last = self.tokens[start], self.tokens[max(self.index - 1, start)]
        self.index = max(self.index, start + 1)
        phrase = Phrase(text=self.text[first.start : last.end], start=first.start, end=last.end, kind="adjective")
        if self.complement is None:
            self.complement = phrase
        else:
            self.phrases.append(phrase)

    def _noun(self) -> None:
        found = noun_phrase(self.text, self.tokens, self.index, self.end)
        if found is None:
            self.index += 1
            return
        at = self.tokens[self.index].start
        is_aside = self.object is not None and "," in self.text[self.object.end : at]
        noun, self.index = found
        if is_aside or (
            self._is_time(noun) and (self.object is not None or self.complement is not None or self.lemma != "be")
        ):
            self._add(None, noun.start, noun.end, noun)
        elif self.lemma in _COPULAS and self.complement is None:
            self.complement = Phrase(text=noun.text, start=noun.start, end=noun.end, kind="noun", noun=noun)
        elif self.object is None:
            self.object = noun
        elif self.indirect is None and self.object.end <= noun.start:
            self.indirect, self.object = self.object, noun
        else:
            self._add(None, noun.start, noun.end, noun)

    def _is_time(self, noun: Noun) -> bool:
        is_day = not noun.head and (noun.name or "").casefold() in lexicon.WEEKDAYS_AND_MONTHS
        if is_day and noun.determiner in {"every", "each", "this", "most", "last", "next"}:
            return True
        return (
            noun.head in lexicon.TIME_NOUNS
            and noun.owner is None
            and noun.name is None
            and bool(noun.modifiers or noun.determiner or noun.head in {"today", "tomorrow", "yesterday", "tonight"})
        )
