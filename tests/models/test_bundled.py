from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from wellkept.errors import EmbedderUnavailable
from wellkept.models import Embedder, bundled
from wellkept.models.bundled import MiniLM

MODEL_FILE = "embedder.onnx"
MANIFEST = json.loads((bundled.DATA / "manifest.json").read_text(encoding="utf-8"))
TEXTS = [
    "Alice is allergic to peanuts",
    "ok",
    "",
    "Где живёт Ольга?",
    "我妹妹在臺北當老師",
    "Bob is allergic to walnuts",
    "The user wants answers in bullet points and no emojis 🎉",
]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture
def copied(tmp_path) -> Path:
    """A copy of the bundled files that may be spoiled."""
    return Path(shutil.copytree(bundled.DATA, tmp_path / "data"))


def test_it_is_an_embedder(embedder):
    assert isinstance(embedder, Embedder)
    assert embedder.weights_hash == MANIFEST["files"][MODEL_FILE]["sha256"]


def test_rows_are_unit_vectors_in_order(embedder):
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert (vectors[::-1] == embedder.embed(TEXTS[::-1])).all()


def test_nothing_gives_no_rows(embedder):
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_vector_does_not_depend_on_its_batch(embedder, threads):
    texts = [f"{text} {tail}" for tail in ("", "now", "since the year 1999") for text in TEXTS] * 6
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert (MiniLM(threads=threads).embed(texts) == alone).all()


def test_many_threads_may_embed_and_load_at_once():
    fresh = MiniLM()
    expected = MiniLM().embed(TEXTS)
    with ThreadPoolExecutor(8) as pool:
        assert all((vectors == expected).all() for vectors in pool.map(fresh.embed, [TEXTS] * 24))


def test_meaning_is_found_without_shared_words(embedder):
    facts = [
        "Dana is allergic to shellfish",
        "Dana's car is in the garage",
        "Dana plays the trumpet",
        "Dana grew up in Wales",
        "Dana's rent is due on Monday",
    ]
    questions = ["Which food is dangerous for her?", "What vehicle does she own?", "Is she musical?"]
    nearest = (embedder.embed(questions) @ embedder.embed(facts).T).argmax(axis=1)
    assert nearest.tolist() == [0, 1, 2]


def test_a_long_text_is_embedded_whole(embedder):
    filler = "The weather was mild and the market was full of people. " * 40
    text = f"{filler}In the end Ruth bought a violin."
    parts = embedder.pieces(text)
    assert "".join(parts) == text
    assert len(parts) > 1
    vectors = embedder.embed_long(text)
    assert vectors.shape == (len(parts), 384)
    question = embedder.embed(["Which instrument did Ruth buy?"])[0]
    assert (vectors @ question).argmax() == len(parts) - 1
    whole = embedder.embed([text, "short"])
    assert np.linalg.norm(whole, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert whole[0] @ embedder.embed([filler])[0] < 1 - 1e-4
    assert (whole[1] == embedder.embed(["short"])[0]).all()


def test_every_piece_fits_the_model(embedder):
    tokenizer = embedder.tokenizer
    for text in ("中文" * 700, "word " * 900, "antidisestablishmentarianism" * 60, "ab1-" * 500):
        parts = embedder.pieces(text)
        assert "".join(parts) == text
        assert all(len(tokenizer.encode(part)) <= bundled.LENGTH_TOKENS_MAX for part in parts)
        assert embedder.embed([text]).shape == (1, 384)


def test_bundled_files_are_those_of_the_manifest(embedder):
    embedder.verify()
    assert set(MANIFEST["files"]) == {"embedder.onnx", "reader.onnx", bundled.VOCABULARY_FILE}
    assert MANIFEST["license"] == "Apache-2.0"
    for name in ("LICENSE-all-MiniLM-L6-v2", "NOTICE-all-MiniLM-L6-v2"):
        assert "Apache License" in (bundled.DATA / name).read_text(encoding="utf-8")


def test_a_changed_byte_is_found(copied):
    path = copied / MODEL_FILE
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert hashlib.sha256(content).hexdigest() != MANIFEST["files"][MODEL_FILE]["sha256"]
    with pytest.raises(EmbedderUnavailable, match="has changed"):
        MiniLM(data=copied).verify()


@pytest.mark.parametrize("name", [MODEL_FILE, bundled.VOCABULARY_FILE])
def test_an_incomplete_file_is_refused(copied, name):
    path = copied / name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(EmbedderUnavailable, match="incomplete"):
        MiniLM(data=copied).embed(["hello"])


def test_a_missing_file_is_refused(copied):
    (copied / MODEL_FILE).unlink()
    with pytest.raises(EmbedderUnavailable, match="missing"):
        MiniLM(data=copied).embed(["hello"])


def test_a_file_that_is_no_model_is_refused(copied):
    path = copied / MODEL_FILE
    path.write_bytes(b"\xff" * path.stat().st_size)
    with pytest.raises(EmbedderUnavailable, match="cannot load"):
        MiniLM(data=copied).embed(["hello"])


def test_tokens_outside_the_vocabulary_are_an_error_of_ours(embedder):
    with pytest.raises(EmbedderUnavailable, match="failed"):
        embedder.run([[101, 10**6, 102]])


def test_without_onnxruntime_the_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr(bundled, "_loaded", {})
    with pytest.raises(EmbedderUnavailable, match="onnxruntime"):
        MiniLM().embed(["hello"])


def test_nothing_heavy_loads_before_the_first_text():
    code = (
        "import sys; from wellkept.models.bundled import MiniLM; embedder = MiniLM(); "
        "embedder.weights_hash, embedder.dimensions, embedder.calibrate(0.5); "
        "print([name for name in ('numpy', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
