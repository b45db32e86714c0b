"""Make what the bundled embedder is compared with: tokens and vectors of the original tokenizer and model.

Runs in an environment with torch, tokenizers and transformers:

    build-env/bin/pip install tokenizers transformers
    build-env/bin/python scripts/embedder_references.py data FOLDER          writes tests/models/data
    build-env/bin/python scripts/embedder_references.py characters FOLDER    prints the ranges of models/characters.txt

FOLDER is the original model, unpacked from its wheel.
"""

import argparse
import gzip
import io
import json
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer  # type: ignore[import-not-found]  # not there when types are checked
from transformers import BertModel

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "models" / "data"
TOKENIZED, EMBEDDED = 5000, 600
LENGTH_MAX = 256

SENTENCES = """
Ich bin gegen Nüsse allergisch und trinke nur Hafermilch.
Mein Zug nach Zürich fährt um 7:45 Uhr vom Gleis 12 ab!
J'ai déménagé à Lyon l'année dernière, près de la gare.
Où est-ce que Chloé garde les clés de l'appartement ?
Mi hermana vive en Bogotá y trabaja como enfermera.
¿Cuándo es el cumpleaños de Íñigo? ¡El próximo sábado!
Minha avó nasceu em São Tomé; ela adora pão de queijo.
Mia nonna fa la focaccia migliore di Genova, perché usa l'olio buono.
Mijn broer fietst elke dag naar kantoor in Utrecht.
Min søster bor i Tromsø og elsker nordlyset.
Jag är vegetarian sedan tjugo år tillbaka.
Asun Helsingissä ja työskentelen yöllä, öisin on hiljaista.
Zażółć gęślą jaźń, powiedział Łukasz do Małgorzaty.
Příští týden jedu do Brna na konferenci o databázích.
Köszönöm, a kutyám neve Bodri, és három éves.
Kızım İstanbul'da ışık mühendisliği okuyor.
Con mèo của tôi tên là Mướp, nó rất thích ăn cá.
Αγαπώ τη θάλασσα και μένω στη Θεσσαλονίκη. ΟΔΥΣΣΕΥΣ ΣΟΦΟΣ
Мой брат живёт в Санкт-Петербурге и работает врачом.
Моя бабуся з Києва, їй дев'яносто років.
אני גר בחיפה ואוהב לשחות בים.
أنا أعيش في القاهرة وأحب القهوة بدون سكر.
من در تهران زندگی می‌کنم و معلم هستم.
मुझे मूँगफली से एलर्जी है और मैं दिल्ली में रहता हूँ।
আমি ঢাকায় থাকি এবং বাংলা পড়াই।
நான் சென்னையில் வசிக்கிறேன்.
ผมชอบกินข้าวผัดและอยู่ที่เชียงใหม่
私は東京に住んでいて、猫を二匹飼っています。
カタカナとﾊﾝｶｸと「括弧」が混ざった文。
我对花生过敏，住在上海市浦东新区。
我妹妹在臺北當老師，她叫李小龍。
저는 서울에 살고 고양이를 좋아해요.
ጤና ይስጥልኝ፣ እኔ በአዲስ አበባ እኖራለሁ።
Բարեւ, ես ապրում եմ Երևանում։
მე თბილისში ვცხოვრობ და ღვინო მიყვარს.
Mwalimu wangu anaishi Nairobi na anapenda chai.
I moved flats today 🎉🎉 so tired 😴 but happy 👨‍👩‍👧‍👦🏳️‍🌈
Lena's new flat: 3rd floor, 74 m², €1,250/month (heating incl.) — from 01.09.2026.
Mail me at jo.bloggs+memo@example.org or see https://example.org/a?b=c&d=%20e#f
def recall(query: str, *, limit: int = 10) -> list[Hit]: return store.search(query)[:limit]
SELECT name, count(*) FROM people WHERE city = 'Oslo' GROUP BY name HAVING count(*) > 1;
The ½ litre costs 3.99 £; that’s 10% off… “really?” she asked – ‘yes’.
naïve café résumé coöperate Ångström Ǆ ǅ ﬁnance ﬂour ℌello ①②③ ⅷ x² CO₂
don't can't won't it's o'clock rock'n'roll e.g. i.e. U.S.A. C++ C# F# .NET node.js
""".strip().split("\n")

