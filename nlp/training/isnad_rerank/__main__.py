"""Trains and exports the reranker: `python -m isnad_rerank`. Needs `bun` for the platform's first stage. Options override the
settings of the shipped model."""

import argparse
import dataclasses

import numpy as np

from isnad_embed.corpus import ROOT

from .data import FOLDER, make, merged, read
from .export import export, ndcg
from .numbers import beside, raw
from .shipped import Shipped
from .synthetic import KINDS
from .train import Settings, train

HELD_OUT_OF = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_rerank", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument("--name", default="rerank-ar-en", help="folder under nlp/models")
    parser.add_argument("--fresh", action="store_true", help="make the collections again")
    given = vars(parser.parse_args())
    name, fresh = given.pop("name"), given.pop("fresh")
    settings = Settings(**given)
    names = [f"{kind}-{lang}" for lang in ("ar", "en") for kind in KINDS]
    if fresh or not all((FOLDER / f"{n}.queries").exists() for n in names):
        make(settings.seed, settings.articles)
    lists = merged([read(FOLDER / n) for n in names])
    kind = np.repeat([n.split("-")[0] for n in names], [len(read(FOLDER / n).queries) for n in names])
    shipped = Shipped()
    table, importance = shipped.axes(settings.dims), shipped.importance()
    x, grades, present = raw(lists, table, importance, settings.count)
    held = np.arange(len(x)) % HELD_OUT_OF == 0
    weights = np.where(kind == "asked", settings.asked, 1.0).astype(np.float32)
    model = train(x[~held], grades[~held], present[~held], weights[~held] / weights.mean(), settings)
    test = lists.some(np.flatnonzero(held))
    import torch

    with torch.no_grad():
        after = ndcg(test, model(torch.from_numpy(beside(x[held], present[held]))).numpy())
    before = ndcg(test, -np.tile(np.arange(settings.count), (len(test.queries), 1)))
    print(f"synthetic lists not trained on: nDCG@10 {before:.4f} -> {after:.4f}")
    told = " ".join(f"--{k} {v}" for k, v in dataclasses.asdict(settings).items())
    metrics = [
        {"set": "synthetic lists not trained on, as found", "metric": "nDCG@10", "value": round(before, 4)},
        {"set": "synthetic lists not trained on, reranked", "metric": "nDCG@10", "value": round(after, 4)},
    ]
    export(ROOT / "nlp" / "models" / name, shipped, table, model, test, f"python -m isnad_rerank {told}", metrics)


if __name__ == "__main__":
    main()
