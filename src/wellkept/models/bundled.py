"""The models that the package carries: files checked by size and hash, run by onnxruntime on the processor."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import WellkeptError
from wellkept.models.wordpiece import WordPiece
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

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
