"""Vectors from any endpoint that speaks OpenAI's embeddings protocol; needs the extra `wellkept[openai]`."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, overload
from urllib.parse import urlsplit

from wellkept.errors import EmbedderUnavailable
from wellkept.models import Calibration, joined, pieces

if TYPE_CHECKING:
    import httpx2
    import numpy as np
    from numpy.typing import NDArray

URL = "https://api.openai.com/v1"
MODEL = "text-embedding-3-small"

BATCH_TEXTS_MAX = 128
# About 500 tokens of English: small models on one's own machine read no more at once.
PIECE_CHARACTERS_MAX = 2000
RETRY_WAIT_SECONDS = 0.5
RETRY_WAIT_SECONDS_MAX = 5.0
TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500

# For a model that nobody has measured: nothing short of nearly equal texts counts as one fact without a judge.
UNMEASURED = Calibration(knots=((0.0, 0.0), (0.5, 0.30), (0.8, 0.60), (0.98, 0.85), (1.0, 1.0)))


class OpenAIEmbedder:
    """Asks a server for vectors. Its hash is of the model's name, for the weights are not here to be read."""

    def __init__(
        self,
        *,
        url: str | None = None,
        model: str | None = None,
        dimensions: int | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        calibration: Calibration = UNMEASURED,
    ) -> None:
        """`dimensions` is sent when given; else the model decides, and its first answer tells."""
        self.model_id = model or MODEL
        self._endpoint = f"{(url or URL).rstrip('/')}/embeddings"
        # Messages name the host alone: an address can hold a password.
        self._host = urlsplit(self._endpoint).hostname or "The embedder"
        self._asked_dimensions = dimensions
        self._found_dimensions = dimensions
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout_seconds = timeout_seconds
        self._calibration = calibration
        self._lock = threading.Lock()
        self._opened: httpx2.Client | None = None

    @property
    def weights_hash(self) -> str:
        return hashlib.sha256(f"{self.model_id}:{self._asked_dimensions}".encode()).hexdigest()

    @property
    def dimensions(self) -> int:
        """Asks the server once when nobody has said it."""
        if self._found_dimensions is None:
            self._found_dimensions = self.embed(["dimensions"]).shape[1]
        return self._found_dimensions

    def pieces(self, text: str) -> list[str]:
        return pieces(text, size=len, size_max=PIECE_CHARACTERS_MAX)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.empty((0, self._found_dimensions or 0), dtype=np.float32)
        parts = [(number, part) for number, text in enumerate(texts) for part in self.pieces(text)]
        vectors = np.concatenate(
            [
                self._ask([part for _, part in parts[at : at + BATCH_TEXTS_MAX]])
                for at in range(0, len(parts), BATCH_TEXTS_MAX)
            ]
        )
        return joined(vectors, [number for number, _ in parts], [len(part) for _, part in parts])

    def embed_long(self, text: str) -> NDArray[np.float32]:
        return self.embed(self.pieces(text))

    @overload
    def calibrate(self, cosine: float) -> float: ...
    @overload
    def calibrate(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def calibrate(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        return self._calibration(cosine)

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _client(self) -> httpx2.Client:
        try:
            import httpx2
        except ImportError as error:
            hint = "The openai embedder needs one more package: pip install 'wellkept[openai]'"
            raise EmbedderUnavailable(hint) from error
        with self._lock:
            if self._opened is None:
                self._opened = httpx2.Client(headers=self._headers, timeout=self._timeout_seconds)
            return self._opened

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        """One request, repeated once if the server was busy or did not answer. Errors never carry texts or the key."""
        client = self._client()
        import httpx2

        # Servers refuse the empty string.
        body: dict[str, object] = {"model": self.model_id, "input": [text or " " for text in texts]}
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        for is_last in (False, True):
            wait_seconds = RETRY_WAIT_SECONDS
            try:
                response = client.post(self._endpoint, json=body)
            except httpx2.TransportError as error:
                problem = f"{self._host} did not answer ({type(error).__name__})"
            else:
                if response.is_success:
                    return self._checked(response, len(texts))
                problem = f"{self._host} answered with status {response.status_code}"
                if response.status_code != TOO_MANY_REQUESTS and response.status_code < SERVER_ERROR:
                    break
                wait_seconds = _wait_seconds(response.headers)
            if not is_last:
                time.sleep(wait_seconds)
        raise EmbedderUnavailable(f"{problem}. Check the url, model and key of the embedder.")

    def _checked(self, response: httpx2.Response, count: int) -> NDArray[np.float32]:
        try:
            vectors = _rows(response.json(), count)
        except (ValueError, TypeError, LookupError) as error:
            raise EmbedderUnavailable(f"{self._host} gave an answer that is no list of vectors.") from error
        if self._found_dimensions not in {None, vectors.shape[1]}:
            raise EmbedderUnavailable(
                f"{self._host} gave {vectors.shape[1]} dimensions where {self._found_dimensions} were expected."
            )
        self._found_dimensions = vectors.shape[1]
        return vectors


def _rows(answer: dict[str, list[dict[str, object]]], count: int) -> NDArray[np.float32]:
    """The vectors of an answer, of length 1, in the order of the request; anything odd is a ValueError or alike."""
    import numpy as np

    by_index = {item["index"]: item["embedding"] for item in answer["data"]}
    vectors = np.array([by_index[number] for number in range(count)], dtype=np.float32)
    if vectors.ndim != 2 or not np.isfinite(vectors).all() or not vectors.any(axis=1).all():  # noqa: PLR2004 -- a row a text
        raise ValueError("rows without direction")
    rows: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return rows


def _wait_seconds(headers: Mapping[str, str]) -> float:
    """What a busy server asks for, in reason; a date instead of seconds is not worth the parsing."""
    asked = headers.get("retry-after", "")
    return min(float(asked), RETRY_WAIT_SECONDS_MAX) if asked.isdecimal() else RETRY_WAIT_SECONDS
