"""Trains the tagger that ships, with its heads and nested entities in one graph, after `python -m isnad_ner` and
`python -m isnad_nested.teacher`: `python -m isnad_nested`. One core, about three quarters of an hour."""

import argparse
import copy
import dataclasses
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from isnad_embed.corpus import OUT, ROOT
from isnad_ner.data import SHIPPED, load

from . import data, learn, measure, teacher
from .export import export
from .fit import Settings, fit
from .heads import TEACHER, count_of, heads_of
from .lower import Lower
from .model import KEPT, Upper
from .start import Stack, Start, State, read
from .tune import tuned

WEIGHTS = OUT / "nested-tagger.pt"
SEED = 11
FROZEN = 1
"""Lower layers that stay as they are."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_nested", description=__doc__)
    for field in (*dataclasses.fields(Settings), *dataclasses.fields(learn.Amounts)):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    parser.add_argument("--start", type=Path, default=OUT / "tagger-ar-en", help="folder of the tagger to go on from")
    parser.add_argument("--teacher", type=Path, default=teacher.KEPT, help="weights of the teacher")
    parser.add_argument(
        "--share", type=float, default=0.4, help="of the heads' layers, where nested entities have others"
    )
    parser.add_argument("--runs", type=int, default=1, help="the mean of the weights of so many is taken")
    parser.add_argument("--folder", type=Path, default=ROOT / "nlp" / "models" / "tagger-ar-en")
    parser.add_argument("--kept", type=Path, default=WEIGHTS, help="where the trained weights are kept")
    parser.add_argument("--export-only", action="store_true", help="the weights are there already")
    given = vars(parser.parse_args(arguments))
    begin, taught, share, runs, folder, kept, export_only = (
        given.pop(k) for k in ("start", "teacher", "share", "runs", "folder", "kept", "export_only")
    )
    amounts = learn.Amounts(**{field.name: given.pop(field.name) for field in dataclasses.fields(learn.Amounts)})
    settings = Settings(**given)
    torch.set_num_threads(1)
    start, sets = read(begin), load()
    state = start.mixed(share)
    heads = heads_of(sets.train)
    words_from = (start.nested or start.heads).words_from
    lower, model = Lower(state, FROZEN), upper(start, state, FROZEN, settings.drop, words_from)
    own, wojood, tune = data.divided()
    if export_only:
        model.load_state_dict(torch.load(kept))
    else:
        rng = random.Random(SEED)
        windows = learn.windows_of(own + wojood, sets.train, heads, amounts, rng)
        nested = tower(start, start.nested) if start.nested else None
        outputs = count_of(heads_of(sets.train, TEACHER))
        learn.teach(windows, heads, teacher.trained(outputs, taught), nested, tower(start, start.heads), rng)
        made = []
        for run in range(runs):
            torch.manual_seed(SEED + run)
            rng = random.Random(SEED + run)
            if run > 0:
                windows.own = learn.copies_of(own + wojood, heads[SHIPPED[0]], amounts.copies, rng)
            begun = copy.deepcopy(model)
            made.append(fit(begun, lower, windows.plans(rng), settings, lambda m: torch.save(m.state_dict(), kept)))
            for name, sentences in tune.items():
                measure.report(f"run {run + 1}, {name}", sentences, measure.alone(made[-1], lower, sentences))
        model.load_state_dict(mean_of([part.state_dict() for part in made]))
        torch.save(model.state_dict(), kept)
    lean, platt, metrics = tuned(model.eval(), lower, tune)
    options = {"share": share, "runs": runs} | dataclasses.asdict(settings) | dataclasses.asdict(amounts)
    said = " ".join(f"--{k.replace('_', '-')} {v}" for k, v in options.items())
    by = f"python -m isnad_nested {said}, with the teacher of {teacher.trained_by(taught)}"
    card = {"start": start.checksum, "trained_by": by, "metrics": metrics}
    export(folder, begin, start, state, model, lower, own, lean, platt, card)


def mean_of(states: list[State]) -> State:
    """The mean of weights that were trained from the same start (model soup; Wortsman et al., 2022)."""
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def tower(start: Start, stack: Stack) -> learn.Tower:
    """The tagger that training starts from, as it reads heads, or nested entities."""
    return Lower(stack.state, 1), upper(start, stack.state, 1, 0.0, stack.words_from).eval()


def upper(start: Start, state: State, first: int, drop: float, words_from: int) -> Upper:
    """The layers of `state` from `first` on, with the outputs that the tagger has."""
    model = Upper(state, first, drop, len(start.heads.bias), words_from)
    with torch.no_grad():
        model.head.weight[KEPT:], model.head.bias[KEPT:] = start.heads.weight, start.heads.bias
        if start.nested:
            model.head.weight[:KEPT], model.head.bias[:KEPT] = start.nested.weight, start.nested.bias
    return model


if __name__ == "__main__":
    main()
