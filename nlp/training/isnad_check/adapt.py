"""The cut encoder learns both languages from the whole base: its mean state for a sentence, or for the sentence's translation, shall
be the base's own for the English one (after Reimers and Gurevych 2020)."""

import logging
import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from isnad_base.processor import BFLOAT16

from . import base
from .batches import in_order, padded, shuffled
from .encoder import Encoder, pooled

log = logging.getLogger("isnad_check")


@dataclass(frozen=True)
class Settings:
    epochs: int = 3
    size: int = 64
    rate: float = 2e-4
    embedding_rate: float = 5.0
    warm: float = 0.05
    seed: int = 7


@torch.no_grad()
def goals(texts: list[str], longest: int = 80) -> torch.Tensor:
    """The base's mean states of English texts, to unit length, [texts, width]."""
    teacher = base.encoder().eval()
    rows = [coded.ids[:longest] for coded in base.tokenizer().encode_batch(texts)]
    out = torch.zeros(len(texts), teacher.shape.width)
    for chosen in in_order(rows, 64):
        ids = padded([rows[i] for i in chosen])
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            states = teacher(ids)
        out[torch.from_numpy(chosen)] = functional.normalize(pooled(states.float(), ids), dim=1)
    return out


def adapt(encoder: Encoder, rows: list[list[int]], wanted: torch.Tensor, settings: Settings) -> Encoder:
    """Trains `encoder` so that the mean state of rows[i], projected, points where wanted[i] does."""
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    project = nn.Linear(encoder.shape.width, wanted.shape[1])
    nn.init.eye_(project.weight)
    words = [p for n, p in encoder.named_parameters() if n == "words.weight"]
    others = [p for n, p in encoder.named_parameters() if n != "words.weight"] + list(project.parameters())
    groups = [
        {"params": words, "lr": settings.rate * settings.embedding_rate, "weight_decay": 0.0},
        {"params": others, "lr": settings.rate},
    ]
    optim = torch.optim.AdamW(groups, fused=True)
    steps = settings.epochs * math.ceil(len(rows) / settings.size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optim, lambda s: min((s + 1) / (settings.warm * steps), 1 - s / (steps + 1))
    )
    encoder.train()
    for epoch in range(settings.epochs):
        total = 0.0
        for chosen in shuffled(rows, settings.size, rng):
            ids = padded([rows[i] for i in chosen])
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                states = encoder(ids)
            found = functional.normalize(project(pooled(states.float(), ids)), dim=1)
            loss = (1 - (found * wanted[torch.from_numpy(chosen)]).sum(1)).mean()
            optim.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optim.step()
            schedule.step()
            total += loss.item() * len(chosen)
        log.info("adapt, epoch %d: mean distance %.4f", epoch + 1, total / len(rows))
    return encoder
