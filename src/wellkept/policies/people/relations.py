"""What people are to each other: the words for it in several languages, and what follows from one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

from wellkept.patterns import deferred
from wellkept.values import frozen

Gender = Literal["female", "male"]
Circle = Literal["family", "love", "past", "work", "social", "service"]
Holders = Literal["one", "some"]
"""`one`: whoever is named later takes the place (wife, boss). `some`: several hold it beside each other (brother)."""

FORMER = "former "
"""Before a relation that somebody else holds now: "former wife"."""
MET = "from "
"""Begins where somebody is known from, which tells them from others of their name: "Aiko from the gym"."""
_CLOSE = {"family", "love", "past"}


@frozen
class Relation:
    """One canonical relation."""

    name: str
    circle: Circle
    gender: Gender | None = None
    holders: Holders = "some"
    covers: frozenset[str] = frozenset()
    """Narrower relations that this word may stand for: parent covers mother and father."""
    inverse: str | None = None
    """What the other one is in return, where that is certain."""


# name | circle | gender | holders | covers | inverse | words (en; de; es; fr; it; pt). A line set in goes on.
_TABLE = """
wife | love | f | one | | spouse | wife wifey missus; frau ehefrau gattin; esposa mujer; femme épouse; moglie; esposa
    mulher
husband | love | m | one | | spouse | husband hubby; mann ehemann gatte; esposo marido; mari époux; marito; marido
    esposo
spouse | love | | one | wife, husband | spouse | spouse better-half; ehepartner ehepartnerin; cónyuge; conjoint
    conjointe; coniuge; cônjuge
fiancé | love | | one | | fiancé | fiancé fiancée betrothed; verlobter verlobte; prometido prometida; ; fidanzato
    fidanzata promesso; noivo noiva
girlfriend | love | f | one | | partner | girlfriend gf; freundin; novia; copine petite-amie; ragazza; namorada
boyfriend | love | m | one | | partner | boyfriend bf; ; novio; copain petit-ami; ragazzo; namorado
partner | love | | one | wife, husband, spouse, fiancé, girlfriend, boyfriend | partner | partner significant-other
    so; lebensgefährte lebensgefährtin partnerin; pareja; compagnon compagne; compagno compagna; companheiro
    companheira parceiro parceira
ex | past | | one | ex-wife, ex-husband, ex-girlfriend, ex-boyfriend | ex | ex ex-partner ex-spouse
ex-wife | past | f | one | | ex | ex-wife former-wife; exfrau ex-frau; exesposa exmujer ex-esposa; ex-femme;
    ex-moglie; ex-mulher ex-esposa
ex-husband | past | m | one | | ex | ex-husband former-husband; exmann ex-mann; exmarido exesposo ex-marido; ex-mari;
    ex-marito; ex-marido
ex-girlfriend | past | f | one | | ex | ex-girlfriend; exfreundin ex-freundin; exnovia; ex-copine; ex-ragazza;
    ex-namorada
ex-boyfriend | past | m | one | | ex | ex-boyfriend; exfreund ex-freund; exnovio; ex-copain; ex-ragazzo; ex-namorado
mother | family | f | some | | child | mother mom mum mommy mummy momma ma mama mam; mutter mutti mama; madre mamá;
    mère maman; madre mamma; mãe mamãe
father | family | m | some | | child | father dad daddy pa papa pop; vater vati papa papi; padre papá; père papa;
    padre papà babbo; pai papai
parent | family | | some | mother, father | child | parent; elternteil; ; ; genitore
son | family | m | some | | parent | son; sohn; hijo; fils; figlio; filho
daughter | family | f | some | | parent | daughter; tochter; hija; fille; figlia; filha
child | family | | some | son, daughter | parent | child kid baby toddler; kind; ; enfant
brother | family | m | some | | sibling | brother bro; bruder; hermano; frère frérot; fratello; irmão
sister | family | f | some | | sibling | sister sis; schwester; hermana; sœur soeur; sorella; irmã
sibling | family | | some | brother, sister | sibling | sibling twin; zwilling; mellizo melliza gemelo gemela; jumeau
    jumelle; gemello gemella; gêmeo gêmea
grandmother | family | f | some | | grandchild | grandmother grandma granny nana nan gran grandmom; großmutter oma
    omi; abuela abuelita; grand-mère mamie mémé; nonna; avó vovó
grandfather | family | m | some | | grandchild | grandfather grandpa granddad gramps grandad; großvater opa opi;
    abuelo abuelito; grand-père papi pépé papy; nonno; avô vovô
grandparent | family | | some | grandmother, grandfather | grandchild | grandparent
grandson | family | m | some | | grandparent | grandson; enkel; nieto; petit-fils; ; neto
granddaughter | family | f | some | | grandparent | granddaughter; enkelin; nieta; petite-fille; ; neta
grandchild | family | | some | grandson, granddaughter | grandparent | grandchild grandkid; enkelkind; ; ; nipotino
    nipotina
