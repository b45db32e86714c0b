"""The default judge: a trained reader decides what is kept, how private it is and what it replaces; rules word it.

Judgements are the model's, with probabilities and thresholds that were chosen on development conversations.
Structure (clauses, names, dates, wording) is the rules'. Where they are not certain of the wording, the speaker's own
words stand.
"""

from __future__ import annotations

import calendar
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from wellkept.errors import ReaderUnavailable
from wellkept.judges.base import Likely
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.slots.addressing import is_wish
from wellkept.models.bundled import Reader, Said
from wellkept.policies.words import REPEATS_MAX, SENTENCES_MAX, is_stop
from wellkept.policies.writing.shape import spoken_sentences
from wellkept.types import Claim, Evidence
from wellkept.values import frozen
from wellkept.vocabulary import EventType, MemoryType, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.judges.base import Reading, Verdict
    from wellkept.models.bundled import Labels
    from wellkept.policies.todos import Intents
    from wellkept.types import Memory, Message

FACTS_OF_SENTENCE_MAX = 3
HOLDS_FOR = {"now": timedelta(days=365), "dated": timedelta(days=365), "over": timedelta(days=5 * 365)}
"""How long what is told as so for now, as coming, or as over is worth knowing. What lasts has no end."""

_STRICTNESS = {Sensitivity.PUBLIC: 0, Sensitivity.PERSONAL: 1, Sensitivity.SENSITIVE: 2}
_EVENTS = {
    "preference": EventType.PREFERENCE,
    "task": EventType.CONTEXT,
    "context": EventType.CONTEXT,
    "observation": EventType.CONTEXT,
}
# A statement whose subject is the speaker, which the rules can retell; everything else keeps its words.
_OWN_STATEMENT = re.compile(
    r"(?i)^\W*(?:(?:so|and|but|oh|well|also|yeah|yes|ok|okay|btw|by the way|actually|anyway)\W+)*"
    r"(?:i|i['’]m|i['’]ve|i['’]d|i['’]ll|we|we['’]re|we['’]ve|my|our)\b"
)
_FIRST_PERSON = frozenset({"I", "me", "my", "we", "us", "our"})
_LOOSE = re.compile(
    r"(?i)\b(?:he|she|they|him|her|his|hers|their|theirs|them|it|its|this|that|there|said|says|told)\b|[\"“”]"
)
_OWN = re.compile(r"(?i)\b(?:i|i['’]\w+|im|ive|me|my|mine|we|us|our)\b")
_YES_NO = re.compile(
    r"(?i)^\W*(?:do|does|did|am|is|are|was|were|have|has|had|can|could|will|would|should|don['’]t|isn['’]t|aren['’]t)\b"
)
_NEGATION = re.compile(r"(?i)n['’]?t\b|\b(?:not|never|no|none|nobody|nothing|without|cannot|hardly|barely)\b")
RETOLD_WORDS_MAX = 18
BEFORE_MAX = 120
"""Characters of the message before that help to compare."""
QUOTED_MAX = 280
"""Characters of a memory in somebody's own words."""


