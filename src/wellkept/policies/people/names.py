"""Names as people write, say and mishear them: normal forms, slugs, sounds, nicknames, and how alike two names are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable


# Names are folded: no marks, lower case. An entry is "full: short short …".
_SHORT_FORMS = """
abdelaziz: aziz | abdelkader: kader | abderrahmane: rahman abdou | abdullah: abdul | abhishek: abhi | abigail: abby
abbie gail | abimbola: bimbo bola | abraham: abe bram avi | adalbert: bert | adam: addy | adebayo: bayo ade |
adelaide: addie adele | aditi: adi | aditya: adi | adriana: adri | agnieszka: aga agusia | akanksha: aku | albert: al
bert bertie albie | alejandra: ale alex jandra | alejandro: alex ale jandro alejo | aleksandr: sasha sanya shura alex
alik sacha | aleksandra: sasha ola sanja olya olka | aleksei: alyosha lyosha alex | alessandra: ale sandra |
alessandro: ale sandro | alexander: alex al alec xander sandy sasha lex sascha alexi | alexandra: alex sandra sasha
lexi lexie sandy alexa | alexandre: alex xande sacha | alfonso: poncho alf fonsi | alfred: al alf alfie fred freddie |
alfredo: fredo alf | alice: ali allie | alison: ali allie | amanda: mandy manda | amelia: amy millie mia | aminata:
ami mina | anastasia: nastya stacy asya ana nastia | anatoly: tolya | andrea: andi andy | andreas: andi andy dre |
andrei: andryusha | andrew: andy drew | andrzej: jedrek andrzejek | angela: angie | angeliki: kiki | angelina: angie
lina | anirudh: ani | anna: annie anya ania anka nan annika nina | annamaria: anna | anne: annie nan | annelise: anne
| anthony: tony ant | antoine: toine | anton: toni tosha | antonia: toni | antonina: tonya | antonio: toni tonio tono
nino tony | aparecida: cida | aparna: apu | arkady: arkasha | arthur: art artie | arturo: turo | arvind: arv |
ascension: ascen | ashutosh: ashu | athanasios: thanasis sakis | august: gus auggie | augustine: gus augie | aurelio:
lelo | avraham: avi avram | babatunde: tunde | balakrishnan: balu bala | barbara: barb barbie babs basia barbra |
bartholomeus: bart | bartholomew: bart | bartlomiej: bartek | bartosz: bartek | beata: beatka | beatrice: bea bee
trixie | beatrix: bea trixie trix | beatriz: bia bea | benedict: ben benny | benedikt: ben bene | benjamin: ben benny
benji benjy | bernard: bernie | bernardo: nardo beni be | bernhard: bernd bernie | bertha: bertie | birgitta: gittan |
bogdan: bogus bodya | boris: borya | bradley: brad | brigitte: gitte | cameron: cam | carlos: carlitos charly calo |
carolina: caro lina | caroline: caro carrie lina line | cassandra: cass cassie | catherine: cathy kate katie kit cate
kathy cat cath | cecilia: ceci cece cissy | chandrasekhar: chandra shekhar | charles: charlie chuck chas charley chaz
| charlotte: charlie lottie lotte char | chimamanda: chima | christian: chris christy | christina: chris chrissy
christy tina chrissie | christine: chris chrissy christy tina | christopher: chris kit topher | christos: chris |
chukwuemeka: emeka | clara: clarita | clemens: clem | conceicao: cao ceica | concepcion: concha conchita | constantin:
costel dinu | consuelo: chelo | cornelia: nelly conny | cornelis: cees kees cor | cornelius: neil kees con | cristina:
cris tina | cynthia: cindy | daniel: dan danny dani | daniela: dani | danielle: dani ellie | daria: dasha | darya:
dasha | david: dave davy davey dodi | deborah: deb debbie debby | debra: deb debbie debby | denise: neecy | devendra:
dev | diana: di | dieter: didi | dimitrios: dimitris mitsos jimmy dimi | dmitri: dima mitya | dolores: lola loli |
dominic: dom nick | dominik: dom nik | dominique: dom | donald: don donny donnie | dorota: dorotka | dorothy: dot
dottie dolly dora | douglas: doug | dumitru: mitica | eberhard: hardy ebi | edith: edie | edmund: ed eddie ned |
eduarda: duda | eduardo: edu lalo ed eddie dudu duda | edward: ed eddie ned ted teddy eddy | edwin: ed eddie win |
efstathios: stathis | ekaterina: katya katia kate katyusha | ekaterini: katerina | eleanor: ellie nell nora nelly ella
| eleftherios: lefteris | elena: lena lenochka | eleni: lena | eleonora: nora ella leonora | elisabeth: lisa elli
liesl lisi sissi lisbeth betty elisa liz babette bettan | elizabeth: liz lizzie beth betty eliza lisa libby lizzy
betsy bess ellie liza bessie elsie elle | elizaveta: liza | elzbieta: ela elka | emilia: emi mila milly | emily: em
emmy millie | emma: emmy em | emmanouil: manolis | emmanuel: manny manu | encarnacion: encarna | enrique: quique kike
| ernest: ernie | ernesto: neto | erzsebet: bozsi zsoka | esteban: teban | esther: essie hettie | eugene: gene |
eugenia: genie | evangelos: vangelis | evgenia: zhenya | evgeny: zhenya | ewa: ewka | ezekiel: zeke | fabian: fabi |
fatima: fafa | fatoumata: fatou | felicity: fliss flick | ferdinand: ferdi nando | ferenc: feri | fernanda: fer nanda
| fernando: nando fer ferdi | filippo: pippo | florence: flo florrie flossie | florian: flo flori | frances: fran
frannie | francesca: fra chicca | francesco: fra franco checco ciccio | francis: frank fran | francisca: chica |
francisco: paco pancho fran kiko curro chico | franciszek: franek | francois: fanfan | franklin: frank frankie |
frantisek: franta | frederic: fred | frederick: fred freddy rick freddie | fredrik: fredde | friederike: rike |
friedrich: fritz fred friedl | fyodor: fedya | gabriel: gabe gabi gab gabby | gabriela: gabi gaby gabby | gabriele:
gabi lele | gabriella: gabi gabby | galina: galya | genevieve: gen viv ginny | gennady: gena | geoffrey: geoff |
george: georgie | georgia: gogo | georgios: giorgos yiorgos | gerald: gerry jerry | gerard: gerry gerd | gerardus:
gerard gerrit | gerhard: gerd hardy | gertrude: trudy gertie trude | gheorghe: gigi ghita | giacomo: jack | gilbert:
gil bert | giorgio: gio | giovanni: gianni gio nanni vanni | giuseppe: beppe peppe pino giuse | gonzalo: gonza |
gottfried: friedl | graciela: chela | gregorio: goyo | gregory: greg | grigory: grisha | grzegorz: grzesiek grzes |
guadalupe: lupe lupita | gudrun: guni | guilherme: gui | guillermo: memo guille | gunther: gunni | gurpreet: guri |
gustaf: gurra | gustav: gus gusti | gustavo: gus tavo | gyorgy: gyuri | hannah: hanni | hannelore: hanne lore |
harold: harry hal | harpreet: harry preet | harriet: hattie | heinrich: heiner heinz henny | helen: nell nellie |
helena: lena hela lenka | helga: helgi | helmut: helmi | hendrik: henk rik | hendrikus: henk rik | henriette: jette
henni | henrique: rique | henry: harry hank hal | herbert: herb bert herbie | herman: manny | hermann: manni |
hortensia: tencha | howard: howie | hubert: hubi bert | hugh: hughie | ifeoluwa: ife | ignacio: nacho | ignacy: ignas
| igor: gosha | ilya: ilyusha | immanuel: manny | ingeborg: inge | inmaculada: inma | ioan: ionel nelu | ioannis:
yiannis giannis | irina: ira irisha | isaac: ike zac | isabel: isa izzy bella chabela | isabella: izzy bella isa bel |
isabelle: izzy belle isa | isidoro: isi | isidro: chilo | istvan: pista isti | ivan: vanya vanja | jacek: jacus |
jacob: jake coby kobi | jacobus: koos jaap | jacqueline: jackie jacqui | jadwiga: jadzia | jakob: jaki kobi | jakub:
kuba | james: jim jimmy jamie jem jimbo | jan: jas janek | janet: jan | jaroslav: jarda jarek | jeffrey: jeff |
jennifer: jen jenny jenn | jeremiah: jerry jem | jeremy: jem jez | jerome: jerry | jerzy: jurek | jessica: jess jessie
| jesus: chuy chucho | jiri: jirka | jitendra: jeetu jitu | joachim: jochen achim | joakim: jocke | joanna: jo asia
joasia joey | joanne: jo | joao: joaozinho juca | joaquin: quino chimo | johann: hans hannes | johanna: jo hanna
anneke | johannes: hans hannes johan jan | john: jack johnny jock | jonathan: jon jonny johnny nathan | jorge: coco |
jose: pepe chepe pepito ze | josef: sepp pepi josi pepa | josefa: pepa fefa | joseph: joe joey jos | josephine: jo
josie fifi | joshua: josh | jozef: jozek | jozsef: joci jozsi | juan: juanito juancho | judith: judy jude jutta |
julia: jules julie juli | julian: jules | juliana: ju juli | juliette: jules | jurgen: jorg | justyna: justa | karl:
kalle charly | karolina: karo lina | karthikeyan: karthik | katalin: kati | katarina: kata kati | katarzyna: kasia
kaska | katerina: katka kacka | katharina: kathi kati kathy katja kat trine | katherine: kate katie kathy kat kit
kitty kay kath katy | kathleen: kathy kate kath | kathryn: kate kathy katie kat | kazimierz: kazik | kenneth: ken
kenny | kevin: kev | kimberly: kim kimmy | klaus: nik | konstantin: kostya kosta | konstantinos: kostas dinos costas |
krishnamurthy: krish | krishnan: krish | kristin: kris | kristina: kris tina stina | kristoffer: kris stoffer |
krzysztof: krzysiek krzys | kwabena: kobby | ladislav: laci | lakshman: laxman | lakshmi: laxmi | lars: lasse |
laszlo: laci | laura: laurie lori | lauren: laurie | laurence: larry laurie | lawrence: larry lars | lenka: lena |
leonard: leo len lenny | leonardo: leo nardo | leonid: lyonya | leopold: leo poldi | leticia: leti lety le | lidia:
lida | lillian: lily lil | lorenzo: renzo lolo | loretta: etta | louis: lou louie | louise: lou lulu | lourdes: lulu |
lubov: lyuba | lucia: lu luci | lucy: lu | ludmila: lyuda mila luda | ludwig: lutz wiggerl lui | luis:
lucho luisito | luiz: lula | lukasz: lukaszek | lyubov: lyuba | lyudmila: lyuda mila | maarten: maart | madeleine:
maddie mado | madeline: maddie | magdalena: magda lena madzia leni | magnus: mange | mahendra: mahi | malgorzata:
gosia malgosia gocha | mamadou: doudou | manpreet: mani | manuel: manolo manu manny lolo | manuela: manu | marcel:
marci | marcelo: marce celo | marcin: marcinek | marek: mareczek | margaret: maggie peggy meg marge greta rita maisie
margie peg madge | margareta: greta gretel margit maggan | margarete: grete gretel | margarita: rita marga | maria:
mia mariechen mari masha mary mimi marysia | maria-jose: majo | mariana: mari | marie: mimi | mario: mariuccio |
mariusz: mario | mariya: masha marusya | martha: marty mattie | martin: marty tin | mary: molly polly mamie | mateusz:
mati | matteo: teo | matthew: matt matty | matthias: matze matti hias | maurice: mo | maurizio: mauri | maxim: max |
maximilian: max maxi | megan: meg | melanie: mel melly | melissa: mel missy lissa | mercedes: merche mercy meche |
michael: mike mick mickey mikey micha mischa michi | michaela: michi | michal: misiek michalek | michel: mimi |
michele: lele | michelle: shelly chelle mish | miguel: migue micky | mikael: micke | mikhail: misha mishka | milagros:
mila | mildred: millie | minjun: min | miroslav: mirek | miroslaw: mirek | mohamed: momo | mohammed: mo moe hamada
medo | montserrat: montse | mustapha: mus | nadezhda: nadya | nadia: nadya | nancy: nan | narendra: naren | natalia:
nata talia natasha nati | natalie: nat | natalya: natasha nata | nathan: nate nat | nathaniel: nate nat | ngozichukwu:
ngozi | nicholas: nick nicky nico | nicola: nicky nico | nicolaas: klaas nico | nicolae: nicu | nicolas: nico nick |
nicole: nicky nikki nico | nikolai: kolya nik | nikolaos: nikos | nikolaus: klaus niki niko | nkechinyere: nkechi |
nomthandazo: nomthi | octavio: tavo | oleksandr: sasha olexa sashko | olga: olya olenka | oliver: ollie olli oli |
olivia: liv livvy | olufunmilayo: funmi | olusegun: segun | oluwafemi: femi | oluwaseun: seun | oluwaseyi: seyi |
oluwatobi: tobi | otto: otti | ousmane: ous | padmanabhan: padma | pamela: pam | panagiotis: panos takis |
parthasarathy: partha | pascal: pasci | patricia: pat patty trish tricia patti pati | patrick: pat paddy rick |
patrizia: patty | paul: paulie | paulina: pau | pavel: pasha | pawel: pawelek | pedro: perico pepo | penelope: penny
nell | peter: pete petey | petr: petya pete | petra: peti | petronella: nel petra | philip: phil pip | philipp: phil
lipp | pieter: piet | pietro: piero | pilar: pili | piotr: piotrek | polina: polya | priyanka: priya pri | prudence:
pru | purificacion: puri | rafael: rafa rafi | rafal: rafalek | raghavendra: raghu | raimundo: mundo | rajendra: raj
rajen | ramakrishnan: ramki rama | ramon: moncho | ravindra: ravi | raymond: ray | rebecca: becky becca bex | refugio:
cuca | reginald: reg reggie | reinhard: reini hardy | remedios: reme | ricardo: rick riqui cardo richi | richard: rick
dick rich ricky richie | robert: bob bobby rob robbie bert robby bobbie | roberto: beto berto tito rob | rodrigo:
rodri digo | roger: rog | roland: roli rolly | ronald: ron ronnie | rosa: rosi rosie | rosario: charo chayo |
rosemary: rose rosie | rudolf: rudi | rudolph: rudy | russell: russ | ruth: ruthie | ryszard: rysiek | salvador: salva
| salvatore: toto salvo turi | samantha: sam sammy | samuel: sam sammy | sandor: sanyi | sandra: sandy | sanjay: sanju
| santiago: santi yago | sarah: sally sadie | satyanarayana: satya | sebastian: seb bas sebas basti | sebastiao: tiao
| sebastien: seb | serafina: fina | sergei: seryozha seryoga | sergio: checo | seydou: seyd | shalom: shuli |
shoshana: shosh | sibusiso: sbu sibu | siddharth: sid | siegfried: sigi siggi | sigrid: siri | sigurd: siggi | silvia:
silvi | simone: mona | slawomir: slawek | sofia: sofi sonya fifi | solomon: sol solly | sophia: soph | spyridon:
spyros | srinivas: srini vasu | stanislav: stas slava | stanislaw: staszek stas | stavroula: voula | stefan: steff |
stefanie: steffi | stephanie: steph steffi stevie | stephen: steve stevie | steven: steve stevie | subramaniam: subbu
mani | subramanian: mani subbu | sudhakar: sudha | surendra: suri | susan: sue susie suzy | susanna: susi sanna |
susanne: susi sanne | suzanne: sue suzy | svetlana: sveta lana | sylvester: sly | sylvia: syl | sylwester: sylwek |
tadeusz: tadek | tamara: tammy toma | tatiana: tanya tania | tatyana: tanya | temitope: temi tope | teodoro: teo doro
| terence: terry | teresa: tere resi terri | thandiwe: thandi | theodor: theo | theodore: ted teddy theo | theodoros:
thodoris | theresa: terry tess resi tessa | therese: resi | thiago: thi | thomas: tom tommy thom | timothy: tim timmy
| tobias: tobi toby | tomas: tom tomi | tomasz: tomek | torbjorn: tobbe | trinidad: trini | uchechukwu: uche | ulrich:
uli ulli | ulrike: uli ulli rike | ursula: uschi ursel ulla | urszula: ula | vaclav: vasek | valentina: valya vale
tina | valeria: vale lera | valerie: val | vanessa: nessa ness | vasileios: vassilis | vasily: vasya | vassilis: vasso
| venkataraman: venkat raman | venkatesh: venky venkat | vera: verochka | veronica: ronnie vero | veronika: vroni nika
| victor: vic | victoria: vicky tori vic vicki tory | viktor: vitya vik | viktoria: vika viki | vincent: vince vinnie
vinny | vincenzo: enzo vince | vinicius: vini | virginia: ginny ginger | vishwanath: vishu vish | vitaly: vitalik |
vladimir: vova volodya vlad | vladislav: vlad vladik slava | volodymyr: volodya vova | vyacheslav: slava | waclaw:
wacek | waldemar: waldi | walter: walt wally wal | wieslaw: wiesiek | wilhelm: willi willy helmi | wilhelmina: mina
minnie wil | willem: wim | william: bill will billy willy liam billie | winifred: winnie | wladyslaw: wladek |
wojciech: wojtek | wolfgang: wolf wolfi | yakov: yasha | yashwant: yash | yekaterina: katya | yelena: lena | yevgeny:
zhenya | yitzhak: itzik | yosef: yossi | yuri: yura | zachary: zach zack | zbigniew: zbyszek | zdenek: zdena |
zinaida: zina | zofia: zosia zoska | zsuzsanna: zsuzsa zsuzsi | zygmunt: zygi
"""

# Each group is one name, written in several ways.
_SPELLINGS = """
ann anne | ludmila lyudmila liudmila | lynn lynne | mohammed muhammad mohamed mohammad muhammed mohamad muhamad |
ahmed ahmad ahmet | hussein hussain husain husayn hossein husein hussien | khalid khaled | yusuf youssef yousef yusef
youssouf yousuf yosuf | ibrahim ebrahim | omar umar | othman osman uthman | said saeed saeid | abdullah abdallah |
aisha ayesha aysha aicha | fatima fatimah fatma | zeinab zainab zaynab | hassan hasan | mustafa mostafa moustafa |
chaim haim hayim | yitzhak itzhak yitzchak | alexander aleksandr alexandr aleksander | alexandra aleksandra | alexei
aleksei alexey aleksey | sergei sergey serguei | dmitri dmitry dimitri dmitriy dmitrii | andrei andrey andrej |
nikolai nikolay nicolai | yuri yury yuriy | yevgeny evgeny evgeni yevgeni evgenii yevgeniy evgeniy | ekaterina
yekaterina | elena yelena jelena | natalia natalya nataliya nataliia natalja | tatiana tatyana | yulia julia iulia
yuliya yuliia | maria mariya mariia marija | mikhail mikhael michail mihail | pyotr petr piotr | fyodor fedor feodor |
vasily vasili vassily vasiliy | anastasia anastasiya anastasiia | catherine katherine kathryn katharine cathryn
catharine | katharina katarina | christina kristina cristina | christine kristine | christian kristian cristian |
christopher kristopher cristopher | geoffrey jeffrey jeffery | geoff jeff | steven stephen | sean shaun shawn | niamh
neve | caitlin kaitlin kaitlyn caitlyn katelyn | megan meghan meagan | rachel rachael | rebecca rebekah | deborah
debra | leah lea | hannah hanna | jonathan johnathan jonathon | matthew mathew | michael micheal | nicholas nicolas
nikolas | zachary zachery zackary | isaac izak isaak | terence terrence terrance | allison alison alyson | lindsay
lindsey | ashley ashleigh | tracy tracey | madeleine madeline madelyn | eleanor elinor eleanore | isabel isabelle
isobel | theresa teresa | thibault thibaut thibaud | gunther gunter guenther guenter | lakshmi laxmi | shiva siva |
mukherjee mukherji | chatterjee chatterji | banerjee banerji | jamal gamal | tariq tarek tarik | faisal faysal feisal
| giorgos yiorgos | giannis yiannis yannis | zoe zoey | phoebe pheobe | vladimir wladimir | oleksandr olexandr |
mykola mikola | maja maya maia
"""

# Each pair sounds alike and is two names.
_APART = """
mary marie | joan john | jean jane | michele michelle | jean john | jean gene | erin aaron | francis frances | dawn
don | karen karin | kristen kirsten | kristin kirstin | brandon brendan | gail gayle | mai may | mei may | lou lu |
lee li | lea lee | leo lee | jan jane | jan jean | ann ana | ane ani | hana ana | ali alie | rene renee | andre andree
| noel noelle | michel michelle | daniel danielle | gabriel gabrielle | pascal pascale | dominic dominique | emanuel
emanuelle | rafael rafaelle | marcel marcelle | joel joelle | wan van | wei vei | ella ela | jody jodie | mari marie |
mari mary | sue su | rui roui | thu tu | than tan | thanh tan | thi ti | kha ka | anh an | minh min | linh lin | jose
josie
"""


def _entries(table: str) -> tuple[str, ...]:
    return tuple(" ".join(table.split()).split(" | "))


@cache
def _formals() -> dict[str, frozenset[str]]:
    """Short form → the names it is short for."""
    found: dict[str, set[str]] = {}
    for entry in _entries(_SHORT_FORMS):
        full, _, shorts = entry.partition(": ")
        for short in shorts.split():
            found.setdefault(short, set()).add(full)
    return {short: frozenset(names) for short, names in found.items()}


@cache
def _groups() -> dict[str, int]:
    return {word: number for number, group in enumerate(_entries(_SPELLINGS)) for word in group.split()}


@cache
def _pairs_apart() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in _entries(_APART))


def are_spellings(one: str, other: str) -> bool:
    """Whether two folded words are one name in two spellings or languages: Mohammed, Muhammad."""
    return one in _groups() and _groups()[one] == _groups().get(other)


def is_short_of(short: str, full: str) -> bool:
    """Whether a folded word is a usual short form of another, in any of its spellings."""
    return any(full == formal or are_spellings(full, formal) for formal in _formals().get(short, ()))


def share_formal(one: str, other: str) -> bool:
    """Whether two folded words are short for the same name: Liz and Beth."""
    return bool(_formals().get(one, frozenset()) & _formals().get(other, frozenset()))


def are_apart(one: str, other: str) -> bool:
    """Whether two folded words are known to be two names although they sound alike: Marie and Mary."""
    return frozenset((one, other)) in _pairs_apart()


Gender = Literal["female", "male"]

_TITLES: dict[Gender | None, str] = {
    None: "dr doctor doc prof professor rev reverend father sister brother captain capt coach judge officer sgt colonel"
    " general sensei maestro rabbi imam sheikh hon mx ing dipl mag maitre doktor dott dottor doutor",
    "male": "mr mister sir herr hr monsieur don senor sr signor sig lord mons senhor seu pan",
    "female": "mrs ms miss madam madame mme mlle frau fr fraulein lady dame dona dna senora sra srta senorita signora"
    " signorina sigra senhora pani dra doutora dottoressa",
}
# These are also names or other words: a title only with its dot.
_TITLE_NEEDS_DOT = "fr sig mag hon ing pan seu"
_HONORIFICS = deferred(r"(?:[-‐‑–\s](?:san|chan|kun|sama|sensei|senpai|ssi|nim|ji|bey|hanim|abi|abla))$")
_HAN_HONORIFICS = deferred(r"(?<=[㐀-鿿぀-ヿ가-힯])\s*(?:さん|くん|ちゃん|様|さま|先生|君|씨|님|老师|老師|女士|小姐)$")
_PARTICLES = """
de da do dos das del della dello di du des la le les van von den der ter ten vom zu zur af av al el bin ibn ben bint y e
"""
_COMPOUNDING = frozenset({"abu", "umm", "um", "abd", "abdul", "abdel", "saint", "st", "mc", "mac"})
_ENDEARING = frozenset({"y", "ie", "i", "ey"})
_REMEMBERED = 32_768
_CUT_KEPT_MIN = 4
_CUT_LOST_MIN = 3
_LONG_WORD = 7
_SHORT_WORD = 4
_ENDEARED_MAX = 5
_ALIKE_MIN = 0.85
_TRANSLITERATED = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i", "ħ": "h",
        "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "yo", "є": "ye", "ж": "zh",
        "з": "z", "и": "i", "і": "i", "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o",
        "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ў": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch",
        "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya", "ђ": "dj", "ј": "j",
        "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz",
        "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k",
        "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t",
        "υ": "y", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
    }
)  # fmt: skip
_EXPANDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "ñ": "ny"})
_GREEK_PAIRS = (("ου", "u"), ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("ευ", "ev"), ("αυ", "av"))
_INVISIBLE = deferred(r"[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_APOSTROPHES = deferred(r"['’‘`´ʼʹʻ]")
_LEADING = deferred(r"^(?:(?:my|the)\s+|@+)+")
_SPACES = deferred(r"[\s_\-‐‑‒–—]+")
_UNDERSCORES = deferred(r"_+")
_PLAIN_SIGNS = {code: " " if chr(code) in " _-" else None for code in range(128) if not chr(code).isalnum()}
"""Of ASCII: what stands between words, and signs that go."""
_HYPHENS = deferred(r"[-‐‑‒–]")
_POSSESSIVE = deferred(r"(?:['’]s|(?<=s)['’])$")


def _clean(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


@lru_cache(maxsize=_REMEMBERED)
def normalise(text: str) -> str:
    """The form in which names, aliases and handles are compared exactly.

    >>> normalise("  My  Wife "), normalise("@Bob"), normalise("STRASSE") == normalise("Straße")
    ('wife', 'bob', True)
    """
    plain = _POSSESSIVE.sub("", _clean(_clean(text).casefold()))
    return _LEADING.sub("", plain).strip(' \t.,;:!?"“”()')


def slug(text: str) -> str:
    """Lower case; punctuation goes, runs of spaces, hyphens and underscores become one underscore.

    >>> slug("Dr. Jane O'Brien"), slug("Austin, Texas"), slug("Jean-Luc"), slug("...")
    ('dr_jane_obrien', 'austin_texas', 'jean_luc', '')
    """
    if text.isascii() and text.isprintable():
        return "_".join(text.lower().translate(_PLAIN_SIGNS).split())
    spaced = _SPACES.sub("_", unicodedata.normalize("NFC", _clean(text).lower()))
    kept = "".join(sign for sign in spaced if sign == "_" or unicodedata.category(sign)[0] in "LNM")
    # A mark may stand beside its letter only now, without the sign that was between them.
    return _UNDERSCORES.sub("_", unicodedata.normalize("NFC", kept)).strip("_")


@frozen
class Titled:
    """A name without its titles and honorifics, and the gender that they tell."""

    bare: str
    gender: Gender | None = None


@cache
def _titles() -> dict[str, Gender | None]:
    return {title: gender for gender, titles in _TITLES.items() for title in titles.split()}


@lru_cache(maxsize=_REMEMBERED)
def untitled(name: str) -> Titled:
    """Take titles off, as long as something stays.

    >>> untitled("Frau Dr. Müller"), untitled("Tanaka-san").bare, untitled("Doc").bare
    (Titled(bare='Müller', gender='female'), 'Tanaka', 'Doc')
    """
    bare = _HAN_HONORIFICS.sub("", _clean(name))
    folded_end = _HONORIFICS.search(bare.casefold())
    if folded_end is not None and folded_end.start() > 1:
        bare = bare[: folded_end.start()]
    words, gender = bare.split(" "), None
    while len(words) > 1:
        key = _strip_marks(words[0].casefold().rstrip("."))
        if key not in _titles() or (key in _TITLE_NEEDS_DOT.split() and not words[0].endswith(".")):
            break
        gender = gender or _titles()[key]
        words = words[1:]
    return Titled(bare=" ".join(words), gender=gender)


def _strip_marks(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if not unicodedata.combining(sign)))


def _latin(text: str) -> str:
    lowered = text.casefold().replace("й", "й")
    greek = _strip_marks(lowered) if re.search(r"[α-ωά-ώ]", lowered) else lowered
    for pair, sound_of_it in _GREEK_PAIRS:
        greek = greek.replace(pair, sound_of_it)
    return _strip_marks(greek.translate(_TRANSLITERATED))


@lru_cache(maxsize=_REMEMBERED)
def spellings(name: str) -> frozenset[str]:
    """The ways a name is written without its marks: Müller is Muller and Mueller, Søren is Soren and Soeren.

    Letters of scripts without a table stay as they are.
    """
    plain = _APOSTROPHES.sub("", _clean(name).casefold()).replace(".", " ")
    lowered = " ".join(plain.replace("ё", "е").split()), " ".join(plain.split())
    composed = unicodedata.normalize("NFC", lowered[1])
    return frozenset({*(_latin(one) for one in lowered), _latin(composed.translate(_EXPANDED))})


def _units(name: str) -> tuple[str, ...]:
    """The words of a name; a hyphenated word is one unit, "Abu Omar" is one, a comma turns the order back."""
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma and given.strip() else name
    words = _HYPHENS.sub("-", ordered.replace(",", " ")).split()
    units: list[str] = []
    for word in words:
        if units and units[-1] in _COMPOUNDING:
            units[-1] = f"{units[-1]}-{word}"
        else:
            units.append(word.strip("-"))
    essential = [unit for unit in units if unit not in _PARTICLES.split()]
    return tuple(unit for unit in (essential or units) if unit)


def _halves(unit: str) -> tuple[str, ...]:
    return tuple(part for part in unit.split("-") if part)


class Likeness(IntEnum):
    """How alike a said name is to a held one, weakest first."""

    NONE = 0
    VARIANT = 1
    """Sounds alike and is written alike: worth a question, not an answer."""
    SOUND = 2
    """Another spelling of the same sound: Sara and Sarah, Erik and Eric."""
    NICKNAME = 3
    SHORT = 4
    """A part of the name: John and John Smith, J. Smith and John Smith."""
    EQUAL = 5


_SOUNDS = tuple(
    (deferred(pattern), replacement)
    for pattern, replacement in (
        (r"sch", "sh"), (r"tch", "ch"), (r"ph", "f"), (r"ck", "k"), (r"kh", "k"), (r"th", "t"), (r"dj", "j"),
        (r"q[uvw]", "kv"),
        (r"q", "k"), (r"c(?=[eiy])", "s"), (r"c(?!h)", "k"), (r"ks", "x"), (r"ee", "i"), (r"oo|ou", "u"),
        (r"w", "v"), (r"y", "i"), (r"(?<=[^cs])h", ""), (r"(.)\1+", r"\1"), (r"ei$", "i"), (r"(?<=..)ie$", "i"),
        (r"(?<=[klmnstv])j(?=[aeo])", "i"),
    )
)  # fmt: skip
_CHANGED_ENDING = deferred(r"^[aeiou]{0,2}$")
_DERIVED_TAIL = deferred(
    r"^(?:[aeiou]|n|s|os|us|in[aeo]?|ett[aeo]?|ell[aeo]?|it[ao]|an[aeo]|ia|io|ine|iane|son|sen|ez|es|ov|ova|ovic|ovich"
    r"|ski|ska|sky|ian|yan|idis|akis|man|mann|ton|escu|enko|uk|ou|lin|line|lyn|len|lene|belle?|bella|mary|marie|lina)$"
)
_LATIN = deferred(r"^[a-z]+$")


@lru_cache(maxsize=_REMEMBERED)
def sound(word: str) -> str:
    """A word as it is spoken, vowels kept: equal for Sophia and Sofia, not for Mukesh and Makesh."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


