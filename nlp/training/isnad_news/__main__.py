"""Trains, quantises and calibrates the model of news and puts it beside that of debates: `python -m isnad_news`. Options override the settings of
the shipped one."""

import argparse
import json
import logging
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from isnad_base import pieces
from isnad_check.calibrate import Calibration, Scored, calibrate_to_share, precise_threshold
from isnad_check.data import OUT, ROOT, Labelled, claims, judged, posts, unlabelled
from isnad_check.encoder import LANGUAGES

from .card import details
from .encoder import Branch, Checker
from .export import Session, serialised, steps_of, write
from .learn import Part, Settings, learn
from .states import LONGEST, States, batch, states

PRECISION = 0.82
"""Of the sentences that are kept of articles unasked, the share that is to be right."""
WATCHED = 30
"""Sentences of each set by which the ranges of activations are fitted."""
UNLABELLED = 4000
"""Sentences of each language of which the model learns what those before it say."""
GUIDED = 0.5
"""Of the labels of our own sentences, the share that those before it say."""


@dataclass(frozen=True)
class Run:
    seed: int
    copies: int
    """Of each judged sentence an epoch."""
    cut: float


RUNS = (Run(7, 2, 0.1), Run(11, 3, 0.05))
JUDGED_COPIES = 2
LAST = Settings(epochs=1, size=32, rate=8e-5, seed=3, cut=0.05)


class Teachers:
    """Branches over the states of one model, and a graph that was shipped before, as probabilities of texts [texts, languages]."""

    def __init__(self, model: Checker, branches: list[Branch], before: Path) -> None:
        self.shared, self.branches, self.before = model.shared, branches, Session(before.read_bytes())

    def of(self, texts: list[str]) -> np.ndarray:
        rows = states(self.shared, texts)
        logits = [outputs(branch, rows) for branch in self.branches]
        logits.append(self.before.all(pieces.encode(texts, LONGEST)))
        return 1 / (1 + np.exp(-np.mean(logits, 0)))


@torch.no_grad()
def outputs(branch: Branch, rows: States, size: int = 48) -> np.ndarray:
    """The logits of sentences [sentences, languages]."""
    out = np.zeros((len(rows), len(LANGUAGES)))
    for chosen in np.array_split(np.argsort([len(row) for row in rows], kind="stable"), max(1, len(rows) // size)):
        out[chosen] = branch.eval()(*batch(rows, list(chosen))).numpy()
    return out


def parts(model: Checker, copies: int, teachers: Teachers | None = None) -> list[Part]:
    """Our own sentences, judged ones of real articles, and our own posts; with `teachers`, unlabelled sentences as well."""

    def part(of: Labelled, langs: tuple[str, ...] = LANGUAGES, copies: int = 1, guided: bool = False) -> Part:
        labels = np.array(of.labels)
        if guided and teachers is not None:
            exact = np.repeat(labels[:, None] * 0.95 + 0.025, len(LANGUAGES), 1)
            labels = (1 - GUIDED) * exact + GUIDED * teachers.of(of.texts)
        return Part(states(model.shared, of.texts), labels, langs, copies)

    found = []
    for lang in LANGUAGES:
        found += [part(claims(lang, "train"), guided=True), part(judged(lang, "train"), copies=copies)]
        if teachers is not None:
            texts = unlabelled(lang, UNLABELLED)
            found.append(Part(states(model.shared, texts), teachers.of(texts)))
    return [*found, part(posts("train"), ("ar",), guided=True)]


def learned(model: Checker, before: Path, epochs: int, size: int, rate: float) -> Branch:
    """Two runs by the labels; from the mean of their weights, a third by the labels and by what both and the model before say."""
    branches = []
    for run in RUNS:
        torch.manual_seed(run.seed)
        branch = Checker().branch
        settings = Settings(epochs, size, rate, run.seed, run.cut)
        branches.append(learn(branch, parts(model, run.copies), settings).eval())
    taught = parts(model, JUDGED_COPIES, Teachers(model, branches, before))
    first, second = (branch.state_dict() for branch in branches)
    model.branch.load_state_dict({name: torch.lerp(first[name], second[name], 0.5) for name in first})
    return learn(model.branch, taught, LAST)


def calibrated(small: Session, langs: Iterable[str]) -> dict[str, Calibration]:
    """By language, by our own topics and the judged sentences that calibrate; from where on a sentence is kept by the latter alone."""
    found = {}
    for lang in langs:
        own, real = (of(lang, "calibration") for of in (claims, judged))
        labels = np.array(own.labels + real.labels)
        to = calibrate_to_share(Scored(labels, small.of(own.texts + real.texts, lang)))
        p = to.probabilities(small.of(real.texts, lang))
        found[lang] = replace(to, keep=precise_threshold(np.array(real.labels), p, PRECISION))
    return found


def export(model: Checker, folder: Path, only: str | None, command: str) -> None:
    watched = [
        text
        for lang in LANGUAGES
        for found in (claims(lang, "train"), judged(lang, "train"))
        for text in found.texts[:: max(1, len(found.texts) // WATCHED)]
    ]
    made = serialised(model, steps_of(model, watched))
    large, small = Session(serialised(model, None)), Session(made)
    calibration = calibrated(small, LANGUAGES if only is None else (only,))
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    file = "news.onnx" if only is None else f"news-{only}.onnx"
    write(folder, file, "news", made, calibration, details(model, large, small, calibration, command, card))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_news", description=__doc__)
    parser.add_argument("--name", default="checkworthy-ar-en", help="folder under nlp/models")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--size", type=int, default=32, help="sentences of a step")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument(
        "--before",
        type=Path,
        default=ROOT / "nlp" / "models" / "checkworthy-ar-en" / "news.onnx",
        help="a graph of news that was made before, which teaches, too",
    )
    parser.add_argument("--fresh", action="store_true", help="take nothing up that an earlier run left")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", choices=LANGUAGES, help="write a graph that answers for one language alone")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    OUT.mkdir(parents=True, exist_ok=True)
    model, kept = Checker(), OUT / "news.pt"
    if given.fresh or not kept.exists():
        learned(model, given.before, given.epochs, given.size, given.rate)
        torch.save(model.branch.state_dict(), kept)
    model.branch.load_state_dict(torch.load(kept))
    told = f"python -m isnad_news {' '.join(sys.argv[1:])}".strip()
    export(model.eval(), ROOT / "nlp" / "models" / given.name, given.only, told)


if __name__ == "__main__":
    main()
