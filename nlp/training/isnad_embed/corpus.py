"""Readers of the named data sets. An article belongs to the held-out part by the hash of its body, so that a body
that occurs twice never stands on both sides."""

import gzip
import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("ISNAD_SHARED", ROOT.parent / "shared"))
DATA = SHARED / "data"
OUT = ROOT / "nlp" / "training" / "out"
NEWS = ("ant_v2_ar", "ant_v1_ar", "english")
HELD_OUT_OF = 20


@dataclass(frozen=True)
class Article:
    lang: str
    title: str
    abstract: str
    text: str
    held_out: bool


def is_held_out(text: str) -> bool:
    """One article in twenty, by the SHA-1 of the first 200 characters of its body, line feeds and blanks taken as one."""
    key = re.sub(r"[ \t\r\n]+", " ", text[:1000]).strip()[:200]
    return int(hashlib.sha1(key.encode()).hexdigest()[:8], 16) % HELD_OUT_OF == 0


def articles() -> list[Article]:
    found = []
    for name in NEWS:
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for line in lines:
                row = json.loads(line)
                title, text = row.get("title") or "", row.get("text") or ""
                if len(text) < 200 or len(title) < 8:
                    continue
                found.append(Article(row["lang"], title, row.get("abstract") or "", text, is_held_out(text)))
    return found


def pairs(name: str) -> list[tuple[str, str]]:
    """English and Arabic sides of parallel/<name>/en-ar.tsv."""
    rows = (DATA / "parallel" / name / "en-ar.tsv").read_text(encoding="utf8").splitlines()
    split = [row.split("\t") for row in rows]
    return [(cells[0], cells[1]) for cells in split if len(cells) >= 2 and cells[0] and cells[1]]
