"""The grammar that the words of todos are built from: who speaks, with the adverbs that may stand between."""

from __future__ import annotations

import re

from wellkept.patterns import deferred


def any_of(*words: str) -> str:
    return "(?:" + "|".join(word for block in words for word in block.split("|")) + ")"


def pattern(*parts: str) -> re.Pattern[str]:
    return deferred("|".join(parts), re.IGNORECASE)


ADVERB = (
    r"(?:(?:really|still|also|just|definitely|absolutely|certainly|surely|finally|now|simply|truly|seriously|totally"
    r"|actually|honestly|soon|then|always|so|quite|very|rather|already|yet|even|all|both|sometimes|often|hereby"
    r"|solemnly|badly|desperately|urgently) )*"
)
SPEAKER = r"\b(?:i|we)"
AM = rf"(?:{SPEAKER}(?:'m| am|'re| are) {ADVERB})"
HAVE = rf"(?:{SPEAKER}(?:'ve| have)? {ADVERB})"
DO = rf"(?:{SPEAKER} {ADVERB})"
WILL = rf"(?:{SPEAKER}(?:'ll| will| shall) {ADVERB})"
WOULD = rf"(?:{SPEAKER}(?:'d| would) {ADVERB})"
