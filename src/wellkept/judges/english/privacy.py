"""How private a text is at the least, whether it is told in confidence, and whether it instructs a model."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from wellkept.judges.english.people import secrecy
from wellkept.vocabulary import Sensitivity

FLOOR = Path(__file__).parent / "private_words.txt"
_SECTION = re.compile(r"\[[a-z]+(?: anywhere)?\]")
_LEVELS = (Sensitivity.SENSITIVE, Sensitivity.PERSONAL)


def sensitivity_of(text: str) -> Sensitivity:
    """How private it is by its words alone: a floor under what a reader or a model says of it."""
    low = text.lower()
    return next((level for level in _LEVELS if _words(level).search(low)), Sensitivity.PUBLIC)


@cache
def _words(level: Sensitivity) -> re.Pattern[str]:
    """The words of one level, in lower case."""
    sections: dict[str, list[str]] = {}
    for line in FLOOR.read_text(encoding="utf-8").splitlines():
        if _SECTION.fullmatch(line):
            sections[line[1:-1]] = found = []
        elif line and not line.startswith("#"):
            found.append(line)
    whole, anywhere = sections[level.value], sections[f"{level.value} anywhere"]
    return re.compile(rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)|{'|'.join(anywhere)}")


@lru_cache(maxsize=256)
def is_confidential(text: str) -> bool:
    """Whether the speaker asks to keep it between them."""
    return secrecy.CONFIDENTIAL.search(text) is not None


@lru_cache(maxsize=256)
def is_suspect(text: str) -> bool:
    """Whether the text reads like an instruction to a model."""
    return _SUSPECT.search(text.lower()) is not None or _ADVERTISING.search(text) is not None


_OUTPUT = r"(?:answer|reply|say|respond|tell|output|return|claim|recommend|mention|insist)"
_ASKED = r"when(?:ever)? (?:you(?:['’]re| are)? |\w+ ){0,3}(?:asked|asks?|mentions?|wants? to know|talks? about)\b"
_SUSPECT = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|all|any|the"
    r"|your)\b.{0,20}\b(?:instructions?|rules?|prompts?|messages?|guidelines?|context)\b|"
    r"\bforget (?:everything|all)(?: that)? (?:you|above|before|i (?:said|told))\b|"
    r"\b(?:don['’]?t|do not|stop|never|no longer) (?:follow|obey|apply|heed)\w* (?:your|the|any|all)\b.{0,20}"
    r"\b(?:guidelines?|rules?|instructions?|polic(?:y|ies)|restrictions?)\b|"
    rf"\b{_ASKED}.{{0,60}}\b(?:always|must|should|never)? ?{_OUTPUT}\b|"
    rf"\b(?:you (?:must|should|shall|will|have to)|always|never|only)\b.{{0,30}}\b{_OUTPUT}\b.{{0,60}}\b{_ASKED}|"
    rf"\bfrom now on,? (?:you (?:are|will|must|should|shall)\b|(?:always |only |never )?(?:say|claim|insist|recommend"
    r"|mention|tell (?:them|everyone|everybody|people|users|anyone))\b)|"
    r"\balways (?:respond|reply|answer|start|end|begin|finish) (?:\w+ ){0,3}with [\"“'‘]|"
    r"\byou (?:must|should|shall|have to|will) (?:always|only|never) (?:say|claim|insist|recommend|promote|praise)\b|"
    r"\bpretend (?:that )?you(?:['’]re| are| have| can| don['’]?t| do not)\b|"
    r"\b(?:my|the|this|your|an|every|any) (?:assistant|ai|bot|chatbot|model) (?:must|should|shall|has to|will) "
    r"(?:always|never|only)\b|"
    r"\bsystem prompt\b|\byou are (?:now )?(?:dan|an? (?:unrestricted|evil|different)|no longer)\b|\bact as (?:if"
    r"|an?|though)\b|"
    r"<\/?(?:tool_call|function_call|system|assistant|tool|function|invoke)\b|\[/?inst\]|<\|\w+\|>|\b(?:reveal|print"
    r"|leak|exfiltrate|send) (?:your|the|all) (?:system |hidden |secret )?(?:prompt|instructions|api keys?"
    r"|credentials|memories)\b|"
    r"\bdeveloper mode\b|\bjailbreak\b|\bnew instructions?:|"
    r"\b(?:oublie[rz]?|ignore[rz]?|ignoriere?|vergiss|missachte|ignora|olvida|olvídate|dimentica|esque[cç]e|ignorar"
    r"|negeer|vergeet|zignoruj|glöm)\b.{0,40}\b(?:instructions|consignes|règles|anweisung(?:en)?|regeln"
    r"|instrucciones|reglas|istruzioni|regole|instruções|regras|instructies|instrukcje|instruktioner)\b|"
    r"игнорируй.{0,30}инструкци|忽略.{0,12}(?:指令|指示|说明|規則)|指示.{0,8}無視"
)
# A name that is to be praised is told by its capital, so this one minds the case.
_ADVERTISING = re.compile(
    r"\b(?:[Aa]lways|[Oo]nly|[Ee]xclusively|[Nn]ever fail to) (?:recommend|promote|praise|endorse|advertise|suggest"
    r"|push)\w* [A-Z]\w+"
)
