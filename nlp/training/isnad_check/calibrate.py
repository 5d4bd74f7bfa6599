"""Logits to probabilities (Platt 1999), and the threshold with the highest F1, both on rows of train that were held out."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .measures import best_threshold


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
    return Calibration(found.scale, found.bias, best_threshold(labels, found.probabilities(logits)))
