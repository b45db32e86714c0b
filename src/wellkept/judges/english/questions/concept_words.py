"""The word lists of the concepts, a concept a line: near-synonyms, members of kinds, and what verbs tell of."""

from __future__ import annotations

SYNONYMS = """
like: like love enjoy adore fond fan fancy keen appreciate passionate admire
dislike: dislike hate detest loathe despise irritate annoy stand bother
favorite: favorite favourite preferred go-to
prefer: prefer rather preference
live: live reside residence home based dwell relocate
city: city town place
childhood: raise raised upbringing childhood youth
origin: origin hail hometown roots
job: job profession occupation career employment trade
employer: employer employ firm company institute
work: work employ
boss: boss supervise supervisor manager report
study: study major degree university college course
learn: learn study practise practice lesson
rehearse: rehearse rehearsal practise practice
care: mind feed care sit watch water
save: save saving savings
school: school class grade
attend: attend
hurt: hurt injure injury
name: name
birthday: birthday birth born birthplace
age: age old
marry: marry married wedding marriage spouse wed
anniversary: anniversary
divorce: divorce divorced separate
child: child children kid son daughter twins triplets
baby: baby expecting pregnant due
pet: pet animal
car: car vehicle automobile drive
bike: bike bicycle cycle pedal cyclist
motorcycle: motorcycle motorbike scooter
phone: phone smartphone handset mobile cellphone
computer: computer laptop notebook pc machine
editor: editor ide
unit: unit measurement
language: language tongue
native: native mother-tongue first
eat: eat food diet dish meal cuisine menu cook
allergy: allergic allergy
intolerant: intolerant intolerance
avoid: avoid skip shun
diet: diet vegan vegetarian pescatarian halal kosher
drink: drink beverage sip
coffee: coffee
tea: tea
breakfast: breakfast
lunch: lunch midday
dinner: dinner supper
dessert: dessert sweet pudding
snack: snack nibble
restaurant: restaurant eatery diner
fear: fear afraid scare scared frighten frightened terrify terrified phobia
illness: illness disease condition suffer diagnosis ailment sick ill trouble symptom disorder
medicine: medicine medication med meds pill tablet drug supplement
doctor: doctor physician gp medic
dentist: dentist teeth tooth dental
therapist: therapist therapy counsellor counselor psychologist
barber: barber hairdresser hair haircut stylist
plumber: plumber pipe
electrician: electrician wiring
nanny: nanny babysitter childminder babysit sitter childcare
accountant: accountant bookkeeping bookkeeper tax taxes
lawyer: lawyer solicitor attorney legal
landlord: landlord landlady
rent: rent
mortgage: mortgage
earn: earn salary income wage pay
cost: cost price budget
bank: bank savings
insurance: insurance insure insured
energy: energy electricity power
pension: pension retirement
donate: donate charity give
volunteer: volunteer
exercise: exercise gym workout fitness lift
train: train training prepare
sport: sport
hobby: hobby pastime pursuit
collect: collect collection
play: play
instrument: instrument
music: music
band: band musician rockers
singer: singer vocalist artist musician performer
film: film movie
series: series show
book: book novel
read: read
author: author writer novelist
podcast: podcast
listen: listen
color: color colour
season: season
sleep: sleep bed bedtime asleep
wake: wake rise alarm waking
smoke: smoke smoking cigarette
quit: quit stop cease abandon
start: start begin
travel: travel trip visit journey away abroad
flight: flight fly plane
seat: seat
honeymoon: honeymoon newlywed
goal: goal aim ambition resolution objective
want: want wish dream
need: need must require
deadline: deadline due
meeting: meeting meet standup sync
appointment: appointment
party: party celebration
budget: budget
database: database
chat: chat messaging messenger
use: use utilise utilize
shop: shop shopping grocery buy store
buy: buy purchase
sell: sell
own: own possess belong
lend: lend borrow
owe: owe debt
leave: leave forget
keep: keep store put
key: key
garden: garden allotment plot
cultivate: grow cultivate plant harvest
apartment: apartment flat
house: house
floor: floor storey
renovate: renovate redo refurbish refurbishing renovation remodel repaint
tattoo: tattoo ink
scar: scar
hand: handed
height: tall height
weigh: weigh weight heavy
size: size
shoe: shoe
blood: blood
nickname: nickname
pronoun: pronoun
timezone: timezone time-zone
support: support root
team: team club side
neighbor: neighbor neighbour
retire: retire retired retirement
die: die death dead decease deceased
wedding: wedding
doctorate: doctorate phd
thesis: thesis dissertation
break: break fracture
exam: exam test examination
vaccine: vaccine vaccination jab shot
licence: licence license
surgery: surgery operation operate
glasses_: glasses spectacles eyeglasses
subscribe: subscribe subscription
gift: gift present
star_sign: zodiac star
number: number
photo: photo picture
glasses: glasses lens lenses contact
address: address
email: email
"""

