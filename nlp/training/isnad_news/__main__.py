"""Trains, quantises and calibrates the model of news and puts it beside that of debates: `python -m isnad_news`. Options override the settings of
the shipped one."""

import argparse
import json
import logging
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from isnad_check.calibrate import Calibration, Scored, calibrate_to_share, precise_threshold
from isnad_check.data import OUT, ROOT, Labelled, claims, judged, posts
from isnad_check.encoder import LANGUAGES

from .card import details
from .encoder import Checker
from .export import Session, serialised, steps_of, write
from .learn import Part, Settings, learn
from .states import states

JUDGED_COPIES = 2
PRECISION = 0.84
"""Of the sentences that are kept of articles unasked, the share that is to be right."""
WATCHED = 30
"""Sentences of each set by which the ranges of activations are fitted."""


def parts(model: Checker) -> list[Part]:
    """Our own sentences, judged ones of real articles, and our own posts."""

    def part(of: Labelled, langs: tuple[str, ...] = LANGUAGES, copies: int = 1) -> Part:
        return Part(states(model.shared, of.texts), np.array(of.labels), langs, copies)

    found = []
    for lang in LANGUAGES:
        found += [part(claims(lang, "train")), part(judged(lang, "train"), copies=JUDGED_COPIES)]
    return [*found, part(posts("train"), ("ar",))]


def calibrated(small: Session) -> dict[str, Calibration]:
    """By language, by our own topics and the judged sentences that calibrate; from where on a sentence is kept by the latter alone."""
    found = {}
    for lang in LANGUAGES:
        own, real = (of(lang, "calibration") for of in (claims, judged))
        labels = np.array(own.labels + real.labels)
        to = calibrate_to_share(Scored(labels, small.of(own.texts + real.texts, lang)))
        p = to.probabilities(small.of(real.texts, lang))
        found[lang] = replace(to, keep=precise_threshold(np.array(real.labels), p, PRECISION))
    return found


def export(model: Checker, folder: Path, command: str) -> None:
    watched = [
        text
        for lang in LANGUAGES
        for found in (claims(lang, "train"), judged(lang, "train"))
        for text in found.texts[:: max(1, len(found.texts) // WATCHED)]
    ]
    made = serialised(model, steps_of(model, watched))
    large, small = Session(serialised(model, None)), Session(made)
    calibration = calibrated(small)
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    write(folder, made, calibration, details(model, large, small, calibration, command, card))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_news", description=__doc__)
    parser.add_argument("--name", default="checkworthy-ar-en", help="folder under nlp/models")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--size", type=int, default=32, help="sentences of a step")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--fresh", action="store_true", help="take nothing up that an earlier run left")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    OUT.mkdir(parents=True, exist_ok=True)
    model, kept = Checker(), OUT / "news.pt"
    if given.fresh or not kept.exists():
        learn(model.branch, parts(model), Settings(given.epochs, given.size, given.rate, given.seed))
        torch.save(model.branch.state_dict(), kept)
    model.branch.load_state_dict(torch.load(kept))
    told = f"python -m isnad_news {' '.join(sys.argv[1:])}".strip()
    export(model.eval(), ROOT / "nlp" / "models" / given.name, told)


if __name__ == "__main__":
    main()
