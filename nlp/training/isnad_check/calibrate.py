"""Logits to probabilities (Platt 1999), and the threshold, both on rows of train that were held out."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .measures import f1

# F1 is flat around its best threshold. The lowest one within this share is taken: a claim that is missed costs more than one
# that is looked at for nothing, and sets with more claims than the training set ask for a lower one.
FLAT = 0.01


@dataclass(frozen=True)
class Calibration:
    scale: float
    bias: float
    threshold: float

    def probabilities(self, logits: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.scale * logits + self.bias)))


def calibrate(labels: np.ndarray, logits: np.ndarray) -> Calibration:
    positive, negative = labels.sum(), (1 - labels).sum()
    target = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(at: np.ndarray) -> float:
        z = at[0] * logits + at[1]
        return float(np.mean(np.logaddexp(0, z) - target * z))

    scale, bias = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    found = Calibration(float(scale), float(bias), 0.5)
    return Calibration(found.scale, found.bias, lenient_threshold(labels, found.probabilities(logits)))


def lenient_threshold(labels: np.ndarray, probabilities: np.ndarray) -> float:
    """The lowest hundredth whose F1 is within FLAT of the highest."""
    tried = np.arange(0.02, 0.98, 0.01)
    scores = np.array([f1(labels, (probabilities >= t).astype(int)) for t in tried])
    return float(tried[np.flatnonzero(scores >= scores.max() * (1 - FLAT))[0]])