@lru_cache(maxsize=_REMEMBERED)
def phonetic(word: str) -> str:
    """The consonants of a word as they are spoken (Metaphone); empty for scripts it does not know."""
    import jellyfish

    latin = _latin(word)
    return jellyfish.metaphone(latin) if _LATIN.match(latin) else ""


def similarity(one: str, other: str) -> float:
    """Share of letters that two words have in common in order, 0..1."""
    from rapidfuzz import fuzz

    return float(fuzz.ratio(one, other)) / 100


def _differ_in_ending(one: str, other: str) -> bool:
    """Paul and Paula, Maria and Mario, Julia and Julian: what differs is the ending that makes another name."""
    stem = 0
    while stem < min(len(one), len(other)) and one[stem] == other[stem]:
        stem += 1
    return all(_CHANGED_ENDING.match(tail) or _DERIVED_TAIL.match(tail) for tail in (one[stem:], other[stem:]))


def _is_cut(one: str, other: str) -> bool:
    """Magda of Magdalena: at least four letters stay, and what is cut off is no ending that makes another name."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    lost = len(long) - len(short)
    if len(short) < _CUT_KEPT_MIN or lost < _CUT_LOST_MIN or not long.startswith(short):
        return False
    return not _DERIVED_TAIL.match(long[len(short) :])


def is_endearing(one: str, other: str) -> bool:
    """Bobby of Bob, Lizzie of Liz, Katie of Kate: an ending of endearment, the last letter often doubled."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    stem = short.removesuffix("e") if len(short) > _CUT_LOST_MIN else short
    if len(short) > _ENDEARED_MAX or not long.startswith(stem):
        return False
    return long[len(stem) :].removeprefix(stem[-1]) in _ENDEARING or long[len(stem) :] in _ENDEARING


