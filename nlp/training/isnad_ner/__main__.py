"""Trains and exports the tagger: `python -m isnad_ner`. Needs nlp/training/requirements.txt and the weights of isnad_base; one core, about
half an hour where bfloat16 matrix products are in hardware."""

import argparse
import copy
import dataclasses

import torch

from isnad_base import encoder
from isnad_embed.corpus import OUT

from .data import load
from .examples import heads
from .export import export
from .fit import Settings, fit
from .model import Tagger

KEPT = OUT / "ner-tagger.pt"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_ner", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.add_argument(
        "--name", default="tagger-ar-en", help="folder under nlp/training/out, where isnad_nested begins"
    )
    parser.add_argument("--inner", action="store_true", help="hold out the fourth fifths, to choose settings by")
    parser.add_argument("--kept", default=str(KEPT), help="where the trained weights are kept")
    parser.add_argument(
        "--mean-with",
        help="weights of another run: their mean with those of this one ships (model soup; Wortsman et al., 2022)",
    )
    parser.add_argument("--export-only", action="store_true", help="the weights are there already")
    given = vars(parser.parse_args())
    name, inner, kept, mean_with, export_only = (
        given.pop(k) for k in ("name", "inner", "kept", "mean_with", "export_only")
    )
    settings = Settings(**given)
    torch.set_num_threads(1)
    sets = load(inner)
    if export_only:
        model = Tagger(encoder.start(range(settings.layers)), heads(sets.train))
        model.load_state_dict(torch.load(kept))
    else:
        model = fit(sets.train, settings, lambda made: torch.save(made.state_dict(), kept))
        torch.save(model.state_dict(), kept)
    told = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in dataclasses.asdict(settings).items())
    shipped = copy.deepcopy(model)
    if mean_with:
        other = torch.load(mean_with)
        shipped.load_state_dict({key: (value + other[key]) / 2 for key, value in model.state_dict().items()})
        told += " --mean-with another run (isnad_ner/README.md)"
    export(OUT / name, shipped.eval(), model.eval(), sets, f"python -m isnad_ner {told}")


if __name__ == "__main__":
    main()