QUESTIONS = (
    "What is {} allergic to?",
    "Where does {} live now?",
    "When is {}'s birthday?",
    "Who is married to {}?",
    "Which languages does {} speak?",
    "What should I not cook for {}?",
    "How old is {}'s son?",
    "Did {} ever live in Boston?",
)
NAMES = ("Alice", "Omar", "Priya", "my wife", "the user", "Señora García", "Wei", "my boss")
BLOCKS = (
    (0x20, 0x7F), (0x00, 0x20), (0xA0, 0x250), (0x250, 0x300), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700),
    (0x900, 0xE00), (0xE00, 0x1100), (0x1100, 0x1200), (0x1E00, 0x2100), (0x2000, 0x2070), (0x2190, 0x2C00),
    (0x3000, 0x3200), (0x4E00, 0x5200), (0xAC00, 0xAD00), (0xE000, 0xE100), (0xF900, 0x10000), (0x1F300, 0x1FB00),
    (0x20000, 0x20100), (0x2F800, 0x2FA20),
)  # fmt: skip
ODD = (
    "\u0301",
    "\u0323",
    "\u200b",
    "\u200d",
    "\u00ad",
    "\ufeff",
    "\x00",
    "\ufffd",
    "\t",
    "\u00a0",
    "\u2028",
    "...",
    "?!",
)
EDGES = (
    "", " ", "\n\t", "[CLS]", "a[SEP]b", "[sep] [MASK] [ UNK ]", "[PAD][PAD]", "x" * 100, "x" * 101, "é" * 101,
    "中" * 120, "e\u0301" * 60, "ＡＢＣ１２３", "ΣΑΣ ΌΣΟΣ", "İIıi", "ẞß", "\u0344", "\u1fef", "\u212b",
    "a\u0300\u0301\u0302b",
)  # fmt: skip


def pair_sentences() -> list[str]:
    folder = ROOT / "evals" / "similarity"
    lines = [line for half in ("train", "test") for line in (folder / f"pairs-{half}.jsonl").open(encoding="utf-8")]
    return sorted({json.loads(line)[side] for line in lines for side in ("a", "b")})


def spoiled(text: str, chance: random.Random) -> str:
    """A sentence with marks, invisible characters and other case in unexpected places."""
    letters = list(text)
    for _ in range(chance.randint(1, 6)):
        letters.insert(chance.randint(0, len(letters)), chance.choice(ODD))
    joined = "".join(letters)
    change = chance.choice((str, str.upper, str.title, lambda value: unicodedata.normalize("NFD", value)))
    return str(change(joined))


def scrambled(chance: random.Random) -> str:
    blocks = chance.sample(BLOCKS, chance.randint(1, 3))
    blocks.append((0x20, 0x21))
    return "".join(chr(chance.randrange(*chance.choice(blocks))) for _ in range(chance.randint(1, 30)))


def glued(vocabulary: list[str], chance: random.Random) -> str:
    """Words that are made of pieces of the vocabulary, some beyond the longest word the tokenizer takes."""
    words = [
        "".join(chance.choice(vocabulary).removeprefix("##") for _ in range(chance.choice((1, 1, 2, 3, 24))))
        for _ in range(chance.randint(1, 8))
    ]
    return " ".join(words)


def numbers(chance: random.Random) -> str:
    amount, year, day = chance.randint(0, 10**6), chance.randint(1900, 2100), chance.randint(1, 28)
    return chance.choice((
        f"The invoice {amount}-{year} over {amount:,}.{day:02} USD was paid on {year}-{day % 12 + 1:02}-{day:02}.",
        f"{NAMES[amount % len(NAMES)]} was born in {year} and weighs {day + 50},{day % 10} kg",
        f"call +{day} {amount} ext. {day}, room {year}b, {day}:{day + 20} pm, {day}/{day % 12 + 1}/{year % 100}",
        f"v{day}.{amount % 40}.{year % 9}-rc{day} #{amount} @user{amount} ${amount} {amount}€ {day}°C {day}%",
    ))  # fmt: skip


def distinct(texts: Iterator[str], count: int) -> list[str]:
    found: dict[str, None] = {}
    for text in texts:
        found[text] = None
        if len(found) == count:
            break
    return list(found)


