"""The models that the package carries: files checked by size and hash, run by onnxruntime on the processor.

First WordPiece, then what both models share, then the embedder and the reader.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from wellkept.errors import EmbedderUnavailable, ReaderUnavailable, WellkeptError
from wellkept.models import Calibration, joined, pieces
from wellkept.patterns import deferred, word_lists
from wellkept.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# --- WordPiece with BERT's basic tokenizer, equal to the reference token by token.


PAD, UNKNOWN, START, END, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"

WORD_CHARACTERS_MAX = 100
WORDS_CACHED_MAX = 1 << 16


def character_class(ranges: Iterable[str]) -> str:
    """The inside of a regular expression's [...] for hexadecimal ranges such as `AD` and `600-605`."""
    bounds = (item.partition("-") for item in ranges)
    return "".join(f"\\U{int(first, 16):08x}-\\U{int(last or first, 16):08x}" for first, _, last in bounds)


_ASCII_REMOVED = deferred(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_ASCII_WORDS = deferred(r"[a-z0-9]+|[^\sa-z0-9]")
# The reference takes these as they stand, whatever surrounds them.
_SPECIAL = deferred("(" + "|".join(map(re.escape, (PAD, UNKNOWN, START, END, MASK))) + ")")


@cache
def _beyond_ascii() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What is removed, which marks are dropped, what is a word. Compiled late, for it takes 15 ms."""
    lists = word_lists("characters.txt", "wellkept.models")
    removed, marks, *singles = (
        character_class(" ".join(lists[name]).split()) for name in ("removed", "marks", "punctuation", "ideographs")
    )
    single = "".join(singles)
    return re.compile(f"[{removed}]+"), re.compile(f"[{marks}]+"), re.compile(rf"[{single}]|[^\s{single}]+")


def basic_words(text: str) -> list[str]:
    """Lower-case words without accents; punctuation marks and ideographs are words of their own."""
    if text.isascii():
        return _ASCII_WORDS.findall(_ASCII_REMOVED.sub("", text).lower())
    removed, marks, words = _beyond_ascii()
    text = marks.sub("", unicodedata.normalize("NFD", removed.sub("", text)))
    # The reference lowers each character alone; Python would write a final sigma in another way.
    return words.findall(text.replace("Σ", "σ").lower())


class WordPiece:
    """Token ids of texts for one vocabulary. Safe to share between threads."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._ids = {token: number for number, token in enumerate(vocabulary)}
        self._unknown = (self._ids[UNKNOWN],)
        self._start, self._end = self._ids[START], self._ids[END]
        self._token_characters_max = max(map(len, self._ids))
        # Words repeat: most texts consist of words that were split before.
        self._word_ids = lru_cache(maxsize=WORDS_CACHED_MAX)(self._split)

    def encode(self, text: str) -> list[int]:
        """The ids of a text between the start and end tokens, however long it is."""
        return [self._start, *self.ids(text), self._end]

    def ids(self, text: str) -> list[int]:
        if "[" not in text:
            return [number for word in basic_words(text) for number in self._word_ids(word)]
        numbers: list[int] = []
        for part in _SPECIAL.split(text):
            if _SPECIAL.fullmatch(part):
                numbers.append(self._ids[part])
            else:
                numbers.extend(number for word in basic_words(part) for number in self._word_ids(word))
        return numbers

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest known pieces from left to right; one unknown part makes the whole word unknown."""
        if len(word) > WORD_CHARACTERS_MAX:
            return self._unknown
        numbers: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            longest = min(len(word), start + self._token_characters_max)
            for end in range(longest, start, -1):
                number = self._ids.get(prefix + word[start:end])
                if number is not None:
                    break
            else:
                return self._unknown
            numbers.append(number)
            start = end
        return tuple(numbers)


# --- What both models share.


DATA = Path(__file__).parent / "data"
VOCABULARY_FILE = "vocab.txt"
# A batch beyond this no longer fits the processor's cache, and a text in it takes longer, not less.
BATCH_TOKENS_MAX = 256


@frozen
class _Loaded:
    session: Any
    tokenizer: WordPiece


# What was read from a file serves everybody in the process: a run changes nothing in it.
_loaded: dict[Path, _Loaded] = {}
_loading = threading.Lock()


class Bundled:
    """One model of the package, loaded at its first text. A text gives the same numbers alone and in any batch."""

    def __init__(self, name: str, *, unavailable: type[WellkeptError], threads: int = 2, data: Path = DATA) -> None:
        """`unavailable` is raised when it cannot run; `threads` is how many batches of one call run side by side."""
        self.name = name
        self._unavailable = unavailable
        self._threads = threads
        self._data = data

    @property
    def file(self) -> str:
        return f"{self.name}.onnx"

    @property
    def weights_hash(self) -> str:
        return str(self.manifest["files"][self.file]["sha256"])

    @cached_property
    def manifest(self) -> dict[str, Any]:
        manifest: dict[str, Any] = json.loads((self._data / "manifest.json").read_bytes())
        return manifest

    @property
    def tokenizer(self) -> WordPiece:
        return self._load().tokenizer

    def load(self) -> None:
        """Read the model now instead of at the first text."""
        self._load()

    def verify(self) -> None:
        """Read the bundled files and compare their hashes; raises an error at the first that differs."""
        for name in (self.file, VOCABULARY_FILE):
            if hashlib.sha256(self._path(name).read_bytes()).hexdigest() != self.manifest["files"][name]["sha256"]:
                raise self._unavailable(f"The bundled file {name} has changed. Install wellkept again.")

    def run(self, sequences: Sequence[Sequence[int]]) -> list[tuple[NDArray[np.float32], ...]]:
        """The outputs for each sequence of token ids. Sequences of equal length go together, without padding."""
        import numpy as np

        session = self._load().session
        found: list[tuple[NDArray[np.float32], ...]] = [()] * len(sequences)

        def run(batch: list[int]) -> None:
            tokens = np.array([sequences[row] for row in batch], dtype=np.int64)
            try:
                outputs = session.run(None, {"tokens": tokens})
            except _onnx_errors() as error:
                raise self._unavailable(f"onnxruntime failed: {error}") from error
            for number, row in enumerate(batch):
                found[row] = tuple(output[number] for output in outputs)

        batches = _batches(sequences)
        if len(batches) < 2 or self._threads < 2:  # noqa: PLR2004 -- it takes two to share
            for batch in batches:
                run(batch)
        else:
            # A pool of its own for each call: one that lives longer would hang in a process after fork.
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, batches))
        return found

    def _load(self) -> _Loaded:
        path = self._data / self.file
        with _loading:
            if path not in _loaded:
                _loaded[path] = _Loaded(session=self._session(), tokenizer=self._tokenizer())
            return _loaded[path]

    def _tokenizer(self) -> WordPiece:
        return WordPiece(self._path(VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def _path(self, name: str) -> Path:
        """A bundled file of the size it should have: the cheap check that finds files that were not copied whole."""
        path = self._data / name
        entry = self.manifest["files"].get(name)
        if entry is None or not path.is_file() or path.stat().st_size != entry["bytes"]:
            raise self._unavailable(f"The bundled file {name} is missing or incomplete. Install wellkept again.")
        return path

    def _session(self) -> Any:  # noqa: ANN401 -- onnxruntime has no types
        path = self._path(self.file)
        try:
            import onnxruntime
        except ImportError as error:
            raise self._unavailable("onnxruntime cannot be imported. Install wellkept again.") from error
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        # One thread a run and no pool: two runs side by side do more than two threads in one run, and idle pool
        # threads spin (docs/models.md). The graph is stored as it should run, so there is nothing to optimise; and
        # optimised, a text would not give the same numbers in every batch.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except _onnx_errors() as error:
            raise self._unavailable(f"onnxruntime cannot load {path.name}: {error}") from error


def _onnx_errors() -> tuple[type[Exception], ...]:
    """The errors of onnxruntime, which have no base of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return tuple(kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception))


