"""What the card tells beside the files: data sets, commands, and what was measured."""

import time
from collections.abc import Callable

import numpy as np
import torch
from tokenizers import Tokenizer

from weights import provenance

from .batches import padded
from .calibrate import Calibration, Scored, unseen_probabilities
from .data import Labelled, checkthat, debates_2019
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


def measured_sets(
    logits: Callable[[Labelled, str], np.ndarray], calibration: dict[str, Calibration]
) -> list[dict[str, str | float]]:
    """What the scores of debates are worth on the public sets."""
    metrics: list[dict[str, str | float]] = []

    def tell(name: str, measure: str, value: float) -> None:
        metrics.append({"set": name, "metric": measure, "value": float(f"{float(value):.4g}")})

    for lang, part in ((lang, part) for lang in ("en", "ar") for part in ("dev", "dev-test")):
        found = checkthat(lang, part)
        name, scored = f"CheckThat! 2024 {lang} {part}", Scored(np.array(found.labels), logits(found, lang))
        p = calibration[lang].probabilities(scored.logits)
        decided = (p >= calibration[lang].threshold).astype(int)
        tell(name, "F1", f1(scored.labels, decided))
        tell(name, "average precision", average_precision(scored.labels, p))
        tell(name, "accuracy", (decided == scored.labels).mean())
        told = "expected calibration error, 10 bins"
        if part == "dev":  # the calibration was made from it: each half by the other
            p, told = unseen_probabilities(scored), f"{told}, each half calibrated by the other"
        tell(name, told, calibration_error(scored.labels, p))
        tell(name, "the same, bins of equal count", adaptive_calibration_error(scored.labels, p))
    debates = debates_2019(held_out=True).values()
    precisions = [average_precision(np.array(debate.labels), logits(debate, "en")) for debate in debates]
    tell("debates 2019, four held out", "MAP", float(np.mean(precisions)))
    return metrics


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

    rows = encode(tokenizer, checkthat("en", "dev").texts[:64], LONGEST)
    with torch.no_grad():
        off = np.abs(large.all(rows) - model(padded(rows)).numpy()).max()
    tell("ONNX float32 against PyTorch, logits", "largest absolute difference", off)
    tell("int8 against float32, eight sentences", "times faster", times_faster(large, small, rows))
    sets = [checkthat(lang, part) for lang in ("en", "ar") for part in ("dev", "dev-test")]

    def logits(session: Session) -> Callable[[Labelled, str], np.ndarray]:
        return lambda found, lang: session.of(encode(tokenizer, found.texts, LONGEST), lang)

    metrics += measured_sets(logits(small), calibration)
    losses = [
        average_precision(np.array(found.labels), logits(large)(found, lang))
        - average_precision(np.array(found.labels), logits(small)(found, lang))
        for found, lang in zip(sets, ("en", "en", "ar", "ar"), strict=True)
    ]
    tell("int8 against float32", "largest loss of average precision over these sets", max(losses))
    return {
        "starting_weights": provenance(DATA_SETS),
        "training_data": [{"name": name, "licence": licence, "used_for": used} for name, licence, used in DATA_SETS],
        "trained_by": command,
        "measured_by": "bun run eval --task checkworthiness",
        "metrics": metrics,
    }
