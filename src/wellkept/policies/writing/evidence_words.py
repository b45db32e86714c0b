"""Words that need no evidence: what a sentence about somebody is built with, and the numbers in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'"})


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Function words and the words for the speaker, without accents.
COMMON = _set(
    "the a an this that these those user users speaker assistant person people someone somebody he she they it his her "
    "their its him them and or but nor so as at by for from in into of off on onto out over to up with within without "
    "about above after against along among around before behind below between during since than through till toward "
    "under until upon via while when where who whom whose which what why how if then there here not no yes is are was "
    "were be been being am has have had having do does did done will would shall should can could may might must also "
    "too very more most less least much many some any each every all both several few other another own same such only "
    "just still already yet again always never often sometimes usually currently recently now today because although "
    "though unless whether i me my mine we us our ours you your yours one "
    "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren hat "
    "haben wird werden mit von zu zum zur im in am an auf fur bei nach aus seit bis als wenn weil dass nutzer nutzerin "
    "benutzer benutzerin person er sie es sein seine ihr ihre "
    "el la los las un una unos unas y o pero no es son era fue esta estan ha han tiene con de del al en por para desde "
    "hasta cuando porque que su sus usuario usuaria persona "
    "le les une des et ou mais ne pas est sont etait a ont avec du au aux dans pour depuis jusqu quand parce qui son "
    "sa ses leur l d utilisateur utilisatrice personne il elle "
    "lo gli i uno e ma non sono era ha hanno con di del della al alla nel nella da dal dalla per quando perche che suo "
    "sua utente "
    "os as um uma ou mas nao sao foi tem com do da dos das no na em ate porque seu usuario utilizador "
    "het een en of maar niet zijn was heeft hebben met van naar voor sinds tot wanneer omdat dat gebruiker "
    "i na w z do uzytkownik пользователь и в на с не"
)
UNCASED_COMMON = _set("用户 用戶 使用 ユー ーザ ザー 사용 용자 です ます した いる ある って という 喜欢 喜歡 居住")

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_FOREIGN = {
    "de": "null _ zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "es": "cero _ dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "_ _ deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "_ _ due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "_ _ dois tres quatro cinco seis sete oito nove dez onze doze",
    "nl": "nul _ twee drie vier vijf zes zeven acht negen tien elf twaalf",
}

NUMBERS: Mapping[str, str] = {
    **{
        word: str(value)
        for row in (*_FOREIGN.values(), _UNITS)
        for value, word in enumerate(row.split())
        if word not in ("_", "once", "sei")
    },
    **{word: str(10 * value) for value, word in enumerate(_TENS.split(), start=2)},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    "twice": "2",
    "both": "2",
    "couple": "2",
    "twins": "2",
}
