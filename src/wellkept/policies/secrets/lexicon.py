"""The words that announce a secret, and the words that show that none follows, in the languages the rules read."""

from __future__ import annotations

from typing import Final

from wellkept.patterns import deferred


def words(text: str) -> frozenset[str]:
    """A set of the words of a text."""
    return frozenset(text.split())


# Words for "password" after which any value counts, because their languages' predicates are listed below.
MAJOR_WORDS: Final = (
    r"pass[\s_-]?words?|pass[\s_-]?codes?|passw?rds?|pa?s{1,3}(?:w[or]{1,3}|ow)r?ds?|passwd|pass[\s_-]?phrases?"
    r"|pswd|psswd|pwd|psw|pw|p/w"
    r"|passw(?:o|ö)rt(?:s|es|er)?|kennwort(?:s|es)?|contrase(?:ñ|n)as?|contrasenya|mots? de passe|mdp"
    r"|senhas?|palavras?[\s-]passe|parola d['’ ]ordine|wachtwoord(?:en)?|paswoord"
    r"|(?:wpa[23]?|wep|wi-?fi|wlan|network|router|hotspot)[\s_-](?:security[\s_-])?key|pre-?shared[\s_-]key|psk"
    r"|requirepass|memorable word"
)
# Words for "password" after which only a credential-shaped value counts.
MINOR_WORDS: Final = (
    r"has(?:ł|l)[oa]|l(?:ö|o)senord(?:et)?|passord(?:et)?|adgangskoden?|kodeord(?:et)?|salasana(?:ni|n)?|heslo|hesla|geslo"
    r"|jelsz(?:ó|o)|jelszavam|(?:ş|s)ifre(?:m|si|miz|niz)?|parol(?:a|am|as(?:ı|i)|ă)|lozinka|slapta(?:ž|z)odis|parool"
    r"|m(?:ậ|a)t kh(?:ẩ|a)u|kata sandi(?:nya)?|kata laluan|sandi|nenosiri|clave|chiave|cl(?:é|e)|pass"
    r"|(?:secret|code|safe)[\s-]?word|schl(?:ü|u)ssel|logins?"
)
# Scripts without word gaps, or with values in another script than the sentence.
SCRIPT_WORDS: Final = (
    r"密码|密碼|口令|パスワード|パス(?=[はが：:])|暗証番号|合言葉|парол[ьяеію]?м?|парола|лозинка|비밀번호|비번|암호|패스워드"
    r"|كلمة (?:المرور|السر|مرور)|الرقم السري|رمز عبور|گذرواژه|ה?סיסמ(?:ה|א|ת)|पासवर्ड|পাসওয়ার্ড|รหัสผ่าน"
    r"|κωδικ(?:ός|ό|ος|ού)|συνθηματικό"
)

# "My password manager is Bitwarden": with these words after it, the word names another thing.
COMPOUND: Final = words(
    """manager managers management reset resets resetting policy policies field fields hint hints protected
    protection hash hashes hashing hashed generator generators strength box boxes prompt prompts form forms page
    screen database file files vault vaults hygiene change changes changing recovery rule rules requirement
    requirements length expiry expiration rotation input reuse authentication auth breach breaches leak leaks
    list lists attempt attempts column storage store app apps tool tools guessing cracking cracker sharing
    security safe entry checker check validator validation link email emails mail notebook style button dialog
    complexity reminder service services problem problems question questions game puzzle details info data less
    free format history user users based test tests"""
)

_FUNCTION: Final = """
a an the my your his her its our their this that these those not no never none nothing neither either both all
any some each every what which who whom whose where when why how whether if because so too very quite rather
pretty fairly really extremely more most less least as than like only even yet then here there in on at under
over behind beside near inside outside between within by with without from for to of off up down out about
around above below before after during since until via per be been being is was are were has have had do does
did can could will would shall should may might must it he she they we you i me him them us something anything
everything someone somebody anyone nobody whatever and or but nor either else also ever"""
_STATES: Final = """
wrong right correct incorrect invalid valid weak strong stronger weaker long longer short shorter simple simpler
complex complicated hard harder easy easier difficult impossible possible secure insecure safe safer unsafe
unique different same similar identical unknown known missing empty blank lost gone stolen broken old older new
newer fresh outdated expired expiring due ready active inactive enabled disabled optional mandatory required
needed necessary useless useful important essential public private secret confidential personal temporary
permanent default random strange weird funny silly stupid ridiculous terrible awful bad good better best worse
worst great fine okay ok perfect acceptable working changing getting going coming making driving asking causing
giving taking using being failing showing saying changed reset updated set stored saved kept hidden written
printed taped shown displayed sent shared leaked compromised hacked cracked guessed found forgotten reused
rotated revoked blocked locked rejected refused accepted denied allowed limited hashed salted encrypted
protected masked visible invisible readable typed entered asked created generated chosen assigned issued based
made used called said supposed meant subject part time case alphanumeric numeric case-sensitive eight ten twelve
fifteen sixteen twenty several many few two three four five six seven nine characters letters digits words half
enough available unavailable annoying boring sensitive crazy obvious obviously obsolete unchanged yours mine
ours theirs anymore though again today tomorrow yesterday soon later online offline pending see ask check
contact look tell call try choose pick use enter type send get go come remember forget please wait read sorry
thanks unclear uncertain strictly mostly nearly almost exactly perfectly absolutely totally completely
apparently certainly definitely hopefully seriously case-insensitive full close kind sort bit next last first
second third key ancient hopeless fun trash garbage rubbish horrible lame clever smart cute hilarious
embarrassing memorable trivial nice cool solid robust overdue stale fixed final exposed everywhere somewhere
nowhere elsewhere back history dead toast nonsense tough tricky confusing frustrating ugly beautiful legendary
special universal local global remote external internal manual automatic standard common popular rare usual
typical normal ok-ish idiotic pathetic fancy cheap free locked-out up-to-date out-of-date unsafe-looking"""
# Skipped on the way to the value: "is still hunter2".
ADVERBS: Final = words(
    """still now always actually just currently again also simply basically probably really literally usually
    already temporarily nun noch immer jetzt aktuell ahora todavía siempre toujours encore maintenant ainda
    agora sempre ancora nog nu le il currently: simply:"""
)

