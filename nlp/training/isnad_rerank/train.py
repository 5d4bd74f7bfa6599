"""Listwise training: the relevant candidates of a list against all of it (softmax cross-entropy)."""

from dataclasses import dataclass

import numpy as np
import torch

from .model import Judge
from .numbers import beside


@dataclass(frozen=True)
class Settings:
    """Defaults are those of the shipped model."""

    articles: int = 1500
    count: int = 20
    dims: int = 96
    hidden: int = 1
    epochs: int = 8
    batch: int = 64
    rate: float = 5e-3
    decay: float = 0.1
    dropped: float = 0.4
    asked: float = 16.0
    seed: int = 7


def train(x: np.ndarray, grades: np.ndarray, present: np.ndarray, weights: np.ndarray, settings: Settings) -> Judge:
    """`weights` [lists] say how much each list counts. Numbers, grades and presence as numbers.raw() gives them."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    full = beside(x, present)
    model = Judge(settings.hidden, settings.dropped)
    seen = full[present > 0]
    model.mean.copy_(torch.from_numpy(seen.mean(0)))
    model.scale.copy_(torch.from_numpy(1 / (seen.std(0) + 0.02)))
    inputs, here, counts = torch.from_numpy(full), torch.from_numpy(present), torch.from_numpy(weights)
    aim = torch.from_numpy((grades > 0).astype(np.float32))
    aim = aim / aim.sum(1, keepdim=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.decay)
    steps = settings.epochs * (len(x) // settings.batch)
    for step in range(steps):
        at = step % (len(x) // settings.batch)
        if at == 0:
            order = torch.randperm(len(x))
        chosen = order[at * settings.batch : (at + 1) * settings.batch]
        scores = model(inputs[chosen]) - 1e4 * (1 - here[chosen])
        loss = -((aim[chosen] * torch.log_softmax(scores, 1)).sum(1) * counts[chosen]).mean()
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * (1 - step / steps)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
    return model.eval()