aunt | family | f | some | | | aunt auntie aunty; tante; tía; tante tata; zia; tia
uncle | family | m | some | | | uncle; onkel; tío; oncle tonton; zio; tio
cousin | family | | some | | cousin | cousin; cousine kusine vetter; primo prima; cousine; cugino cugina; primo prima
niece | family | f | some | | | niece; nichte; sobrina; nièce; ; sobrinha
nephew | family | m | some | | | nephew; neffe; sobrino; neveu; ; sobrinho
mother-in-law | family | f | some | | | mother-in-law; schwiegermutter; suegra; belle-mère; suocera; sogra
father-in-law | family | m | some | | | father-in-law; schwiegervater; suegro; beau-père; suocero; sogro
sister-in-law | family | f | some | | | sister-in-law; schwägerin; cuñada; belle-sœur belle-soeur; cognata; cunhada
brother-in-law | family | m | some | | | brother-in-law; schwager; cuñado; beau-frère; cognato; cunhado
son-in-law | family | m | some | | | son-in-law; schwiegersohn; yerno; gendre beau-fils; genero; genro
daughter-in-law | family | f | some | | | daughter-in-law; schwiegertochter; nuera; belle-fille; nuora; nora
in-law | family | | some | mother-in-law, father-in-law, sister-in-law, brother-in-law, son-in-law, daughter-in-law |
    | in-law
stepmother | family | f | some | | | stepmother stepmom stepmum; stiefmutter; madrastra; ; matrigna; madrasta
stepfather | family | m | some | | | stepfather stepdad; stiefvater; padrastro; ; patrigno; padrasto
godchild | family | | some | | | godchild godson goddaughter; patenkind; ahijado ahijada; filleul filleule;
    figlioccio figlioccia; afilhado afilhada
stepson | family | m | some | | | stepson; stiefsohn; hijastro; ; figliastro; enteado
stepdaughter | family | f | some | | | stepdaughter; stieftochter; hijastra; ; figliastra; enteada
stepbrother | family | m | some | | | stepbrother half-brother; stiefbruder halbbruder; hermanastro; demi-frère;
    fratellastro; meio-irmão
stepsister | family | f | some | | | stepsister half-sister; stiefschwester halbschwester; hermanastra; demi-sœur;
    sorellastra; meia-irmã
godmother | family | f | some | | | godmother; patentante; madrina; marraine; madrina; madrinha
godfather | family | m | some | | | godfather; patenonkel; padrino; parrain; padrino; padrinho
boss | work | | one | manager | employee | boss; chef chefin; jefe jefa; patron patronne cheffe chef; capo capa; chefe
    patrão
manager | work | | one | | employee | manager supervisor line-manager team-lead team-leader lead; vorgesetzter
    vorgesetzte; supervisor supervisora gerente; responsable; responsabile; gerente supervisor
employee | work | | some | | boss | employee report direct-report intern; mitarbeiter mitarbeiterin; empleado
    empleada; employé employée; dipendente; funcionário funcionária
coworker | work | | some | | coworker | coworker co-worker colleague workmate labmate officemate teammate team-mate;
    kollege kollegin; colega compañero-de-trabajo compañera-de-trabajo; collègue; collega; colega
business partner | work | | some | cofounder | business partner | business-partner associate; geschäftspartner
    geschäftspartnerin; socio socia; associé associée; socio-in-affari socia; sócio sócia
cofounder | work | | some | | cofounder | cofounder co-founder; mitgründer mitgründerin; cofundador cofundadora;
    cofondateur cofondatrice; cofondatore cofondatrice; cofundador cofundadora
assistant | work | | some | | | assistant secretary; assistentin sekretärin; asistente secretaria; assistante
    secrétaire; assistente; assistente
client | work | | some | | | client customer; kunde kundin; cliente; cliente; cliente; cliente
mentor | work | | some | | | mentor advisor adviser; mentorin; mentora; ; mentore; mentora
friend | social | | some | best friend | friend | friend buddy pal mate homie; freund kumpel; amigo amiga; ami amie
    pote; amico amica; amigo amiga
best friend | social | | one | | | best-friend bestie bff best-mate; bester-freund beste-freundin; mejor-amigo
    mejor-amiga; meilleur-ami meilleure-amie; migliore-amico migliore-amica; melhor-amigo melhor-amiga
roommate | social | | some | | roommate | roommate flatmate housemate roomie; mitbewohner mitbewohnerin;
    compañero-de-piso compañera-de-piso; colocataire coloc; coinquilino coinquilina; colega-de-quarto
neighbor | social | | some | | neighbor | neighbor neighbour; nachbar nachbarin; vecino vecina; voisin voisine; vicino
    vicina; vizinho vizinha
