"""Which language a text is in, guessed from its script and its commonest words."""

from __future__ import annotations

import re

from wellkept.judges.english.grammar.lexicon import words
from wellkept.patterns import deferred

_SCRIPTS = (
    ("ja", deferred(r"[\u3040-\u30ff]")),
    ("ko", deferred(r"[\uac00-\ud7af]")),
    ("zh", deferred(r"[\u4e00-\u9fff]")),
    ("ar", deferred(r"[\u0600-\u06ff]")),
    ("he", deferred(r"[\u0590-\u05ff]")),
    ("hi", deferred(r"[\u0900-\u097f]")),
    ("th", deferred(r"[\u0e00-\u0e7f]")),
    ("el", deferred(r"[\u0370-\u03ff]")),
    ("uk", deferred(r"[іїєґ]")),
    ("ru", deferred(r"[\u0400-\u04ff]")),
)
_COMMON = {
    "en": words(
        "the is are am was i i'm my and of to in it that you he she we they me him them us have has not for "
        "with this be on at a an do does "
        "don't can will what your our his her like love name favorite wife works lives"
    ),
    "de": words(
        "ich bin ist der die das und nicht mein meine mit ein eine für auf wir habe hat dass du es im von zu sie "
        "heißt wohne "
        "was wer wo wann wie welche welcher welches heißt heisst wohnt meiner meinen "
        "arbeite mag dir mir den dem kein keine am bei aus lieblingsessen gezogen umgezogen nach geburtstag"
    ),
    "es": words(
        "yo soy es el la los las y no mi mis con un una para en que tengo tiene me gusta de se llama vivo trabajo "
        "por recuerda dónde donde cuál quién cuándo cuántos cómo mañana favorito favorita vive "
        "está estoy su del al muy hermana esposa mudé mudado mudamos cumpleaños"
    ),
    "fr": words(
        "je suis est le la les et ne pas mon ma mes avec un une pour dans que j'ai j'habite il elle de des du "
        "m'appelle s'appelle "
        "quel quelle quels où qui quand comment combien est-ce j'aime habite préféré préférée "
        "n'oublie rappelle-toi travaille aime depuis à sœur au en déménagé anniversaire avons"
    ),
    "it": words(
        "io sono è il lo la gli le e non mio mia con un una per che ho ha mi chiamo vivo lavoro di piace del della "
        "ricorda sorella a qual dove chi quando quanti preferito preferita miei mie chiama "
        "trasferito trasferita abito compleanno"
    ),
    "pt": words(
        "eu sou é o a os as e não meu minha com um uma para em que tenho tem me chamo moro trabalho de gosto do da "
        "lembre irmã se qual onde quem quando quantos favorito favorita meus minhas chama mora mudei aniversário na"
    ),
    "nl": words(
        "ik ben is de het een en niet mijn met voor op wij heb heeft dat je van te zij heet woon werk "
        "bij wat wie waar wanneer mijn lievelings woont verhuisd naar verjaardag ik"
    ),
    "pl": words(
        "jestem jest nie i w z na do co gdzie kto kiedy jaki jaka mieszka mam moja mój się mieszkam lubię pracuję że to"
    ),
    "sv": words(
        "jag är och inte min mitt med en ett för på vi har att det som bor heter gillar vad var vem när vilken mina"
    ),
    "tr": words("ben ne nerede kim hangi benim adı bir ve değil benim için bu da de çok var adım yaşıyorum seviyorum"),
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _code, _words in _COMMON.items():
    for _word in _words:
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_FOREIGN = frozenset(word for word, codes in _LANGUAGES_OF.items() if "en" not in codes)
"""Without one of these no other language has more words in a text than English."""
_TAKEN_OVER = words(
    "café cafés fiancé fiancée résumé naïve cliché décor jalapeño piñata touché façade crème brûlée pâté déjà à entrée "
    "protégé rosé sauté exposé matcha über señor señora"
)
_WORD = deferred(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
NAME_WORDS_MAX = 3
ENGLISH_WORDS_MIN = 2


def guess(text: str) -> str:
    """The ISO 639-1 code of the likeliest language; English when nothing speaks for another."""
    is_plain = text.isascii()
    if not is_plain:
        letters = sum(sign.isalpha() for sign in text)
        for code, script in _SCRIPTS:
            if len(script.findall(text)) * 4 >= letters > 0 and not _is_name_within(text, script):
                return code
    written = _WORD.findall(text.lower() if is_plain else text.replace("’", "'"))
    if not written or (is_plain and _FOREIGN.isdisjoint(written)):
        return "en"
    scores = dict.fromkeys(_COMMON, 0)
    for word in written if is_plain else [word.casefold() for word in written]:
        if word in _LANGUAGES_OF:
            for code in _LANGUAGES_OF[word]:
                scores[code] += 1
    if not is_plain:
        # No other language opens its questions so.
        scores["es"] += 2 * ("¿" in text)
        # English writes no accents but in words it took over, and in names.
        accented = [word for word in written if word.islower() and not word.isascii()]
        scores["en"] -= len([word for word in accented if word not in _TAKEN_OVER])
    most = max(scores.values())
    # One word alone proves little: "me" and "is" are words of several languages.
    if most <= 1 or most <= scores["en"]:
        return "en"
    return next(code for code in scores if scores[code] == most)


def _is_name_within(text: str, script: re.Pattern[str]) -> bool:
    """Whether one run of words in another script stands in an English sentence: "My boss is 山田花子"."""
    written = _WORD.findall(text.replace("’", "'"))
    is_foreign = [script.search(word) is not None for word in written]
    runs = sum(now and not before for before, now in zip([False, *is_foreign], is_foreign, strict=False))
    english = [word for word in written if word.casefold() in _COMMON["en"]]
    return runs == 1 and sum(is_foreign) <= NAME_WORDS_MAX and len(english) >= ENGLISH_WORDS_MIN
