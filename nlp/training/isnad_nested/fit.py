"""Trains the upper layers for nested entities, over the states of the lower ones as they ship."""

import copy
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from isnad_ner.rows import NONE

from . import examples
from .data import Sentence, names
from .lower import Lower
from .model import NESTED, Upper, cut_logits, nested_logits
from .start import Start


@dataclass(frozen=True)
class Settings:
    """`frozen`: lower layers, which stay as they are, of a tagger without nested.onnx; `copies`: of the sentences with other names, each learned
    from `visits` times; `sample`: share of Wojood's that a copy has; `mean`: share of the weights' running mean that stays at each step."""

    copies: int = 3
    visits: int = 1
    rate: float = 1.5e-4
    head_rate: float = 6e-4
    frozen: int = 3
    cells: int = 640
    drop: float = 0.1
    swap: float = 0.3
    join: float = 0.08
    hide: float = 0.05
    sample: float = 0.5
    mean: float = 0.99
    warm_up: float = 0.05
    seed: int = 7


def loss_of(model: Upper, batch: list[examples.Example]) -> Tensor:
    """Cross-entropy of each type's labels and of the letters cut, summed; of a word on average."""
    outputs = model(*examples.together(batch))
    labels, cuts = (torch.cat(part) for part in ([e.labels for e in batch], [e.cuts for e in batch]))
    logits = nested_logits(outputs[:, :NESTED]).reshape(-1, 3)
    loss = functional.cross_entropy(logits, labels.reshape(-1), reduction="sum")
    known = cuts != NONE
    if known.any():
        loss = loss + functional.cross_entropy(cut_logits(outputs[known, NESTED:]), cuts[known], reduction="sum")
    return loss / len(outputs)


def fit(
    start: Start, lower: Lower, first: int, own: list[Sentence], wojood: list[Sentence], settings: Settings, keep: Callable[[Upper], None]
) -> Upper:  # fmt: skip
    """Trains the layers from `first` on; the running mean of the weights is given to `keep` after each epoch, and returned."""
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    began = time.monotonic()
    model = Upper(start, first, settings.drop)
    change = examples.Settings(settings.swap, settings.join, settings.hide)
    augmenter = examples.Augmenter(own + wojood, change, rng, names())
    copies = []
    for _ in range(settings.copies):
        copies.append(examples.epoch(own + rng.sample(wojood, int(len(wojood) * settings.sample)), augmenter))
        lower.read(copies[-1])
    print(f"states after {time.monotonic() - began:.0f} s", flush=True)
    plans = [examples.batches(copy_, settings.cells, rng) for _ in range(settings.visits) for copy_ in copies]
    steps = sum(map(len, plans))
    optimiser = torch.optim.AdamW(
        [
            {"params": list(model.layers.parameters()), "lr": settings.rate},
            {"params": list(model.head.parameters()), "lr": settings.head_rate},
        ],
        weight_decay=0.01,
        fused=True,
    )
    warm = settings.warm_up * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda t: min((t + 1) / warm, max(0.02, 1 - t / steps), 1.0)
    )
    mean, step = copy.deepcopy(model).eval(), 0
    for number, plan in enumerate(plans, 1):
        model.train()
        total = 0.0
        for batch in plan:
            loss = loss_of(model, batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            total, step = total + loss.item(), step + 1
            stays = min(settings.mean, step / (step + 10))
            with torch.no_grad():
                for average, value in zip(mean.parameters(), model.parameters(), strict=True):
                    average.lerp_(value, 1 - stays)
        told = f"epoch {number}: step {step}/{steps}, loss {total / len(plan):.4f}"
        print(f"{told}, {time.monotonic() - began:.0f} s", flush=True)
        keep(mean)
    return mean
