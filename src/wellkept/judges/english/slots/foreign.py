"""Slots that a sentence fills, and a question asks for, in languages other than English: one table a language."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from wellkept.judges.english.people.named import SPEAKER
from wellkept.judges.english.slots.ties import relation_slot
from wellkept.judges.english.slots.values import Slot
from wellkept.patterns import deferred
from wellkept.policies.people.names import slug
from wellkept.policies.writing.shape import is_day_of_month
from wellkept.types import Reference
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

MORE_MAX = 5
"""Words beside the fact itself: whatever takes its place later takes them along."""
_SENTENCE_END = deferred(r"(?<=[.!?])\s+")
_CAPITAL = r"(?-i:[^\W\d_a-zà-öø-ÿß])[\w'’.-]*"
_SMALL = "d[aeiou]s?|del|den|der|la|las|los|le|am|an|sur|van|von|upon"
_NAME = rf"(?P<value>{_CAPITAL}(?: (?:{_SMALL}|{_CAPITAL}))* ?{_CAPITAL}|{_CAPITAL})"
_PLACE = rf"(?:{_NAME}|(?P<lower>[^\W\d_][\w'’-]+)(?=\W*$))"
_REST = r"(?P<value>[^,.;!?]{2,60}?)(?=\W*$|[,.;!?])"
_PHONE = r"(?P<value>\+?\d[\d /().-]{4,}\d)"
_ES_PHONE = "(?:número|teléfono|móvil|celular)(?: de teléfono)?"
_FR_PHONE = "(?:numéro|téléphone|portable)(?: de téléphone)?"
_IT_PHONE = "(?:numero|telefono|cellulare)(?: di telefono)?"
_PT_PHONE = "(?:número|telefone|celular|telemóvel)(?: de telefone)?"
_DATE = r"(?P<value>\d[^,;!?]{2,30}?|[^\W\d_]+ \d[^,;!?]{0,20}?)(?=\W*$|[,;!?])"

_KIN: Mapping[str, Mapping[str, str]] = {
    "de": {
        "mutter": "mother", "mama": "mother", "vater": "father", "papa": "father", "schwester": "sister",
        "bruder": "brother", "frau": "wife", "mann": "husband", "tochter": "daughter", "sohn": "son", "chef": "boss",
        "chefin": "boss", "oma": "grandmother", "opa": "grandfather", "tante": "aunt", "onkel": "uncle",
        "freundin": "girlfriend", "freund": "boyfriend", "nachbar": "neighbor", "nachbarin": "neighbor",
    },
    "es": {
        "madre": "mother", "mamá": "mother", "padre": "father", "papá": "father", "hermana": "sister",
        "hermano": "brother", "esposa": "wife", "mujer": "wife", "marido": "husband", "esposo": "husband",
        "hija": "daughter", "hijo": "son", "jefe": "boss", "jefa": "boss", "abuela": "grandmother",
        "abuelo": "grandfather", "tía": "aunt", "tío": "uncle", "novia": "girlfriend", "novio": "boyfriend",
        "vecino": "neighbor", "vecina": "neighbor",
    },
    "fr": {
        "mère": "mother", "maman": "mother", "père": "father", "papa": "father", "sœur": "sister", "soeur": "sister",
        "frère": "brother", "femme": "wife", "mari": "husband", "fille": "daughter", "fils": "son", "patron": "boss",
        "patronne": "boss", "chef": "boss", "cheffe": "boss", "grand-mère": "grandmother",
        "grand-père": "grandfather", "tante": "aunt", "oncle": "uncle", "copine": "girlfriend",
        "copain": "boyfriend", "voisin": "neighbor", "voisine": "neighbor",
    },
    "it": {
        "madre": "mother", "mamma": "mother", "padre": "father", "papà": "father", "sorella": "sister",
        "fratello": "brother", "moglie": "wife", "marito": "husband", "figlia": "daughter", "figlio": "son",
        "capo": "boss", "nonna": "grandmother", "nonno": "grandfather", "zia": "aunt", "zio": "uncle",
        "ragazza": "girlfriend", "ragazzo": "boyfriend", "vicino": "neighbor", "vicina": "neighbor",
    },
    "pt": {
        "mãe": "mother", "pai": "father", "irmã": "sister", "irmão": "brother", "esposa": "wife", "mulher": "wife",
        "marido": "husband", "filha": "daughter", "filho": "son", "chefe": "boss", "avó": "grandmother",
        "avô": "grandfather", "tia": "aunt", "tio": "uncle", "namorada": "girlfriend", "namorado": "boyfriend",
        "vizinho": "neighbor", "vizinha": "neighbor",
    },
    "nl": {
        "moeder": "mother", "vader": "father", "zus": "sister", "zusje": "sister", "broer": "brother",
        "vrouw": "wife", "man": "husband", "dochter": "daughter", "zoon": "son", "baas": "boss", "oma": "grandmother",
        "opa": "grandfather", "tante": "aunt", "oom": "uncle", "vriendin": "girlfriend", "vriend": "boyfriend",
        "buurman": "neighbor", "buurvrouw": "neighbor",
    },
}  # fmt: skip
_TOLD: Mapping[str, tuple[tuple[str, str], ...]] = {
    "de": (
        ("city", rf"ich (?:wohne|lebe)(?: \w+){{0,3}}? in {_PLACE}"),
        ("city", rf"(?:ich bin|wir sind)(?: \w+){{0,3}}? nach {_PLACE} (?:um)?gezogen"),
        ("employer", rf"ich arbeite(?: \w+){{0,2}}? (?:bei|für)(?: der| dem| den)? {_NAME}"),
        ("birthday", rf"mein geburtstag ist(?: am)? {_DATE}"),
        ("birthday", rf"ich habe am {_DATE} geburtstag"),
        ("phone", rf"meine (?:neue )?(?:telefon|handy)?nummer (?:ist|lautet)(?: jetzt)? {_PHONE}"),
        ("favorite", rf"meine? lieblings-?(?P<thing>\w+) (?:ist|sind)(?: jetzt)? {_REST}"),
        ("kin", rf"meine? (?P<kin>KIN) hei(?:ß|ss)t {_NAME}"),
        ("kin", rf"der name meine[rs] (?P<kin>KIN) ist {_NAME}"),
    ),
    "es": (
        ("city", rf"(?:yo )?(?:vivo|vivimos|resido)(?: \w+){{0,2}}? en {_PLACE}"),
        ("city", rf"(?:me|nos) (?:h?e?(?:mos)? ?)?(?:mud|traslad)(?:é|e|o|amos|ado)(?: \w+){{0,2}}? a {_PLACE}"),
        ("employer", rf"(?:yo )?trabajo(?: \w+){{0,2}}? (?:en|para)(?: el| la| los)? {_NAME}"),
        ("birthday", rf"mi cumpleaños es(?: el)? {_DATE}"),
        ("birthday", rf"cumplo años el {_DATE}"),
        ("phone", rf"mi (?:nuevo )?{_ES_PHONE}(?: nuevo)? es(?: ahora)? (?:el )?{_PHONE}"),
        ("favorite", rf"mi (?P<thing>\w+) (?:favorit|preferid)[oa] es(?: ahora)? {_REST}"),
        ("kin", rf"mi (?P<kin>KIN) se llama {_NAME}"),
        ("kin", rf"el nombre de mi (?P<kin>KIN) es {_NAME}"),
    ),
    "fr": (
        ("city", rf"(?:j['’]habite|je vis|nous habitons|on habite)(?: \w+){{0,2}}? (?:à|en|aux?) {_PLACE}"),
        ("city", rf"(?:j['’]ai|nous avons|on a) (?:\w+ ){{0,2}}déménagé(?: \w+){{0,2}}? (?:à|en|aux?) {_PLACE}"),
        ("employer", rf"je (?:travaille|bosse)(?: \w+){{0,2}}? (?:chez|pour|à)(?: la| le)? {_NAME}"),
        ("birthday", rf"mon anniversaire est(?: le)? {_DATE}"),
        ("phone", rf"mon (?:nouveau )?{_FR_PHONE} est(?: maintenant)?(?: le)? {_PHONE}"),
        ("favorite", rf"m(?:on|a) (?P<thing>\w+) préférée? (?:est|c['’]est)(?: maintenant)? {_REST}"),
        ("kin", rf"m(?:on|a) (?P<kin>KIN) s['’]appelle {_NAME}"),
        ("kin", rf"le (?:nom|prénom) de m(?:on|a) (?P<kin>KIN) est {_NAME}"),
    ),
    "it": (
        ("city", rf"(?:io )?(?:vivo|abito|abitiamo|viviamo)(?: \w+){{0,2}}? (?:a|in) {_PLACE}"),
        ("city", rf"(?:mi sono|ci siamo) (?:\w+ )?trasferit[oaie](?: \w+){{0,2}}? (?:a|in) {_PLACE}"),
        ("employer", rf"(?:io )?lavoro(?: \w+){{0,2}}? (?:per|da|in|alla|al|presso)(?: la| il)? {_NAME}"),
        ("birthday", rf"il mio compleanno è(?: il)? {_DATE}"),
        ("phone", rf"il mio (?:nuovo )?{_IT_PHONE} è(?: ora| adesso)?(?: il)? {_PHONE}"),
        ("favorite", rf"(?:il|la) mi[oa] (?P<thing>\w+) preferit[oa] è(?: ora| adesso)? {_REST}"),
        ("kin", rf"(?:il |la )?mi[oa] (?P<kin>KIN) si chiama {_NAME}"),
    ),
    "pt": (
        ("city", rf"(?:eu )?(?:moro|vivo|moramos|resido)(?: \w+){{0,2}}? (?:em|no|na) {_PLACE}"),
        ("city", rf"(?:eu )?(?:me mudei|mudei-me|mudei|nos mudamos)(?: \w+){{0,2}}? para(?: o| a)? {_PLACE}"),
        ("employer", rf"(?:eu )?trabalho(?: \w+){{0,2}}? (?:na|no|em|para)(?: a| o)? {_NAME}"),
        ("birthday", rf"(?:o )?meu aniversário é(?: no dia| em| dia)? {_DATE}"),
        ("phone", rf"(?:o )?meu (?:novo )?{_PT_PHONE} é(?: agora)?(?: o)? {_PHONE}"),
        ("favorite", rf"(?:o |a )?m(?:eu|inha) (?P<thing>\w+) (?:favorit|preferid)[oa] é(?: agora)? {_REST}"),
        ("kin", rf"(?:o |a )?m(?:eu|inha) (?P<kin>KIN) (?:se chama|chama-se) {_NAME}"),
    ),
    "nl": (
        ("city", rf"ik woon(?: \w+){{0,3}}? in {_PLACE}"),
        ("city", rf"(?:ik ben|wij zijn|we zijn)(?: \w+){{0,3}}? naar {_PLACE} verhuisd"),
        ("city", rf"ik ben(?: \w+){{0,3}}? verhuisd naar {_PLACE}"),
        ("employer", rf"ik werk(?: \w+){{0,2}}? (?:bij|voor)(?: de| het)? {_NAME}"),
        ("birthday", rf"mijn verjaardag is(?: op)? {_DATE}"),
        ("phone", rf"mijn (?:nieuwe )?(?:telefoon|mobiele )?nummer is(?: nu)? {_PHONE}"),
        ("favorite", rf"mijn (?:lievelings-?|favoriete )(?P<thing>\w+) (?:is|zijn)(?: nu)? {_REST}"),
        ("kin", rf"mijn (?P<kin>KIN) heet {_NAME}"),
    ),
}
_ASKED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "de": (
        ("city", r"(?:wo|in welcher stadt) (?:wohne|lebe) ich"),
        ("employer", r"(?:wo|für wen|bei wem) arbeite ich"),
        ("birthday", r"wann (?:habe ich|ist mein) geburtstag"),
        ("phone", r"(?:wie|was) (?:ist|lautet) meine (?:telefon|handy)?nummer"),
        ("favorite", r"(?:was|wie|welche\w*|wer) (?:ist|sind|heißt) meine? lieblings-?(?P<thing>\w+)"),
        ("kin", r"(?:wie heißt|wer ist) meine? (?P<kin>KIN)"),
    ),
    "es": (
        ("city", r"(?:d[óo]nde|en qué ciudad) (?:vivo|resido)"),
        ("employer", r"(?:d[óo]nde|para quién|en qué empresa) trabajo"),
        ("birthday", r"cu[áa]ndo (?:es mi cumpleaños|cumplo años)"),
        ("phone", rf"cu[áa]l es mi {_ES_PHONE}"),
        ("favorite", r"cu[áa]l es mi (?P<thing>\w+) (?:favorit|preferid)[oa]"),
        ("kin", r"(?:c[óo]mo se llama|quién es) mi (?P<kin>KIN)"),
    ),
    "fr": (
        ("city", r"(?:où|dans quelle ville) (?:est-ce que )?(?:j['’]habite|je vis|vis-je)"),
        ("employer", r"(?:où|chez qui|pour qui) (?:est-ce que )?je (?:travaille|bosse)"),
        ("birthday", r"quand (?:est-ce que )?(?:est|c['’]est) mon anniversaire"),
        ("phone", rf"quel est mon {_FR_PHONE}"),
        ("favorite", r"quel(?:le)? est m(?:on|a) (?P<thing>\w+) préférée?"),
        ("kin", r"(?:comment s['’]appelle|qui est) m(?:on|a) (?P<kin>KIN)"),
    ),
    "it": (
        ("city", r"(?:dove|in che città) (?:vivo|abito)"),
        ("employer", r"(?:dove|per chi) lavoro"),
        ("birthday", r"quando è il mio compleanno"),
        ("phone", rf"qual è il mio {_IT_PHONE}"),
        ("favorite", r"qual è (?:il|la) mi[oa] (?P<thing>\w+) preferit[oa]"),
        ("kin", r"(?:come si chiama|chi è) (?:il |la )?mi[oa] (?P<kin>KIN)"),
    ),
    "pt": (
        ("city", r"(?:onde|em que cidade) (?:eu )?(?:moro|vivo)"),
        ("employer", r"(?:onde|para quem) (?:eu )?trabalho"),
        ("birthday", r"quando é (?:o )?meu aniversário"),
        ("phone", rf"qual é (?:o )?meu {_PT_PHONE}"),
        ("favorite", r"qual é (?:o |a )?m(?:eu|inha) (?P<thing>\w+) (?:favorit|preferid)[oa]"),
        ("kin", r"(?:como (?:se chama|chama-se)|quem é) (?:o |a )?m(?:eu|inha) (?P<kin>KIN)"),
    ),
    "nl": (
        ("city", r"(?:waar|in welke stad) woon ik"),
        ("employer", r"(?:waar|voor wie|bij wie) werk ik"),
        ("birthday", r"wanneer (?:ben ik jarig|is mijn verjaardag)"),
        ("phone", r"wat is mijn (?:telefoon|mobiele )?nummer"),
        ("favorite", r"wat is mijn (?:lievelings-?|favoriete )(?P<thing>\w+)"),
        ("kin", r"(?:hoe heet|wie is) mijn (?P<kin>KIN)"),
    ),
}


TERMS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("de", "city"): ("wohne", "lebe", "gezogen", "umgezogen"),
    ("es", "city"): ("vivo", "resido", "mudé", "mudado", "trasladé"),
    ("fr", "city"): ("habite", "vis", "habitons", "déménagé"),
    ("it", "city"): ("vivo", "abito", "trasferito", "trasferita"),
    ("pt", "city"): ("moro", "vivo", "mudei"),
    ("nl", "city"): ("woon", "verhuisd"),
}
"""Words by which the same is told that a question asks for in others."""


@frozen
class Filled:
    """A slot that a sentence fills, and whom it names."""

    slot: Slot
    relative: Reference | None = None


@lru_cache(maxsize=64)
def _compiled(language: str, *, is_question: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    kin = "|".join(sorted(_KIN.get(language, {}), key=len, reverse=True))
    rows = (_ASKED if is_question else _TOLD).get(language, ())
    return tuple(
        (slot, re.compile(rf"(?:^|(?<=[.,;!?] ))\W*(?:{pattern.replace('KIN', kin)})", re.IGNORECASE))
        for slot, pattern in rows
    )


def told(text: str, language: str) -> Filled | None:
    """The slot of the speaker that a sentence fills; None where it is not sure to, or tells more than that."""
    for slot, pattern in _compiled(language, is_question=False):
        found = pattern.search(text)
        if found is not None and len(text[: found.start()].split()) + len(text[found.end() :].split()) <= MORE_MAX:
            return _filled(slot, {name: value for name, value in found.groupdict().items() if value}, language)
    return None


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Where a text may be cut: between its sentences, if one of them fills a slot; else nowhere."""
    ends = (cut for cut in _SENTENCE_END.finditer(text) if not is_day_of_month(text, cut.start() - 1))
    cuts = [0, *(cut.end() for cut in ends), len(text)]
    found = [(start, end) for start, end in pairwise(cuts) if text[start:end].strip()]
    return found if any(told(text[start:end], language) for start, end in found) else [(0, len(text))]


def _filled(slot: str, found: Mapping[str, str], language: str) -> Filled | None:
    said = (found.get("value") or found.get("lower") or "").strip(" .")
    if not said:
        return None
    value = said.casefold()
    if slot == "favorite":
        return Filled(slot=Slot(name=f"favorite:{slug(found['thing'])}", value=value))
    if slot != "kin":
        return Filled(slot=Slot(name=slot, value=value))
    relation = _KIN[language][found["kin"].casefold()]
    relative = Reference(text=said, name=said, relation=relation)
    return Filled(slot=relation_slot(relation, value), relative=relative)


def asked(text: str, language: str) -> str | None:
    """The slot of the speaker that a question asks for."""
    for slot, pattern in _compiled(language, is_question=True):
        found = pattern.search(text)
        if found is None:
            continue
        if slot == "favorite":
            return f"favorite:{slug(found['thing'])}"
        if slot == "kin":
            relation = _KIN[language][found["kin"].casefold()]
            return relation_slot(relation, "").name
        return slot
    return None


def subjects(filled: Filled) -> tuple[Reference, ...]:
    """Whom the sentence is about, beside the speaker alone."""
    return () if filled.relative is None else (SPEAKER, filled.relative)
