"""Measures of a ranking, of decisions and of probabilities."""

import numpy as np


def f1(labels: np.ndarray, decided: np.ndarray) -> float:
    hit = int((labels * decided).sum())
    return 2 * hit / max(1, int(labels.sum() + decided.sum()))


def average_precision(labels: np.ndarray, scores: np.ndarray) -> float:
    ranked = labels[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(ranked) / np.arange(1, len(ranked) + 1))[ranked == 1].mean()) if ranked.any() else 0.0


def calibration_error(labels: np.ndarray, probabilities: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width (Naeini et al. 2015)."""
    place = np.minimum((probabilities * bins).astype(int), bins - 1)
    parts = [np.abs((labels - probabilities)[place == b].sum()) for b in range(bins)]
    return float(sum(parts) / len(labels))


def adaptive_calibration_error(labels: np.ndarray, probabilities: np.ndarray, bins: int = 10) -> float:
    """The same over bins of equal count (Nixon et al. 2019)."""
    order = np.argsort(probabilities, kind="stable")
    return float(
        sum(np.abs((labels - probabilities)[part].sum()) for part in np.array_split(order, bins)) / len(labels)
    )
