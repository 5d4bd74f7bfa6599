"""Trains the tagger that ships, with its heads and nested entities in one graph, after `python -m isnad_ner` and
`python -m isnad_nested.teacher`: `python -m isnad_nested`. One core, about three quarters of an hour."""

import argparse
import dataclasses
import random
from pathlib import Path

import numpy as np
import torch

from isnad_embed.corpus import OUT, ROOT
from isnad_ner.data import load

from . import data, learn, measure, teacher
from .export import calibration, export
from .fit import Settings, fit
from .heads import TEACHER, count_of, heads_of
from .lower import Lower
from .model import KEPT, Upper
from .start import Stack, Start, read

WEIGHTS = OUT / "nested-tagger.pt"
FROZEN = 1
"""Lower layers that stay as they are."""
LEANS = np.arange(0, 1.51, 0.25)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_nested", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.add_argument("--start", type=Path, default=OUT / "tagger-ar-en", help="folder of the tagger to go on from")
    parser.add_argument("--teacher", type=Path, default=teacher.KEPT, help="weights of the teacher")
    parser.add_argument(
        "--share", type=float, default=0.4, help="of the heads' layers, where nested entities have others"
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "nlp" / "models" / "tagger-ar-en")
    parser.add_argument("--kept", type=Path, default=WEIGHTS, help="where the trained weights are kept")
    parser.add_argument("--export-only", action="store_true", help="the weights are there already")
    given = vars(parser.parse_args())
    begin, taught, share, folder, kept, export_only = (
        given.pop(k) for k in ("start", "teacher", "share", "folder", "kept", "export_only")
    )
    settings = Settings(**given)
    torch.set_num_threads(1)
    torch.manual_seed(11)
    rng = random.Random(11)
    start, sets = read(begin), load()
    state = start.mixed(share)
    heads = heads_of(sets.train)
    lower, model = Lower(state, FROZEN), upper(start, state, FROZEN, settings.drop)
    own, wojood, tune = data.divided()
    if export_only:
        model.load_state_dict(torch.load(kept))
    else:
        windows = learn.windows_of(own + wojood, sets.train, heads, rng)
        nested = tower(start, start.nested) if start.nested else None
        outputs = count_of(heads_of(sets.train, TEACHER))
        learn.teach(windows, heads, teacher.trained(outputs, taught), nested, tower(start, start.heads), rng)
        model = fit(model, lower, windows.plans(rng), settings, lambda made: torch.save(made.state_dict(), kept))
        torch.save(model.state_dict(), kept)
    lean, platt, metrics = tuned(model.eval(), lower, tune)
    said = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in dataclasses.asdict(settings).items())
    card = {"start": start.checksum, "trained_by": f"python -m isnad_nested --share {share} {said}", "metrics": metrics}
    export(folder, begin, start, state, model, lower, own, lean, platt, card)


def tower(start: Start, stack: Stack) -> learn.Tower:
    """The tagger that training starts from, as it reads heads, or nested entities."""
    return Lower(stack.state, 3), upper(start, stack.state, 3, 0.0).eval()


def upper(start: Start, state: dict[str, torch.Tensor], first: int, drop: float) -> Upper:
    """The layers of `state` from `first` on, with the outputs that the tagger has."""
    model = Upper(state, first, drop, len(start.heads.bias))
    with torch.no_grad():
        model.head.weight[KEPT:], model.head.bias[KEPT:] = start.heads.weight, start.heads.bias
        if start.nested:
            model.head.weight[:KEPT], model.head.bias[:KEPT] = start.nested.weight, start.nested.bias
    return model


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
