"""Logits to probabilities (Platt 1999), and the threshold of a decision."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .measures import f1

# F1 is flat around its best threshold. The lowest one within this share is taken: a claim that is missed costs more than one
# that is looked at for nothing, and sets with more claims than the training set ask for a lower one.
FLAT = 0.01


@dataclass(frozen=True)
class Scored:
    """Labels 0 or 1, and logits."""

    labels: np.ndarray
    logits: np.ndarray

    def __add__(self, other: "Scored") -> "Scored":
        return Scored(np.concatenate([self.labels, other.labels]), np.concatenate([self.logits, other.logits]))

    def part(self, chosen: np.ndarray) -> "Scored":
        return Scored(self.labels[chosen], self.logits[chosen])


@dataclass(frozen=True)
class Calibration:
    scale: float
    bias: float
    threshold: float
    keep: float | None = None

    def probabilities(self, logits: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(self.scale * logits + self.bias)))


def platt(seen: Scored) -> Calibration:
    positive, negative = seen.labels.sum(), (1 - seen.labels).sum()
    target = np.where(seen.labels == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(at: np.ndarray) -> float:
        z = at[0] * seen.logits + at[1]
        return float(np.mean(np.logaddexp(0, z) - target * z))

    scale, bias = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return Calibration(float(scale), float(bias), 0.5)


def calibrate(held_out: Scored, dev: Scored) -> Calibration:
    """Scale and bias from dev, whose labels are those of the sets to come; the threshold from both."""
    found = platt(dev)
    labels = np.concatenate([held_out.labels, dev.labels])
    probabilities = found.probabilities(np.concatenate([held_out.logits, dev.logits]))
    return Calibration(found.scale, found.bias, lenient_threshold(labels, probabilities))


def unseen_probabilities(dev: Scored) -> np.ndarray:
    """Of each row of dev by the other half of dev: what calibration is worth on rows that it was not made from."""
    half = np.arange(len(dev.labels)) % 2
    out = np.zeros(len(dev.labels))
    for side in (0, 1):
        out[half == side] = platt(dev.part(half != side)).probabilities(dev.logits[half == side])
    return out


OFF = 0.05
"""How far the share that is said to be claims may be from the share that is."""


def calibrate_to_share(seen: Scored) -> Calibration:
    """Scale, bias and threshold from the same rows. Where most sentences are close, one looked at for nothing costs as much as one missed: the
    threshold has the highest F1 of those with which about as many are said to be claims as are."""
    found = platt(seen)
    p = found.probabilities(seen.logits)
    tried = [t for t in np.arange(0.02, 0.98, 0.01) if abs((p >= t).mean() - seen.labels.mean()) <= OFF]
    best = max(tried, key=lambda t: f1(seen.labels, (p >= t).astype(int)))
    return Calibration(found.scale, found.bias, round(float(best), 2))


def precise_threshold(labels: np.ndarray, probabilities: np.ndarray, wanted: float) -> float:
    """The lowest hundredth from which on at least the share `wanted` of what is kept is right, and at all above it that keep a tenth of the
    claims."""
    found = 0.0
    for tried in np.arange(0.02, 0.99, 0.01):
        kept = probabilities >= tried
        if labels[kept].sum() < labels.sum() / 10:
            break
        if labels[kept].mean() < wanted:
            found = tried + 0.01
    return round(float(found), 2)


def lenient_threshold(labels: np.ndarray, probabilities: np.ndarray) -> float:
    """The lowest hundredth whose F1 is within FLAT of the highest."""
    return float(flat_thresholds(labels, probabilities)[0])


def flat_thresholds(labels: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """The hundredths whose F1 is within FLAT of the highest."""
    tried = np.arange(0.02, 0.98, 0.01)
    scores = np.array([f1(labels, (probabilities >= t).astype(int)) for t in tried])
    return tried[scores >= scores.max() * (1 - FLAT)]
