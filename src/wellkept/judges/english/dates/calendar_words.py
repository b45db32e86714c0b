"""Words for days, months, units and directions in the languages whose dates the rules understand by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wellkept.patterns import deferred

WEEKDAYS: dict[str, int] = {
    name: index
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "lunes martes miércoles jueves viernes sábado domingo",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    )
    for index, name in enumerate(names.split())
} | {"sonnabend": 5}
SHORT_WEEKDAYS: dict[str, int] = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip

MONTHS: dict[str, int] = {
    name: index
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
    )
    for index, name in enumerate(names.split(), start=1)
} | {"sept": 9, "jänner": 1}

SEASONS: dict[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of a season in the north; half a year later in the south."""

SOUTHERN_ZONES = deferred(
    r"Australia/|Antarctica/|Pacific/(Auckland|Fiji|Tongatapu)|America/(Sao_Paulo|Argentina|Buenos_Aires|Santiago"
    r"|Montevideo|Asuncion|La_Paz|Lima)|Africa/(Johannesburg|Windhoek|Maputo|Harare|Lusaka|Gaborone)"
)

HOLIDAYS: dict[str, tuple[int, int]] = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "heiligabend": (12, 24),
    "silvester": (12, 31),
    "nochebuena": (12, 24),
    "nochevieja": (12, 31),
}

DAY_OFFSETS: dict[str, int] = {
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day before yesterday": -2,
    "day before yesterday": -2, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0,
    "this evening": 0, "tomorrow": 1, "yesterday": -1, "last night": -1, "eod": 0,
    "heute": 0, "morgen": 1, "übermorgen": 2, "gestern": -1, "vorgestern": -2,
    "hoy": 0, "pasado mañana": 2, "mañana": 1, "ayer": -1, "anteayer": -2, "anoche": -1,
    "aujourd'hui": 0, "après-demain": 2, "demain": 1, "avant-hier": -2,
    "oggi": 0, "domani": 1, "dopodomani": 2, "ieri": -1,
    "hoje": 0, "amanhã": 1, "ontem": -1, "vandaag": 0, "gisteren": -1, "overmorgen": 2,
}  # fmt: skip

UNITS: dict[str, str] = {
    word: unit
    for unit, words in {
        "minute": "minute minutes min mins minuten minuto minutos minuti",
        "hour": "hour hours hr hrs stunde stunden hora horas heure heures ora ore uur",
        "day": "day days tag tage tagen día días jour jours giorno giorni dia dias dag dagen",
        "week": "week weeks woche wochen semana semanas semaine semaines settimana settimane weken",
        "fortnight": "fortnight fortnights",
        "month": "month months monat monate monaten mes meses mois mese mesi mês maand maanden",
        "year": "year years jahr jahre jahren año años an ans année années anno anni ano anos jaar",
    }.items()
    for word in words.split()
}

HALVES: dict[str, tuple[int, str]] = {
    "minute": (1, "minute"), "hour": (30, "minute"), "day": (12, "hour"), "week": (4, "day"), "fortnight": (1, "week"),
    "month": (15, "day"), "year": (6, "month"),
}  # fmt: skip
"""What half of a unit is, in whole smaller ones."""

SPANS: dict[str, str] = {
    word: unit
    for unit, words in {
        "week": "week woche semana semaine settimana",
        "month": "month monat monats mes mois mese mês maand",
        "year": "year jahr jahres año année anno ano jaar",
    }.items()
    for word in words.split()
}

VAGUE_NUMBERS: dict[str, int] = {
    **dict.fromkeys(("a couple of", "a couple", "couple of", "un par de", "una coppia di", "uns dois"), 2),
    **dict.fromkeys(
        ("a few", "few", "some", "ein paar", "einige", "unos", "unas", "algunos", "algunas", "quelques", "alcuni",
         "alcune", "alguns", "algumas", "een paar", "enkele", "qualche"), 4
    ),
    "several": 6,
}  # fmt: skip
"""How many are meant at most: what is to be kept for some days is not lost too soon."""

NUMBERS: dict[str, int] = {
    word: number
    for number, words in {
        1: "a an one ein eine einen einem einer un una uno une um uma een",
        2: "two zwei dos deux due dois duas twee",
        3: "three drei tres trois tre três drie",
        4: "four vier cuatro quatre quattro quatro",
        5: "five fünf cinco cinq cinque vijf",
        6: "six sechs seis sei zes",
        7: "seven sieben siete sept sette sete zeven",
        8: "eight acht ocho huit otto oito",
        9: "nine neun nueve neuf nove negen",
        10: "ten zehn diez dix dieci dez tien",
        11: "eleven elf once onze undici",
        12: "twelve zwölf doce douze dodici doze twaalf",
        14: "fourteen vierzehn catorce quatorze quattordici veertien",
        15: "fifteen fünfzehn quince quinze quindici vijftien",
        20: "twenty zwanzig veinte vingt venti vinte twintig",
        30: "thirty dreißig treinta trente trenta trinta dertig",
    }.items()
    for word in words.split()
}

NEXT_WORDS = "next|coming|upcoming|following|nächste[nrsm]?|kommende[nrsm]?|volgende|próxim[oa]|prossim[oa]"
LAST_WORDS = "last|past|previous|letzte[nrsm]?|vergangene[nrsm]?|vorige|afgelopen|dernière|dernier"
THIS_WORDS = "this|diese[nrsm]?|este|esta|cette|ce|questo|questa|deze"
NEXT_AFTER = "que viene|próxim[oa]|prochaine?|prossim[oa]"
LAST_AFTER = "pasad[oa]|dernière|dernier|scors[oa]|passad[oa]"

PAST_VERBS = frozenset(
    """was were had did went saw met ate drank bought brought came took got gave made said told spoke slept ran swam
    wrote read left lost won found felt kept knew began broke built caught chose drove fell flew forgot grew heard held
    hurt led learnt lent paid put rode rang sang sat sold sent shot sold stood stole taught thought threw understood
    woke wore spent quit cut let hit war waren hatte habe hat haben fui fue era estuve llegué vi hice compré conocí tuve
    étais était suis ai avons fu ero abbiamo ho""".split()
) - {"suis", "habe", "haben", "let", "put", "read", "cut", "hit", "hurt"}
PRESENT_VERBS = frozenset(
    """is am are will shall would should can could may might must have has need needs want wants plan plans going gonna
    's 'm 're 'll starts start begins begin leaves arrives ends opens closes moves visits flies meets comes
    be being ist sind bin wird werden es está estoy voy va est sont vais è sono vado""".split()
)
NOT_PAST = frozenset("need bed red feed speed seed weed shed sled hundred naked sacred wicked indeed exceed".split())


def alternation(words: Iterable[str]) -> str:
    """A regular-expression alternation of words, longest first."""
    return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))
