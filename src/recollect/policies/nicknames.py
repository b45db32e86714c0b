"""Which given names are short for which, which are two spellings of one, and which only sound alike."""

from __future__ import annotations

from functools import cache

# Names are folded: no marks, lower case. An entry is "full: short short …".
_SHORT_FORMS = """
abdullah: abdul | abigail: abby abbie gail | abraham: abe bram avi | adalbert: bert | adam: addy | adelaide: addie
adele | adriana: adri | agnieszka: aga agusia | albert: al bert bertie albie | alejandra: ale alex jandra | alejandro:
alex ale jandro alejo | aleksandr: sasha sanya shura alex alik sacha | aleksandra: sasha ola sanja olya | aleksei:
alyosha lyosha alex | alessandra: ale sandra | alessandro: ale sandro | alexander: alex al alec xander sandy sasha lex
sascha alexi | alexandra: alex sandra sasha lexi lexie sandy alexa | alexandre: alex xande sacha | alfonso: poncho alf
| alfred: al alf alfie fred freddie | alfredo: fredo alf | alice: ali allie | alison: ali allie | amanda: mandy manda
| amelia: amy millie mia | anastasia: nastya stacy asya ana nastia | anatoly: tolya | andrea: andi andy | andreas:
andi andy dre | andrei: andryusha | andrew: andy drew | andrzej: jedrek andrzejek | angela: angie | angelina: angie
lina | anna: annie anya ania anka nan annika nina | annamaria: anna | anne: annie nan | anthony: tony ant | antoine:
toine | anton: toni tosha | antonia: toni | antonina: tonya | antonio: toni tonio tono nino | arkady: arkasha |
arthur: art artie | arturo: turo | august: gus auggie | augustine: gus augie | aurelio: lelo | avraham: avi avram |
barbara: barb barbie babs basia barbra | bartholomew: bart | bartosz: bartek | beatrice: bea bee trixie | beatriz: bia
bea | benedict: ben benny | benedikt: ben bene | benjamin: ben benny benji benjy | bernard: bernie | bernardo: nardo
beni | bernhard: bernd bernie | bertha: bertie | bogdan: bogus bodya | boris: borya | bradley: brad | brigitte: gitte
| cameron: cam | carlos: carlitos charly calo | carolina: caro lina | caroline: caro carrie lina line | cassandra:
cass cassie | catherine: cathy kate katie kit cate kathy cat cath | cecilia: ceci cece cissy | charles: charlie chuck
chas charley chaz | charlotte: charlie lottie lotte char | christian: chris christy | christina: chris chrissy christy
tina chrissie | christine: chris chrissy christy tina | christopher: chris kit topher | clara: clarita | clemens: clem
| concepcion: concha conchita | consuelo: chelo | cornelia: nelly conny | cornelius: neil kees con | cristina: cris
tina | cynthia: cindy | daniel: dan danny dani | daniela: dani | danielle: dani ellie | daria: dasha | darya: dasha |
david: dave davy davey dodi | deborah: deb debbie debby | debra: deb debbie debby | denise: neecy | diana: di |
dieter: didi | dimitrios: dimitris mitsos jimmy | dmitri: dima mitya | dolores: lola loli | dominic: dom nick |
dominik: dom nik | dominique: dom | donald: don donny donnie | dorothy: dot dottie dolly dora | douglas: doug |
eberhard: hardy ebi | edith: edie | edmund: ed eddie ned | eduardo: edu lalo | edward: ed eddie ned ted teddy eddy |
edwin: ed eddie win | efstathios: stathis | ekaterina: katya katia kate katyusha | eleanor: ellie nell nora nelly ella
| elena: lena lenochka | eleni: lena | elisabeth: lisa elli liesl lisi sissi lisbeth betty elisa liz babette |
elizabeth: liz lizzie beth betty eliza lisa libby lizzy betsy bess ellie liza bessie elsie elle | elizaveta: liza |
emilia: emi mila milly | emily: em emmy millie | emma: emmy em | emmanuel: manny manu | enrique: quique kike | ernest:
ernie | ernesto: neto | esteban: teban | esther: essie hettie | eugene: gene | eugenia: genie | evangelos: vangelis |
evgenia: zhenya | evgeny: zhenya | ezekiel: zeke | fabian: fabi | felicity: fliss flick | ferdinand: ferdi nando |
fernanda: fer nanda | fernando: nando fer ferdi | filippo: pippo | florence: flo florrie flossie | florian: flo flori
| frances: fran frannie | francesca: fra chicca | francesco: fra franco checco ciccio | francis: frank fran |
francisco: paco pancho fran kiko curro chico | franciszek: franek | francois: fanfan | franklin: frank frankie |
frederic: fred | frederick: fred freddy rick freddie | friederike: rike | friedrich: fritz fred friedl | fyodor: fedya
| gabriel: gabe gabi gab | gabriela: gabi gaby | gabriele: gabi lele | gabriella: gabi gabby | galina: galya |
genevieve: gen viv ginny | gennady: gena | geoffrey: geoff | george: georgie | georgios: giorgos yiorgos | gerald:
gerry jerry | gerard: gerry gerd | gerhard: gerd hardy | gertrude: trudy gertie trude | giacomo: jack | gilbert: gil
bert | giorgio: gio | giovanni: gianni gio nanni vanni | giuseppe: beppe peppe pino giuse | gonzalo: gonza |
gottfried: friedl | gregory: greg | grigory: grisha | grzegorz: grzesiek | guadalupe: lupe lupita | guillermo: memo
guille | gunther: gunni | gustav: gus gusti | gustavo: gus tavo | hannah: hanni | hannelore: hanne lore | harold:
harry hal | harriet: hattie | heinrich: heiner heinz henny | helen: nell nellie | helena: lena hela lenka | helga:
helgi | helmut: helmi | hendrik: henk rik | henriette: jette henni | henry: harry hank hal | herbert: herb bert herbie
| herman: manny | hermann: manni | howard: howie | hubert: hubi bert | hugh: hughie | ignacio: nacho | ignacy: ignas |
igor: gosha | ilya: ilyusha | immanuel: manny | ioannis: yiannis giannis | irina: ira irisha | isaac: ike zac |
isabel: isa izzy bella chabela | isabella: izzy bella isa bel | isabelle: izzy belle isa | isidoro: isi | ivan: vanya
vanja | jacek: jacus | jacob: jake coby kobi | jacobus: koos jaap | jacqueline: jackie jacqui | jakob: jaki kobi |
jakub: kuba | james: jim jimmy jamie jem jimbo | janet: jan | jeffrey: jeff | jennifer: jen jenny jenn | jeremiah:
jerry jem | jeremy: jem jez | jerome: jerry | jessica: jess jessie | jesus: chuy chucho | joachim: jochen achim |
joanna: jo asia joasia joey | joanne: jo | joao: joaozinho juca | joaquin: quino chimo | johann: hans hannes |
johannes: hans hannes johan jan | john: jack johnny jock | jonathan: jon jonny johnny nathan | jorge: coco | jose:
pepe chepe pepito ze | josef: sepp pepi josi pepa | josefa: pepa fefa | joseph: joe joey jos | josephine: jo josie
fifi | joshua: josh | juan: juanito juancho | judith: judy jude jutta | julia: jules julie juli | julian: jules |
juliana: ju juli | juliette: jules | jurgen: jorg | justyna: justa | karl: kalle charly | karolina: karo lina |
katarina: kata kati | katarzyna: kasia kaska | katharina: kathi kati kathy katja kat trine | katherine: kate katie
kathy kat kit kitty kay kath katy | kathleen: kathy kate kath | kathryn: kate kathy katie kat | kazimierz: kazik |
kenneth: ken kenny | kevin: kev | kimberly: kim kimmy | klaus: nik | konstantin: kostya kosta | konstantinos: kostas
dinos costas | krishnamurthy: krish | kristin: kris | kristina: kris tina | krzysztof: krzysiek krzys | lakshmi: laxmi
| laura: laurie lori | lauren: laurie | laurence: larry laurie | lawrence: larry lars | leonard: leo len lenny |
leonardo: leo nardo | leonid: lyonya | leopold: leo poldi | leticia: leti lety | lidia: lida | lillian: lily lil |
lorenzo: renzo lolo | loretta: etta | louis: lou louie | louise: lou lulu | lourdes: lulu | lubov: lyuba | lucas: luke
| lucia: lu luci | lucy: lu | ludmila: lyuda mila luda | ludwig: lutz wiggerl lui | luis: lucho luisito | luiz: lula |
lyubov: lyuba | lyudmila: lyuda mila | madeleine: maddie mado | madeline: maddie | magdalena: magda lena madzia leni |
malgorzata: gosia malgosia gocha | manuel: manolo manu manny lolo | manuela: manu | marcel: marci | marcelo: marce
celo | marcin: marcinek | margaret: maggie peggy meg marge greta rita maisie margie peg madge | margareta: greta
gretel margit | margarete: grete gretel | margarita: rita marga | maria: mia mariechen mari masha mary mimi marysia |
maria-jose: majo | mariana: mari | marie: mimi | mario: mariuccio | mariya: masha marusya | martha: marty mattie |
martin: marty tin | mary: molly polly mamie | mateusz: mati | matteo: teo | matthew: matt matty | matthias: matze
matti hias | maurice: mo | maurizio: mauri | maxim: max | maximilian: max maxi | megan: meg | melanie: mel melly |
melissa: mel missy lissa | mercedes: merche mercy | michael: mike mick mickey mikey micha mischa michi | michaela:
michi | michal: misiek michalek | michel: mimi | michele: lele | michelle: shelly chelle mish | miguel: migue micky |
mikhail: misha mishka | mildred: millie | minjun: min | miroslaw: mirek | mohammed: mo moe hamada medo | montserrat:
montse | nadezhda: nadya | nadia: nadya | nancy: nan | natalia: nata talia natasha nati | natalie: nat | natalya:
natasha nata | nathan: nate nat | nathaniel: nate nat | nicholas: nick nicky nico | nicola: nicky nico | nicolas: nico
nick | nicole: nicky nikki nico | nikolai: kolya nik | nikolaos: nikos | nikolaus: klaus niki niko | octavio: tavo |
oleksandr: sasha olexa sashko | olga: olya olenka | oliver: ollie olli oli | olivia: liv livvy | otto: otti | pamela:
pam | panagiotis: panos takis | parthasarathy: partha | pascal: pasci | patricia: pat patty trish tricia patti pati |
patrick: pat paddy rick | patrizia: patty | paul: paulie | paulina: pau | pavel: pasha | pawel: pawelek | pedro:
perico pepo | penelope: penny nell | peter: pete petey | petr: petya | petra: peti | philip: phil pip | philipp: phil
lipp | pieter: piet | pietro: piero | pilar: pili | piotr: piotrek | polina: polya | prudence: pru | rafael: rafa rafi
| rafal: rafalek | ramon: moncho | raymond: ray | rebecca: becky becca bex | reginald: reg reggie | reinhard: reini
hardy | ricardo: rick riqui cardo richi | richard: rick dick rich ricky richie | robert: bob bobby rob robbie bert
robby bobbie | roberto: beto berto tito rob | rodrigo: rodri | roger: rog | roland: roli rolly | ronald: ron ronnie |
rosa: rosi rosie | rosario: charo | rosemary: rose rosie | rudolf: rudi | rudolph: rudy | russell: russ | ruth: ruthie
| ryszard: rysiek | salvador: salva | salvatore: toto salvo turi | samantha: sam sammy | samuel: sam sammy | sandra:
sandy | santiago: santi yago | sarah: sally sadie | sebastian: seb bas sebas basti | sebastien: seb | serafina: fina |
sergei: seryozha seryoga | sergio: checo | shalom: shuli | shoshana: shosh | siegfried: sigi siggi | sigrid: siri |
silvia: silvi | simone: mona | sofia: sofi sonya fifi | solomon: sol solly | sophia: sophie soph | stanislav: stas
slava | stanislaw: staszek stas | stefan: steff | stefanie: steffi | stephanie: steph steffi stevie | stephen: steve
stevie | steven: steve stevie | subramaniam: subbu mani | susan: sue susie suzy | susanna: susi sanna | susanne: susi
sanne | suzanne: sue suzy | svetlana: sveta lana | sylvester: sly | sylvia: syl | tadeusz: tadek | tamara: tammy toma
| tatiana: tanya tania | tatyana: tanya | teodoro: teo doro | terence: terry | teresa: tere resi terri | theodor: theo
| theodore: ted teddy theo | theresa: terry tess resi tessa | therese: resi | thomas: tom tommy thom | timothy: tim
timmy | tobias: tobi toby | tomas: tom tomi | tomasz: tomek | ulrich: uli ulli | ulrike: uli ulli rike | ursula: uschi
ursel ulla | valentina: valya vale tina | valeria: vale lera | valerie: val | vanessa: nessa ness | vasily: vasya |
vassilis: vasso | venkataraman: venkat raman | venkatesh: venky venkat | vera: verochka | veronica: ronnie vero |
veronika: vroni nika | victor: vic | victoria: vicky tori vic vicki tory | viktor: vitya vik | viktoria: vika viki |
vincent: vince vinnie vinny | vincenzo: enzo vince | virginia: ginny ginger | vitaly: vitalik | vladimir: vova volodya
vlad | vladislav: vlad vladik slava | volodymyr: volodya vova | vyacheslav: slava | waldemar: waldi | walter: walt
wally wal | wilhelm: willi willy helmi | wilhelmina: mina minnie | william: bill will billy willy liam billie |
winifred: winnie | wladyslaw: wladek | wojciech: wojtek | wolfgang: wolf wolfi | yakov: yasha | yekaterina: katya |
yelena: lena | yevgeny: zhenya | yitzhak: itzik | yosef: yossi | yuri: yura | zachary: zach zack | zbigniew: zbyszek |
zinaida: zina | zofia: zosia
"""

