"""The bundled reader: what a sentence says, and how two texts stand to each other, as labels with probabilities.

One small encoder with a head for each question (docs/models.md). It knows nothing of memories; `judges.reader` asks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wellkept.errors import ReaderUnavailable
from wellkept.models.bundled import DATA, Bundled
from wellkept.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wellkept.models.wordpiece import WordPiece

Probabilities = Mapping[str, float]
"""Label → how likely it is; they add up to 1."""

TOKENS_MAX = 112
"""Tokens of one reading; what stands around a sentence is cut to fit."""
TURN_TOKENS_MAX, BEFORE_TOKENS_MAX = 56, (32, 20)
PAIR_TOKENS_MAX, FIRST_TOKENS_MAX = 156, 60
"""Tokens of a pair of texts, and of the first of them."""
START, END = 101, 102
OF_SENTENCE, OF_PAIR, OF_QUESTION = 1, 2, 3
"""Unused words of the vocabulary that tell the model what it is asked."""
DIGITS = 4


@frozen
class Said:
    """A sentence with what stands around it."""

    text: str
    speaker: str
    turn: str
    """The whole message."""
    before: tuple[str, ...] = ()
    """The two messages before it with their speakers, the last one first."""


@frozen
class Labels:
    """What the reader says of one sentence, by question: `keep`, `type`, `holds`, `about`, `privacy` ..."""

    heads: Mapping[str, Probabilities]
    value: tuple[int, int] | None = None
    """The characters of the sentence that are the value of its slot."""

    def best(self, head: str) -> str:
        """The likeliest label of a head."""
        return max(self.heads[head].items(), key=lambda item: item[1])[0]

    def likelihood(self, head: str, label: str) -> float:
        return self.heads[head][label]


class Reader:
    """Loads at the first sentence. A text reads the same alone and in any batch."""

    def __init__(self, *, threads: int = 2, data: Path = DATA) -> None:
        self._model = Bundled("reader", unavailable=ReaderUnavailable, threads=threads, data=data)

    @property
    def weights_hash(self) -> str:
        return self._model.weights_hash

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The probabilities from which a label counts, chosen on the development conversations."""
        thresholds: Mapping[str, float] = self._model.manifest["reader"]["thresholds"]
        return thresholds

    def load(self) -> None:
        """Read the model now instead of at the first sentence."""
        self._model.load()

    def verify(self) -> None:
        """Read the bundled files and compare their hashes; raises ReaderUnavailable at the first that differs."""
        self._model.verify()

    def read(self, sentences: Sequence[Said]) -> list[Labels]:
        """What each sentence says."""
        if not sentences:
            return []
        encoded = [encode_sentence(self._model.tokenizer, said) for said in sentences]
        found = self._model.run([tokens for tokens, _ in encoded])
        return [
            Labels(heads=self._heads(scores, of_pairs=False), value=_value(tags, places))
            for (scores, tags), (_, places) in zip(found, encoded, strict=True)
        ]

    def relate(self, pairs: Sequence[tuple[str, str]]) -> list[Probabilities]:
        """How likely a new text says the same as an old one, replaces it, or stands beside it; pairs are old, new."""
        return [heads["relation"] for heads in self._pairs(pairs, is_question=False)]

    def answers(self, pairs: Sequence[tuple[str, str]]) -> list[Mapping[str, Probabilities]]:
        """Of question and text: `answers` (no, yes) and, for yes/no questions, `verdict` (yes, no, unsaid)."""
        return self._pairs(pairs, is_question=True)

    def _pairs(self, pairs: Sequence[tuple[str, str]], *, is_question: bool) -> list[Mapping[str, Probabilities]]:
        if not pairs:
            return []
        tokenizer = self._model.tokenizer
        encoded = [encode_pair(tokenizer, first, second, is_question=is_question) for first, second in pairs]
        return [self._heads(scores, of_pairs=True) for scores, _ in self._model.run(encoded)]

    def _heads(self, scores: NDArray[np.float32], *, of_pairs: bool) -> dict[str, Probabilities]:
        """The scores of all heads, which stand side by side in the order of the manifest."""
        found: dict[str, Probabilities] = {}
        at = 0
        for name, labels in self._model.manifest["reader"]["heads"].items():
            if (name in OF_PAIRS) == of_pairs:
                shares = _shares(scores[at : at + len(labels)])
                found[name] = dict(zip(labels, shares, strict=True))
            at += len(labels)
        return found


OF_PAIRS = frozenset({"relation", "answers", "verdict"})


def _shares(scores: NDArray[np.float32]) -> list[float]:
    """Probabilities that add up to 1, rounded, so that the last bit of a sum decides nothing."""
    import numpy as np

    raised = np.exp(scores.astype(np.float64) - float(scores.max()))
    shares: list[float] = (raised / raised.sum()).round(DIGITS).tolist()
    return shares


def _value(tags: NDArray[np.float32], places: Mapping[int, tuple[int, int]]) -> tuple[int, int] | None:
    """The characters from the likeliest first token of a value to the last that goes on from it."""
    best = tags.argmax(axis=1)
    first = max((at for at in places if best[at] == 1), key=lambda at: float(tags[at, 1]), default=None)
    if first is None:
        return None
    last = first
    while last + 1 in places and best[last + 1] == 2:  # noqa: PLR2004 -- inside
        last += 1
    return places[first][0], places[last][1]


def encode_sentence(pieces: WordPiece, said: Said) -> tuple[list[int], dict[int, tuple[int, int]]]:
    """Token ids of a sentence and what stands around it, and which characters each token of the sentence is.

    The sentence comes first, then its whole message, then what was said before, the last message first: what does not
    fit is cut at the end.
    """
    head = [START, OF_SENTENCE, *pieces.ids(f"{said.speaker}:")]
    places: dict[int, tuple[int, int]] = {}
    body: list[int] = []
    at = 0
    for word in said.text.split():
        start = said.text.find(word, at)
        at = start + len(word)
        for number in pieces.ids(word):
            places[len(head) + len(body)] = (start, at)
            body.append(number)
    tokens = [*head, *body, END]
    if said.turn.strip() != said.text.strip():
        tokens += [*pieces.ids(said.turn)[:TURN_TOKENS_MAX], END]
    for one, most in zip(said.before, BEFORE_TOKENS_MAX, strict=False):
        tokens += [*pieces.ids(one)[-most:], END]
    tokens = tokens[:TOKENS_MAX]
    return tokens, {number: place for number, place in places.items() if number < len(tokens)}


def encode_pair(pieces: WordPiece, first: str, second: str, *, is_question: bool) -> list[int]:
    """Token ids of an old and a new text, or of a question and a text that may answer it."""
    task = OF_QUESTION if is_question else OF_PAIR
    one = pieces.ids(first)[:FIRST_TOKENS_MAX]
    return [START, task, *one, END, *pieces.ids(second)[: PAIR_TOKENS_MAX - len(one) - 4], END]
