"""Which given names are short for which, which are two spellings of one, and which only sound alike."""

from __future__ import annotations

from functools import cache

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


def apart(one: str, other: str) -> bool:
    """Whether two folded words are known to be two names although they sound alike: Marie and Mary."""
    return frozenset((one, other)) in _pairs_apart()