classmate | social | | some | | classmate | classmate; klassenkamerad mitschüler mitschülerin; compañero-de-clase;
    camarade; compagno-di-classe; colega-de-turma
teacher | service | | some | | student | teacher tutor professor instructor; lehrer lehrerin; profesor profesora
    maestro maestra; prof professeur enseignant; insegnante; professor professora
student | service | | some | | teacher | student pupil; schüler schülerin; alumno alumna; élève; allievo allieva;
    aluno aluna
coach | service | | some | | | coach trainer; trainerin; entrenador entrenadora; entraîneur; allenatore allenatrice;
    treinador treinadora
doctor | service | | one | | | doctor physician gp; arzt ärztin hausarzt hausärztin; médico médica; médecin docteur;
    medico dottore dottoressa; médico médica
therapist | service | | one | | | therapist psychologist psychiatrist shrink counselor counsellor; therapeut
    therapeutin; terapeuta psicólogo psicóloga; thérapeute psy; terapeuta psicologo psicologa; terapeuta psicólogo
    psicóloga
dentist | service | | one | | | dentist; zahnarzt zahnärztin; dentista; dentiste; dentista; dentista
lawyer | service | | some | | | lawyer attorney solicitor; anwalt anwältin rechtsanwalt rechtsanwältin; abogado
    abogada; avocat avocate; avvocato avvocata; advogado advogada
accountant | service | | some | | | accountant bookkeeper; steuerberater steuerberaterin; contador contadora contable;
    comptable; commercialista; contador contadora
landlord | service | | one | | tenant | landlord landlady; vermieter vermieterin; casero casera; propriétaire; ;
    senhorio senhoria
tenant | service | | some | | landlord | tenant; mieter mieterin; inquilino inquilina; locataire; inquilino inquilina;
    inquilino inquilina
vet | service | | some | | | vet veterinarian; tierarzt tierärztin; veterinario veterinaria; vétérinaire; ;
    veterinário veterinária
nanny | service | | some | | | nanny babysitter; kindermädchen; niñera; nounou; ; babá
"""
_GENDERED: dict[str, Gender] = {"f": "female", "m": "male"}
_CIRCLES: dict[str, Circle] = {
    "family": "family", "love": "love", "past": "past", "work": "work", "social": "social", "service": "service"
}  # fmt: skip
_ADDRESSED = """
mom mum mommy mummy dad daddy mama mamá mamma maman mamãe mutti papa papá papà papai vati oma opa omi grandma grandpa
granny nana abuela abuelo nonna nonno vovó vovô mamie papi babbo auntie
"""
"""Words by which family is called as by a name: "Mom called" means the speaker's mother."""
# Words that mean several at once, by what each of them is.
_SEVERAL = """
parent: parents folks eltern padres genitori pais | child: kids children kinder hijos enfants figli filhos | son: sons
söhne | daughter: daughters töchter hijas filles figlie filhas | brother: brothers brüder frères fratelli | sister:
sisters schwestern hermanas sœurs soeurs sorelle irmãs | sibling: siblings twins geschwister hermanos irmãos |
grandparent: grandparents großeltern abuelos grands-parents nonni avós | grandchild: grandkids grandchildren
enkelkinder nietos petits-enfants nipotini netos | aunt: aunts tanten tías tantes zie tias | uncle: uncles onkels tíos
oncles zii tios | cousin: cousins primos cousines cugini primas cugine | niece: nieces nichten sobrinas nièces |
nephew: nephews neffen sobrinos neveux | in-law: in-laws inlaws schwiegereltern suegros | friend: friends buddies
mates pals freunde freundinnen amigos amigas amis amies amici amiche | coworker: coworkers co-workers colleagues
teammates kollegen kolleginnen colegas collègues colleghi | roommate: roommates flatmates housemates mitbewohner
colocataires coinquilini | neighbor: neighbors neighbours nachbarn vecinos voisins vicini vizinhos | classmate:
classmates mitschüler | boss: bosses chefs jefes capi chefes | manager: managers | employee: employees reports |
client: clients customers clientes | business partner: business-partners associates socios soci | cofounder:
cofounders co-founders | teacher: teachers lehrer profesores professeurs | student: students schüler alumnos | doctor:
doctors ärzte | lawyer: lawyers anwälte | ex: exes
"""
_QUALIFIERS = deferred(
    r"^(?:(?:older|elder|eldest|oldest|younger|youngest|little|big|baby|kid|late|dear|dearest|beloved|lovely|new|old"
    r"|current|twin|only|good|close|favou?rite|second|first|ältere[rs]?|jüngere[rs]?|kleine[rs]?|große[rs]?|liebe[rs]?"
    r"|hermosa|querid[ao]|grand|grande|petite?|cher|chère|car[ao]|vecchi[ao]|velh[ao])\s+)+",
    re.IGNORECASE,
)


