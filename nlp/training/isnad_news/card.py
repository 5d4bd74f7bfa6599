"""What the card tells of news beside the files: data sets, command, and what was measured."""

import numpy as np

from isnad_check.calibrate import Calibration, Scored
from isnad_check.data import Labelled, claims, judged, posts
from isnad_check.measures import average_precision, calibration_error, f1
from weights import provenance

from .encoder import Checker
from .export import Session, parity

DATA_SETS = [
    ("multilingual-e5-small (weights)", "MIT", "news and speech: the layers that training starts from"),
    (
        "our own sentences (nlp/lexicon/claims), topics that are not held out",
        "Apache-2.0",
        "labels; of news, four topics calibrate",
    ),
    ("our own posts (nlp/lexicon/posts), 16 of 20 topics", "Apache-2.0", "news: labels"),
    (
        "sentences of ANT corpus v2, Reuters-21578 and FNC-1, judged by us (nlp/lexicon/judged)",
        "labels Apache-2.0; text of the publishers, which is not shipped",
        "news: labels; a fifth of those not chosen calibrates; some other sentences of these sets without labels",
    ),
]


def details(
    model: Checker, large: Session, small: Session, calibration: dict[str, Calibration], command: str, card: dict
) -> dict:
    """What takes the place of these parts of the card of the model of debates."""
    metrics = [
        metric
        for metric in card["metrics"]
        if not (metric["set"].startswith("news: ") and any(f" {lang}," in metric["set"] for lang in calibration))
    ]

    def tell(name: str, measure: str, value: float) -> None:
        metrics.append({"set": f"news: {name}", "metric": measure, "value": float(f"{float(value):.4g}")})

    losses = []

    def measured(name: str, found: Labelled, lang: str) -> None:
        scored, to = Scored(np.array(found.labels), small.of(found.texts, lang)), calibration[lang]
        p = to.probabilities(scored.logits)
        decided = (p >= to.threshold).astype(int)
        exact = average_precision(scored.labels, large.of(found.texts, lang))
        losses.append(exact - average_precision(scored.labels, p))
        tell(name, "F1", f1(scored.labels, decided))
        tell(name, "average precision", average_precision(scored.labels, p))
        tell(name, "accuracy", (decided == scored.labels).mean())
        tell(name, "share said to be claims", decided.mean())
        tell(name, "share of claims", scored.labels.mean())
        tell(name, "expected calibration error, 10 bins", calibration_error(scored.labels, p))

    for lang in calibration:
        measured(f"our own sentences {lang}, topics held out", claims(lang, "held-out"), lang)
        measured(f"sentences of real articles {lang}, papers held out", judged(lang, "held-out"), lang)
    if "ar" in calibration:
        measured("our own posts ar, topics held out", posts("held-out"), "ar")
    off = parity(model, large, claims("en", "held-out").texts[:20])
    langs = " and ".join(calibration)
    tell(f"ONNX float32 against PyTorch, logits, {langs}", "largest absolute difference", off)
    tell(f"int8 against float32, {langs}", "largest loss of average precision over these sets", max(losses))
    of_news = [{"name": name, "licence": licence, "used_for": used} for name, licence, used in DATA_SETS]
    others = [one for one in card["training_data"] if one["name"] not in {name for name, _, _ in DATA_SETS}]
    weights = [one for one in card["starting_weights"] if "e5" not in one["name"]]
    debates = " && ".join(run for run in card["trained_by"].split(" && ") if not run.endswith("isnad_news"))
    return {
        "description": "Check-worthiness of a sentence, int8 with fixed activation ranges. Debates: the sum of an encoder of three layers over one "
        "vocabulary of Arabic and English pieces and of the first seven layers of multilingual-e5-small over the shared pieces, the upper two of them "
        "trained. News: the first six layers of it, the upper three trained; Arabic has a graph of its own, trained later. One output a language, made a probability by the calibration below.",
        "starting_weights": weights + provenance(DATA_SETS),
        "training_data": others + of_news,
        "trained_by": f"{debates} && {command}",
        "metrics": metrics,
    }
