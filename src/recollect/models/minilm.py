"""The bundled embedder: all-MiniLM-L6-v2 in 8-bit integers, run by onnxruntime on the processor."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from recollect.errors import EmbedderUnavailable
from recollect.models.calibration import Calibration
from recollect.models.pieces import joined, pieces
from recollect.models.wordpiece import WordPiece
from recollect.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DATA = Path(__file__).parent / "data"
MODEL_FILE = "minilm-l6-v2-int8.onnx"
VOCABULARY_FILE = "vocab.txt"

MODEL_ID = "all-MiniLM-L6-v2-int8"
DIMENSIONS = 384
LENGTH_TOKENS_MAX = 256
# A batch beyond this no longer fits the processor's cache, and a text in it takes longer, not less.
BATCH_TOKENS_MAX = 256

# Fitted on evals/similarity/pairs-train.jsonl by evals/similarity/run.py.
CALIBRATION = Calibration(knots=((0.04, 0.0), (0.39, 0.30), (0.71, 0.60), (0.85, 0.85), (1.0, 1.0)))


@frozen
class _Loaded:
    session: Any
    tokenizer: WordPiece


# What was read from a folder serves every embedder of the process: a run changes nothing in it.
_loaded: dict[Path, _Loaded] = {}
_loading = threading.Lock()


class MiniLM:
    """Loads at the first text. A text has the same vector, bit for bit, alone and in any batch."""

    model_id = MODEL_ID
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 2, data: Path = DATA) -> None:
        """`threads` is how many batches of one call run side by side; a single text runs on one."""
        self._threads = threads
        self._data = data

    @property
    def weights_hash(self) -> str:
        return str(self._files[MODEL_FILE]["sha256"])

    def pieces(self, text: str) -> list[str]:
        tokenizer = self._load().tokenizer
        # Two tokens of each piece are the start and the end.
        return pieces(text, size=lambda part: len(tokenizer.ids(part)), size_max=LENGTH_TOKENS_MAX - 2)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        tokenizer = self._load().tokenizer
        sequences: list[list[int]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            whole = tokenizer.encode(text)
            parts = [whole] if len(whole) <= LENGTH_TOKENS_MAX else map(tokenizer.encode, self.pieces(text))
            sequences.extend(parts)
            owners.extend([number] * (len(sequences) - len(owners)))
        return joined(self._run(sequences), owners, [len(sequence) for sequence in sequences])

    def embed_long(self, text: str) -> NDArray[np.float32]:
        return self.embed(self.pieces(text))

    @overload
    def calibrate(self, cosine: float) -> float: ...
    @overload
    def calibrate(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def calibrate(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        return CALIBRATION(cosine)

    def verify(self) -> None:
        """Read all bundled files and compare their hashes; raises EmbedderUnavailable at the first that differs."""
        for name, entry in self._files.items():
            if hashlib.sha256(self._path(name).read_bytes()).hexdigest() != entry["sha256"]:
                raise EmbedderUnavailable(f"The bundled file {name} has changed. Install recollect again.")

    @cached_property
    def _files(self) -> dict[str, dict[str, Any]]:
        files: dict[str, dict[str, Any]] = json.loads((self._data / "manifest.json").read_bytes())["files"]
        return files

    def _path(self, name: str) -> Path:
        """A bundled file of the size it should have: the cheap check that finds files that were not copied whole."""
        path = self._data / name
        if not path.is_file() or path.stat().st_size != self._files[name]["bytes"]:
            raise EmbedderUnavailable(f"The bundled file {name} is missing or incomplete. Install recollect again.")
        return path

    def load(self) -> None:
        """Read the model now instead of at the first text."""
        self._load()

    def _load(self) -> _Loaded:
        with _loading:
            if self._data not in _loaded:
                _loaded[self._data] = _Loaded(session=self._session(), tokenizer=self._tokenizer())
            return _loaded[self._data]

    def _tokenizer(self) -> WordPiece:
        return WordPiece(self._path(VOCABULARY_FILE).read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def _session(self) -> Any:  # noqa: ANN401 -- onnxruntime has no types
        path = self._path(MODEL_FILE)
        try:
            import onnxruntime
        except ImportError as error:
            raise EmbedderUnavailable("onnxruntime cannot be imported. Install recollect again.") from error
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        # One thread a run and no pool: two runs side by side do more than two threads in one run, and idle pool
        # threads spin (docs/embedders.md). The graph is stored as it should run, so there is nothing to optimise.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except _onnx_errors() as error:
            raise EmbedderUnavailable(f"onnxruntime cannot load {path.name}: {error}") from error

    def _run(self, sequences: list[list[int]]) -> NDArray[np.float32]:
        """Texts of equal length go together, so that there is no padding and no text changes another's vector."""
        import numpy as np

        session = self._load().session
        vectors = np.empty((len(sequences), DIMENSIONS), dtype=np.float32)

        def run(batch: list[int]) -> None:
            tokens = np.array([sequences[row] for row in batch], dtype=np.int64)
            try:
                vectors[batch] = session.run(None, {"tokens": tokens})[0]
            except _onnx_errors() as error:
                raise EmbedderUnavailable(f"onnxruntime failed: {error}") from error

        batches = _batches(sequences)
        if len(batches) < 2 or self._threads < 2:  # noqa: PLR2004 -- it takes two to share
            for batch in batches:
                run(batch)
        else:
            # A pool of its own for each call: one that lives longer would hang in a process after fork.
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, batches))
        return vectors


def _onnx_errors() -> tuple[type[Exception], ...]:
    """The errors of onnxruntime, which have no base of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    return tuple(kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception))


def _batches(sequences: list[list[int]]) -> list[list[int]]:
    """Row numbers by length, long ones first so that the threads end together."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for row, sequence in enumerate(sequences):
        by_length[len(sequence)].append(row)
    batches: list[list[int]] = []
    for length in sorted(by_length, reverse=True):
        rows, step = by_length[length], max(1, BATCH_TOKENS_MAX // length)
        batches.extend(rows[at : at + step] for at in range(0, len(rows), step))
    return batches
