"""What training takes from the package itself, so that both read text alike."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wellkept.models.reader import Said, encode_pair, encode_sentence
from wellkept.models.wordpiece import WordPiece
from wellkept.policies.words import terms
from wellkept.policies.writing.shape import spoken_sentences

__all__ = ["Said", "WordPiece", "encode_pair", "encode_sentence", "spoken_sentences", "terms", "wordpiece"]


@cache
def wordpiece() -> WordPiece:
    """The tokenizer of the bundled models."""
    vocabulary = files("wellkept.models") / "data" / "vocab.txt"
    return WordPiece(vocabulary.read_text(encoding="utf-8").splitlines())
