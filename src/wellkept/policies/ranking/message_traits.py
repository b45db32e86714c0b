"""What kind of text a message is, as bits stored with it: whether it asks, dates, counts, names, tells news."""

from __future__ import annotations

import re

from wellkept.patterns import deferred

TEXT_MAX = 3_000
"""Characters that are looked at."""

ASKS = 1
DATES = 2
COUNTS = 4
OWN = 8
NAMES_SHIFT, NAMES_MAX = 4, 3
NEWS_SHIFT, NEWS_MAX = 6, 2
IDLE = 256
"""Asks memory, or is what memory answered: it says nothing of its own, as whoever stores it knows."""

_ASKS = deferred(r"[?？؟][\s\"')\]»”’]*$")
_DATES = deferred(
    r"\b(?:today|yesterday|tomorrow|tonight|ago|last|next|this (?:week|month|year|weekend|morning|evening|summer|winter"
    r"|spring|fall)|weekend|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february"
    r"|march|april|may|june|july|august|september|october|november|december|since|\d{4}|\d+(?:st|nd|rd|th)"
    r"|heute|gestern|morgen|woche|monat|jahr|seit|hoy|ayer|mañana|semana|mes|año|desde|hier|demain|semaine|mois|année"
    r"|depuis|oggi|ieri|domani|settimana|mese|anno|hoje|ontem|amanhã|vandaag|gisteren|maand|jaar)\b|[年月日]",
    re.IGNORECASE,
)
_COUNTS = deferred(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|couple|few|several|dozen|zwei|drei|dos|tres|deux"
    r"|trois|due|tre|dois|três|twee|drie)\b",
    re.IGNORECASE,
)
_OWN = deferred(
    r"\b(?:I|I'm|I've|my|me|mine|we|our|us|ich|mein\w*|mir|mich|wir|unser\w*|yo|mi|mis|nosotros|je|j'ai|mon|ma|nous"
    r"|io|mio|mia|noi|eu|meu|minha|nós|ik|mijn|wij)\b|[我私僕]"
)
_NAME = deferred(
    r"(?<=[^\W\d_A-Z][ ])(?!I\b)[^\W\d_a-zß-öø-ÿ][^\W\d_]+|(?<=[,;][ ])(?!I\b)[A-Z][a-z]+|[\"“][^\"”]+[\"”]"
)
_NEWS = deferred(
    r"\b(?:updat\w+|new(?:ly|er)?|now|recently|just|chang(?:e|ed|es|ing)|increas\w+|decreas\w+|raised|lowered|reduced"
    r"|extend\w*|reschedul\w+|mov(?:ed|ing)|postpon\w+|adjust\w+|add(?:ed|ing)|reach(?:ed|es)|grown|grew|improv\w+"
    r"|switch\w+|replac\w+|no longer|instead|anymore|already|latest|revis\w+|upgrad\w+|dropped|expand\w*|total"
    r"|so far|up to|actually|turns out|jetzt|inzwischen|neu\w*|nun|ahora|nuev[oa]s?|maintenant|nouve\w+|adesso"
    r"|nuov[oaie]|agora|nov[oa]s?|nieuw\w*|inmiddels)\b",
    re.IGNORECASE,
)


def traits(text: str) -> int:
    """The bits of a text."""
    text = text[:TEXT_MAX]
    bits = ASKS if _ASKS.search(text) else 0
    bits |= DATES if _DATES.search(text) else 0
    bits |= COUNTS if _COUNTS.search(text) else 0
    bits |= OWN if _OWN.search(text) else 0
    bits |= min(len(_NAME.findall(text)), NAMES_MAX) << NAMES_SHIFT
    news = {match[0].casefold() for match in _NEWS.finditer(text)}
    return bits | min(len(news), NEWS_MAX) << NEWS_SHIFT