_OTHER_LANGUAGES: Final = """
nicht kein keine zu sehr falsch abgelaufen gesperrt geändert gespeichert sicher unsicher lang kurz schwach stark
leicht schwer das der die ein eine einen mein meine dein in im am auf unter bei beim von vom für mit ohne wie
was wo weil so nur auch gleich dasselbe derselbe schlecht gut weg verloren vergessen neu alt leer nötig
erforderlich mindestens noch bekannt unbekannt geheim streng vertraulich gleich hier da dort komplex einfach
kompliziert no muy demasiado tan más menos incorrecta incorrecto correcta segura débil corta larga fuerte fácil
difícil la el los las un una mi tu su en de del con sin por para que lo igual misma mismo diferente nueva vieja
secreta necesaria obligatoria inválida válida vencida bloqueada guardada aquí ahí algo nada siempre pas trop
très plus moins incorrect incorrecte correcte faux fausse court courte long longue faible fort forte sûr facile
difficile le la les un une mon ma ton ta son sa dans sur sous chez avec sans pour que ce c'est le même différent
nouveau vieux expiré bloqué enregistré secret requis obligatoire invalide valide ici là écrit noté bien não nao
muito demais mais menos errada errado incorreta correta curta longa fraca forte fácil difícil segura o a os as
um uma minha meu sua seu em no na nos nas do da de com sem por para que mesma mesmo diferente nova velha
expirada bloqueada guardada secreta obrigatória inválida válida aqui está non troppo molto più meno sbagliata
errata corretta corta lunga debole forte facile difficile sicura il lo la i gli le un una mia tua sua in nel
nella sul sulla sotto con senza per che stessa stesso diversa nuova vecchia scaduta bloccata salvata segreta
obbligatoria valida qui lì scritta niet te zeer erg fout verkeerd verlopen geblokkeerd veranderd opgeslagen
veilig onveilig lang kort zwak sterk makkelijk moeilijk het de een mijn jouw zijn haar in op onder bij van voor
met zonder zoals wat waar omdat zo hetzelfde anders nieuw oud leeg nodig verplicht geheim bekend onbekend hier
daar way quel quelle qual quale cual cuál welches welche wie wat welk was cosa quoi to jest nie är inte för fel
er ikke feil for je on není to este nu este schwierig ungültig gültig richtig umständlich ewig compliqué compliquée
complexe sécurisé sécurisée ancien ancienne perdu perdue oublié robuste identique unique complicada complicado
compleja complejo complexa simples robusta distinta distinto antigua antiga perdida olvidada esquecida complicata
complessa semplice vulnerabile dimenticata persa vecchissima ingewikkeld simpel vergeten kwijt geldig ongeldig
saya aku kami kita lupa itu ini sudah belum tidak bukan ganti diganti ubah salah baru lama kuat lemah aman ko mo
ang mga"""

PREDICATES: Final = words(f"{_FUNCTION} {_STATES} {_OTHER_LANGUAGES}")
_FUNCTION_WORDS: Final = words(_FUNCTION) - {"something", "nothing", "nobody"}
_PARTICIPLE: Final = deferred(r"[a-z]{4,}(?:ed|able|ible|less|ally|tely|ntly|edly|[ai]bly|ously|ively|fully|ily)")


def is_function_word(word: str) -> bool:
    return word in _FUNCTION_WORDS


def is_predicate(word: str) -> bool:
    """Whether a lower-case word after "my password is" describes the password and does not give it."""
    word = word.strip(".,;:!?…\"'’”)(}]*`")
    word = word.removesuffix("'s").removesuffix("’s")
    return word in PREDICATES or _PARTICIPLE.fullmatch(word) is not None or word.endswith(("n't", "n’t"))