def _sounds_alike(one: str, other: str) -> Likeness:
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    if sound(one) == sound(other) and not are_apart(one, other):
        # Of three letters, one makes another name: Ali and Aly.
        return Likeness.SOUND if max(len(one), len(other)) >= _SHORT_WORD else Likeness.VARIANT
    if not phonetic(one) or phonetic(one) != phonetic(other) or _differ_in_ending(one, other):
        return Likeness.NONE
    same_frame = one[0] == other[0] and one[-1] == other[-1] and min(len(one), len(other)) >= _LONG_WORD
    if same_frame and Levenshtein.normalized_similarity(one, other) >= _ALIKE_MIN and not are_apart(one, other):
        return Likeness.SOUND
    return Likeness.VARIANT if JaroWinkler.similarity(one, other) >= _ALIKE_MIN else Likeness.NONE


@lru_cache(maxsize=_REMEMBERED)
def _word_likeness(one: str, other: str) -> Likeness:
    if one == other or "".join(_halves(one)) == "".join(_halves(other)):
        return Likeness.EQUAL
    if not _LATIN.match(one) or not _LATIN.match(other):
        return Likeness.NONE
    if 1 in (len(one), len(other)):
        return Likeness.SHORT if one[0] == other[0] else Likeness.NONE
    if are_spellings(one, other):
        return Likeness.SOUND
    if is_short_of(one, other) or is_short_of(other, one) or _is_cut(one, other) or is_endearing(one, other):
        return Likeness.NICKNAME
    heard = _sounds_alike(one, other)
    return Likeness.VARIANT if heard is Likeness.NONE and share_formal(one, other) else heard


