"""Gives a tagger outputs for nested entities, or trains on those that it has, and exports it: `python -m isnad_nested`, after
`python -m isnad_ner`. One core, about a quarter of an hour."""

import argparse
import dataclasses
from pathlib import Path

import numpy as np
import torch

from isnad_embed.corpus import OUT, ROOT
from isnad_ner.rows import windows

from . import data, measure
from .export import calibration, export, fixed
from .fit import Settings, fit
from .lower import Lower
from .model import Upper
from .start import read

KEPT = OUT / "nested-tagger.pt"
EVERY = 10
"""Of Wojood's training sentences every tenth is kept from training, as are the subjects DEVELOPMENT of our own."""
LEANS = np.arange(0, 1.51, 0.25)
WATCHED = 6
"""By every sixth of our own sentences the ranges of activations are fitted."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_nested", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.add_argument("--start", type=Path, default=OUT / "tagger-ar-en", help="folder of the tagger to go on from")
    parser.add_argument("--folder", type=Path, default=ROOT / "nlp" / "models" / "tagger-ar-en")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the trained weights are kept")
    parser.add_argument("--export-only", action="store_true", help="the weights are there already")
    given = vars(parser.parse_args())
    begin, folder, kept, export_only = (given.pop(k) for k in ("start", "folder", "kept", "export_only"))
    settings = Settings(**given)
    torch.set_num_threads(1)
    start = read(begin)
    first = start.frozen or settings.frozen
    files = fixed(start, first)
    lower = Lower(files["lower.onnx"])
    own, wojood, tune = divided()
    if export_only:
        model = Upper(start, first, 0.0)
        model.load_state_dict(torch.load(kept))
    else:
        model = fit(start, lower, first, own, wojood, settings, lambda made: torch.save(made.state_dict(), kept))
    lean, platt, metrics = tuned(model.eval(), lower, tune)
    told = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in dataclasses.asdict(settings).items())
    card = {
        "start": start.checksum,
        "went_on": bool(start.graphs),
        "trained_by": f"python -m isnad_nested {told}",
        "metrics": metrics,
    }
    seen = [w for s in own[::WATCHED] for w in windows([s.words])]
    export(folder, begin, start, model, lower, files, seen, lean, platt, card)


def divided() -> tuple[list[data.Sentence], list[data.Sentence], dict[str, list[data.Sentence]]]:
    """Our own sentences and Wojood's to learn from; and those by which the readiness to assume an entity and its probability are fitted."""
    wojood = data.wojood("train")
    kept = [name for name in data.subjects(held_out=False) if name not in data.DEVELOPMENT]
    learned = [s for i, s in enumerate(wojood) if i % EVERY]
    return data.own(kept), learned, {"own": data.own(list(data.DEVELOPMENT)), "Wojood": wojood[::EVERY]}


def tuned(
    model: Upper, lower: Lower, tune: dict[str, list[data.Sentence]]
) -> tuple[float, tuple[float, float], list[dict]]:
    """By how much O is lowered, Platt's scale and bias, and F1 for the card."""
    scores = {name: measure.alone(model, lower, sentences) for name, sentences in tune.items()}
    f1 = []
    for lean in LEANS:
        f1.append([measure.report(f"{name}, O lowered by {lean}", tune[name], scores[name], lean) for name in tune])
    best = int(np.mean(f1, 1).argmax())
    lean = float(LEANS[best])
    sentences, rows = [s for part in tune.values() for s in part], [s for part in scores.values() for s in part]
    measure.by_type(sentences, rows, lean)
    platt = calibration(sentences, rows, lean)
    print(f"O lowered by {lean}, scale and bias {platt}", flush=True)
    metrics = [
        {"set": f"{name}, tuning sentences", "metric": "micro-F1, nested, words", "value": round(value, 4)}
        for name, value in zip(tune, f1[best], strict=True)
    ]
    return lean, platt, metrics


if __name__ == "__main__":
    main()
