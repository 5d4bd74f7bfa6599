"""Contrastive training of the table: symmetric InfoNCE (van den Oord et al. 2018) with in-batch negatives."""

import time
from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse

from .batches import Batches, Source

MIXTURE = {
    "titles": 512,
    "abstracts": 128,
    "neighbours": 256,
    "cloze": 256,
    "translations": 256,
    "glossed": 448,
    "glosses": 448,
    "synonyms": 64,
}
SWITCHED = {"titles", "abstracts", "neighbours", "cloze"}


def source_of(data: dict) -> Source:
    words = np.flatnonzero(data["options"].count > 0)
    share = np.sqrt(data["count"][words] + 0.3)
    return Source(
        data["documents"],
        data["pieces"],
        data["options"],
        data["parallel"],
        data["synonyms"],
        words,
        share / share.sum(),
    )


class Bag(torch.autograd.Function):
    """counts @ table for a sparse matrix of counts; one dense gradient a step."""

    @staticmethod
    def forward(context, counts: sparse.csr_matrix, table: torch.Tensor) -> torch.Tensor:
        context.counts = counts
        return torch.from_numpy(counts @ table.detach().numpy())

    @staticmethod
    def backward(context, gradient: torch.Tensor):
        return None, torch.from_numpy(context.counts.T.tocsr() @ gradient.numpy())


def pooled(table: torch.Tensor, sides: list[tuple[np.ndarray, np.ndarray, int]], power: float) -> torch.Tensor:
    """For all rows of all sides the sum of the table's vectors, a piece that occurs n times counted n**power times;
    unit length."""
    first = np.cumsum([0, *(rows for _, _, rows in sides)])
    piece = np.concatenate([p for p, _, _ in sides])
    row = np.concatenate([r + f for (_, r, _), f in zip(sides, first, strict=False)])
    ones = np.ones(len(piece), np.float32)
    counts = sparse.coo_matrix((ones, (row, piece)), shape=(first[-1], table.shape[0])).tocsr()
    counts.data **= power
    return torch.nn.functional.normalize(Bag.apply(counts, table), dim=1, eps=1e-6)


def contrast(left: torch.Tensor, right: torch.Tensor, group: torch.Tensor, temperature: float) -> torch.Tensor:
    scores = left @ right.T / temperature
    same = (group[:, None] == group[None, :]) & ~torch.eye(len(group), dtype=torch.bool)
    scores = scores.masked_fill(same, -1e4)
    aim = torch.arange(len(group))
    return (torch.nn.functional.cross_entropy(scores, aim) + torch.nn.functional.cross_entropy(scores.T, aim)) / 2


@dataclass(frozen=True)
class Settings:
    """Defaults are those of the shipped model."""

    size: int = 40_000
    arabic_share: float = 0.55
    dims: int = 256
    steps: int = 1600
    rate: float = 8e-3
    temperature: float = 0.06
    drop: float = 0.15
    power: float = 0.85
    seed: int = 7
    threads: int = 1


def batch(batches: Batches, drop: float) -> tuple[list, list, torch.Tensor]:
    """One batch of all kinds of pairs; every other pair of the batch serves as a negative."""
    lefts, rights, groups = [], [], []
    for k, (name, n) in enumerate(MIXTURE.items()):
        left, right, group = getattr(batches, name)(n)
        if name in SWITCHED:
            left, right = batches.maybe_switched(left), batches.maybe_switched(right)
        if batches.rng.random() < 0.5:
            left, right = right, left
        lefts.append((*batches.dropped(left, drop), n))
        rights.append((*batches.dropped(right, drop), n))
        articles = name in (*SWITCHED, "glossed")
        groups.append(torch.from_numpy(np.asarray(group, np.int64) + (0 if articles else (k + 1) << 40)))
    return lefts, rights, torch.cat(groups)


def train(data: dict, start: np.ndarray, settings: Settings) -> np.ndarray:
    """The table after `steps` steps of Adam with a linear decay of the rate."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    table = torch.nn.Parameter(torch.from_numpy(start.copy()))
    optimiser = torch.optim.Adam([table], lr=settings.rate, betas=(0.9, 0.99))
    batches = Batches(source_of(data), np.random.default_rng(settings.seed))
    began, smooth = time.time(), 0.0
    for step in range(settings.steps):
        for g in optimiser.param_groups:
            g["lr"] = settings.rate * min(1, (step + 1) / 50) * (1 - step / settings.steps)
        lefts, rights, groups = batch(batches, settings.drop)
        left, right = pooled(table, lefts + rights, settings.power).chunk(2)
        loss = contrast(left, right, groups, settings.temperature)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        smooth = loss.item() if step == 0 else 0.95 * smooth + 0.05 * loss.item()
        if (step + 1) % 50 == 0:
            print(f"step {step + 1} loss {smooth:.3f} {time.time() - began:.0f} s", flush=True)
    return table.detach().numpy()
