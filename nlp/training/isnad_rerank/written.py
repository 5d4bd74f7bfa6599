"""`python -m isnad_rerank.written FOLDER` writes two collections, English and Arabic news, with the questions of written.jsonl, which were written by
hand with a passage of an article before one's eyes, in other words than its own: to choose by, for lists made of news by rule say little about them.
No article of the held-out part is among them."""

import gzip
import json
import sys
from pathlib import Path

import numpy as np

from isnad_embed.corpus import DATA, NEWS, is_held_out

from .synthetic import Made, passages

QUESTIONS = Path(__file__).with_name("written.jsonl")
SEED = 141
"""The numbers of passages in written.jsonl are those of the passages that this seed cuts."""
POOL, OLDER = 1500, 700


def news() -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {"en": [], "ar": []}
    for name in NEWS:
        with gzip.open(DATA / "news" / f"{name}.jsonl.gz", "rt", encoding="utf8") as lines:
            for row in map(json.loads, lines):
                text = row.get("text") or ""
                if len(text) >= 500 and len(row.get("title") or "") >= 8 and not is_held_out(text):
                    found[row["lang"]].append(row)
    return found


def chosen(lang: str, rows: list[dict], rng: np.random.Generator) -> list[dict]:
    """Of English ones a third are long ones of 1987."""
    if lang == "ar":
        return [rows[i] for i in rng.permutation(len(rows))[: POOL + OLDER]]
    newer = [r for r in rows if r["source"] != "reuters1987"]
    older = [r for r in rows if r["source"] == "reuters1987" and r["category"] != "earn" and len(r["text"]) > 900]
    some = [newer[i] for i in rng.permutation(len(newer))[:POOL]]
    some += [older[i] for i in rng.permutation(len(older))[:OLDER]]
    return [some[i] for i in rng.permutation(len(some))]


def collections() -> dict[str, Made]:
    """A question wants its passage alone, a tweet and a need those of its article."""
    rng = np.random.default_rng(SEED)
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf8").splitlines()]
    found: dict[str, Made] = {}
    for lang, rows in news().items():
        made, articles = Made(), []
        for row in chosen(lang, rows, rng):
            for run in passages(row["text"], rng, 4):
                articles.append(row["id"])
                made.documents.append((row["title"] if rng.random() < 0.7 else "", " ".join(run)))
        for question in questions:
            if not question["passage"].startswith(lang):
                continue
            place = int(question["passage"][2:])
            assert articles[place] == question["article"], question
            article = [i for i, name in enumerate(articles) if name == articles[place]]
            made.queries.append(question["text"])
            made.wanted.append([place] if question["kind"] == "question" else article)
        rng.permutation(len(made.documents))  # the passages that questions were written for were drawn so
        found[lang] = made
    return found


if __name__ == "__main__":
    for lang, made in collections().items():
        made.write(Path(sys.argv[1]) / f"written-{lang}")
