"""How ready a tagger is to assume an entity, by sentences that were kept from training."""

import numpy as np

from . import data, measure
from .export import calibration
from .lower import Lower
from .model import Upper

LEANS = np.arange(0, 1.51, 0.25)
WORTH = 0.005
"""Of F1: so much less is worth it that more is found."""


def tuned(
    model: Upper, lower: Lower, tune: dict[str, list[data.Sentence]]
) -> tuple[float, tuple[float, float], list[dict]]:
    """By how much O is lowered, Platt's scale and bias, and F1 for the card."""
    scores = {name: measure.alone(model, lower, sentences) for name, sentences in tune.items()}
    f1 = []
    for lean in LEANS:
        f1.append([measure.report(f"{name}, O lowered by {lean}", tune[name], scores[name], lean) for name in tune])
    mean = np.mean(f1, 1)
    best = int(np.flatnonzero(mean >= mean.max() - WORTH)[-1])
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