# Each group is one name, written in several ways.
_SPELLINGS = """
mohammed muhammad mohamed mohammad muhammed mohamad muhamad | ahmed ahmad ahmet | hussein hussain husain husayn
hossein husein hussien | khalid khaled | yusuf youssef yousef yusef youssouf yousuf yosuf | ibrahim ebrahim | omar
umar | othman osman uthman | said saeed saeid | abdullah abdallah | aisha ayesha aysha aicha | fatima fatimah fatma |
zeinab zainab zaynab | hassan hasan | mustafa mostafa moustafa | chaim haim hayim | yitzhak itzhak yitzchak |
alexander aleksandr alexandr aleksander | alexandra aleksandra | alexei aleksei alexey aleksey | sergei sergey serguei
| dmitri dmitry dimitri dmitriy dmitrii | andrei andrey andrej | nikolai nikolay nicolai | yuri yury yuriy | yevgeny
evgeny evgeni yevgeni evgenii yevgeniy evgeniy | ekaterina yekaterina | elena yelena jelena | natalia natalya nataliya
nataliia natalja | tatiana tatyana | yulia julia iulia yuliya yuliia | maria mariya mariia marija | mikhail mikhael
michail mihail | pyotr petr piotr | fyodor fedor feodor | vasily vasili vassily vasiliy | anastasia anastasiya
anastasiia | catherine katherine kathryn katharine cathryn catharine | katharina katarina | christina kristina
cristina | christine kristine | christian kristian cristian | christopher kristopher cristopher | geoffrey jeffrey
jeffery | geoff jeff | steven stephen | sean shaun shawn | niamh neve | caitlin kaitlin kaitlyn caitlyn katelyn |
megan meghan meagan | rachel rachael | rebecca rebekah | deborah debra | leah lea | hannah hanna | jonathan johnathan
jonathon | matthew mathew | michael micheal | nicholas nicolas nikolas | zachary zachery zackary | isaac izak isaak |
terence terrence terrance | allison alison alyson | lindsay lindsey | ashley ashleigh | tracy tracey | madeleine
madeline madelyn | eleanor elinor eleanore | isabel isabelle isobel | theresa teresa | thibault thibaut thibaud |
gunther gunter guenther guenter | lakshmi laxmi | shiva siva | mukherjee mukherji | chatterjee chatterji | banerjee
banerji | jamal gamal | tariq tarek tarik | faisal faysal feisal | giorgos yiorgos | giannis yiannis yannis | zoe zoey
| phoebe pheobe | vladimir wladimir | oleksandr olexandr | mykola mikola
"""

# Each pair sounds alike and is two names.
_APART = """
mary marie | joan john | jean jane | jean john | jean gene | erin aaron | francis frances | dawn don | karen karin |
kristen kirsten | kristin kirstin | brandon brendan | gail gayle | mai may | mei may | lou lu | lee li | lea lee | leo
lee | jan jane | jan jean | ann ana | ane ani | hana ana | ali alie | rene renee | andre andree | noel noelle | michel
michelle | daniel danielle | gabriel gabrielle | pascal pascale | dominic dominique | emanuel emanuelle | rafael
rafaelle | marcel marcelle | joel joelle | wan van | wei vei | ella ela | jody jodie | mari marie | mari mary | sue su
| rui roui | thu tu | than tan | thanh tan | thi ti | kha ka | anh an | minh min
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


def apart(one: str, other: str) -> bool:
    """Whether two folded words are known to be two names although they sound alike: Marie and Mary."""
    return frozenset((one, other)) in _pairs_apart()
