"""Word lists: what announces a secret, what shows that none follows, and everyday words that tell nothing."""

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


EVERYDAY_WORDS: Final = """
a able about above absent across act action actor add added address admit advice afraid after again age agent ago
agree agreed ahead aim air airport aisle album alcohol all allow allowed almost along already also although always am
amazing among amount an analyst anchor and animal ankle another anxiety any anybody anything anyway anywhere apart
apartment appear apple apply approve are area arm around arrive arrived art as ask asked asking asks asleep asthma at
ate attend audit aunt auto autumn average avoid awake away awful axis baby bad bag bake baked balcony ball banana band
bar base basket bath be beach bean beat beautiful became become bed bedroom beef been beer before began begin begins
behind being believe bell belong below bench beside best better between beyond big bigger bike bill bird birth
birthday bit black blind blood blue board boat body boil book booked books border bored boring born borrow boss both
bottle bottom bought bowl box boy boys brain bread break breakfast bridge brief bring brings broke broken
brother brothers brought brown budget build building built bulb bullet burn bus business busy but butter button buy
buying by cabin cactus cake call called calls calm came camera camp can cancel cannot canoe captain car card care
carry case cash casual cat catch category cats caught census centre chair change changed chapter charge chat cheap
check checked cheese chef chicken child children choice choose chose city civil claim class clay click client climb
clinic close closed clothes cloud club cluster coach coat coffee cold collect college color colour column come comes
coming common company concert conduct connect control cook cooked cooking cool copy core corner correct cost costs
couch could country couple course cousin cover crazy cream cricket crime cross crowd crush cry cup current custom cut
dad daily damage dance dark date daughter dawn day days dead deal dear death december decide decided decision deep
degree delay deliver dentist depend deposit desk dessert detail did diet differ different difficult dinner dirty
disease dish dislike dismiss divorce do doctor document does dog dogs doing dollar domain dont double down draft draw
dream dress drill drink drinks drive drives driving drop dropped dry due during dust duty each ear early earn earth
easily east easy eat eating eats echo edge edit egg eggs either else email empty end ended ends energy engine english
enjoy enjoys enough entire entry episode equal erase error escape especial essay euro even evening evenings event
events ever every everybody evidence evil exact exam example except exchange excited execute exercise exist exit
expand expect expects expire explain extra extremely eye eyes face fact fail failed fair fairly fall false family
famous fan far farm fast fat father fault favor favorite favourite fear fee feed feel feels fell felt female fence
fever few fiction field fight figure file fill film filter final finally find finds fine finger finish finished fire
firm first fish fit fix fixed flag flat flew flight float floor flour flower fly flying focus fold follow food foot
football for force foreign forest forget forgot fork form former forward found fox free freeze fresh friday friend
friends from front frozen fruit full fun funny further galaxy gap garbage garden garlic gas gave general get gift girl
girls give given gives glad glass go goal goat goes going gold good got grandma grandpa grant grass gray great green
grew grey ground group grow grows guard guess guest guitar gun guy gym habit had hair half hall hand handle hang
happen happened happens happy hard has hat hate hated hates have having he head health hear heard heart heat heavy
held hello help helped helps her here hero hers herself hi hidden high hike hiking hill him himself hip hire hired his
history hit hold holiday home honey hope hopes horror horse hospital host hot hotel hour hours how hub huge human
hundred hungry hurt husband hybrid i ice id idea idle if ignore ill illness im image imagine improve in inch include
indeed index inner inside install instead into invite is island isnt issue it item its itself ive jazz job join joined
joke judge juice july june just keep kept kick kid kids kilo kind king kit kitchen kite knee knew know known knows lab
label ladder lady lake lamp land language laptop large last late later laugh law lay lazy lead leaf learn learned
learning least leave leaves leaving lecture led leg lemon lend length lens less lesson let lets letter level liar
library lie life light like liked likes limit line link list listen little live lived lives living load loan local
long longer look looked looking looks loop lose lost lot lots lottery loud love loved loves low luck lucky lunch
machine mad made magic mail main major make makes making man manage manager mango manual many march mark market
married marry mask master match math matrix matter may maybe me meal mean means meant measure meat medicine meet
meeting meetings member memory men mention merge mess message met method middle midnight might mile milk mind minute
minutes miss missed mistake mix mixed mobile model modern mom moment monday money monitor month months mood moon more
morning most mostly mother mountain mouth move moved moves movie moving much mum museum music must my myself name
named names narrow nature near nearly neck negative neighbor neither nephew nervous net network never new news next
nice niece night nights no nobody noise noisy nor normal north nose not note nothing notice noticed novel november now
nowhere number numbers nurse object observe october of off offer office often oil okay old older on once online only
opera option or orange order ordered ordinary original orphan other our ours ourselves out outside oven over owe own
owner page paid pain paint painting pair panic paper parent parents park parrot part party past pay paying peace pen
people per perfect perhaps permit person pet photo phrase piano pick picked picture piece pilot pipe pizza place plan
plane planned planning plans plant plate play played player playing plays pleasant please plenty poem point police
pool poor popular post pottery practice prefer prefers prepare present pretty price primary print prison prize problem
process program project promise promised proof property proud public pull puppy purpose push puzzle quality quarter
quick quickly quiet quit quite quote race radio rain raise ran random range rarely rate rather raw reach read reading
ready real really reason recall receive recent recipe record red region reject relax release remember remind remove
renew rent repair repeat replace reply report request rest result retire return returned review rice rich ride
ring rise rival river road robot roof room rose rotate round row rule run running runs sad said sail salad sale salt
same sample sat saturday save saw say saying says scale scan scared school science scrap screen script scrub sea
search season seat second section see seeing seem seems seen segment select sell send sense sent sentence serious
serve service set settle setup several shadow shall shape share shared sharp she sheet shell shift ship shirt
shoe shoes shop short should shoulder show showed shower shows shut shy sick side sight silent silver similar simple
simply since sing single sister sisters sit size ski skill skin sky sleep slept slow slowly small smart smell
smile smoke snack snow so soap soccer soft sold some somebody something son song songs soon sorry sound soup source
south space spare speak speaks special speech speed spell spend spent split spoke sport spring square stable staff
stage stairs stamp stand star start started starts state station stay stayed staying steel stem step stick still
stomach stop stopped store storm story straight strange strategy street strong struggle student studied study stuff
style subject submit success such sudden sugar suggest suit summer sun sunday sunny super supper support suppose sure
surface surprise survey suspect swear sweet swim swimming swing symbol system table tag tail take taken takes taking
talk talked talking tall tank target task taste tattoo taught tax taxi tea teach teacher teaches team tech tell tells
ten tenant tennis tent term test text than thank thanks that thats the their theirs them theme then theory there these
they thick thin thing things think thinking thinks third thirty this those though thought thousand through thunder
thursday ticket tide tidy tie time times tiny tired title to toast today together told tomorrow tongue tonight too
took tool tooth top topic topics total touch tough tour towards tower town toy track traffic train trained training
transfer travel tree trial trick tried trip trouble truck true trust truth try trying tuesday turn turned twelve
twenty twice twin umbrella under unique unit unknown unless until up update upon upset us usage used usual usually
vacation vague valid van vegan venue verb verify version very via video view village violin visa visit visited
visiting voice vote wait waited waiting wake walk walked walking walks wall want wanted wants warm was wash watch
watched watching water way we weak wear wears weather wedding wednesday week weekend weekends weeks weird welcome well
went were west wet what whatever whats wheel when whenever where wherever whether which while white who whole whom
whose why wide width wife wild will win wind window windy wine winner winter wire wish within without woman women won
wonder wood wool work worked worker working world worried worry worse worst would wrap wrist write writes writing
written wrong wrote yard yeah year years yellow yes yesterday yet yoga you young your yours yourself youth
"""
