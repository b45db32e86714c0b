from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from tests.answering import Answer, Reply, Server, serving
from wellkept.errors import EmbedderUnavailable
from wellkept.models import Calibration, Embedder, openai
from wellkept.models.openai import OpenAIEmbedder


def vector(text: str, dimensions: int = 3) -> list[float]:
    """Some direction that depends on the text, not of length 1."""
    return [float(1 + (len(text) * (place + 1)) % 7) for place in range(dimensions)]


def good(request: dict) -> Answer:
    """What a server says, with the rows in another order."""
    rows = [
        {"object": "embedding", "index": index, "embedding": vector(text, request.get("dimensions", 3))}
        for index, text in enumerate(request["input"])
    ]
    return 200, {}, json.dumps({"object": "list", "data": rows[::-1], "model": request["model"]}).encode()


def status(code: int, **headers: str) -> Reply:
    return lambda _: (code, {name.replace("_", "-"): value for name, value in headers.items()}, b'{"error": "no"}')


def body(content: object) -> Reply:
    return lambda _: (200, {}, content if isinstance(content, bytes) else json.dumps(content).encode())


def slow(_: dict) -> Answer:
    time.sleep(0.5)
    return 200, {}, b"{}"


@contextmanager
def embedding(server: Server, **options: object) -> Iterator[OpenAIEmbedder]:
    embedder = OpenAIEmbedder(url=server.url, model="tiny", **options)
    try:
        yield embedder
    finally:
        embedder.close()


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(openai, "RETRY_WAIT_SECONDS", 0.01)
    monkeypatch.setattr(openai, "RETRY_WAIT_SECONDS_MAX", 0.02)


def test_rows_are_unit_vectors_in_the_order_of_the_texts():
    with serving(good) as server, embedding(server, api_key="abc") as embedder:
        vectors = embedder.embed(["one", "three", ""])
    expected = np.array([vector("one"), vector("three"), vector(" ")])
    assert vectors == pytest.approx(expected / np.linalg.norm(expected, axis=1, keepdims=True), abs=1e-6)
    assert vectors.dtype == np.float32
    assert server.paths == ["/v1/embeddings"]
    assert server.requests == [{"model": "tiny", "input": ["one", "three", " "]}]
    assert server.headers[0]["Authorization"] == "Bearer abc"


def test_without_a_key_none_is_sent():
    with serving(good) as server, embedding(server) as embedder:
        embedder.embed(["one"])
    assert "Authorization" not in server.headers[0]


def test_it_is_an_embedder():
    embedder = OpenAIEmbedder(dimensions=256)
    assert isinstance(embedder, Embedder)
    assert embedder.model_id == "text-embedding-3-small"
    assert embedder.dimensions == 256
    assert embedder.weights_hash == OpenAIEmbedder(dimensions=256, url="http://elsewhere").weights_hash
    assert embedder.weights_hash != OpenAIEmbedder(dimensions=512).weights_hash
    assert embedder.weights_hash != OpenAIEmbedder(dimensions=256, model="other").weights_hash
    assert embedder.embed([]).shape == (0, 256)
    embedder.close()


def test_dimensions_are_learned_from_the_server():
    with serving(good) as server, embedding(server) as embedder:
        assert embedder.dimensions == embedder.dimensions == 3
    assert len(server.requests) == 1


def test_dimensions_are_asked_for_when_given():
    with serving(good) as server, embedding(server, dimensions=5) as embedder:
        assert embedder.embed(["one"]).shape == (1, 5)
    assert server.requests[0]["dimensions"] == 5


