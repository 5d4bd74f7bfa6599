"""Fine-tuning: cross-entropy of each word's label under the head of its set, bfloat16 products, AdamW with warm-up and straight decay."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional

from isnad_base import encoder
from isnad_base.processor import BFLOAT16

from .data import Sentence
from .examples import BROAD, GOLD, Example, Swapper, batches, epoch, heads
from .model import Tagger
from .rows import NONE, padded

EXCLUDED = -1e4


@dataclass(frozen=True)
class Settings:
    """`layers`: how many of the base's layers, from the first; `epochs`: one broad, the others mostly gold sets; `cells`: pieces of a batch;
    `drop`: dropout; `swap`, `lower`: shares of sentences with other names, and in small letters; `hide`: of words that are
    not shown."""

    layers: int = 5
    epochs: int = 5
    rate: float = 1.5e-4
    head_rate: float = 1e-3
    cells: int = 1024
    drop: float = 0.1
    swap: float = 0.35
    lower: float = 0.04
    hide: float = 0.08
    warm_up: float = 0.08
    seed: int = 7


def outside(model: Tagger) -> dict[str, torch.Tensor]:
    """For each head what is added to all outputs, so that only its own are left."""
    out = {}
    for name, own in model.slices.items():
        out[name] = torch.full((model.head.out_features,), EXCLUDED)
        out[name][own] = 0
    return out


def loss_of(model: Tagger, batch: list[Example], masks: dict[str, torch.Tensor]) -> torch.Tensor:
    ids, labels = padded([e[0] for e in batch]), padded([e[1] for e in batch], NONE)
    others = torch.stack([masks[e[2]] for e in batch])[:, None].expand(-1, ids.shape[1], -1)
    with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
        states = model.encoder(ids)
    known = labels != NONE
    return functional.cross_entropy(model.head(model.drop(states.float()[known])) + others[known], labels[known])


def fit(train: dict[str, list[Sentence]], settings: Settings, keep: Callable[[Tagger], None]) -> Tagger:
    """Trains; every 100 steps the model is given to `keep`."""
    torch.manual_seed(settings.seed)
    rng = random.Random(settings.seed)
    model = Tagger(encoder.start(range(settings.layers), settings.drop), heads(train), settings.drop)
    swapper = Swapper(train, rng, settings.swap, settings.lower, settings.hide)
    shares = [BROAD, *[GOLD] * (settings.epochs - 1)]
    plan = [
        b for s in shares for b in batches(epoch(train, s, model.slices, model.labels, swapper), settings.cells, rng)
    ]
    parts = [
        {"params": list(model.encoder.parameters()), "lr": settings.rate},
        {"params": list(model.head.parameters()), "lr": settings.head_rate},
    ]
    optimiser = torch.optim.AdamW(parts, weight_decay=0.01, fused=True)
    warm = settings.warm_up * len(plan)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda t: min((t + 1) / warm, max(0.02, 1 - t / len(plan)), 1.0)
    )
    masks, began, sum_ = outside(model), time.monotonic(), 0.0
    model.train()
    for step, batch in enumerate(plan, 1):
        loss = loss_of(model, batch, masks)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        sum_ += loss.item()
        if step % 100 == 0:
            print(f"{step}/{len(plan)} loss {sum_ / 100:.4f} after {time.monotonic() - began:.0f} s", flush=True)
            sum_ = 0.0
            keep(model)
    return model.eval()
