"""Development measurements of a table: never trained on. The figures of the card come from `bun run eval:embed`."""

import csv
import gzip
import json
import sys

import numpy as np
from tokenizers import Tokenizer

from . import corpus
from .prepare import prepared


class Table:
    def __init__(self, tokenizer: Tokenizer, vectors: np.ndarray, sublinear: bool = True):
        self.tokenizer, self.vectors, self.sublinear = tokenizer, vectors, sublinear

    def embed(self, texts: list[str]) -> np.ndarray:
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for i, e in enumerate(self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
            ids, count = np.unique([x for x in e.ids if x != 0] or [0], return_counts=True)
            weight = np.sqrt(count) if self.sublinear else count
            out[i] = (self.vectors[ids] * weight[:, None].astype(np.float32)).sum(0)
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
        opened = gzip.open(f"{path}.gz", "rt", encoding="utf8") if not path.exists() else open(path, encoding="utf8")
        with opened as lines:
            return [json.loads(line) for line in lines]

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


def measure(table: Table) -> dict[str, float]:
    found: dict[str, float] = {}
    held = [a for a in corpus.articles() if a.held_out]
    everything = []
    for lang in ("ar", "en"):
        bodies = {a.text[:1500]: a.title for a in held if a.lang == lang}
        documents = table.embed(list(bodies))
        everything.append((table.embed(list(bodies.values())), documents))
        found[f"title-body-{lang} R@10"], found[f"title-body-{lang} nDCG@10"] = ranked(
            everything[-1][0], documents, [{i} for i in range(len(bodies))]
        )
    pud = corpus.pairs("pud")
    en, ar = table.embed([p[0] for p in pud]), table.embed([p[1] for p in pud])
    own = [{i} for i in range(len(pud))]
    found["pud ar-en R@10"], found["pud en-ar R@10"] = ranked(ar, en, own)[0], ranked(en, ar, own)[0]
    # the translation among the sentences of both languages, itself left out
    both = np.concatenate([en, ar])
    recall = 0
    for i in range(len(pud)):
        scores = both @ ar[i]
        scores[len(pud) + i] = -9
        recall += i in np.argsort(-scores)[:10]
    found["pud ar-mixed R@10"] = recall / len(pud)
    for name, folder in (("tydi-ar", "tydiqa-goldp/beir-ar-dev"), ("arcd", "arcd-train"), ("tydi-en", "tydiqa-goldp/beir-en")):
        found[f"{name} nDCG@10"] = beir(table, folder)[1]
    return found


if __name__ == "__main__":
    data = prepared(int(sys.argv[1]), 0.55)
    tokenizer = Tokenizer.from_str(data["tokenizer"])
    for path in sys.argv[2:]:
        vectors = np.load(path)
        print(path, {k: round(float(v), 3) for k, v in measure(Table(tokenizer, vectors)).items()}, flush=True)
