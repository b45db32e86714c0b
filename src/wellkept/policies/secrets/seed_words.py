"""The 2,048 English words of BIP-39, which wallet seed phrases are made of.

The list is part of the BIP-39 standard and comes under the MIT licence, copyright (c) 2013-2016 Pavol Rusnak; the
licence is in ``LICENSE-bip39.txt`` beside this file.
"""

from importlib import resources
from typing import Final

SEED_WORDS: Final = (resources.files("wellkept.policies.secrets") / "seed_words.txt").read_text(encoding="utf-8")
