"""Trains the upper layers on states of the layers below them."""

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from isnad_base.processor import BFLOAT16
from isnad_check.encoder import LANGUAGES

from .encoder import Branch
from .states import States, batch

log = logging.getLogger("isnad_news")
SMOOTHING = 0.05
HEAD_RATE = 5
WARM = 0.1
WINDOW = 40
"""Batches within which sentences are sorted by length."""


@dataclass
class Part:
    """Sentences, and the languages whose outputs learn their labels; `copies` of each an epoch."""

    states: States
    labels: np.ndarray
    langs: tuple[str, ...] = LANGUAGES
    copies: int = 1


@dataclass
class Settings:
    epochs: int
    size: int
    rate: float = 1.5e-4
    seed: int = 7


def learn(branch: Branch, parts: list[Part], settings: Settings) -> Branch:
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    states = [row for part in parts for _ in range(part.copies) for row in part.states]
    labels = np.concatenate([np.tile(part.labels, part.copies) for part in parts]).astype(np.float32)
    learned = np.concatenate(
        [np.tile([lang in part.langs for lang in LANGUAGES], (len(part.states) * part.copies, 1)) for part in parts]
    )
    head = list(branch.head.parameters())
    rest = [value for name, value in branch.named_parameters() if not name.startswith("head")]
    groups = [{"params": rest, "lr": settings.rate}, {"params": head, "lr": settings.rate * HEAD_RATE}]
    optim = torch.optim.AdamW(groups, weight_decay=0.01)
    count = settings.epochs * math.ceil(len(states) / settings.size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optim, lambda step: max(0.0, min((step + 1) / (WARM * count), (count - step) / ((1 - WARM) * count)))
    )
    branch.train()
    step = 0
    for epoch in range(settings.epochs):
        for chosen in shuffled(states, settings.size, rng):
            target = torch.from_numpy(labels[chosen])[:, None].expand(-1, len(LANGUAGES))
            target = target * (1 - SMOOTHING) + SMOOTHING / 2
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                logits = branch(*batch(states, list(chosen)))
            mask = torch.from_numpy(learned[chosen])
            loss = functional.binary_cross_entropy_with_logits(logits.float()[mask], target[mask])
            optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(branch.parameters(), 1.0)
            optim.step()
            schedule.step()
            step += 1
            if step % 100 == 0:
                log.info("epoch %d, step %d of %d: loss %.4f", epoch + 1, step, count, loss.item())
    return branch.eval()


def shuffled(states: States, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Indexes of batches of like length, in an order drawn by a generator."""
    order = rng.permutation(len(states))
    lengths = np.array([len(row) for row in states])
    found: list[np.ndarray] = []
    for window in np.array_split(order, max(1, len(order) // (size * WINDOW))):
        window = window[np.argsort(lengths[window], kind="stable")]
        found += [window[at : at + size] for at in range(0, len(window), size)]
    for place in rng.permutation(len(found)):
        yield found[place]