KINDS = """
edible: peanut walnut almond cashew hazelnut pistachio pecan pork beef lamb chicken veal ham bacon turkey duck goat milk
 cheese butter cream yogurt yoghurt salmon tuna cod herring trout sardine mackerel fish seafood shrimp prawn crab squid
 octopus oyster apple banana mango fig orange pear grape kiwi strawberry cherry peach plum melon pineapple lemon lime
 papaya tomato potato carrot onion pepper chilli cucumber spinach cabbage lettuce broccoli zucchini bean pea cilantro
 coriander basil parsley mint dill olive mushroom garlic ginger aubergine eggplant celery beetroot asparagus sprout leek
 egg rice pasta bread tofu lentil chickpea anchovy liver kidney meat nut raisin coconut durian avocado mayonnaise
 mustard licorice liquorice chocolate marzipan cinnamon cumin okra kale radish gluten
instrument: cello violin viola guitar piano bass drum drums flute saxophone trumpet harp bouzouki oud sitar banjo
 ukulele accordion clarinet oboe trombone organ keyboard tabla koto erhu harmonica mandolin lute djembe
sport: football soccer rugby tennis basketball volleyball handball cricket hockey swimming running cycling climbing
 bouldering skiing snowboarding sailing surfing rowing boxing karate judo yoga golf badminton baseball fencing squash
 athletics gymnastics marathon triathlon padel taekwondo wrestling
game: chess go poker wingspan catan scrabble bridge backgammon monopoly mahjong azul
color: red blue green yellow orange purple violet pink brown black white grey gray teal maroon turquoise beige navy
 magenta cyan indigo crimson gold silver burgundy lilac olive
season: spring summer autumn fall winter
weekday: monday tuesday wednesday thursday friday saturday sunday
month: january february march april may june july august september october november december
language: english german french spanish portuguese italian greek swedish norwegian danish finnish dutch polish czech
 russian ukrainian turkish arabic hebrew persian farsi pashto urdu hindi bengali tamil telugu chinese mandarin
 cantonese japanese korean vietnamese thai indonesian malay swahili yoruba igbo hausa amharic zulu welsh irish gaelic
 python rust java javascript typescript kotlin swift ruby golang haskell scala elixir
 catalan basque hungarian romanian bulgarian serbian croatian latin esperanto quechua tagalog punjabi gujarati
nut: peanut walnut almond cashew hazelnut pistachio pecan
meat: pork beef lamb chicken veal ham bacon turkey duck goat
dairy: milk cheese butter cream yogurt yoghurt lactose
fish: salmon tuna cod herring trout sardine mackerel
fruit: apple banana mango fig orange pear grape kiwi strawberry cherry peach plum melon pineapple lemon lime papaya
vegetable: tomato potato carrot onion pepper chilli cucumber spinach cabbage lettuce broccoli zucchini bean pea
herb: cilantro coriander basil parsley mint thyme rosemary dill sage oregano
beverage: tea coffee water juice beer wine matcha rooibos cocoa whisky whiskey milk soda espresso cortado latte
 cappuccino lemonade mate chai kombucha
insect: bee wasp ant mosquito spider
reptile: snake lizard turtle tortoise crocodile gecko
medication: penicillin ibuprofen aspirin antibiotic antibiotics insulin paracetamol amoxicillin statin lithium thyroxine
 blocker inhaler contraceptive painkiller painkillers antidepressant antidepressants antihistamine antihistamines mg mcg
supplement: magnesium vitamin iron zinc omega creatine calcium
illness: diabetic diabetes asthma asthmatic arthritis migraine migraines cancer flu fever hay allergy anxiety
 depression epilepsy celiac hypertension eczema insomnia anemia
diet: vegan vegetarian pescatarian halal kosher keto omnivore flexitarian
pet: dog cat parrot hamster rabbit horse goldfish fish turtle tortoise snake bird ferret pony budgie puppy kitten
dinosaur: dinosaur
family: mother father brother sister son daughter aunt uncle cousin niece nephew grandmother grandfather wife husband
doctor: pediatrician cardiologist surgeon dermatologist physician neurologist gynecologist psychiatrist
vehicle: car truck van motorcycle bike scooter boat bus volvo tesla toyota bmw audi ford honda skoda fiat saab renault
 peugeot volkswagen mercedes mazda kia hyundai nissan subaru
software: revit autocad python excel photoshop slack teams mattermost jira figma
database: postgres postgresql mysql sqlite mongodb redis oracle mariadb
room: kitchen bathroom bedroom livingroom attic basement cellar garage office balcony hallway loft
cuisine: italian thai indian mexican ethiopian lebanese japanese chinese korean greek french turkish vietnamese spanish
flower: rose tulip peony lily daisy orchid
tree: oak baobab pine birch maple
money: euro dollar pound quid buck kronor yen rupee franc cent
continent: africa asia europe america australia
school: elementary kindergarten daycare nursery preschool academy college university school
"""

VERB_OBJECTS = """
born: age
coeliac: avoid
celiac: avoid
vegan: avoid
vegetarian: avoid
pescatarian: avoid
halal: avoid
kosher: avoid
diabetic: avoid
save: goal
fly: travel
flight: travel
drive: car vehicle
ride: bike motorcycle horse vehicle
speak: language
read: book novel
watch: series show film movie program
listen: podcast music
live: city town home place country
reside: city town home place
move: live city home
bear: birth birthplace birthday age
study: subject degree major
teach: subject
drink: beverage
eat: food
allergic: avoid
intolerant: avoid
wear: clothes size
earn: salary money
weigh: weight
collect: collection hobby
attend: school
graduate: degree university
enjoy: hobby
train: sport
marry: wedding spouse
support: team club
relocate: live city
cook: dish food
grow: plant
own: possession
bank: savings
"""
