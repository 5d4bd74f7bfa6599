"""Platt scaling (1999) of the probability that a found span is right, fitted on the tuning sentences."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from .evaluate import spans

LEAST = 1e-6


def span_probabilities(
    scores: np.ndarray, starts: np.ndarray, moves: np.ndarray, labels: list[str], found: set[tuple[int, int, str]]
) -> dict:
    """Of each span (start, end, type): the share of all paths with exactly that span, by forward-backward."""
    length = len(scores)
    forward, backward = np.zeros_like(scores, float), np.zeros_like(scores, float)
    forward[0] = starts + scores[0]
    for t in range(1, length):
        forward[t] = logsumexp(forward[t - 1][:, None] + moves, 0) + scores[t]
    for t in range(length - 2, -1, -1):
        backward[t] = logsumexp(moves + scores[t + 1] + backward[t + 1], 1)
    total = logsumexp(forward[-1])
    out = {}
    for start, end, kind in found:
        last, inside = labels.index(f"B-{kind}"), labels.index(f"I-{kind}")
        path = forward[start, last]
        for t in range(start + 1, end):
            path, last = path + moves[last, inside] + scores[t, inside], inside
        if end < length:
            after = moves[last] + scores[end] + backward[end]
            path += logsumexp(np.delete(after, inside))
        out[(start, end, kind)] = float(np.exp(min(0.0, path - total)))
    return out


def log_odds(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, LEAST, 1 - LEAST)
    return np.log(p / (1 - p))


def platt(p: np.ndarray, right: np.ndarray) -> tuple[float, float]:
    """scale and bias of the logistic function over the log-odds, with Platt's smoothed targets."""
    x = log_odds(p)
    good, bad = right.sum(), len(right) - right.sum()
    target = np.where(right, (good + 1) / (good + 2), 1 / (bad + 2))

    def loss(w: np.ndarray) -> float:
        z = np.exp(w[0]) * x + w[1]
        return float((np.logaddexp(0, z) - target * z).sum())

    best = minimize(loss, np.zeros(2), method="Nelder-Mead").x
    return float(np.exp(best[0])), float(best[1])


def expected_error(p: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error over bins of equal width."""
    at = np.minimum((p * bins).astype(int), bins - 1)
    return float(
        sum(abs(p[at == b].mean() - right[at == b].mean()) * (at == b).mean() for b in range(bins) if (at == b).any())
    )


def outcomes(
    scores: list[np.ndarray],
    gold: list[list[str]],
    found: list[list[str]],
    starts: np.ndarray,
    moves: np.ndarray,
    labels: list[str],
) -> tuple[np.ndarray, np.ndarray]:
    """Probability and rightness of every found span."""
    p, right = [], []
    for s, g, f in zip(scores, gold, found, strict=False):
        have = spans(f)
        if have:
            for span, value in span_probabilities(s, starts, moves, labels, have).items():
                p.append(value)
                right.append(span in spans(g))
    return np.array(p), np.array(right, bool)
