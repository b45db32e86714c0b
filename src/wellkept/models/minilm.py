"""The bundled embedder: all-MiniLM-L6-v2, trained to find what was said, in 8-bit integers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

from wellkept.errors import EmbedderUnavailable
from wellkept.models.bundled import DATA, Bundled
from wellkept.models.embedder import Calibration, joined, pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 384
LENGTH_TOKENS_MAX = 256

# Fitted on evals/similarity/pairs-train.jsonl by evals/similarity/run.py.
CALIBRATION = Calibration(knots=((0.08, 0.0), (0.38, 0.30), (0.63, 0.60), (0.84, 0.85), (1.0, 1.0)))


class MiniLM:
    """Loads at the first text. A text has the same vector, bit for bit, alone and in any batch."""

    model_id = "wellkept-minilm-int8"
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 2, data: Path = DATA) -> None:
        """`threads` is how many batches of one call run side by side; a single text runs on one."""
        self._model = Bundled("embedder", unavailable=EmbedderUnavailable, threads=threads, data=data)

    @property
    def weights_hash(self) -> str:
        return self._model.weights_hash

    def pieces(self, text: str) -> list[str]:
        tokenizer = self._model.tokenizer
        # Two tokens of each piece are the start and the end.
        return pieces(text, size=lambda part: len(tokenizer.ids(part)), size_max=LENGTH_TOKENS_MAX - 2)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        tokenizer = self._model.tokenizer
        sequences: list[list[int]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            whole = tokenizer.encode(text)
            parts = [whole] if len(whole) <= LENGTH_TOKENS_MAX else map(tokenizer.encode, self.pieces(text))
            sequences.extend(parts)
            owners.extend([number] * (len(sequences) - len(owners)))
        vectors = np.empty((len(sequences), DIMENSIONS), dtype=np.float32)
        for row, (vector,) in enumerate(self._model.run(sequences)):
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

    def load(self) -> None:
        """Read the model now instead of at the first text."""
        self._model.load()

    def verify(self) -> None:
        """Read all bundled files and compare their hashes; raises EmbedderUnavailable at the first that differs."""
        self._model.verify()
