"""Arabic sentences that nobody has labelled, for a tagger to learn from what another finds in them: news of ANT v1 without the held-out articles, and
the sentences of our own lexicon about other things, without the held-out subjects."""

import gzip
import json
import random

import regex

from isnad_embed.corpus import DATA, is_held_out
from isnad_ner.data import load
from isnad_ner.tokens import tokens

from .data import LEXICON

NEWS = "ant_v1_ar"
SHORTEST, LONGEST = 8, 60
"""Words of a sentence of the news."""
BESIDE = 3
"""Sentences of an article that are read together."""
END = regex.compile(r"(?<=[.!؟?])\s+|\n+")


def news(count: int, rng: random.Random) -> list[list[list[str]]]:
    """Of so many articles the first sentences, or those after them."""
    if count == 0:
        return []
    found = []
    with gzip.open(DATA / "news" / f"{NEWS}.jsonl.gz", "rt", encoding="utf8") as lines:
        for line in lines:
            text = json.loads(line).get("text") or ""
            if len(text) < 200 or is_held_out(text):
                continue
            own = [part.strip() for part in END.split(text) if SHORTEST <= len(part.split()) <= LONGEST]
            if own:
                found.append(own[: 2 * BESIDE])
    chosen = rng.sample(found, min(count, len(found)))
    starts = [rng.choice((0, 0, BESIDE)) for _ in chosen]
    parts = [own[at : at + BESIDE] for own, at in zip(chosen, starts, strict=True)]
    return [[tokens(sentence) for sentence in part] for part in parts if part]


def lexicon(examples: int, rng: random.Random) -> list[list[list[str]]]:
    """All sentences about relations, and so many examples of senses, each by itself."""
    relations = [row["text"] for row in rows("relations")]
    senses = [text for row in rows("senses") for text in row.get("examples", [])]
    return [[tokens(text)] for text in [*relations, *rng.sample(senses, min(examples, len(senses)))]]


def fane(share: float, rng: random.Random) -> list[list[list[str]]]:
    """Stretches of NewsFANE and WikiFANE, so many of all, without sentences that repeat held-out ones."""
    if share == 0:
        return []
    sets = load().train
    found = [[[word for word, _ in s] for s in sets[name]] for name in ("newsfane", "wikifane")]
    parts = [sentences[at : at + BESIDE] for sentences in found for at in range(0, len(sentences), BESIDE)]
    return rng.sample(parts, int(share * len(parts)))


def rows(kind: str) -> list[dict]:
    known = json.loads((LEXICON / "subjects.json").read_text(encoding="utf8"))[kind]
    return [
        json.loads(line)
        for name, subject in known.items()
        if not subject["held_out"]
        for line in (LEXICON / kind / f"{name}.jsonl").read_text(encoding="utf8").splitlines()
        if line
    ]
