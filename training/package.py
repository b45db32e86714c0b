"""What training takes from the package itself, so that both read text alike."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from recollect.models.reader import Said, encode_pair, encode_sentence
from recollect.models.wordpiece import WordPiece
from recollect.policies.shape import spoken_sentences
from recollect.policies.words import terms

__all__ = ["Said", "WordPiece", "encode_pair", "encode_sentence", "spoken_sentences", "terms", "wordpiece"]


@cache
def wordpiece() -> WordPiece:
    """The tokenizer of the bundled models."""
    vocabulary = files("recollect.models") / "data" / "vocab.txt"
    return WordPiece(vocabulary.read_text(encoding="utf-8").splitlines())
