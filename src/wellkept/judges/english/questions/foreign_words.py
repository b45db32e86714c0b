"""Function words of languages other than English: whom a sentence is about, what it asks, what is empty."""

from __future__ import annotations

from wellkept.judges.english.grammar.lexicon import words

FIRST = {
    "es": words("yo me mi mis mio mia mios mias conmigo nos nuestro nuestra nuestros nuestras nosotros"),
    "de": words("ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren unserem unserer"),
    "fr": words("je j me m moi mon ma mes nous notre nos"),
    "it": words("io mi me mio mia miei mie noi ci nostro nostra nostri nostre"),
    "pt": words("eu me mim meu minha meus minhas comigo nos nosso nossa nossos nossas"),
    "nl": words("ik mij me mijn wij we ons onze"),
    "pl": words("ja mnie mi moj moja moje mojego mojej moich nas nasz nasza nasze"),
    "sv": words("jag mig min mitt mina vi oss var vart vara"),
    "tr": words("ben benim bana beni biz bizim"),
    "ru": words("я меня мне мой моя мое мои моего моей моем мы нас нам наш наша наше наши"),
    "uk": words("я мене мені мій моя моє мої моєї ми нас нам наш наша наше"),
    "ar": words("انا أنا لي نحن"),
}
OTHERS = {
    "es": words("tu tus te ti usted su sus le les lo el ella ellos ellas suyo suya"),
    "de": words(
        "du dich dir dein deine deinen deinem deiner sie er sein seine seinen seinem seiner ihr ihre ihren ihrem"
    ),
    "fr": words("tu te toi ton ta tes vous votre vos il elle ils elles lui leur leurs son sa ses"),
    "it": words("tu ti te tuo tua tuoi tue lei lui loro suo sua suoi sue"),
    "pt": words("tu te ti teu tua voce voces seu sua seus suas ele ela eles elas dele dela lhe"),
    "nl": words("jij je jou jouw hij zij hem haar zijn hun hen"),
    "pl": words("ty ci twoj twoja twoje on ona oni jego jej ich"),
    "sv": words("du dig din ditt dina han hon de hans hennes deras"),
    "tr": words("sen senin o onun onlar"),
    "ru": words("ты тебя тебе твой твоя твое твои он она они его ее их ему ей"),
    "uk": words("ти тебе тобі твій твоя твоє він вона вони його її їх"),
    "ar": words("انت أنت هو هي هم"),
}
ARTICLES = {"es": words("el lo les"), "de": words("sie"), "fr": words("il"), "it": words("ci"), "nl": words("je zijn")}
"""Words among those above that are as often an article or a filler, and so point at nobody."""
NEGATIONS = words(
    "no nunca jamas nicht kein keine keinen nie niemals pas jamais ne non mai nao niet geen nooit nie inte "
    "aldrig degil не никогда ні ніколи لا ليس"
)
PLAIN = {
    "es": words(
        "el la los las un una unos unas de del al a en y o que con por para es son soy era fue esta estan estoy "
        "se ha he tengo tiene hay muy ya cual cuales como donde adonde quien quienes cuando cuanto cuanta "
        "cuantos cuantas porque"
    ),
    "de": words(
        "der die das den dem des ein eine einen einem einer und oder in im am an auf zu zum zur von vom mit bei "
        "ist sind bin war habe hat es denn was wer wo wohin woher wann wie viele viel warum welche welcher "
        "welches welchen wen wem wogegen wofur womit woran worauf woruber wovon wovor wozu wodurch gegen fur"
    ),
    "fr": words(
        "le la l les un une des du de d a au aux en et ou que qu avec pour par est sont suis etait c s se y ai "
        "as ont quel quelle quels quelles qui quoi comment ou quand combien pourquoi ce cette t n"
    ),
    "it": words(
        "il lo la l i gli le un una uno di del della dei a al alla in nel e o che con per da e sono era si ho "
        "ha qual quale quali come dove chi quando quanto quanta quanti quante cosa cos perche c"
    ),
    "pt": words(
        "o a os as um uma uns umas de do da dos das em no na e ou que com por para e sao sou era foi esta estao "
        "se tenho tem ha qual quais como onde quem quando quanto quanta quantos quantas porque"
    ),
    "nl": words(
        "de het een en of in op aan van met voor is zijn ben was heb heeft wat wie waar wanneer hoe veel welke"
    ),
    "pl": words(
        "i w z na do jest sa jestem byl to sie co kto gdzie kiedy jak ile jaki jaka jakie ktory ktora dlaczego"
    ),
    "sv": words("en ett och i pa av med for ar var har att det som vad vem nar hur manga vilken vilket vilka varfor"),
    "tr": words("bir ve ile da de mi mu ne kim nerede nereye zaman kac hangi nasil neden var"),
    "ru": words(
        "и в на с у к от из есть это что кто где куда когда как сколько какой какая какое какие чей зовут почему"
    ),
    "uk": words("і в у на з є це що хто де куди коли як скільки який яка яке які чий чому"),
    "ar": words("ما ماذا من اين أين متى كيف كم هل في هو هي"),
}
WHEN = words("cuando wann quand quando wanneer kiedy nar когда коли متى")
WHO = words("quien quienes wer wen wem qui chi quem wie-not kto vem кто хто")
COUNT = words(
    "cuanto cuanta cuantos cuantas viele viel combien quanto quanta quanti quante quantos quantas ile manga сколько"
)
NUMBERS = words(
    "uno una dos tres cuatro cinco seis siete ocho nueve diez ein eine zwei drei vier funf sechs sieben acht "
    "neun zehn un une deux trois quatre cinq six sept huit neuf dix due quattro cinque sei sette otto nove "
    "dieci um dois duas quatro sete oito dez"
)
DAYS = words(
    "lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto "
    "septiembre octubre noviembre diciembre montag dienstag mittwoch donnerstag freitag samstag sonntag januar "
    "februar marz april mai juni juli august september oktober november dezember lundi mardi mercredi jeudi "
    "vendredi samedi dimanche janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre "
    "lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio aprile maggio giugno luglio "
    "settembre ottobre dicembre segunda terca quarta quinta sexta janeiro fevereiro marco maio junho julho "
    "setembro outubro novembro dezembro manana morgen demain domani amanha"
)
ASKING_SIGNS = {
    "zh": "(?:什么|什麼)(?:时候|時候)?|(?:为|為)(?:什么|什麼)|哪里|哪裡|哪儿|多少|怎么|何时|谁|誰|哪|几|幾|吗|嗎|呢",
    "ja": "ですか|ますか|でしょうか|なんですか|だれ|どこ|いつ|どれ|どの|なに|なん|何|誰|か$",
    "ko": "무엇|누구|어디에|어디|언제|무슨|뭐예요|뭐야|뭐|몇|이에요|예요|입니까|인가요|인가|나요|까",
    "th": "อะไร|ใคร|ที่ไหน|เมื่อไหร่|เท่าไหร่|กี่|ไหม|หรือ",
}
DENYING_SIGNS = {"zh": "不|没|沒", "ja": "ない|ません", "ko": "안 |않|못", "th": "ไม่"}
PERSON_SIGNS = {"zh": "我你他她您", "ja": "私僕俺彼", "ko": "제내", "th": ""}
