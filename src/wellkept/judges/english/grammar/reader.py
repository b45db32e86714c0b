"""Reads one clause: its kind, subject, verb, and everything that stands after the verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import clauses, lexicon
from wellkept.judges.english.grammar.clauses import REPORTING, Clause, Phrase
from wellkept.judges.english.grammar.finite import locate
from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.grammar.phrases import noun_phrase, starts_noun
from wellkept.judges.english.grammar.tail import Tail
from wellkept.judges.english.grammar.verbgroup import Verb, verb_group
from wellkept.judges.english.grammar.verbs import NOUN_FIRST, STATIVE
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.grammar.tokens import Token

_JOINING = lexicon.SUBORDINATORS - {"so"}
_NO_ORDERS = STATIVE | (NOUN_FIRST - {"help", "note"})


class Reader:
    """Holds the tokens of one clause while it is read."""

    def __init__(self, text: str, tokens: Sequence[Token], number: int, depth: int = 0) -> None:
        end = len(tokens)
        while end and tokens[end - 1].tag in {"punctuation", "emoji"} and tokens[end - 1].text not in ')"”':
            end -= 1
        begin = 0
        while begin < end and tokens[begin].tag in {"punctuation", "emoji"}:
            begin += 1
        self.text, self.tokens, self.number = text, tuple(tokens[begin:end]), number
        self.end = len(self.tokens)
        self.depth = depth

    def clause(self, *, is_question: bool) -> Clause | None:
        """The clause, by the first reading that fits."""
        if not self.tokens:
            return None
        index, conjunction, lead = self._lead()
        base = Clause(
            text=self.text[self.tokens[0].start : self.tokens[-1].end],
            start=self.tokens[0].start,
            end=self.tokens[-1].end,
            sentence=self.number,
            type="fragment",
            conjunction=conjunction,
            lead=lead,
            tokens=self.tokens,
        )
        if index >= self.end:
            return base
        asked = self._question(base, index, is_question=is_question)
        if asked is not None:
            return asked
        found = locate(self.tokens, index, self.end)
        if found is None and self.tokens[index].tag not in {"auxiliary", "modal"}:
            found = locate(self.tokens, index, self.end, is_guessing=True)
        is_asked = bool({"please", "pls", "plz"} & set(lead)) and self._is_base(index)
        if found is not None and (is_asked or self._is_request(index, found[0])):
            found = None
        if found is not None:
            clause = self._declarative(base, index, *found)
            return changed(clause, type="question") if is_question else clause
        clause = self._without_subject(base, index)
        return changed(clause, type="question") if is_question and clause.type != "imperative" else clause

    def _lead(self) -> tuple[int, str | None, tuple[str, ...]]:
        index = clauses._skip_lead(self.tokens, 0, self.end)  # noqa: SLF001 -- one module in two files
        if index == 0:
            return 0, None, ()
        skipped = self.tokens[:index]
        conjunction = next((token.lower for token in skipped if token.lower in _JOINING), None)
        if conjunction is None:
            conjunction = next(
                (token.lower for token in skipped if token.tag == "coordinator" or token.lower in {"so", "then"}), None
            )
        return index, conjunction, tuple(token.lower for token in skipped if token.tag not in {"punctuation", "emoji"})

    def _is_base(self, index: int) -> bool:
        token = self.tokens[index]
        return token.form is not None and token.tag == "word" and "base" in token.form.forms

    def _is_request(self, index: int, subject: int) -> bool:
        """A base verb first and a subject only later: an order, such as "tell my wife that I …"."""
        token = self.tokens[index]
        return (
            subject > index
            and token.form is not None
            and "base" in token.form.forms
            and token.tag == "word"
            and token.form.lemma not in _NO_ORDERS
        )

    # Questions

    def _question(self, base: Clause, index: int, *, is_question: bool) -> Clause | None:
        token = self.tokens[index]
        following = self.tokens[index + 1] if index + 1 < self.end else None
        if token.tag == "wh" and base.conjunction is None:
            return self._wh_question(base, index)
        if token.tag == "preposition" and following is not None and following.tag == "wh" and is_question:
            return self._wh_question(base, index + 1)
        is_inverted = (
            token.tag in {"auxiliary", "modal"}
            and token.lower not in {"be", "been", "being", "having"}
            and following is not None
            and not (
                token.lower in lexicon.NAME_OR_WORD
                and token.is_capital
                and following.tag not in {"pronoun", "possessive", "determiner"}
            )
        )
        if is_inverted and following is not None:
            subject_at = index + 2 if following.tag in {"negation", "adverb"} else index + 1
            if (
                subject_at < self.end
                and starts_noun(self.tokens[subject_at])
                and (is_question or self.tokens[subject_at].tag in {"pronoun", "possessive"})
                and not (
                    token.lower in {"do", "have"}
                    and not is_question
                    and self.tokens[subject_at].lower in {"me", "it", "this", "that", "my", "your", "them", "us"}
                )
            ):
                return self._inverted(changed(base, type="question"), index)
        return None

    def _wh_question(self, base: Clause, index: int) -> Clause:
        word = self.tokens[index].lower
        wh = {"whats": "what", "wheres": "where", "whos": "who", "hows": "how"}.get(word, word)
        start = index
        wh_noun, index = self._asked_noun(wh, index + 1)
        wh_text = self.text[self.tokens[start].start : self.tokens[index - 1].end]
        base = changed(base, type="question", wh=wh, wh_noun=wh_noun, wh_text=wh_text)
        if index >= self.end:
            return base
        token = self.tokens[index]
        if token.tag in {"auxiliary", "modal"} or token.lower in {"'s", "'d"}:
            return self._inverted(base, index) if self._has_subject_after(wh, index) else self._subject_gap(base, index)
        if token.form is not None or token.tag == "adverb":
            return self._subject_gap(base, index)
        found = locate(self.tokens, index, self.end)
        if found is None:
            return base
        clause = self._declarative(base, index, *found)
        return changed(clause, type="question", wh=wh, gap="object" if wh in {"what", "who", "which"} else "adverb")

    def _asked_noun(self, wh: str, index: int) -> tuple[Noun | None, int]:
        """The noun of "what color", "which editor", "how many cats", and where it ends."""
        if index >= self.end:
            return None, index
        tag = self.tokens[index].tag
        if wh == "how" and tag in {"adjective", "adverb", "determiner"}:
            index += 1
            is_count = self.tokens[index - 1].lower in {"many", "much"}
            if index >= self.end or not is_count or self.tokens[index].tag != "word":
                return None, index
        elif wh not in {"what", "which", "whose"} or tag not in {"word", "adjective", "name", "number"}:
            return None, index
        found = noun_phrase(self.text, self.tokens, index, self._finite_from(index))
        return found if found is not None else (None, index)

    def _has_subject_after(self, wh: str, index: int) -> bool:
        """Whether the subject stands after the auxiliary ("who is my boss"), and is not the wh-word itself."""
        token = self.tokens[index]
        after = index + 1
        while after < self.end and self.tokens[after].tag in {"negation", "adverb"}:
            after += 1
        if after >= self.end or (wh == "who" and (token.tag == "modal" or token.lower in lexicon.HAVE_FORMS)):
            return False
        following = self.tokens[after]
        is_progressive = following.form is not None and "ing" in following.form.forms
        return starts_noun(following) and following.tag != "adjective" and not is_progressive

    def _finite_from(self, index: int) -> int:
        """Where the verb of a question stands after its wh-noun."""
        for k in range(index, self.end):
            if self.tokens[k].tag in {"auxiliary", "modal"} or self.tokens[k].lower in {"'s", "'d"}:
                return k
        return next((k for k in range(index + 1, self.end) if self.tokens[k].form is not None), self.end)

    def _subject_gap(self, base: Clause, index: int) -> Clause:
        verb, after, adverbs = verb_group(self.text, self.tokens, index, self.end)
        clause = self._after_verb(changed(base, verb=verb, adverbs=adverbs), after)
        return changed(clause, gap="subject", type="question")

    def _inverted(self, base: Clause, index: int) -> Clause:
        """Auxiliary first, subject after it."""
        aux = self.tokens[index]
        at = index + 1
        while at < self.end and self.tokens[at].tag in {"negation", "adverb"}:
            at += 1
        main_at = self._main_verb(at)
        found = noun_phrase(self.text, self.tokens, at, main_at if main_at is not None else self.end)
        if found is None:
            return changed(base, type="question")
        subject, after = found
        if main_at is not None:
            group = (*self.tokens[index:at], *self.tokens[main_at:])
            verb, used, adverbs = verb_group(self.text, group, 0, len(group))
            used_main = max(used - (at - index), 0)
            verb = changed(
                verb,
                text=f"{aux.text} {verb.form}",
                start=aux.start,
                end=self.tokens[min(main_at + used_main, self.end) - 1].end,
            )
            after = max(main_at + used_main, after)
            clause = self._after_verb(changed(base, subject=subject, verb=verb, adverbs=adverbs), after)
            gap = self._gap(clause)
        else:
            verb, _, _ = verb_group(self.text, self.tokens, index, at)
            clause = self._after_verb(changed(base, subject=subject, verb=verb), after)
            gap = "complement" if base.wh in {"what", "who", "which", "how"} else ("adverb" if base.wh else None)
        return changed(clause, gap=gap, type="question")

    def _gap(self, clause: Clause) -> clauses.Gap | None:
        if clause.wh is None:
            return None
        if clause.wh in {"when", "where", "why"} or (clause.wh == "how" and clause.wh_noun is None):
            return "adverb"
        return "object" if clause.object is None else "adverb"

    def _main_verb(self, index: int) -> int | None:
        """The main verb after an inverted subject."""
        found: int | None = None
        is_complete = False
        for k in range(index, self.end):
            token = self.tokens[k]
            before = self.tokens[k - 1]
            if token.tag in {"punctuation", "subordinator", "wh"} and token.text not in {"'", ","}:
                break
            is_joint = token.tag in {"preposition", "to", "coordinator"} and token.lower not in {"of", "and", "or"}
            if is_joint and is_complete and token.form is None:
                break
            is_verb = (token.form is not None and token.tag in {"word", "preposition"}) or (
                token.tag == "auxiliary" and k > index
            )
            if is_verb and is_complete and before.tag not in {"possessive", "determiner", "adjective", "clitic"}:
                found = k
                if (
                    token.tag == "auxiliary"
                    or before.tag == "pronoun"
                    or (token.form is not None and token.form.lemma not in NOUN_FIRST)
                ):
                    break
            is_complete = is_complete or token.tag in {"word", "name", "pronoun", "handle", "number"}
        return found

    # Statements

    def _declarative(self, base: Clause, index: int, subject_at: int, verb_at: int) -> Clause:
        lead = tuple([token.lower for token in self.tokens[index:subject_at] if token.tag != "punctuation"])
        phrases = self._phrases_in(index, subject_at) if index < subject_at else ()
        found = noun_phrase(self.text, self.tokens, subject_at, verb_at)
        subject = found[0] if found is not None else None
        if subject is not None:
            last = self._last_content(subject_at, verb_at)
            if last != subject.end:
                subject = changed(subject, text=self.text[subject.start : last], end=last)
        verb, after, adverbs = verb_group(self.text, self.tokens, verb_at, self.end)
        between = tuple([token.lower for token in self.tokens[subject_at:verb_at] if token.tag == "adverb"])
        if [token for token in self.tokens[subject_at:verb_at] if token.lower in {"never", "not"}]:
            verb = changed(verb, is_negative=True)
        form = self.tokens[verb_at].form
        if (
            form is not None
            and {"base", "past"} <= form.forms
            and verb.tense == "present"
            and subject is not None
            and not subject.is_plural
            and subject.pronoun not in {"i", "you", "we", "they"}
        ):
            # "My uncle beat me": the present would be "beats".
            verb = changed(verb, tense="past")
        clause = changed(
            base,
            type="declarative",
            lead=base.lead + lead,
            subject=subject,
            verb=verb,
            adverbs=between + adverbs,
            phrases=phrases,
        )
        return self._after_verb(clause, after)

    def _last_content(self, begin: int, end: int) -> int:
        while end > begin + 1 and self.tokens[end - 1].tag in {"adverb", "punctuation", "negation"}:
            end -= 1
        return self.tokens[end - 1].end

    def _phrases_in(self, begin: int, end: int) -> tuple[Phrase, ...]:
        """Prepositional and time phrases before the subject."""
        out: list[Phrase] = []
        index = begin
        while index < end:
            token = self.tokens[index]
            if token.tag in {"preposition", "subordinator"} or (starts_noun(token) and token.tag != "pronoun"):
                is_bare = token.tag not in {"preposition", "subordinator"}
                found = noun_phrase(self.text, self.tokens, index if is_bare else index + 1, end)
                if found is not None:
                    noun, after = found
                    out.append(
                        Phrase(
                            text=self.text[token.start : noun.end],
                            start=token.start,
                            end=noun.end,
                            preposition=None if is_bare else token.lower,
                            noun=noun,
                        )
                    )
                    index = after
                    continue
            index += 1
        return tuple(out)

    def _without_subject(self, base: Clause, index: int) -> Clause:
        token = self.tokens[index]
        colon = next((k for k in range(index + 1, min(self.end, index + 8)) if self.tokens[k].text in {":", "="}), None)
        if colon is not None and colon + 1 < self.end:
            found = noun_phrase(self.text, self.tokens, index, colon)
            is_label = (
                found is not None and (found[0].owner is not None or bool(found[0].head)) and found[0].pronoun is None
            )
            if found is not None and found[1] == colon and is_label:
                sign = self.tokens[colon]
                verb = Verb(text=sign.text, start=sign.start, end=sign.end, lemma="be", form=":")
                return self._after_verb(changed(base, type="declarative", subject=found[0], verb=verb), colon + 1)
        form = token.form
        if token.lower == "let" and index + 1 < self.end and self.tokens[index + 1].lower in {"'s", "us"}:
            verb, after, adverbs = verb_group(self.text, self.tokens, min(index + 2, self.end - 1), self.end)
            we = Noun(text="we", start=token.start, end=token.end, pronoun="we", is_plural=True)
            verb = changed(verb, modal="let's")
            return self._after_verb(changed(base, type="imperative", subject=we, verb=verb, adverbs=adverbs), after)
        is_aux = token.tag in {"auxiliary", "modal", "negation"}
        if not is_aux and (
            form is None
            or token.tag in {"name", "adjective", "adverb"}
            or (token.tag == "preposition" and token.lower != "like")
        ):
            return self._fragment(base, index)
        verb, after, adverbs = verb_group(self.text, self.tokens, index, self.end)
        forms = form.forms if form is not None else frozenset({"base"} if token.lower in {"do", "be"} else {"s"})
        if (
            form is not None
            and form.lemma in NOUN_FIRST
            and forms & {"base", "s"}
            and not (forms & {"past"})
            and (
                after >= self.end
                or not (
                    starts_noun(self.tokens[after])
                    or self.tokens[after].tag in {"preposition", "to", "adverb"}
                    or form.lemma in STATIVE
                )
            )
        ):
            return self._fragment(base, index)
        is_elided = bool(forms & {"past", "s"}) and "base" not in forms
        is_elided = (
            is_elided
            or (form is not None and form.lemma in STATIVE)
            or token.lower in {"have", "had", "has"}
            or "ing" in forms
            or (token.tag == "modal")
            or (verb.is_negative and verb.lemma in STATIVE)
        )
        if token.lower in {"do", "be"} and not (verb.is_negative and verb.lemma in STATIVE):
            is_elided = False
        if is_elided and "ing" in forms:
            verb = changed(verb, aspect="progressive")
        kind: clauses.ClauseType = "declarative" if is_elided else "imperative"
        return self._after_verb(changed(base, type=kind, verb=verb, adverbs=adverbs, is_elided=is_elided), after)

    def _fragment(self, base: Clause, index: int) -> Clause:
        return self._after_verb(changed(base, type="fragment"), index)

    # After the verb

    def _after_verb(self, clause: Clause, index: int) -> Clause:
        return Tail(self, clause, index).read()


__all__ = ["REPORTING", "Reader"]