@frozen
class _Sentence:
    """A sentence of a message, where it stands, and what the reader says of it."""

    start: int
    text: str
    labels: Labels

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class ReaderJudge(RulesJudge):
    """Judges by the bundled reader. Its verdicts on pairs are asked for before a transaction opens (`ahead`)."""

    name = "reader"

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or Reader()

    @property
    def reader(self) -> Reader:
        return self._reader

    # --- what is kept ---

    def extract(self, reading: Reading) -> tuple[Claim, ...]:
        """The facts in the last message of the reading."""
        if not reading.messages or reading.messages[-1].role != "user":
            return ()
        if reading.is_explicit and not reading.is_remark:
            return self._asked(reading)
        found = self._overheard(reading)
        return found or (self._plainly_told(reading) if reading.is_remark else ())

    def _plainly_told(self, reading: Reading) -> tuple[Claim, ...]:
        """Of a remark in which the reader sees nothing to keep: what the rules can retell without a doubt."""
        sentences = spoken_sentences(reading.messages[-1].content)

        def is_plain(claim: Claim) -> bool:
            start = claim.evidence.start
            return any(at <= start < at + len(text) and _is_faithful(claim, text) for at, text in sentences)

        return tuple(claim for claim in self._asked(reading) if is_plain(claim))

    def _overheard(self, reading: Reading) -> tuple[Claim, ...]:
        """What is worth keeping, worded by the rules where these are certain."""
        told = self._kept(reading)
        if not told:
            return ()
        worded = super().extract(replace(reading, is_explicit=True))
        if any(claim.is_suspect for claim in worded):
            return ()
        return tuple(_with_speaker(claim, reading) for claim in self._worded(told, worded, reading))

    def _worded(self, told: Sequence[_Sentence], worded: Sequence[Claim], reading: Reading) -> tuple[Claim, ...]:
        """What is kept, in the rules' words where these are certain, else in the speaker's own."""
        claims: list[Claim] = []
        for sentence in told:
            own = [claim for claim in worded if sentence.start <= claim.evidence.start < sentence.end]
            if own and (is_wish(sentence.text) or all(_is_worded(claim, sentence) for claim in own)):
                claims += [
                    self._labelled(one, sentence, reading, is_retold=True) for one in own[:FACTS_OF_SENTENCE_MAX]
                ]
        retold = {claim.evidence.start for claim in claims}
        quoted = [one for one in told if not any(one.start <= start < one.end for start in retold)]
        text = reading.messages[-1].content
        return (*claims, *(self._quoted(stretch, worded, reading) for stretch in _stretches(quoted, text)))

    def _asked(self, reading: Reading) -> tuple[Claim, ...]:
        """What was asked to be remembered: all of it, as private as the reader finds it."""
        claims = tuple(_with_speaker(claim, reading) for claim in super().extract(reading))
        said = [Said(text=claim.quote or claim.content, speaker=reading.speaker or "user", turn="") for claim in claims]
        said = [replace(one, turn=one.text) for one in said]
        try:
            labels = self._reader.read(said)
        except ReaderUnavailable:
            return tuple(_no_less_than(claim, Sensitivity.PERSONAL) for claim in claims)
        placed = [_placed(claim, one, reading.speaker) for claim, one in zip(claims, labels, strict=True)]
        return tuple(
            _no_less_than(claim, self._sensitivity(one, claim)) for claim, one in zip(placed, labels, strict=True)
        )

    def _kept(self, reading: Reading) -> list[_Sentence]:
        """The sentences of the last message that are worth keeping; none when the reader cannot run."""
        try:
            found = self.read(reading.messages, speaker=reading.speaker)
        except ReaderUnavailable:
            return []
        cutoff = self._reader.thresholds["keep"]
        return [one for one in found if one.labels.likelihood("keep", "yes") >= cutoff or is_wish(one.text)]

    def read(self, messages: Sequence[Message], *, speaker: str | None) -> list[_Sentence]:
        """What the reader says of the sentences of the last message, as many of them as are read."""
        *earlier, last = messages
        before = tuple(f"{one.speaker or one.role}: {one.content}" for one in reversed(earlier[-2:]))
        placed = _read_of(spoken_sentences(last.content))
        name = speaker or last.speaker or "user"
        said = [Said(text=text, speaker=name, turn=last.content, before=before) for _, text in placed]
        labels = self._reader.read(said)
        return [
            _Sentence(start=start, text=text, labels=one) for (start, text), one in zip(placed, labels, strict=True)
        ]

    def _quoted(self, sentence: _Sentence, worded: Sequence[Claim], reading: Reading) -> Claim:
        """A fact in the speaker's own words, with what the rules found in them of privacy, weight and time."""
        own = [claim for claim in worded if sentence.start <= claim.evidence.start < sentence.end]
        quoted = Claim(
            content=sentence.text,
            quote=sentence.text,
            language=own[0].language if own else "en",
            importance=max((claim.importance for claim in own), default=1.0),
            sensitivity=max((one.sensitivity for one in own), key=_STRICTNESS.__getitem__, default=Sensitivity.PUBLIC),
            confidential=any(claim.confidential for claim in own),
            only_persona=any(claim.only_persona for claim in own),
            expires_at=own[0].expires_at if own else None,
            event_at=own[0].event_at if own else None,
            valid_from=own[0].valid_from if own else None,
            evidence=Evidence(message_id=reading.messages[-1].id, start=sentence.start, end=sentence.end),
        )
        return self._labelled(quoted, sentence, reading, is_retold=False)

    def _labelled(self, claim: Claim, sentence: _Sentence, reading: Reading, *, is_retold: bool) -> Claim:
        """A claim with what the reader says of its sentence."""
        labels = sentence.labels
        is_of_rules = is_retold and claim.slot is not None
        kind = claim.type if is_of_rules else MemoryType(labels.best("type"))
        return replace(
            _placed(claim, labels, reading.speaker),
            type=kind,
            event_type=claim.event_type if is_of_rules else _EVENTS.get(kind.value, EventType.FACT),
            confidence=_confidence(labels.likelihood("keep", "yes"), self._reader.thresholds["keep"]),
            sensitivity=self._sensitivity(labels, claim),
            confidential=claim.confidential
            or labels.likelihood("quiet", "yes") >= self._reader.thresholds.get("quiet", 0.8),
            expires_at=claim.expires_at or _ends(labels.best("holds"), claim, reading.now),
        )

    def _sensitivity(self, labels: Labels, claim: Claim) -> Sensitivity:
        """Public has to be earned; the words of the rules raise it and never lower it."""
        shares = labels.heads["privacy"]
        if shares["public"] >= self._reader.thresholds["public"] and claim.language == "en":
            found = Sensitivity.PUBLIC
        else:
            found = Sensitivity.SENSITIVE if shares["sensitive"] >= shares["personal"] else Sensitivity.PERSONAL
        return max((found, claim.sensitivity), key=_STRICTNESS.__getitem__)

    # --- what it means for the rest ---

    def intents(self, text: str, *, now: datetime, open_todos: Sequence[str]) -> Intents:
        """What the speaker means to do, where the reader sees something to do; and which open todos the text ends."""
        found = super().intents(text, now=now, open_todos=open_todos)
        if not found.new:
            return found
        try:
            labels = self._reader.read([Said(text=one, speaker="user", turn=text) for _, one in spoken_sentences(text)])
        except ReaderUnavailable:
            return found
        cutoff = self._reader.thresholds.get("todo", 0.5)
        is_todo = any(one.heads["todo"]["none"] <= 1 - cutoff and one.best("todo") not in _ENDED for one in labels)
        return found if is_todo else replace(found, new=())

    def is_brief(self, text: str) -> bool:
        """Every message is read, however short."""
        return bool(text.strip())

    def ahead(self, pairs: Sequence[tuple[Claim, Memory]]) -> SettledReader:
        """Compare now, for a transaction that opens later: the judge it may use inside, which runs no model."""
        return SettledReader(
            self, [(new, old, verdict) for (new, old), verdict in zip(pairs, self._verdicts(pairs), strict=True)]
        )

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """Whether a claim says what a memory says, replaces it, or stands beside it."""
        return self._verdicts([(new, old)])[0]

    def _verdicts(self, pairs: Sequence[tuple[Claim, Memory]]) -> list[Verdict]:
        ruled = [super(ReaderJudge, self).compare(new, old) for new, old in pairs]
        open_ones = [
            row
            for row, verdict in enumerate(ruled)
            if verdict == "different" and not names_another(pairs[row][0].content, pairs[row][1].content)
        ]
        try:
            related = self._reader.relate([_as_told(*pairs[row]) for row in open_ones])
        except ReaderUnavailable:
            return ruled
        thresholds = self._reader.thresholds
        for row, shares in zip(open_ones, related, strict=True):
            numbers = [_NUMBER.findall(one.content) for one in pairs[row]]
            is_same, are_equal = shares["same"] >= thresholds["same"], set(numbers[0]) == set(numbers[1])
            # Two amounts are never one fact: what is the same but for its one number has changed.
            is_moved = is_same and not are_equal and [len(one) for one in numbers] == [1, 1]
            if shares["replaces"] >= thresholds["replaces"] or is_moved:
                ruled[row] = "contradicts"
            elif is_same and (are_equal or not all(numbers)):
                ruled[row] = "same"
        return ruled

    def steady(self) -> RulesJudge:  # type: ignore[override]  # another judge, on purpose
        """Weights change with a release; rules read a governed session alike for ever."""
        return RulesJudge()

    # --- answers ---

    def answering(self, question: str, texts: Sequence[str]) -> tuple[Likely, ...] | None:
        """How surely each text answers the question, and whether it says yes or no."""
        try:
            found = self._reader.answers([(question, text) for text in texts])
        except ReaderUnavailable:
            return None
        is_yes_no = _YES_NO.match(question) is not None
        return tuple(self._likely(one, is_yes_no=is_yes_no) for one in found)

    def _likely(self, found: Mapping[str, Mapping[str, float]], *, is_yes_no: bool) -> Likely:
        share, verdict = found["answers"]["yes"], found["verdict"]
        best = max(verdict.items(), key=lambda item: item[1])
        is_told = best[0] != "unsaid" and best[1] >= self._reader.thresholds["verdict"]
        word: Literal["Yes", "No"] | None = None
        if is_yes_no and is_told:
            word = "Yes" if best[0] == "yes" else "No"
        return Likely(share=share, word=word)


