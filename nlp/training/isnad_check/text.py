"""Unlabelled text: sentences of the news corpora, pairs of the parallel ones. Held-out articles are left out as for the embedding."""

import gzip
import json
import re
from collections.abc import Iterator

from .data import DATA

NEWS = {"ar": ("ant_v2_ar", "ant_v1_ar"), "en": ("english",)}
PARALLEL = ("tatoeba_manythings", "tico19")
_END = re.compile(r"(?<=[.!?؟])\s+|\n{2,}")


def sentences(lang: str, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """Sentences of 20 to 400 characters; none of the articles whose ids are in `without`."""
    for name in NEWS[lang]:
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for line in lines:
                row = json.loads(line)
                if row["id"] in without:
                    continue
                for sentence in _END.split(f"{row['title']}\n\n{row['text']}"):
                    sentence = " ".join(sentence.split())
                    if 20 <= len(sentence) <= 400:
                        yield sentence


def pairs() -> list[tuple[str, str]]:
    """(English, Arabic)."""
    found = []
    for name in PARALLEL:
        with (DATA / "parallel" / name / "en-ar.tsv").open(encoding="utf8") as lines:
            for line in lines:
                cells = line.rstrip("\n").split("\t")
                found.append((cells[0], cells[1]))
    return found