def _partner(word: str, others: list[str], *, is_alone: bool) -> tuple[Likeness, str]:
    """The word that is most alike; half of a hyphenated word is a part of it only beside another that fits."""
    found = max(((_word_likeness(word, other), other) for other in others), key=lambda pair: pair[0])
    if found[0] is not Likeness.NONE:
        return found
    for other in others:
        if "-" in f"{word}{other}" and (word in _halves(other) or other in _halves(word)):
            return (Likeness.VARIANT if is_alone else Likeness.SHORT), other
    return found


def _pair_up(few: tuple[str, ...], many: tuple[str, ...]) -> tuple[Likeness, ...]:
    """The best partner of each word, each used once; empty when some word has none."""
    left = list(many)
    found: list[Likeness] = []
    for word in few:
        alike, partner = _partner(word, left, is_alone=len(few) == 1)
        if alike is Likeness.NONE:
            return ()
        left.remove(partner)
        found.append(alike)
    return tuple(found)


@dataclass(frozen=True)
class _Form:
    """One spelling of a name, taken apart once."""

    units: tuple[str, ...]
    joined: str
    halves: tuple[str, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=_REMEMBERED)
def _forms(name: str) -> tuple[_Form, ...]:
    """The spellings of a name without its titles."""
    found = []
    for spelt in sorted(spellings(untitled(name).bare)):
        units = _units(spelt)
        words = tuple("".join(_halves(unit)) for unit in units)
        halves = tuple(sorted(half for unit in units for half in _halves(unit)))
        found.append(_Form(units=units, joined="".join(words), halves=halves, words=tuple(sorted(words))))
    return tuple(found)


