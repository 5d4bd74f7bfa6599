"""`python -m isnad_rerank.written FOLDER` writes two collections, English and Arabic news, with the questions of written.jsonl, which were written by
hand with a passage of an article before one's eyes, in other words than its own: to choose by, for lists made of news by rule say little about them.
And two of the same news with words copied from it, as somebody asks who remembers a phrase. No article of the held-out part is among them."""

import gzip
import json
import random
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from isnad_embed.corpus import DATA, NEWS, is_held_out

QUESTIONS = Path(__file__).with_name("written.jsonl")
SEED = 141
"""The numbers of passages in written.jsonl are those of the passages that this seed cuts."""
POOL, OLDER = 1500, 700
SENTENCE = re.compile(r"(?<=[.!?؟])\s+|\n+")
COPIES, COPIED_WORDS, COPIED_SEED = 80, 6, 5
MARKS = re.compile(r"[\"'«»“”()\-.,،:;؛!?؟]")


@dataclass
class Made:
    """A collection: documents with title and text, queries, and for each query the documents that answer it."""

    documents: list[tuple[str, str]] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    wanted: list[list[int]] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "corpus.jsonl", "w", encoding="utf8") as out:
            for i, (title, text) in enumerate(self.documents):
                out.write(json.dumps({"_id": f"d{i}", "title": title, "text": text}, ensure_ascii=False) + "\n")
        with open(folder / "queries.jsonl", "w", encoding="utf8") as out:
            for i, text in enumerate(self.queries):
                out.write(json.dumps({"_id": f"q{i}", "text": text}, ensure_ascii=False) + "\n")
        rows = [f"q{i}\td{d}\t1\n" for i, found in enumerate(self.wanted) for d in found]
        (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows), encoding="utf8")


def passages(text: str, rng: np.random.Generator, most: int) -> list[list[str]]:
    """Runs of whole sentences of 40 to 180 words, as lists of sentences."""
    found: list[list[str]] = []
    aim, words = int(rng.integers(40, 180)), 0
    run: list[str] = []
    for sentence in SENTENCE.split(text):
        sentence = " ".join(sentence.split())
        if len(sentence) < 2:
            continue
        run.append(sentence)
        words += sentence.count(" ") + 1
        if words >= aim:
            found.append(run)
            run, words, aim = [], 0, int(rng.integers(40, 180))
            if len(found) == most:
                return found
    if words >= 25:
        found.append(run)
    return found


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


def copied(made: Made, rng: random.Random) -> Made:
    """The documents, and as queries COPIED_WORDS words in a row of sentences of theirs."""
    found = Made(made.documents)
    while len(found.queries) < COPIES:
        place = rng.choice(range(len(made.documents)))
        sentences = [words for words in map(str.split, SENTENCE.split(made.documents[place][1])) if len(words) >= 10]
        if not sentences:
            continue
        words = rng.choice(sentences)
        start = rng.randrange(0, len(words) - COPIED_WORDS)
        phrase = MARKS.sub(" ", " ".join(words[start : start + COPIED_WORDS]))
        found.queries.append(" ".join(phrase.split()))
        found.wanted.append([place])
    return found


if __name__ == "__main__":
    rng = random.Random(COPIED_SEED)
    for lang, made in collections().items():
        made.write(Path(sys.argv[1]) / f"written-{lang}")
        copied(made, rng).write(Path(sys.argv[1]) / f"copied-{lang}")
