"""Cross-validation of the Arabic and the English chain: `python -m isnad_ner.folds`. Five folds of each set, in order (whole stretches of
text are held out) and taking every fifth sentence (texts are cut across the folds). Without the list of the news, which
knows all folds."""

import argparse

import numpy as np

from .chain import train
from .data import Sentence, Sets, load
from .evaluate import micro_f1, tags_of
from .lean import leaned
from .stack import UPPER, Settings, Stack, lower, narrow

FOLDS = 5
LEAN = {"ar": 0.75, "en": 0.25}


def whole(sets: Sets, data_set: str) -> list[Sentence]:
    """A set in its order again: training part with the tuning sentences among it, then the held-out fifth."""
    rest, tune = list(sets.train[data_set]), list(sets.tune[data_set])
    for i, sentence in enumerate(tune):
        rest.insert(7 + 15 * i, sentence)
    return rest + sets.held_out[data_set]


def measure(name: str, sentences: list[Sentence], stack: Stack, settings: Settings) -> None:
    features, tags = [stack.features(name, [t for t, _ in s]) for s in sentences], tags_of(sentences)
    count = len(sentences)
    ways = {
        "in order": [set(range(count * k // FOLDS, count * (k + 1) // FOLDS)) for k in range(FOLDS)],
        "every fifth": [set(range(k, count, FOLDS)) for k in range(FOLDS)],
    }
    for way, folds in ways.items():
        found = []
        for out in folds:
            kept = [i for i in range(count) if i not in out]
            given = {"max_iterations": settings.iterations, "c1": settings.l1, "c2": settings.l2}
            made = leaned(train([narrow(features[i]) for i in kept], [tags[i] for i in kept], "lbfgs", given), LEAN[name])
            found.append(micro_f1([tags[i] for i in sorted(out)], [made.tag(features[i]) for i in sorted(out)])[0])
        print(f"{name} {way}: {' '.join(f'{f1:.4f}' for f1 in found)}; mean {np.mean(found):.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_ner.folds", description=__doc__)
    for key in ("rounds", "iterations"):
        parser.add_argument(f"--{key}", type=int, default=getattr(Settings, key))
    settings = Settings(**vars(parser.parse_args()))
    sets, stack = load(), Stack()
    for name in LEAN:
        data_set, uses, _ = UPPER[name]
        for used in uses:
            stack.chains[used], stack.names[used] = lower(used, sets, settings)
        stack.uses[name] = uses
        measure(name, whole(sets, data_set), stack, settings)


if __name__ == "__main__":
    main()