def _form_likeness(one: _Form, other: _Form) -> Likeness:
    if not one.units or not other.units:
        return Likeness.NONE
    if one.joined == other.joined or one.halves == other.halves or one.words == other.words:
        return Likeness.EQUAL
    # Of as many words the one with fewer letters, so that which of the names was said makes no difference.
    few, many = sorted((one.units, other.units), key=lambda units: (len(units), sum(map(len, units)), units))
    pairs = _pair_up(few, many)
    if not pairs or all(len(word) == 1 for word in few):
        return Likeness.NONE
    weakest = min(pairs)
    return Likeness.SHORT if weakest is Likeness.EQUAL else weakest


@lru_cache(maxsize=_REMEMBERED)
def likeness(said: str, held: str) -> Likeness:
    """How alike two names are, titles aside, in the best of their spellings."""
    return max(_form_likeness(one, other) for one in _forms(said) for other in _forms(held))


def is_full(name: str) -> bool:
    """Whether a name has several words, as given and family name."""
    return any(len(form.units) > 1 for form in _forms(name))


def is_titled(name: str) -> bool:
    """Whether a title or honorific belongs to the name as it stands."""
    return untitled(name).bare != _clean(name)


def begins(short: str, full: str) -> bool:
    """Whether a single word begins the first word of a name: Ed of Eduardo Silva."""
    return any(
        len(one.units) == 1 and len(one.joined) > 1 and other.units[:1] and other.units[0].startswith(one.joined)
        for one in _forms(short)
        for other in _forms(full)
    )