def test_other_dimensions_than_expected_are_refused():
    answer = body({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    refused = pytest.raises(EmbedderUnavailable, match="2 dimensions where 5")
    with serving(answer) as server, embedding(server, dimensions=5) as embedder, refused:
        embedder.embed(["one"])


def test_many_texts_go_in_batches(monkeypatch):
    monkeypatch.setattr(openai, "BATCH_TEXTS_MAX", 4)
    texts = [str(number) * number for number in range(1, 11)]
    with serving(good) as server, embedding(server) as embedder:
        vectors = embedder.embed(texts)
        alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert [len(request["input"]) for request in server.requests[:3]] == [4, 4, 2]
    assert (vectors == alone).all()


def test_long_texts_go_in_pieces():
    text = "A sentence of some length stands here. " * 120
    with serving(good) as server, embedding(server) as embedder:
        parts = embedder.pieces(text)
        whole = embedder.embed([text, "short"])
        rows = embedder.embed_long(text)
    assert "".join(parts) == text
    assert server.requests[0]["input"] == [*parts, "short"]
    assert all(len(part) <= openai.PIECE_CHARACTERS_MAX for part in parts)
    assert whole.shape == (2, 3)
    assert np.linalg.norm(whole, axis=1) == pytest.approx([1, 1], abs=1e-6)
    assert rows.shape == (len(parts), 3)


@pytest.mark.parametrize("first", [status(429, retry_after="1"), status(429, retry_after="soon"), status(503), slow])
def test_a_busy_server_is_asked_once_more(first):
    with serving(first, good) as server, embedding(server, timeout_seconds=0.2) as embedder:
        assert embedder.embed(["one"]).shape == (1, 3)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "message", "requests"),
    [
        (status(429), "status 429", 2),
        (status(500), "status 500", 2),
        (status(401), "status 401", 1),
        (status(404), "status 404", 1),
        (status(302, location="http://127.0.0.1:1/"), "status 302", 1),
        (slow, "did not answer", 2),
    ],
)
def test_a_server_that_fails_is_unavailable(answer, message, requests):
    refused = pytest.raises(EmbedderUnavailable, match=message)
    options = {"timeout_seconds": 0.2, "api_key": "key-to-hide"}
    with serving(answer) as server, embedding(server, **options) as embedder, refused as raised:
        embedder.embed(["words to hide"])
    assert len(server.requests) == requests
    assert "to hide" not in str(raised.value)
    assert "to-hide" not in str(raised.value)


ROW = {"index": 0, "embedding": [1.0, 2.0]}


@pytest.mark.parametrize(
    "content",
    [
        b"<html>no</html>",
        b"\xff\xfe",
        [],
        {},
        {"data": None},
        {"data": []},
        {"data": [ROW]},
        {"data": [ROW, ROW]},
        {"data": [ROW, {"index": 1}]},
        {"data": [ROW, {"index": 1, "embedding": [1.0]}]},
        {"data": [ROW, {"index": 1, "embedding": ["a", "b"]}]},
        {"data": [ROW, {"index": 1, "embedding": [0.0, 0.0]}]},
        {"data": [ROW, {"index": 1, "embedding": [None, 1.0]}]},
        {"data": [{"index": 0, "embedding": 1.0}, {"index": 1, "embedding": 2.0}]},
        b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [NaN, 2]}]}',
    ],
)
def test_a_malformed_answer_is_unavailable(content):
    refused = pytest.raises(EmbedderUnavailable, match="no list of vectors")
    with serving(body(content)) as server, embedding(server) as embedder, refused:
        embedder.embed(["one", "two"])


def test_nobody_listening_is_unavailable():
    with serving(good) as server:
        pass
    embedder = OpenAIEmbedder(url=server.url.replace("//", "//name:password@"), timeout_seconds=0.5)
    with pytest.raises(EmbedderUnavailable, match="did not answer") as raised:
        embedder.embed(["one"])
    assert "password" not in str(raised.value)
    embedder.close()


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(EmbedderUnavailable, match=r"pip install 'wellkept\[openai\]'"):
        OpenAIEmbedder().embed(["one"])


def test_calibration_can_be_given():
    line = Calibration(knots=((0.5, 0.0), (1.0, 1.0)))
    embedder = OpenAIEmbedder(calibration=line)
    assert embedder.calibrate(0.75) == pytest.approx(0.5)
    assert OpenAIEmbedder().calibrate(0.97) < 0.85 <= OpenAIEmbedder().calibrate(0.99)
