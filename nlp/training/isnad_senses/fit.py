"""Training: the right sense against the others of its word, and against those of the other words of the batch."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .data import SIGNS, Example, around
from .model import Senses


@dataclass
class Settings:
    dims: int = 128
    heads: int = 4
    drop: float = 0.2
    epochs: int = 4
    batch: int = 96
    rate: float = 1e-3
    decay: float = 0.02
    others: float = 0.5
    """What senses of other words count for, beside those of the word."""
    seed: int = 1


WARM_UP = 50
FAR = -1e4


def fit(found: list[Example], glosses: Tensor, given: Settings) -> Senses:
    torch.manual_seed(given.seed)
    order = np.random.default_rng(given.seed)
    model = Senses(given.dims, given.heads, given.drop)
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=given.decay)
    steps, step = given.epochs * -(-len(found) // given.batch), 0
    for epoch in range(given.epochs):
        model.train()
        shuffled, lost = order.permutation(len(found)), 0.0
        for start in range(0, len(found), given.batch):
            for group in optimiser.param_groups:
                group["lr"] = given.rate * min(1, (step + 1) / WARM_UP) * (1 - step / steps)
            step += 1
            own, others = losses(model, [found[i] for i in shuffled[start : start + given.batch]], glosses)
            optimiser.zero_grad()
            (own + given.others * others).backward()
            optimiser.step()
            lost += float(own.detach())
        print(f"epoch {epoch + 1}: {lost * given.batch / len(found):.3f}", flush=True)
    return model.eval()


def losses(model: Senses, batch: list[Example], glosses: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropy among the senses of the word, where it has several, and among all senses of the batch."""
    rows = sorted({sense for example in batch for sense in example.senses})
    places = {sense: place for place, sense in enumerate(rows)}
    scores = model.reader(*around(batch)) @ model.glosses(glosses[rows]).t() * model.sharp.exp()
    right = torch.tensor([places[example.senses[example.right]] for example in batch])
    mask = torch.full_like(scores, FAR)
    for row, example in enumerate(batch):
        mask[row, [places[sense] for sense in example.senses]] = 0
    several = torch.tensor([float(len(example.senses) > 1) for example in batch])
    own = (functional.cross_entropy(scores + mask, right, reduction="none") * several).sum() / several.sum().clamp(
        min=1
    )
    return own, functional.cross_entropy(scores, right)


@torch.inference_mode()
def signs(model: Senses, found: list[Example], glosses: Tensor, batch: int = 256) -> list[np.ndarray]:
    """For each example float [senses, SIGNS]."""
    vectors, out = model.glosses(glosses), []
    for start in range(0, len(found), batch):
        part = found[start : start + batch]
        words = model.reader(*around(part))
        out += [np.c_[(vectors[e.senses] @ w).numpy(), e.signs] for e, w in zip(part, words, strict=True)]
    return out


def weigh(found: list[Example], given: list[np.ndarray], steps: int = 400) -> np.ndarray:
    """The weights of the signs, by logistic regression among the senses of each word, on examples that were not learned from."""
    most = max(len(rows) for rows in given)
    table, mask = torch.zeros(len(given), most, len(SIGNS)), torch.full((len(given), most), FAR)
    for row, rows in enumerate(given):
        table[row, : len(rows)], mask[row, : len(rows)] = torch.from_numpy(rows), 0
    right = torch.tensor([example.right for example in found])
    weights = torch.tensor([6.0, 12.0, -0.2, 0.1, 0.1], requires_grad=True)
    optimiser = torch.optim.Adam([weights], lr=0.1)
    for _ in range(steps):
        loss = functional.cross_entropy(table @ weights + mask, right)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return weights.detach().numpy()


def accuracy(found: list[Example], given: list[np.ndarray], weights: np.ndarray, least: int) -> float:
    """Of examples of words with `least` senses or more."""
    right = [
        int((rows @ weights).argmax()) == example.right
        for example, rows in zip(found, given, strict=True)
        if len(rows) >= least
    ]
    return float(np.mean(right))
