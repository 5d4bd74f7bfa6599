"""Listwise training of the judge: the relevant candidates, and those that the teacher finds alike, against all of the list (softmax cross-entropy)."""

from dataclasses import dataclass

import numpy as np
import torch

from .model import Judge
from .numbers import beside


@dataclass(frozen=True)
class Settings:
    """Defaults are those of the shipped model."""

    count: int = 20
    hidden: int = 1
    epochs: int = 8
    batch: int = 64
    rate: float = 5e-3
    decay: float = 0.1
    dropped: float = 0.4
    soft: float = 0.0
    sharp: float = 0.02
    seed: int = 7


def aims(grades: np.ndarray, told: np.ndarray, present: np.ndarray, settings: Settings) -> np.ndarray:
    """What each candidate's share of its list shall be [lists, count]: for `soft` by the teacher's likeness `told`, else by the grades."""
    hard = (grades > 0).astype(np.float32)
    hard /= np.maximum(hard.sum(1, keepdims=True), 1)
    logits = np.where(present > 0, told / settings.sharp, -1e4)
    soft = np.exp(logits - logits.max(1, keepdims=True)) * present
    soft /= np.maximum(soft.sum(1, keepdims=True), 1e-9)
    return ((1 - settings.soft) * hard + settings.soft * soft).astype(np.float32)


def train(x: np.ndarray, aim: np.ndarray, present: np.ndarray, settings: Settings) -> Judge:
    """x [lists, count, WIDTH]."""
    torch.manual_seed(settings.seed)
    full = beside(x, present)
    model = Judge(settings.hidden, settings.dropped)
    seen = full[present > 0]
    model.mean.copy_(torch.from_numpy(seen.mean(0)))
    model.scale.copy_(torch.from_numpy(1 / (seen.std(0) + 0.02)))
    inputs, here, aimed = (torch.from_numpy(a) for a in (full, present, aim))
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.decay)
    steps = settings.epochs * (len(x) // settings.batch)
    for step in range(steps):
        at = step % (len(x) // settings.batch)
        if at == 0:
            order = torch.randperm(len(x))
        chosen = order[at * settings.batch : (at + 1) * settings.batch]
        scores = model(inputs[chosen]) - 1e4 * (1 - here[chosen])
        loss = -(aimed[chosen] * torch.log_softmax(scores, 1)).sum(1).mean()
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * (1 - step / steps)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
    return model.eval()
