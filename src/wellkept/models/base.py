"""What every embedder promises: unit vectors of texts, and similarities that mean the same for all embedders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, overload, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. May be called from several threads at once.

    `model_id` and `weights_hash` stand beside every stored vector: vectors of other weights are never compared.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def weights_hash(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def pieces(self, text: str) -> list[str]:
        """The text in consecutive parts that the model can read whole; joined they are the text again."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 a text, in order. A text that is too long for the model gets the mean of its pieces.

        Raises EmbedderUnavailable when the model cannot answer.
        """
        ...

    def embed_long(self, text: str) -> NDArray[np.float32]:
        """One row of length 1 for each of `pieces(text)`."""
        ...

    @overload
    def calibrate(self, cosine: float) -> float: ...
    @overload
    def calibrate(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def calibrate(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        """Similarity from 0 to 1, rising with the cosine, on the scale of the bands."""
        ...
