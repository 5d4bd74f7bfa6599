"""Trains and exports the embedding: `python -m isnad_embed`. Options override the settings of the shipped model."""

import argparse
import dataclasses

import numpy as np

from .corpus import OUT, ROOT
from .export import export
from .initialise import start_vectors
from .prepare import prepared
from .train import Settings, source_of, train


def piece_share(data: dict, size: int) -> np.ndarray:
    source = source_of(data)
    pieces, _ = source.pieces.gather(source.documents.sentences.flat)
    return np.bincount(pieces, minlength=size) / len(pieces)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_embed", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.add_argument("--name", default="static-ar-en-256", help="folder under nlp/models")
    parser.add_argument("--fresh", action="store_true", help="read the data sets again, make the start vectors again")
    given = vars(parser.parse_args())
    name, fresh = given.pop("name"), given.pop("fresh")
    settings = Settings(**given)
    data = prepared(settings.size, settings.arabic_share, fresh)
    kept = OUT / f"start-{settings.size}-{settings.dims}.npy"
    if fresh or not kept.exists():
        np.save(
            kept, start_vectors(source_of(data), settings.size, settings.dims, np.random.default_rng(settings.seed))
        )
    vectors = train(data, np.load(kept), settings)
    np.save(OUT / f"{name}.npy", vectors)
    told = {k: v for k, v in dataclasses.asdict(settings).items() if k != "threads"}
    command = "python -m isnad_embed " + " ".join(f"--{k.replace('_', '-')} {v}" for k, v in told.items())
    share = piece_share(data, settings.size)
    export(ROOT / "nlp" / "models" / name, data["tokenizer"], vectors, share, settings.power, command)


if __name__ == "__main__":
    main()