def tokenizer_texts(vocabulary: list[str]) -> list[str]:
    chance = random.Random(20_26)
    sentences = [*SENTENCES, *pair_sentences()]

    def endless() -> Iterator[str]:
        yield from (*EDGES, *sentences)
        while True:
            yield spoiled(chance.choice(sentences), chance)
            yield scrambled(chance)
            yield glued(vocabulary, chance)
            yield numbers(chance)
            yield spoiled(chance.choice(SENTENCES), chance)

    return distinct(endless(), TOKENIZED)


def agreement_texts(vocabulary: list[str]) -> list[str]:
    chance = random.Random(11)
    sentences = [*SENTENCES, *pair_sentences()]
    words = [word for word in vocabulary if word.isalpha()]

    def endless() -> Iterator[str]:
        yield from SENTENCES
        yield from (question.format(name) for question in QUESTIONS for name in NAMES)
        yield from chance.sample(pair_sentences(), 250)
        while True:
            yield " ".join(chance.sample(sentences, chance.randint(2, 14)))
            yield chance.choice(words)
            yield numbers(chance)
            yield spoiled(chance.choice(sentences), chance)

    return distinct(endless(), EMBEDDED)


def reference_vectors(model: Any, sequences: list[list[int]]) -> NDArray[np.float16]:  # noqa: ANN401 -- torch is not there when types are checked
    """The float model as sentence-transformers runs it: mean over the tokens, length 1, nothing beyond 256 tokens."""
    rows = []
    with torch.no_grad():
        for sequence in sequences:
            mean = model(torch.tensor([sequence])).last_hidden_state[0].double().mean(0)
            rows.append((mean / mean.norm()).numpy())
    return np.array(rows).astype(np.float16)


def packed(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
    print(path.relative_to(ROOT), path.stat().st_size, "bytes")


def write_data(folder: Path, tokenizer: Any) -> None:  # noqa: ANN401 -- torch is not there when types are checked
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    texts = tokenizer_texts(vocabulary)
    encoded = {"texts": texts, "ids": [tokenizer.encode(text).ids for text in texts]}
    packed(DATA / "tokens.json.gz", json.dumps(encoded, separators=(",", ":"), ensure_ascii=False).encode())
    sequences = {text: tokenizer.encode(text).ids for text in agreement_texts(vocabulary)}
    sequences = {text: ids for text, ids in sequences.items() if len(ids) <= LENGTH_MAX}
    vectors = io.BytesIO()
    np.save(vectors, reference_vectors(BertModel.from_pretrained(folder).eval(), list(sequences.values())))
    packed(DATA / "agreement.npy.gz", vectors.getvalue())
    packed(DATA / "agreement.json.gz", json.dumps(list(sequences), ensure_ascii=False).encode())


def character_ranges(tokenizer: Any) -> dict[str, list[int]]:  # noqa: ANN401 -- torch is not there when types are checked
    """Code points by what the reference does with them."""
    surrogates = range(0xD800, 0xE000)
    found: dict[str, list[int]] = {"removed": [], "marks": [], "punctuation": [], "ideographs": []}
    for code in range(0x110000):
        if code in surrogates:  # No text with one reaches the reference.
            found["removed"].append(code)
            continue
        character = chr(code)
        written = tokenizer.normalizer.normalize_str(character)
        if not written:
            found["marks" if unicodedata.category(character)[0] == "M" else "removed"].append(code)
        elif written.startswith(" ") and written.strip():
            found["ideographs"].append(code)
        if len(tokenizer.pre_tokenizer.pre_tokenize_str(f"a{character}a")) == 3:
            found["punctuation"].append(code)
    return found


def ranges(codes: list[int]) -> str:
    bounds: list[list[int]] = []
    for code in codes:
        if bounds and bounds[-1][1] == code - 1:
            bounds[-1][1] = code
        else:
            bounds.append([code, code])
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in bounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("data", "characters"))
    parser.add_argument("folder", type=Path, help="the original model")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if arguments.what == "data":
        write_data(arguments.folder, tokenizer)
    else:
        for name, codes in character_ranges(tokenizer).items():
            print(f"[{name}]\n{ranges(codes)}\n")


if __name__ == "__main__":
    main()