def is_longest(word: str, name: str) -> bool:
    """Whether a name is longer than every word of another."""
    return all(len(word) > len(unit) for form in _forms(name) for unit in form.units)


def is_part_of(short: str, full: str) -> bool:
    """Whether a name is only a part of another: John, J. Smith of John Smith; Krause of Frau Krause."""
    if is_titled(full) and not is_titled(short) and likeness(short, full) is Likeness.EQUAL:
        return True
    return any(_is_part(one.units, other.units) for one in _forms(short) for other in _forms(full))


def _is_part(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    left = list(many)
    for word in few:
        partner = next((other for other in left if word == other or (len(word) == 1 and other[0] == word)), None)
        if partner is None:
            return False
        left.remove(partner)
    return few != many


def is_named(text: str, names: Iterable[str | None]) -> bool:
    """Whether one of these names stands in the text.

    >>> is_named("May lives in Oslo", ["May"]), is_named("The release is in May", ["May"])
    (True, False)
    """
    pattern = any_of(names)
    return pattern is not None and re.search(pattern, text) is not None


def any_of(names: Iterable[str | None]) -> str | None:
    """A pattern for any of these names as words of their own, the longest first; None without a name."""
    known = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True))
    # Not the month: "in May", "May 3".
    return rf"(?<![\w@-])(?<!\b[Ii]n )(?:{known})(?![\w-])(?! \d)" if known else None
