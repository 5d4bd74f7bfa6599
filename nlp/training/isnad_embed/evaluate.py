"""Development measurements of a table: never trained on. The figures of the card come from `bun run eval --task embed`."""

import csv
import gzip
import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from . import corpus


class Table:
    def __init__(self, tokenizer: Tokenizer, vectors: np.ndarray, power: float):
        self.tokenizer, self.vectors, self.power = tokenizer, vectors, power

    def embed(self, texts: list[str]) -> np.ndarray:
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for i, e in enumerate(self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
            ids, count = np.unique([x for x in e.ids if x != 0] or [0], return_counts=True)
            out[i] = (count**self.power).astype(np.float32) @ self.vectors[ids]
        return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def ranked(queries: np.ndarray, documents: np.ndarray, gold: list[set[int]], k: int = 10) -> tuple[float, float]:
    """recall@k and nDCG@k (binary) by exact cosine."""
    recall, gain = 0.0, 0.0
    for q, wanted in zip(queries, gold, strict=True):
        scores = documents @ q
        top = np.argpartition(-scores, min(k, len(scores) - 1))[:k]
        top = top[np.argsort(-scores[top])]
        hits = [1.0 if int(i) in wanted else 0.0 for i in top]
        ideal = sum(1 / np.log2(i + 2) for i in range(min(k, len(wanted))))
        recall += sum(hits) / len(wanted)
        gain += sum(h / np.log2(i + 2) for i, h in enumerate(hits)) / ideal
    return recall / len(gold), gain / len(gold)


def beir(table: Table, folder: str) -> tuple[float, float]:
    base = corpus.DATA / "retrieval" / folder

    def rows(name: str) -> list[dict]:
        path = base / name
        raw = path.read_bytes() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes())
        return [json.loads(line) for line in raw.decode("utf8").split("\n") if line]

    documents, queries = rows("corpus.jsonl"), rows("queries.jsonl")
    place = {d["_id"]: i for i, d in enumerate(documents)}
    gold: dict[str, set[int]] = {}
    with open(base / "qrels.tsv", encoding="utf8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0 and row["corpus-id"] in place:
                gold.setdefault(row["query-id"], set()).add(place[row["corpus-id"]])
    asked = [q for q in queries if q["_id"] in gold]
    vectors = table.embed([f"{d.get('title') or ''}\n{d['text']}" for d in documents])
    return ranked(table.embed([q["text"] for q in asked]), vectors, [gold[q["_id"]] for q in asked])


def hand_written(table: Table) -> dict[str, tuple[float, float]]:
    """Pairs of our own that share meaning and no words, each set among the second halves of all."""
    pairs = json.loads((corpus.ROOT / "eval" / "embed" / "pairs.json").read_text(encoding="utf8"))
    documents = table.embed([pair[1] for rows in pairs.values() for pair in rows])
    found, first = {}, 0
    for name, rows in pairs.items():
        gold = [{first + i} for i in range(len(rows))]
        found[f"hand-written {name}"] = ranked(table.embed([pair[0] for pair in rows]), documents, gold)
        first += len(rows)
    return found


def measure(table: Table) -> dict[tuple[str, str], float]:
    """By set and metric, what `bun run eval --task embed` prints for the exported model."""
    found = hand_written(table)
    held = [a for a in corpus.articles() if a.held_out]
    for lang in ("ar", "en"):
        bodies = {a.text[:1500]: a.title for a in held if a.lang == lang}
        own = [{i} for i in range(len(bodies))]
        found[f"news title-body {lang}, held out"] = ranked(
            table.embed([*bodies.values()]), table.embed([*bodies]), own
        )
    pud = corpus.pairs("pud")
    en, ar = table.embed([p[0] for p in pud]), table.embed([p[1] for p in pud])
    own = [{i} for i in range(len(pud))]
    found["PUD ar-en"], found["PUD en-ar"] = ranked(ar, en, own), ranked(en, ar, own)
    for name, folder in (("ar dev", "beir-ar-dev"), ("en", "beir-en")):
        found[f"TyDi QA {name}"] = beir(table, f"tydiqa-goldp/{folder}")
    found["ARCD train"] = beir(table, "arcd-train")
    return {(name, m): v for name, both in found.items() for m, v in zip(("recall@10", "nDCG@10"), both, strict=True)}
