"""Trains and exports the reranker: `python -m isnad_rerank`. Needs `bun` for the platform's first stage. Options override the
settings of the shipped model."""

import argparse
import dataclasses

import numpy as np
import torch

from isnad_base.teacher import read as vectors
from isnad_embed.corpus import ROOT

from . import distil, taught, train
from .data import FOLDER, Lists, make, merged, read
from .export import export, ndcg
from .matching import STRETCH, matching
from .numbers import Table, beside, table
from .quantise import ranges
from .reader import Reader, sequence
from .shipped import Shipped
from .synthetic import KINDS
from .words import QUERY_PIECES, Reading

HELD_OUT_OF = 10
LANGUAGES = ("ar", "en")
TAUGHT = ("asked", "topics")
"""Kinds of lists that the contextual layers learn from: the teacher has read their passages. The judge learns from those in JUDGED."""
JUDGED = ("asked",)
READER = FOLDER / "reader.pt"


def joined(parts: list[Table]) -> Table:
    return Table(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in dataclasses.fields(Table)))


def told_of(lists: Lists, told: tuple[np.ndarray, np.ndarray], count: int) -> np.ndarray:
    """The teacher's likeness of each candidate's whole passage [lists, count]."""
    queries, passages = told
    out = np.zeros((len(lists.queries), count), np.float32)
    for i, candidates in enumerate(lists.candidates):
        out[i, : len(candidates)] = passages[candidates] @ queries[i]
    return out


def examples(lists: Lists, told: tuple[np.ndarray, np.ndarray], found: Table) -> list[distil.Example]:
    made = []
    for i, candidates in enumerate(lists.candidates):
        if i % HELD_OUT_OF == 0 or len(candidates) < 5:
            continue
        parts = [(lists.passages[c].pieces, int(at)) for c, at in zip(candidates, found.starts[i], strict=False)]
        made.append(
            distil.Example(lists.queries[i].pieces, parts, told[0][i], told[1][candidates], lists.grades[i] > 0)
        )
    return made


def alike(reader: Reader, lists: Lists, found: Table) -> np.ndarray:
    """The contextual likeness of each candidate [lists, count, 1]."""
    queries = vectors(reader, [sequence(q.pieces, 0, QUERY_PIECES) for q in lists.queries])
    known: dict[tuple[int, int], int] = {}
    for i, candidates in enumerate(lists.candidates):
        for c, at in zip(candidates, found.starts[i], strict=False):
            known.setdefault((int(c), int(at)), len(known))
    stretches = vectors(reader, [sequence(lists.passages[c].pieces, at, STRETCH) for c, at in known])
    out = np.zeros((*found.present.shape, 1), np.float32)
    for i, candidates in enumerate(lists.candidates):
        rows = [known[int(c), int(at)] for c, at in zip(candidates, found.starts[i], strict=False)]
        out[i, : len(rows), 0] = stretches[rows] @ queries[i]
    return out


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_rerank", description=__doc__)
    for field in dataclasses.fields(train.Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument("--articles", type=int, default=1500, help="articles of each kind of list and language")
    parser.add_argument(
        "--news", type=int, default=6000, help="articles of each language that the contextual layers learn from"
    )
    parser.add_argument("--steps", type=int, default=distil.Settings.steps, help="of the contextual layers")
    parser.add_argument("--name", default="rerank-ar-en", help="folder under nlp/models")
    parser.add_argument("--fresh", action="store_true", help="make the collections and the contextual layers again")
    given = vars(parser.parse_args())
    told_by = " ".join(f"--{k} {v}" for k, v in given.items() if k not in ("name", "fresh"))
    name, fresh, articles, count_news, steps = (given.pop(k) for k in ("name", "fresh", "articles", "news", "steps"))
    settings = train.Settings(**given)
    torch.set_num_threads(1)
    names = [f"{kind}-{lang}" for lang in LANGUAGES for kind in KINDS]
    if fresh or not all((FOLDER / f"{n}.queries.jsonl").exists() for n in names):
        make(settings.seed, articles)
    shipped = Shipped()
    reading, match = Reading(shipped), matching(shipped)
    learnt = fresh or not READER.exists()
    kinds = TAUGHT if learnt else JUDGED
    parts = {n: read(FOLDER / n, reading) for n in names if n.split("-")[0] in kinds}
    found = {n: table(part, match, settings.count) for n, part in parts.items()}
    told = {n: taught.of_lists(n, part) for n, part in parts.items()}
    reader = Reader()
    if learnt:
        given_examples = [e for n, part in parts.items() for e in examples(part, told[n], found[n])]
        reader = distil.distil(taught.news(count_news, 7), given_examples, distil.Settings(steps=steps))
        torch.save(reader.state_dict(), READER)
    reader.load_state_dict(torch.load(READER))
    reader.eval()
    parts = {n: part for n, part in parts.items() if n.split("-")[0] in JUDGED}
    lists, whole = merged(list(parts.values())), joined([found[n] for n in parts])
    x = np.concatenate([whole.numbers, np.concatenate([alike(reader, part, found[n]) for n, part in parts.items()])], 2)
    teacher = np.concatenate([told_of(part, told[n], settings.count) for n, part in parts.items()])
    held = np.concatenate([np.arange(len(part.queries)) % HELD_OUT_OF == 0 for part in parts.values()])
    aim = train.aims(whole.grades, teacher, whole.present, settings)
    judge = train.train(x[~held], aim[~held], whole.present[~held], settings)
    test = lists.some(np.flatnonzero(held))
    tested = Table(*(getattr(whole, f.name)[held] for f in dataclasses.fields(Table)))
    with torch.no_grad():
        after = ndcg(test, judge(torch.from_numpy(beside(x[held], tested.present))).numpy())
    before = ndcg(test, -np.tile(np.arange(settings.count), (len(test.queries), 1)))
    print(f"lists not trained on: nDCG@10 {before:.4f} -> {after:.4f}")
    metrics = [
        {"set": "lists made of news, not trained on, as found", "metric": "nDCG@10", "value": round(before, 4)},
        {"set": "lists made of news, not trained on, reranked", "metric": "nDCG@10", "value": round(after, 4)},
    ]
    rows = [
        sequence(lists.passages[c].pieces, int(at), STRETCH)
        for i in np.flatnonzero(~held)[::40]
        for c, at in zip(lists.candidates[i], whole.starts[i], strict=False)
    ]
    rows += [sequence(q.pieces, 0, QUERY_PIECES) for q in lists.queries[::10]]
    export(
        ROOT / "nlp" / "models" / name,
        reading,
        match,
        reader,
        judge,
        ranges(reader, rows),
        test,
        tested,
        f"python -m isnad_rerank {told_by}",
        metrics,
    )


if __name__ == "__main__":
    main()
