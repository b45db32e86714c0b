"""Words near enough to search for and too far to answer by: wider groups, members of kinds, how facts are told."""

from __future__ import annotations

NEAR = """
break: break fracture
subscribe: subscribe subscription
migrate: migrate emigrate immigrate
bake: bake cake
fish: fish fishing angler
pray: pray church mosque temple synagogue religion faith worship
politics: politics vote party election
allowance: allowance budget
clean: clean cleaner housekeeper tidy
tutor: tutor teacher instructor
coach: coach trainer
mentor: mentor adviser advisor
gift: gift present
military: army navy soldier military
lottery: lottery
move: move relocate
hire: hire recruit
promote: promote promotion
fire: fire dismiss layoff
interview: interview
exam: exam test examination
grade: grade mark score
scholarship: scholarship grant
visa: visa permit
passport: passport
licence: licence license
hospital: hospital clinic
surgery: surgery operation operate
vaccine: vaccine vaccination jab shot
glass: glasses spectacles eyeglasses eyewear
hearing: hearing deaf
vision: vision nearsighted eyesight sight
skin: skin
hair: hair
perfume: perfume scent smell
jewelry: jewelry ring necklace watch
clothes: clothes clothing outfit dress wear
bag: bag backpack suitcase
umbrella: umbrella
kitchen: kitchen
bathroom: bathroom
furniture: furniture sofa table chair
appliance: fridge oven dishwasher
tool: tool drill hammer
camera: camera photography photographer
paint: paint painting painter
write: write writing
sing: sing choir singing song melody tune ringtone
dance: dance ballet salsa tango dancing
act: act theater theatre acting
craft: craft knit knitting pottery woodworking sewing crochet ceramics
watch: watch television telly
streaming: streaming netflix
program: program code coding software develop
website: website site domain
internet: internet wifi network router
server: server host hosting
meal: meal breakfast lunch dinner supper
midday: lunch noon midday
spice: spice spicy
sauce: sauce
bread: bread bakery baker
bar: bar pub brewery pint
hotel: hotel lodging accommodation
airline: airline fly carrier
beach: beach sea ocean marine aquatic
mountain: mountain hike hiking climb
lake: lake
forest: forest wood
star: star telescope stargazing astronomy
weather: weather climate
money: money cash fund finance
loan: loan mortgage credit debt
stock: stock share invest investment
save: save saving savings
partner: partner spouse wife husband married
friend: friend pal mate buddy companion
sibling: sibling brother sister
parent: parent mother father
relative: relative family cousin aunt uncle niece nephew
colleague: colleague coworker workmate
guest: guest visitor
watering: water plants flowers
care: care look feed babysit
gather: gather collect
student: student pupil
early: first earliest
"""

NEAR_KINDS = """
job: engineer nurse teacher doctor lawyer architect accountant chef designer developer programmer scientist biologist
 manager consultant analyst journalist pilot carpenter electrician plumber farmer researcher therapist pharmacist
 librarian mechanic photographer waiter barista
room: kitchen bathroom bedroom livingroom attic basement cellar garage office balcony hallway loft
relative: cousin aunt uncle niece nephew grandmother grandfather brother sister
cuisine: italian thai indian mexican ethiopian lebanese japanese chinese korean greek french turkish vietnamese spanish
headache: migraine migraines
joint: knee hip elbow shoulder wrist ankle arthritis
bone: wrist arm leg collarbone ankle rib hip
disease: diabetes cancer asthma arthritis epilepsy
toy: lego doll excavator dinosaur puzzle train
machine: excavator tractor crane digger
vaccination: flu covid tetanus
garment: dress shirt jacket coat sweater shoe
furniture: sofa table desk chair bed
hobby: birdwatching chess gardening knitting photography painting hiking climbing reading stargazing pottery
religion: christian muslim jewish hindu buddhist catholic
drink: tea coffee beer wine juice water whisky matcha rooibos
flower: rose tulip peony lily daisy orchid
tree: oak baobab pine birch maple
bird: parrot budgie canary owl robin
charity: shelter unicef oxfam greenpeace
"""

STATED_AS = """
employer: work
employ: work
firm: work
company: work
job: work
profession: work job
occupation: work job
career: work
spouse: wife husband
married: wife husband
marry: wife husband
novel: read
book: read
childhood: grow raise
hometown: bear grow raise
home: live
city: live move
town: live move
alarm: wake get up
diet: eat vegetarian vegan
vehicle: drive car
automobile: drive car
beverage: drink
salary: earn
pay: earn
income: earn
pet: dog cat
instrument: play
language: speak
tongue: speak language
dish: food like love
cuisine: food
hobby: enjoy like collect
afraid: scared fear
doctorate: phd
degree: study graduate university
institution: university bank
allergy: allergic
supervise: boss manager
lawn: garden
manager: boss
boss: manager
supervisor: boss manager
physician: doctor
sport: play
clock: time
"""
