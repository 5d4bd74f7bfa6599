"""Trains nlp/models/senses-ar: `python -m isnad_senses`; or, with `--vectors`, makes the vectors of senses that were added or worded anew,
by the weights that are there. One core, about ten minutes the first time; needs bun."""

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np
import torch

from isnad_embed.corpus import ROOT

from . import data, export
from .fit import Settings, accuracy, fit, signs, weigh
from .model import Senses

FOLDER = ROOT / "nlp" / "models" / export.NAME
FOLDS = 4
LEFT_OUT = 2
"""So many of the quarters of the parts are left out in turn."""
SEVERAL = 3
"""What is measured by are words with so many senses or more, as in `bun run eval --task wsd`."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_senses", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    parser.add_argument("--vectors", action="store_true", help="train nothing")
    parser.add_argument("--go-on", action="store_true", help="with the examples of the run before, and its models")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    given = vars(parser.parse_args())
    folder, vectors_alone, go_on = (given.pop(name) for name in ("folder", "vectors", "go_on"))
    torch.set_num_threads(1)
    rows, senses = data.dumped(again=not go_on)
    if vectors_alone:
        return renew(folder, senses)
    train(folder, rows, senses, Settings(**given))


def train(folder: Path, rows: list[dict], senses: list[data.Sense], settings: Settings) -> None:
    found = data.examples(rows, senses)
    vectors = data.glosses(senses)
    mean = vectors.mean(0)
    glosses = torch.from_numpy(data.centred(vectors, mean))
    left, made = left_out(found, glosses, settings)
    weights = weigh(left, made)
    today = np.array([0, 1, -0.02, 0, 0])
    metrics = [
        {"set": "training parts, two quarters left out in turn, words of three senses and more", "metric": name, "value": value}
        for name, value in (
            ("accuracy", round(accuracy(left, made, weights, SEVERAL), 4)),
            ("accuracy, the vectors alone", round(accuracy(left, made, np.eye(5)[0], SEVERAL), 4)),
            ("accuracy, the words around alone", round(accuracy(left, made, today, SEVERAL), 4)),
        )
    ]  # fmt: skip
    print(weights.round(3), metrics, flush=True)
    model = kept("whole", found, glosses, settings)
    told = " ".join(f"--{name} {value}" for name, value in dataclasses.asdict(settings).items())
    export.export(
        folder,
        model,
        senses,
        {
            "vectors": vectors,
            "mean": mean,
            "weights": weights,
            "metrics": metrics,
            "seen": found[:: len(found) // 8],
            "trained_by": f"python -m isnad_senses {told}",
        },
    )


def left_out(
    found: list[data.Example], glosses: torch.Tensor, settings: Settings
) -> tuple[list[data.Example], list[np.ndarray]]:
    """The signs of the senses of each example, by models that did not learn from its part."""
    parts = sorted({example.part for example in found})
    fold = {part: place * 7 % FOLDS for place, part in enumerate(parts)}
    left: list[data.Example] = []
    made: list[np.ndarray] = []
    for number in range(LEFT_OUT):
        test = [e for e in found if fold[e.part] == number and len(e.senses) > 1]
        model = kept(f"fold-{number}", [e for e in found if fold[e.part] != number], glosses, settings)
        left += test
        made += signs(model, test, glosses)
    return left, made


def kept(name: str, found: list[data.Example], glosses: torch.Tensor, settings: Settings) -> Senses:
    """fit(), made once and kept: training may be ended and begun again."""
    path = data.KEPT / f"{name}.pt"
    told = [dataclasses.asdict(settings), len(found)]
    before = torch.load(path) if path.exists() else {}
    if before.get("told") == told:
        model = Senses(settings.dims, settings.heads, settings.drop)
        model.load_state_dict(before["state"])
        return model.eval()
    print(name, flush=True)
    model = fit(found, glosses, settings)
    torch.save({"told": told, "state": model.state_dict()}, path)
    return model


def renew(folder: Path, senses: list[data.Sense]) -> None:
    """Vectors of the senses that have none, by the projection that the folder holds; those of senses that are gone are left out."""
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    files = {name: (folder / name).read_bytes() for name in card["files"]}
    rows = np.frombuffer(files["vectors.bin"], np.uint8).reshape(-1, card["dims"] // 2)
    known = dict(zip(files["senses.txt"].decode().split("\n"), rows, strict=False))
    several = [sense for sense in senses if sense.several]
    missing = [sense for sense in several if sense.key not in known]
    if missing:
        glosses, mean = export.read_turned(files["glosses.bin"], card["dims"])
        known |= dict(zip(*export.written(glosses, missing, data.glosses(missing), mean), strict=True))
    files["vectors.bin"] = np.stack([known[sense.key] for sense in several]).tobytes()
    files["senses.txt"] = "".join(f"{sense.key}\n" for sense in several).encode()
    export.save(folder, card["dims"], card, files)
    print(f"{len(missing)} vectors made, {len(several)} in all", flush=True)


if __name__ == "__main__":
    main()