def _batches(sequences: Sequence[Sequence[int]]) -> list[list[int]]:
    """Row numbers by length, long ones first so that the threads end together."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for row, sequence in enumerate(sequences):
        by_length[len(sequence)].append(row)
    batches: list[list[int]] = []
    for length in sorted(by_length, reverse=True):
        rows, step = by_length[length], max(1, BATCH_TOKENS_MAX // length)
        batches.extend(rows[at : at + step] for at in range(0, len(rows), step))
    return batches


# --- The embedder.


DIMENSIONS = 384
LENGTH_TOKENS_MAX = 256

# Fitted on evals/similarity/pairs-train.jsonl by evals/similarity/run.py.
CALIBRATION = Calibration(knots=((0.08, 0.0), (0.38, 0.30), (0.63, 0.60), (0.84, 0.85), (1.0, 1.0)))


class MiniLM(Bundled):
    """The embedder: all-MiniLM-L6-v2, trained to find what was said, in 8-bit integers.

    A text has the same vector, bit for bit, alone and in any batch.
    """

    model_id = "wellkept-minilm-int8"
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 2, data: Path = DATA) -> None:
        """`threads` is how many batches of one call run side by side; a single text runs on one."""
        super().__init__("embedder", unavailable=EmbedderUnavailable, threads=threads, data=data)

    def pieces(self, text: str) -> list[str]:
        tokenizer = self.tokenizer
        # Two tokens of each piece are the start and the end.
        return pieces(text, size=lambda part: len(tokenizer.ids(part)), size_max=LENGTH_TOKENS_MAX - 2)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        tokenizer = self.tokenizer
        sequences: list[list[int]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            whole = tokenizer.encode(text)
            parts = [whole] if len(whole) <= LENGTH_TOKENS_MAX else map(tokenizer.encode, self.pieces(text))
            sequences.extend(parts)
            owners.extend([number] * (len(sequences) - len(owners)))
        vectors = np.empty((len(sequences), DIMENSIONS), dtype=np.float32)
        for row, (vector,) in enumerate(self.run(sequences)):
            vectors[row] = vector
        return joined(vectors, owners, [len(sequence) for sequence in sequences])

    def embed_long(self, text: str) -> NDArray[np.float32]:
        return self.embed(self.pieces(text))

    @overload
    def calibrate(self, cosine: float) -> float: ...
    @overload
    def calibrate(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def calibrate(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        return CALIBRATION(cosine)


# --- The reader: labels with probabilities.


Probabilities = Mapping[str, float]
"""Label → how likely it is; they add up to 1."""

TOKENS_MAX = 112
"""Tokens of one reading; what stands around a sentence is cut to fit."""
TURN_TOKENS_MAX, BEFORE_TOKENS_MAX = 56, (32, 20)
PAIR_TOKENS_MAX, FIRST_TOKENS_MAX = 156, 60
"""Tokens of a pair of texts, and of the first of them."""
START_ID, END_ID = 101, 102
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


class Reader(Bundled):
    """What a sentence says, and how two texts stand to each other. A text reads the same alone and in any batch.

    One small encoder with a head for each question (docs/models.md); it knows nothing of memories.
    """

    def __init__(self, *, threads: int = 2, data: Path = DATA) -> None:
        super().__init__("reader", unavailable=ReaderUnavailable, threads=threads, data=data)

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The probabilities from which a label counts, chosen on the development conversations."""
        thresholds: Mapping[str, float] = self.manifest["reader"]["thresholds"]
        return thresholds

    def read(self, sentences: Sequence[Said]) -> list[Labels]:
        """What each sentence says."""
        if not sentences:
            return []
        encoded = [encode_sentence(self.tokenizer, said) for said in sentences]
        found = self.run([tokens for tokens, _ in encoded])
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
        tokenizer = self.tokenizer
        encoded = [encode_pair(tokenizer, first, second, is_question=is_question) for first, second in pairs]
        return [self._heads(scores, of_pairs=True) for scores, _ in self.run(encoded)]

    def _heads(self, scores: NDArray[np.float32], *, of_pairs: bool) -> dict[str, Probabilities]:
        """The scores of all heads, which stand side by side in the order of the manifest."""
        found: dict[str, Probabilities] = {}
        at = 0
        for name, labels in self.manifest["reader"]["heads"].items():
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
    head = [START_ID, OF_SENTENCE, *pieces.ids(f"{said.speaker}:")]
    places: dict[int, tuple[int, int]] = {}
    body: list[int] = []
    at = 0
    for word in said.text.split():
        start = said.text.find(word, at)
        at = start + len(word)
        for number in pieces.ids(word):
            places[len(head) + len(body)] = (start, at)
            body.append(number)
    tokens = [*head, *body, END_ID]
    if said.turn.strip() != said.text.strip():
        tokens += [*pieces.ids(said.turn)[:TURN_TOKENS_MAX], END_ID]
    for one, most in zip(said.before, BEFORE_TOKENS_MAX, strict=False):
        tokens += [*pieces.ids(one)[-most:], END_ID]
    tokens = tokens[:TOKENS_MAX]
    return tokens, {number: place for number, place in places.items() if number < len(tokens)}


def encode_pair(pieces: WordPiece, first: str, second: str, *, is_question: bool) -> list[int]:
    """Token ids of an old and a new text, or of a question and a text that may answer it."""
    task = OF_QUESTION if is_question else OF_PAIR
    one = pieces.ids(first)[:FIRST_TOKENS_MAX]
    return [START_ID, task, *one, END_ID, *pieces.ids(second)[: PAIR_TOKENS_MAX - len(one) - 4], END_ID]