class SettledReader(ReaderJudge):
    """Knows the verdicts it was given, each for one claim and one version of a memory. Runs no model."""

    def __init__(self, judge: ReaderJudge, verdicts: Iterable[tuple[Claim, Memory, Verdict]]) -> None:
        super().__init__(judge.reader)
        self._verdicts_in_hand = {(new.content, old.id, old.version): verdict for new, old, verdict in verdicts}

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """The verdict in hand; by rules when the memory has changed since, or was not asked about."""
        verdict = self._verdicts_in_hand.get((new.content, old.id, old.version))
        return verdict if verdict is not None else RulesJudge.compare(self, new, old)

    def knows(self, new: Claim, old: Memory) -> bool:
        """Whether the pair was asked about."""
        return (new.content, old.id, old.version) in self._verdicts_in_hand


_ENDED = frozenset({"none", "done", "dropped"})


def _read_of(placed: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The sentences of a message that are read: so many in all, and the same one a few times only.

    >>> len(_read_of([(2 * number, "a") for number in range(1_000)]))
    8
    """
    seen: Counter[str] = Counter()
    kept: list[tuple[int, str]] = []
    for start, text in placed:
        seen[text] += 1
        if seen[text] <= REPEATS_MAX and len(kept) < SENTENCES_MAX:
            kept.append((start, text))
    return kept


def _with_speaker(claim: Claim, reading: Reading) -> Claim:
    """A claim with who said it, in which message, and what was said just before."""
    *earlier, last = reading.messages
    whole = last.content if len(last.content) <= QUOTED_MAX else ""
    # An answer is understood by its question; what the same speaker said before may be the very fact that changes.
    asked = earlier[-1] if earlier and (earlier[-1].role, earlier[-1].speaker) != (last.role, last.speaker) else None
    before = f"{asked.speaker or asked.role}: {asked.content[-BEFORE_MAX:]}\n" if asked is not None else ""
    return replace(claim, said_by=reading.speaker, said_in=whole, said_after=before)


def _as_told(new: Claim, old: Memory) -> tuple[str, str]:
    """Old and new as the reader has learned them: the old one as it is stored, the new one as it was said, whole."""
    led = f"{new.said_by.split()[0]}: " if new.said_by else ""
    first = f"{led}{old.content}" if old.content == old.quote and _OWN.search(old.content) else old.content
    return first, f"{new.said_after}{led}{new.said_in or new.quote or new.content}"


def _stretches(kept: Sequence[_Sentence], text: str) -> Iterator[_Sentence]:
    """Kept sentences that follow each other, as one: half a message in somebody's own words says little by itself."""
    run: list[_Sentence] = []
    for one in kept:
        is_next = bool(run) and not text[run[-1].end : one.start].strip()
        if run and (not is_next or one.end - run[0].start > QUOTED_MAX):
            yield _joined(run, text)
            run = []
        run.append(one)
    if run:
        yield _joined(run, text)


def _joined(run: Sequence[_Sentence], text: str) -> _Sentence:
    """One stretch with the labels of its surest sentence, as private as its most private one."""
    surest = max(run, key=lambda one: one.labels.likelihood("keep", "yes"))
    strictest = min(run, key=lambda one: one.labels.likelihood("privacy", "public"))
    heads = {**surest.labels.heads, "privacy": strictest.labels.heads["privacy"]}
    start = run[0].start
    return _Sentence(start=start, text=text[start : run[-1].end], labels=replace(surest.labels, heads=heads))


def _is_faithful(claim: Claim, text: str) -> bool:
    """Whether the rules' wording of a sentence can be trusted: a plain statement of the speaker's, nothing lost."""
    if claim.content == claim.quote or not _OWN_STATEMENT.match(text) or _LOOSE.search(text):
        return False
    if len(text.split()) > RETOLD_WORDS_MAX:
        return False
    return len(_NEGATION.findall(claim.quote or text)) == len(_NEGATION.findall(claim.content))


def _is_worded(claim: Claim, sentence: _Sentence) -> bool:
    """Whether what the rules made of a sentence can stand: retold with nothing lost, or told of somebody by name."""
    return _is_faithful(claim, sentence.text) or _opens_with_its_subject(claim, sentence)


def _opens_with_its_subject(claim: Claim, sentence: _Sentence) -> bool:
    """For "Bob loves pizza", "@bob is the new lead": of a person by name, no word of it lost but "my"."""
    text = sentence.text.strip()
    is_whole = set(text.rstrip(".!").split()) - _FIRST_PERSON <= set(claim.content.split())
    if sentence.labels.best("about") != "person" or _LOOSE.search(text) or not is_whole:
        return False
    named = [name for who in claim.subjects for name in (who.name, who.handle) if name]
    return any(text.lstrip("@").casefold().startswith(name.lstrip("@").casefold()) for name in named)


CONFIDENCE_KEPT = 0.7
"""The confidence of what is just worth keeping; `memory.extraction_confidence_threshold` can ask for more."""


def _confidence(likelihood: float, cutoff: float) -> float:
    share = max(0.0, likelihood - cutoff) / (1 - cutoff)
    return round(CONFIDENCE_KEPT + (1 - CONFIDENCE_KEPT) * share, 3)


def _placed(claim: Claim, labels: Labels, speaker: str | None) -> Claim:
    """A claim with whose it is: the speaker's, the group's, or nobody's, which stays where it was told."""
    about = labels.best("about")
    is_nobodys = _is_about_nobody(claim, about, speaker)
    is_of_group = about in ("group", "thing") and not _tells_of(claim, speaker)
    return replace(
        claim,
        is_of_us=claim.is_of_us or (is_of_group and not claim.subjects and not claim.introduces),
        is_about_nobody=is_nobodys,
        portable=claim.portable and not is_nobodys,
    )


def _is_about_nobody(claim: Claim, about: str, speaker: str | None) -> bool:
    """Whether neither the reader nor the wording makes the speaker its subject, and nobody else is."""
    if claim.subjects or about == "self":
        return False
    # "Alice's laptop is a ThinkPad" fills a slot of hers, whatever the reader says; "the door of her flat" does not.
    return not _tells_of(claim, speaker) or (about == "thing" and claim.slot is None)


def _tells_of(claim: Claim, speaker: str | None) -> bool:
    """Whether the rules put the speaker's name for an "I" or a "my"."""
    name = (speaker or "the user").casefold()
    return name in claim.content.casefold() and name not in (claim.quote or "").casefold()


def _ends(holds: str, claim: Claim, now: datetime | None) -> datetime | None:
    """When a fact is no longer worth knowing; None where it lasts, or where there is no clock."""
    if now is None or holds not in HOLDS_FOR:
        return None
    return max(claim.event_at or now, now) + HOLDS_FOR[holds]


def _no_less_than(claim: Claim, sensitivity: Sensitivity) -> Claim:
    strictest = max((claim.sensitivity, sensitivity), key=_STRICTNESS.__getitem__)
    return claim if strictest is claim.sensitivity else replace(claim, sensitivity=strictest)


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBERED = re.compile(r"([^\W\d_]{2,})[ -]#?(\d+)\b(?![.,:]\d)")
_MONTHS = frozenset(name.casefold() for name in (*calendar.month_name, *calendar.month_abbr) if name)


def names_another(first: str, second: str) -> bool:
    """Whether both name a thing by its number, and not the same: crate 4 does not take the place of crate 3.

    >>> names_another("Crate 3 stands in the hall", "Crate 4 stands in the hall")
    True
    >>> names_another("The rent is 900", "The rent is 950")
    False
    """
    one, other = _numbered(first), _numbered(second)
    return any(one[word].isdisjoint(other[word]) for word in one.keys() & other.keys())


def _numbered(text: str) -> dict[str, set[str]]:
    """Nouns that a number follows, with the numbers; "at 9", "weighs 80" and "May 3" name nothing by it."""
    found: dict[str, set[str]] = {}
    for word, number in ((match[1].casefold(), match[2]) for match in _NUMBERED.finditer(text)):
        if not is_stop(word) and word not in _MONTHS and verb_form(word) is None:
            found.setdefault(word, set()).add(number)
    return found
