"""What training takes from the package itself, so that both read text alike."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wellkept.errors import ReaderUnavailable
from wellkept.models.bundled import Bundled, MiniLM, Said, WordPiece, encode_pair, encode_sentence
from wellkept.policies.words import terms
from wellkept.policies.writing.shape import spoken_sentences

__all__ = [
    "Said",
    "WordPiece",
    "bundled_embedder",
    "bundled_reader",
    "encode_pair",
    "encode_sentence",
    "spoken_sentences",
    "terms",
    "wordpiece",
]


def bundled_reader() -> Bundled:
    return Bundled("reader", unavailable=ReaderUnavailable)


def bundled_embedder() -> MiniLM:
    return MiniLM()


@cache
def wordpiece() -> WordPiece:
    """The tokenizer of the bundled models."""
    vocabulary = files("wellkept.models") / "data" / "vocab.txt"
    return WordPiece(vocabulary.read_text(encoding="utf-8").splitlines())
