"""Trains the graph of debates and posts over the shared pieces, whose scores are added to those of the graph with a vocabulary of its own:
`python -m isnad_news.speech`, after isnad_check and before isnad_news."""

import argparse
import json
import logging
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from isnad_check import vocabulary
from isnad_check.calibrate import Calibration, Scored, calibrate
from isnad_check.card import measured_sets
from isnad_check.data import OUT, ROOT, Labelled, checkthat, claims, debates_2019, posts
from isnad_check.encoder import LANGUAGES
from isnad_check.export import LONGEST as OWN_LONGEST
from isnad_check.measures import average_precision
from weights import provenance

from .encoder import SPEECH, Checker
from .export import Session, own_vocabulary, parity, serialised, steps_of, write
from .learn import Contest, Part, Settings, learn
from .states import states

ARABIC = 3500
"""Posts of CheckThat! that are learned: they are long, and few of them are like those that measure."""
OTHERS = 300
"""Sentences of each debate that its marked ones stand above."""
SHARE = {"ar": 0.85, "en": 1.0}
"""Of the scores, what is added to those of the other graph: chosen on dev."""
SAID = 0.266
"""Of English dev, what the graph with a vocabulary of its own says is a claim."""
WATCHED = 40


def parts(model: Checker, rng: np.random.Generator) -> list[Part]:
    """The public sets in the output of their language, our own sentences in both, our posts in the Arabic one."""
    found = []
    for lang in LANGUAGES:
        public, own = checkthat(lang, "train"), claims(lang, "train")
        chosen = rng.permutation(len(public.texts))[:ARABIC] if lang == "ar" else np.arange(len(public.texts))
        rows = states(model.shared, public.texts)
        found.append(Part([rows[i] for i in chosen], np.array(public.labels)[chosen], (lang,)))
        found.append(Part(states(model.shared, own.texts), np.array(own.labels)))
    own = posts("train")
    return [*found, Part(states(model.shared, own.texts), np.array(own.labels), ("ar",))]


def contests(model: Checker, rng: np.random.Generator) -> list[Contest]:
    found = []
    for debate in debates_2019(held_out=False).values():
        labels = np.array(debate.labels)
        others = rng.permutation(np.flatnonzero(labels == 0))[:OTHERS]
        kept = np.sort(np.concatenate([np.flatnonzero(labels == 1), others]))
        found.append(Contest(states(model.shared, [debate.texts[i] for i in kept]), labels[kept]))
    return found


class Both:
    """Both graphs of debates, as logits of texts."""

    def __init__(self, folder: Path, speech: bytes) -> None:
        self.own, self.speech = own_vocabulary(folder), Session(speech)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    def of(self, texts: list[str], lang: str) -> np.ndarray:
        rows = vocabulary.encode(self.tokenizer, texts, OWN_LONGEST)
        return self.own.of(rows, lang) + self.speech.of(texts, lang)


def calibrated(both: Both) -> dict[str, Calibration]:
    """By dev and by our own topics that calibrate: the whole of train was trained on. Sets to come have more English claims than dev, so there as
    many sentences of dev are said to be claims as by the graph with a vocabulary of its own."""
    found = {}
    for lang in LANGUAGES:
        dev, own = checkthat(lang, "dev"), claims(lang, "calibration")
        labels = np.array(dev.labels + own.labels)
        scored = Scored(labels, both.of(dev.texts + own.texts, lang))
        found[lang] = calibrate(scored.part(np.arange(0)), scored)
        if lang == "en":
            p = np.sort(found[lang].probabilities(scored.logits[: len(dev.labels)]))[::-1]
            count = round(SAID * len(p))
            found[lang] = replace(found[lang], threshold=float(p[count - 1 : count + 1].mean()))
    return found


def weighed(model: Checker) -> Checker:
    """The model with the share of each output in its weights."""
    with torch.no_grad():
        for place, lang in enumerate(LANGUAGES):
            model.branch.head.weight[place] *= SHARE[lang]
            model.branch.head.bias[place] *= SHARE[lang]
    return model


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m isnad_news.speech", description=__doc__)
    parser.add_argument("--name", default="checkworthy-ar-en", help="folder under nlp/models")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--size", type=int, default=48, help="sentences of a step")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--fresh", action="store_true", help="take nothing up that an earlier run left")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    OUT.mkdir(parents=True, exist_ok=True)
    model, kept = Checker(SPEECH), OUT / "speech.pt"
    if given.fresh or not kept.exists():
        rng = np.random.default_rng(1)
        settings = Settings(given.epochs, given.size, given.rate, given.seed)
        learn(model.branch, parts(model, rng), settings, contests(model, rng))
        torch.save(model.branch.state_dict(), kept)
    model.branch.load_state_dict(torch.load(kept))
    weighed(model.eval())
    told = f"python -m isnad_news.speech {' '.join(sys.argv[1:])}".strip()
    export(model, ROOT / "nlp" / "models" / given.name, told)


def export(model: Checker, folder: Path, command: str) -> None:
    watched = [
        text
        for lang in LANGUAGES
        for found in (checkthat(lang, "train"), claims(lang, "train"))
        for text in found.texts[:: max(1, len(found.texts) // WATCHED)]
    ]
    made = serialised(model, steps_of(model, watched))
    both, exact = Both(folder, made), Both(folder, serialised(model, None))
    calibration = calibrated(both)
    card = json.loads((folder / "model.json").read_text(encoding="utf8"))
    write(folder, "speech.onnx", "debate", made, calibration, details(model, both, exact, calibration, command, card))


def details(
    model: Checker, both: Both, exact: Both, calibration: dict[str, Calibration], command: str, card: dict
) -> dict:
    """What takes the place of these parts of the card of the model of debates."""
    off = parity(model, exact.speech, claims("en", "held-out").texts[:20])
    metrics = [metric for metric in card["metrics"] if metric["set"].startswith("news: ")]
    debates = [
        {"set": "speech: ONNX float32 against PyTorch, logits", "metric": "largest absolute difference", "value": off},
        *measured_sets(lambda found, lang: both.of(found.texts, lang), calibration),
    ]
    losses = "int8 against float32, of speech: largest loss of average precision over dev and dev-test"
    debates.append({"set": losses, "metric": "loss", "value": loss_of(both, exact)})
    used = {
        "name": "multilingual-e5-small (weights)",
        "licence": "MIT",
        "used_for": "news and speech: the layers that training starts from",
    }
    data = [one for one in card["training_data"] if one["name"] != used["name"]]
    weights = [one for one in card["starting_weights"] if "e5" not in one["name"]]
    before = card["trained_by"].split(" && python -m isnad_news")[0]
    return {
        "starting_weights": weights + provenance([(used["name"], "MIT", "")]),
        "training_data": [*data, used],
        "trained_by": f"{before} && {command} && python -m isnad_news",
        "metrics": debates + metrics,
    }


def loss_of(both: Both, exact: Both) -> float:
    """The largest loss of average precision by 8 bits."""

    def loss(found: Labelled, lang: str) -> float:
        labels = np.array(found.labels)
        return average_precision(labels, exact.of(found.texts, lang)) - average_precision(
            labels, both.of(found.texts, lang)
        )

    value = max(loss(checkthat(lang, part), lang) for lang in LANGUAGES for part in ("dev", "dev-test"))
    return float(f"{value:.4g}")


if __name__ == "__main__":
    main()
