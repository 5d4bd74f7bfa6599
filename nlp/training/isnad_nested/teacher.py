"""Trains the teacher of the tagger's nested entities, a deeper encoder that does not ship: `python -m isnad_nested.teacher`. One core, about
half an hour."""

import argparse
import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from isnad_base import encoder
from isnad_embed.corpus import OUT
from isnad_ner.data import load
from isnad_ner.examples import Swapper

from . import data, examples
from .fit import Settings, fit
from .heads import TEACHER, count_of, heads_of
from .lower import Lower
from .model import Upper

KEPT = OUT / "entity-teacher.pt"
LAYERS, FROZEN = 9, 4
SHARES = {"anercorp": 0.25, "newsfane": 0.12, "wikifane": 0.01}
"""Of each set of a head the share of its windows that a round has, beside all sentences with nested entities."""
CELLS = 1024
CHANGE = examples.Settings(swap=0.3, join=0.08, hide=0.05)
SWAP, SMALL, HIDE = 0.35, 0.04, 0.06
"""As isnad_ner's `swap`, `lower` and `hide`, for the sentences of the heads."""


DEFAULTS = {"rate": 2e-4, "head_rate": 7.5, "mean": 0.99, "flat": 1.0}


def untrained(outputs: int, drop: float) -> tuple[Lower, Upper]:
    """The first layers of the published encoder, of which the lower ones stay as they are."""
    state = encoder.start(range(LAYERS)).state_dict()
    return Lower(state, FROZEN), Upper(state, FROZEN, drop, outputs)


def made_by(kept: Path) -> Path:
    return kept.with_suffix(".txt")


def trained_by(kept: Path) -> str:
    """The commands that made a teacher, which stand beside its weights."""
    return made_by(kept).read_text(encoding="utf8").strip()


def trained(outputs: int, kept: Path) -> tuple[Lower, Upper]:
    lower, upper = untrained(outputs, 0.0)
    upper.load_state_dict(torch.load(kept))
    return lower, upper.eval()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_nested.teacher", description=__doc__)
    for field in dataclasses.fields(Settings):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.set_defaults(**DEFAULTS)
    parser.add_argument("--rounds", type=int, default=6, help="how often all sentences with nested entities are read")
    parser.add_argument("--start", type=Path, help="weights of a teacher to go on from, by those sentences alone")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the trained weights are kept")
    given = vars(parser.parse_args(arguments))
    rounds, begin, kept = given.pop("rounds"), given.pop("start"), given.pop("kept")
    settings = Settings(**given)
    torch.set_num_threads(1)
    torch.manual_seed(7)
    rng = random.Random(7)
    sets = load().train
    heads = heads_of(sets, TEACHER)
    own, wojood, _ = data.divided()
    augmenter = examples.Augmenter(own + wojood, CHANGE, rng, data.names())
    swapper = Swapper({name: sets[name] for name in heads}, rng, SWAP, SMALL, HIDE)
    lower, model = untrained(count_of(heads), settings.drop)
    if begin:
        model.load_state_dict(torch.load(begin))
    plans = []
    for _ in range(rounds):
        part = examples.nested_examples(own + wojood, augmenter, heads["anercorp"])
        for name, share in ({} if begin else SHARES).items():
            part += examples.flat_examples(sets[name], name, share, heads[name], swapper)
        plans.append(examples.batches(part, CELLS, rng))
    kept.parent.mkdir(exist_ok=True)
    before = f"{trained_by(begin)}, then " if begin else ""
    options = dataclasses.asdict(settings) | {"rounds": rounds}
    said = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in options.items())
    again = " --start" if begin else ""
    made_by(kept).write_text(f"{before}python -m isnad_nested.teacher{again} {said}\n", encoding="utf8")
    fit(model, lower, plans, settings, lambda made: torch.save(made.state_dict(), kept))


if __name__ == "__main__":
    main()
