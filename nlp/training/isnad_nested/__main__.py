"""Gives a tagger outputs for nested entities, and exports it: `python -m isnad_nested`, after `python -m isnad_ner`. One core, about a quarter
of an hour."""

import argparse
import dataclasses
from pathlib import Path

import numpy as np
import torch

from isnad_embed.corpus import OUT, ROOT
from isnad_ner.data import SHIPPED, load
from isnad_ner.data import Sentence as Tagged

from . import data, measure
from .export import calibration, export
from .fit import Settings, fit
from .model import NestedTagger
from .start import Start, read

KEPT = OUT / "nested-tagger.pt"
EVERY = 10
"""Of Wojood's training sentences every tenth is kept from training, as are the subjects DEVELOPMENT of our own."""
LEANS = np.arange(0, 1.51, 0.25)


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
    sets = load()
    rehearsed = {name: sets.train[name] for name in SHIPPED}
    own, tune = divided()
    if export_only:
        model = NestedTagger(start, 0.0, settings.frozen)
        model.load_state_dict(torch.load(kept))
    else:
        model = fit(
            start, own, rehearsed, heads_of(start), settings, lambda made, _: torch.save(made.state_dict(), kept)
        )
    finish(folder, begin, start, model.eval(), settings, own, tune, rehearsed)


def divided() -> tuple[list[data.Sentence], dict[str, list[data.Sentence]]]:
    """What is learned from, and what the readiness to assume an entity and its probability are fitted by."""
    wojood = data.wojood("train")
    kept = [name for name in data.subjects(held_out=False) if name not in data.DEVELOPMENT]
    learned = data.own(kept) + [s for i, s in enumerate(wojood) if i % EVERY]
    return learned, {"own": data.own(list(data.DEVELOPMENT)), "Wojood": wojood[::EVERY]}


def heads_of(start: Start) -> dict[str, tuple[slice, list[str]]]:
    return {
        name: (slice(head["first"], head["first"] + len(head["labels"])), head["labels"])
        for head, name in zip(start.settings["heads"], ("anercorp", "wikigold", "wnut"), strict=True)
    }


def finish(
    folder: Path, begin: Path, start: Start, model: NestedTagger, settings: Settings, own: list[data.Sentence],
    tune: dict[str, list[data.Sentence]], rehearsed: dict[str, list[Tagged]],
) -> None:  # fmt: skip
    scores = {name: measure.scored(model, sentences) for name, sentences in tune.items()}
    f1 = []
    for lean in LEANS:
        f1.append(
            [
                measure.report(f"{name}, O lowered by {lean}", tune[name], scores[name], model.given, lean)
                for name in tune
            ]
        )
    lean = float(LEANS[np.mean(f1, 1).argmax()])
    leans = np.full(len(data.TYPES), lean)
    sentences, rows = [s for part in tune.values() for s in part], [s for part in scores.values() for s in part]
    metrics = [
        {"set": f"{name}, tuning sentences", "metric": "micro-F1, nested, words", "value": round(value, 4)}
        for name, value in zip(tune, f1[int(np.mean(f1, 1).argmax())], strict=True)
    ]
    measure.by_type(sentences, rows, model.given, lean)
    told = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in dataclasses.asdict(settings).items())
    platt = calibration(sentences, rows, model.given, leans)
    print(f"O lowered by {lean}, scale and bias {platt}", flush=True)
    card = {
        "start": start.checksum,
        "trained_by": f"python -m isnad_ner, then python -m isnad_nested {told}",
        "metrics": metrics,
    }
    export(folder, begin, start, model, leans, platt, own, card)


if __name__ == "__main__":
    main()