def _key(word: str) -> str:
    folded = unicodedata.normalize("NFKC", word).casefold().strip(" .,;:!?'’\"")
    return re.sub(r"[\s\-‐‑–_]+", "-", folded)


def _plain(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _rows() -> tuple[tuple[str, ...], ...]:
    lines = _TABLE.strip().replace("\n    ", " ").splitlines()
    return tuple(tuple(cell.strip() for cell in line.split("|")) for line in lines)


@cache
def _relations() -> dict[str, Relation]:
    found = {}
    for name, circle, gender, holders, covers, inverse, _ in _rows():
        found[name] = Relation(
            name=name,
            circle=_CIRCLES[circle],
            gender=_GENDERED.get(gender),
            holders="one" if holders == "one" else "some",
            covers=frozenset(covers.split(", ")) if covers else frozenset(),
            inverse=inverse or None,
        )
    return found


@cache
def _singular() -> dict[str, str]:
    """Every word, and its form without marks where no other word has that form, to its relation."""
    found: dict[str, str] = {}
    for name, *_, words in _rows():
        found[_key(name)] = name
        for word in words.replace(";", " ").split():
            found.setdefault(_key(word), name)
    for word, name in tuple(found.items()):
        found.setdefault(_plain(word), name)
    return found


@cache
def _words() -> dict[str, str]:
    return {**_several(), **_singular()}


def canonical(word: str) -> str | None:
    """The relation a word names, in any of the languages; None when it names none.

    >>> canonical("mum"), canonical("Schwester"), canonical("my older brother"), canonical("mother in law")
    ('mother', 'sister', 'brother', 'mother-in-law')
    """
    text = re.sub(r"^(?:my|the)\s+", "", word.strip(), flags=re.IGNORECASE)
    found = _words().get(_key(text))
    if found is not None:
        return found
    bare = _QUALIFIERS.sub("", text)
    return _words().get(_key(bare)) if bare != text else None


def relation(name: str) -> Relation | None:
    """What is known about a canonical relation."""
    return _relations().get(name)


def is_address(word: str) -> bool:
    """Whether the bare word calls a relative: "Mom", "Oma"."""
    return _key(word) in _ADDRESSED.split()


@cache
def _several() -> dict[str, str]:
    entries = (entry.split(": ") for entry in " ".join(_SEVERAL.split()).split(" | "))
    return {word: name for name, words in entries for word in words.split()}


def is_several(words: str) -> bool:
    """Whether the words mean more than one: "my kids", "mis hermanos". A word that may be one ("lehrer") is one."""
    return any(_key(word) in _several() and _key(word) not in _singular() for word in words.split())


def longest_words() -> int:
    """How many written words the longest relation has."""
    return max(word.count("-") for word in _words()) + 1


def fits(said: str, held: str) -> bool:
    """Whether what is said may mean one who holds the other relation: "spouse" the wife, "my ex-wife" a former wife."""
    if held.startswith(FORMER):
        then = held.removeprefix(FORMER)
        return said in {held, "ex", f"ex-{then}"}
    if said == held or (said.startswith(MET) and held.startswith(f"{said} ")):
        return True
    one, other = relation(said), relation(held)
    return (one is not None and held in one.covers) or (other is not None and said in other.covers)


def agree(said: str, held: str) -> bool:
    """Whether one who holds a relation may well be the said one too: girlfriend, then wife, then ex-wife."""
    if fits(said, held) or fits(said, held.removeprefix(FORMER)):
        return True
    new, old = relation(said), relation(held.removeprefix(FORMER))
    if said.startswith(MET) is not held.startswith(MET):
        told = old if said.startswith(MET) else new
        return told is not None and told.circle not in _CLOSE
    if new is None or old is None:
        return False
    genders = {new.gender, old.gender} - {None}
    return (new.circle, old.circle) in {("love", "love"), ("past", "love"), ("past", "past")} and len(genders) <= 1


def may_coincide(one: str, other: str) -> bool:
    """Whether two relations that differ could still be one person's: a friend who is a colleague. Worth a question."""
    first, second = relation(one.removeprefix(FORMER)), relation(other.removeprefix(FORMER))
    return first is not None and second is not None and not {first.circle, second.circle} & _CLOSE


def inverse(name: str) -> str | None:
    """What the other one is in return, where it is certain: a brother's is sibling, a wife's is spouse."""
    found = relation(name)
    return None if found is None else found.inverse


def holders(name: str) -> Holders:
    """Whether a relation has one holder at a time."""
    found = relation(name)
    return "some" if found is None else found.holders


def gender(name: str) -> Gender | None:
    """The gender a relation tells."""
    found = relation(name.removeprefix(FORMER))
    return None if found is None else found.gender
