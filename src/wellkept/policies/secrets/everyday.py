"""Everyday English words that can be no part of anything that tells of a secret, whatever stands beside them."""

from typing import Final

EVERYDAY_WORDS: Final = """
a able about above absent across act action actor add added address admit advice afraid after again age agent ago
agree agreed ahead aim air airport aisle album alcohol all allow allowed almost along already also although always am
amazing among amount an analyst anchor and animal ankle another anxiety any anybody anything anyway anywhere apart
apartment appear apple apply approve are area arm around arrive arrived art as ask asked asking asks asleep asthma at
ate attend audit aunt auto autumn average avoid awake away awful axis baby bad bag bake baked balcony ball banana band
bar base basket bath be beach bean beat beautiful became become bed bedroom beef been beer before began begin begins
behind being believe bell belong below bench beside best better between beyond big bigger bike bill bird birth
birthday bit black blind blood blue board boat body boil book booked books border bored boring born borrow boss both
bottle bottom bought bowl box boy boys brain bread break breakfast bridge brief bright bring brings broke broken
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
renew rent repair repeat replace reply report request rest result retire return returned review rice rich ride right
ring rise rival river road robot roof room rose rotate round row rule run running runs sad said sail salad sale salt
same sample sat saturday save saw say saying says scale scan scared school science scrap screen script scrub sea
search season seat second section see seeing seem seems seen segment select sell send sense sent sentence serious
serve service set settle setup several shadow shall shape share shared sharp she shed sheet shell shift ship shirt
shoe shoes shop short should shoulder show showed shower shows shut shy sick side sight silent silver similar simple
simply since sing single sister sisters sit size ski skill skin sky sleep slept slot slow slowly small smart smell
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
