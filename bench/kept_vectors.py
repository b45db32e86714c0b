"""The bundled embedder with its vectors kept in a folder, so that a bench that is run again embeds nothing twice."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wellkept.models.bundled import MiniLM

if TYPE_CHECKING:
    from numpy.typing import NDArray


class KeptVectors(MiniLM):
    """Vectors by the hash of their text. `save` writes what is new."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self._file = None if folder is None else folder / f"{self.model_id}-{self.weights_hash[:8]}.npz"
        self._rows: dict[str, NDArray[np.float32]] = {}
        self._is_new = False
        if self._file is not None and self._file.is_file():
            with np.load(self._file) as kept:
                self._rows = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        if unknown:
            self._rows |= dict(zip(unknown, super().embed(list(unknown.values())), strict=True))
            self._is_new = True
        return np.stack([self._rows[key] for key in keys]) if keys else super().embed(texts)

    def save(self) -> None:
        """Write the file anew when there are vectors that it does not have."""
        if self._file is not None and self._is_new:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, keys=np.array(list(self._rows)), rows=np.stack(list(self._rows.values())))
