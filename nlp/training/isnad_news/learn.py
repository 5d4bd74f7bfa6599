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
    """Sentences, and the languages whose outputs learn their labels, [sentences] or [sentences, languages], which may be shares; `copies` of each
    an epoch."""

    states: States
    labels: np.ndarray
    langs: tuple[str, ...] = LANGUAGES
    copies: int = 1


@dataclass
class Contest:
    """The sentences of a debate, in English: those of label 1 shall score above the others."""

    states: States
    labels: np.ndarray


CONTEST_ROWS = (4, 12)
"""Sentences of label 1 and others that are compared at a time."""
CONTEST_EVERY = 2
CONTEST_SHARE = 0.6


@dataclass
class Settings:
    """`cut`: of the pieces of a sentence, the share that is left out at each step."""

    epochs: int
    size: int
    rate: float = 1.5e-4
    seed: int = 7
    cut: float = 0.0


def smoothed(part: Part) -> np.ndarray:
    """What the outputs are to learn, float32 [sentences, languages]; labels that are shares are as they are."""
    labels = np.asarray(part.labels, np.float32)
    if labels.ndim == 2:
        return labels
    return np.repeat((labels * (1 - SMOOTHING) + SMOOTHING / 2)[:, None], len(LANGUAGES), 1)


def contest_loss(branch: Branch, contests: list[Contest], rng: np.random.Generator) -> torch.Tensor:
    """How far the marked sentences of a debate are from standing above others of it."""
    contest = contests[rng.integers(len(contests))]
    sides = [
        rng.choice(np.flatnonzero(contest.labels == label), count)
        for label, count in zip((1, 0), CONTEST_ROWS, strict=True)
    ]
    with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
        logits = branch(*batch(contest.states, list(np.concatenate(sides))))[:, LANGUAGES.index("en")]
    marked, others = logits.float().split(CONTEST_ROWS)
    return functional.softplus(others[None] - marked[:, None]).mean()


def learn(branch: Branch, parts: list[Part], settings: Settings, contests: list[Contest] | None = None) -> Branch:
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    states = [row for part in parts for _ in range(part.copies) for row in part.states]
    labels = np.concatenate([smoothed(part) for part in parts for _ in range(part.copies)])
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
            target = torch.from_numpy(labels[chosen])
            x, present = batch(states, list(chosen))
            if settings.cut > 0:
                gone = torch.rand(present.shape) < settings.cut
                gone[:, 0] = False
                present = present & ~gone
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                logits = branch(x, present)
            mask = torch.from_numpy(learned[chosen])
            loss = functional.binary_cross_entropy_with_logits(logits.float()[mask], target[mask])
            if contests and step % CONTEST_EVERY == 0:
                loss = loss + CONTEST_SHARE * contest_loss(branch, contests, rng)
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
