"""Training: the sentences that answer against the others of their group, and against that none does."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from isnad_base.processor import BFLOAT16
from isnad_base.teacher import padded

from .data import Group
from .model import Reader


@dataclass
class Settings:
    rate: float = 1.2e-4
    head_rate: float = 1e-3
    decay: float = 0.02
    together: int = 8
    """Groups of a step."""
    seconds: float = 1200
    """Processor time after which training ends; the rate falls to nothing by then."""
    seed: int = 1


WARM_UP = 0.05
AT_ONCE = 12
"""Rows that are read together."""
STEP = 16
"""Lengths of rows, padding among them, are multiples of it."""


def loss(scores: Tensor, right: Sequence[int], sizes: Sequence[int]) -> Tensor:
    """The mean of the surprise at what answers; 0 is the score of none."""
    lost, at = [], 0
    for count, size in zip(right, sizes, strict=True):
        own = functional.pad(scores[at : at + size], (1, 0))
        at += size
        good = torch.logsumexp(own[1 : 1 + count], 0) if count else own[0]
        lost.append(torch.logsumexp(own, 0) - good)
    return torch.stack(lost).mean()


def batches(groups: Sequence[Group], together: int, order: random.Random) -> list[list[Group]]:
    """Groups of like length, in any order."""
    shuffled = order.sample(list(groups), len(groups))
    out = []
    for start in range(0, len(shuffled), 32 * together):
        part = sorted(shuffled[start : start + 32 * together], key=lambda group: max(map(len, group.rows)))
        out += [part[at : at + together] for at in range(0, len(part), together)]
    return order.sample(out, len(out))


def scored(model: Reader, rows: Sequence[Sequence[int]]) -> Tensor:
    """The scores of rows in their order, read together with others of like length: there is little padding. A product is made ready for each
    shape that it meets: there are to be few of them."""
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
    parts = []
    for start in range(0, len(order), AT_ONCE):
        ids = padded([list(rows[place]) for place in order[start : start + AT_ONCE]])
        parts.append(model(functional.pad(ids, (0, -ids.shape[1] % STEP))).float())
    return torch.cat(parts)[torch.tensor(order).argsort()]


def fit(model: Reader, groups: Sequence[Group], given: Settings) -> None:
    torch.manual_seed(given.seed)
    order = random.Random(given.seed)
    trained = [each for each in model.encoder.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [{"params": trained, "base": given.rate}, {"params": model.head.parameters(), "base": given.head_rate}],
        weight_decay=given.decay,
    )
    model.train()
    start, last, lost, steps, seen = time.process_time(), 0.0, 0.0, 0, 0
    while True:
        for batch in batches(groups, given.together, order):
            share = (time.process_time() - start) / given.seconds
            if share >= 1:
                model.eval()
                return
            for group in optimiser.param_groups:
                group["lr"] = group["base"] * min(1, share / WARM_UP + 0.02) * (1 - share)
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                scores = scored(model, [row for each in batch for row in each.rows])
            own = loss(scores, [each.right for each in batch], [len(each.rows) for each in batch])
            optimiser.zero_grad()
            own.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            lost, steps, seen = lost + float(own.detach()), steps + 1, seen + len(batch)
            if share - last > 0.05:
                print(
                    f"{share:.2f}: {lost / steps:.3f} over {seen} groups, {time.process_time() - start:.0f} s",
                    flush=True,
                )
                last, lost, steps = share, 0.0, 0
