"""What the card tells beside the files: data sets, commands, and what was measured."""

import time

import numpy as np
import torch
from tokenizers import Tokenizer

from weights import provenance

from .batches import padded
from .calibrate import Calibration, Scored, unseen_probabilities
from .data import checkthat, debates_2019
from .encoder import Classifier
from .export import LONGEST, Session
from .measures import adaptive_calibration_error, average_precision, calibration_error, f1
from .vocabulary import encode

DATA_SETS = [
    ("all-MiniLM-L6-v2 (weights)", "Apache-2.0", "the layers and English rows that training starts from"),
    ("CheckThat! 2024 task 1, English train (ClaimBuster)", "none stated", "labels"),
    ("CheckThat! 2024 task 1, Arabic train", "none stated", "labels"),
    ("CheckThat! 2024 task 1, English and Arabic dev", "none stated", "calibration, threshold, choice of settings"),
    ("Tatoeba English-Arabic", "CC BY 2.0 FR", "parallel sentences"),
    ("TICO-19 English-Arabic", "CC0", "parallel sentences"),
    ("our own sentences (nlp/lexicon/claims), 15 of 19 topics", "Apache-2.0", "labels; two topics calibrate"),
    ("CheckThat! 2019 task 1, 15 of 19 debates", "free for research", "which sentences of a debate stand above others"),
    (
        "ANT corpus v1 and v2; Reuters-21578, BBC, CNN, FNC-1",
        "Apache-2.0; research use; text of the publishers",
        "vocabulary",
    ),
    ("static-ar-en-256 of this repository", "Apache-2.0", "first rows of Arabic pieces"),
]


def times_faster(large: Session, small: Session, rows: list[list[int]], rounds: int = 60) -> float:
    """Median time in float32 by median time in int8, eight rows a run, in turns."""
    ids = padded(rows[:8]).numpy().astype(np.int32)
    taken: dict[Session, list[float]] = {large: [], small: []}
    for _ in range(rounds):
        for session, times in taken.items():
            started = time.perf_counter()
            session.run(ids)
            times.append(time.perf_counter() - started)
    return float(np.median(taken[large]) / np.median(taken[small]))


def details(
    model: Classifier,
    large: Session,
    small: Session,
    calibration: dict[str, Calibration],
    tokenizer: Tokenizer,
    command: str,
) -> dict:
    metrics = []

    def tell(name: str, measure: str, value: float) -> None:
        metrics.append({"set": name, "metric": measure, "value": float(f"{float(value):.4g}")})

    sets = [(lang, part, checkthat(lang, part)) for lang in ("en", "ar") for part in ("dev", "dev-test")]
    rows = encode(tokenizer, sets[0][2].texts[:64], LONGEST)
    with torch.no_grad():
        off = np.abs(large.all(rows) - model(padded(rows)).numpy()).max()
    tell("ONNX float32 against PyTorch, logits", "largest absolute difference", off)
    tell("int8 against float32, eight sentences", "times faster", times_faster(large, small, rows))
    losses = []
    for lang, part, found in sets:
        name, labels, rows = (
            f"CheckThat! 2024 {lang} {part}",
            np.array(found.labels),
            encode(tokenizer, found.texts, LONGEST),
        )
        logits = small.of(rows, lang)
        p = calibration[lang].probabilities(logits)
        decided = (p >= calibration[lang].threshold).astype(int)
        losses.append(average_precision(labels, large.of(rows, lang)) - average_precision(labels, logits))
        tell(name, "F1", f1(labels, decided))
        tell(name, "average precision", average_precision(labels, p))
        tell(name, "accuracy", (decided == labels).mean())
        told = "expected calibration error, 10 bins"
        if part == "dev":  # the calibration was made from it: each half by the other
            p, told = unseen_probabilities(Scored(labels, logits)), f"{told}, each half calibrated by the other"
        tell(name, told, calibration_error(labels, p))
        tell(name, "the same, bins of equal count", adaptive_calibration_error(labels, p))
    tell("int8 against float32", "largest loss of average precision over these sets", max(losses))
    precisions = [
        average_precision(np.array(d.labels), small.of(encode(tokenizer, d.texts, LONGEST), "en"))
        for d in debates_2019(held_out=True).values()
    ]
    tell("debates 2019, four held out", "MAP", np.mean(precisions))
    return {
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": name, "licence": licence, "used_for": used} for name, licence, used in DATA_SETS],
        "trained_by": command,
        "measured_by": "bun run eval --task checkworthiness",
        "metrics": metrics,
    }
