"""`python -m isnad_base`: chooses the shared pieces from the corpora and writes nlp/models/pieces-ar-en with its card."""

import argparse
import json
import sys
from collections.abc import Iterator

from isnad_check import text
from isnad_check.data import checkthat
from weights import provenance

from . import pieces

BATCH = 5000
DATA_SETS = [
    ("multilingual-e5-small (weights)", "MIT", "word rows, pieces and their scores"),
    (
        "ANT corpus v1 and v2; Reuters-21578, BBC, CNN, FNC-1",
        "Apache-2.0; research use; text of the publishers",
        "which pieces are kept",
    ),
    ("Tatoeba English-Arabic", "CC BY 2.0 FR", "which pieces are kept"),
    ("TICO-19 English-Arabic", "CC0", "which pieces are kept"),
    ("CheckThat! 2024 task 1, train", "none stated", "which pieces are kept"),
]


def corpora(sentences: int) -> Iterator[list[str]]:
    """Every second sentence of the news, as many of each language, and everything that is small."""
    for lang in ("ar", "en"):
        batch: list[str] = []
        for number, sentence in enumerate(text.sentences(lang)):
            if number >= 2 * sentences:
                break
            if number % 2 == 0:
                batch.append(sentence)
            if len(batch) == BATCH:
                yield batch
                batch = []
        yield batch
        yield checkthat(lang, "train").texts
    yield [side for pair in text.pairs() for side in pair]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_base")
    parser.add_argument("--size", type=int, default=24_000, help="pieces")
    parser.add_argument("--sentences", type=int, default=200_000, help="sentences of news in each language")
    asked = parser.parse_args()
    pieces.build(corpora(asked.sentences), asked.size)
    texts = [
        "قال الرئيس التونسي في ١٢ مارس إنّ الحكومــة ستعمل على ذلك",
        "The Prime Minister said unemployment fell by 12.5% in 2019, according to Reuters.",
        "COVID-19 كورونا 😀 naïve ﷺ ﻻ",
        "",
        " \u200fA\tb\n",
    ]
    rows = pieces.rows()
    reference = [
        {"text": t, "ids": ids, "row": [float(f"{float(v):.6g}") for v in rows[ids[-2]][:8]]}
        for t, ids in zip(texts, pieces.encode(texts, 512), strict=True)
    ]
    told = "[\n" + ",\n".join(json.dumps(entry) for entry in reference) + "\n]\n"
    (pieces.FOLDER / "reference.json").write_text(told, encoding="utf8")
    files = {
        name: {"sha256": pieces.checksum(name), "bytes": (pieces.FOLDER / name).stat().st_size} for name in pieces.FILES
    }
    card = {
        "name": pieces.FOLDER.name,
        "revision": files["rows.bin"]["sha256"][:8],
        "task": "pieces",
        "languages": ["ar", "en"],
        "description": "Pieces of words that other models share: a Unigram tokenizer, and for each piece a row of weights in 4 bits, which "
        "never changes; blocks of 32 weights are a float16 scale and 16 bytes, low halves first, each half minus 8 times the scale.",
        "licence": "MIT",
        "architecture": "pieces",
        "dims": rows.shape[1],
        "files": files,
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": name, "licence": licence, "used_for": used} for name, licence, used in DATA_SETS],
        "trained_by": f"python -m isnad_base {' '.join(sys.argv[1:])}".strip(),
    }
    (pieces.FOLDER / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf8")


main()
